package embedded

import (
	"cmp"
	"context"
	_ "embed" // the steps and the settings
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// process is a running server, a child of this process.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	err  error         // how it ended; valid after done is closed
}

// stop shuts the server down cleanly (fast shutdown). If that takes too long, it shuts down immediately, and the next
// start recovers the data.
func (p *process) stop() error {
	p.cmd.Process.Signal(syscall.SIGINT) //nolint:errcheck // done shows whether the process has ended
	select {
	case <-p.done:
	case <-time.After(time.Minute):
		p.cmd.Process.Signal(syscall.SIGQUIT) //nolint:errcheck // as above
		<-p.done
	}
	return p.err
}

// failure returns an error with the last lines of a log.
func (s *Server) failure(what, log string) error {
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	lines := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	return fmt.Errorf("%s in %s, its last lines in %s are: %s", what, s.home.dir, log,
		strings.Join(lines[max(0, len(lines)-4):], " | "))
}

// logFile returns the log of the server: its collector's, or that of the start until there is one.
func (s *Server) logFile() string {
	text, _ := os.ReadFile(filepath.Join(s.home.data(), currentLogs))
	if _, name, collects := strings.Cut(strings.TrimSpace(string(text)), " "); collects {
		return filepath.Join(s.home.data(), name)
	}
	return s.log.Name()
}

// run starts a program in the directory of a cluster. It runs in its own session, so that Ctrl-C in the terminal does not
// stop the server before this process does. Its OS thread lasts until it has ended: on Linux, the ending signal is sent
// when the thread that created the child ends. It has ended when nobody writes to its output any more, as PostgreSQL's
// collector does to the end.
func (s *Server) run(
	ctx context.Context, ending syscall.Signal, cluster, program string, args ...string,
) (*process, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = cluster
	cmd.Env = Environment()
	output := struct{ io.Writer }{s.log} // hides that it is a file, on which nobody would wait
	cmd.Stdout, cmd.Stderr = output, output
	cmd.ExtraFiles = []*os.File{s.lock}
	cmd.SysProcAttr = attributes(s.home.user.credential, ending)
	cmd.Cancel = func() error { return cmd.Process.Signal(ending) }
	cmd.WaitDelay = 10 * time.Second
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("cannot run PostgreSQL as user %s in %s, choose a --data that this user can access, "+
			"such as /var/lib/dispo: %w", s.home.user.name, s.home.dir, err)
	}
	return p, nil
}

// clusterSteps make a cluster, and defaults are the settings that its postgresql.conf includes.
var (
	//go:embed cluster.sh
	clusterSteps string
	//go:embed postgres.conf
	defaults string
)

// build makes the next cluster: a new one, or one of the programs and the folder of an old one.
func (s *Server) build(ctx context.Context, old ...string) error {
	next := s.home.next()
	err := os.Mkdir(next, 0o700)
	if err == nil {
		err = s.home.user.own(next)
	}
	if err != nil {
		return fmt.Errorf("cannot create the database in %s: %w", s.home.dir, err)
	}
	p, err := s.run(ctx, syscall.SIGTERM, next, "/bin/sh", append([]string{
		"-c", clusterSteps, "sh", s.bin.dir, superuser, login, port, cmp.Or(s.options.Settings["fsync"], "on"),
	}, old...)...)
	if err != nil {
		return err
	}
	<-p.done
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted before the database in %s was complete: %w", s.home.dir, context.Cause(ctx))
	}
	if p.err == nil {
		return nil
	}
	err = s.failure("PostgreSQL could not make a database", s.log.Name())
	if strings.Contains(err.Error(), "could not look up effective user ID") {
		return fmt.Errorf("the user id %s has no entry in /etc/passwd, without which PostgreSQL creates no database: "+
			"add one, or set DATABASE_URL to use a running server", s.home.user.name)
	}
	return err
}

func (s *Server) postgres() (*process, error) {
	all := map[string]string{}
	maps.Copy(all, s.options.Settings)
	maps.Copy(all, map[string]string{
		"listen_addresses":        "",
		"port":                    port,
		"unix_socket_directories": `"` + strings.ReplaceAll(s.home.data(), `"`, `""`) + `"`,
		"unix_socket_permissions": "0700",
	})
	args := []string{"-D", s.home.data()}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}
	return s.run(context.Background(), syscall.SIGINT, s.home.data(), filepath.Join(s.bin.dir, "postgres"), args...)
}
