package embedded

import (
	"cmp"
	"context"
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

// failure returns an error with the last lines that were logged since this start.
func (s *Server) failure(what string) error {
	text, err := os.ReadFile(s.log.Name())
	if err != nil {
		return err
	}
	lines := strings.FieldsFunc(string(text[min(s.logged, int64(len(text))):]), func(r rune) bool { return r == '\n' })
	return fmt.Errorf("%s in %s, its last lines in %s are: %s", what, s.home.dir, s.log.Name(),
		strings.Join(lines[max(0, len(lines)-4):], " | "))
}

// run starts a program of PostgreSQL, with an input or nil. It runs in its own session, so that Ctrl-C in the terminal
// does not stop the server before this process does. Its OS thread lasts until it has ended: on Linux, Pdeathsig is
// sent when the thread that created the child ends.
func (s *Server) run(ctx context.Context, input io.Reader, program string, args ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin.dir, program), args...)
	cmd.Dir = s.home.dir
	cmd.Env = Environment()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, s.log, s.log
	cmd.ExtraFiles = []*os.File{s.lock}
	cmd.SysProcAttr = attributes(s.home.user.credential)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = time.Minute
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
		return nil, fmt.Errorf(
			"cannot run PostgreSQL as user %s in %s, choose a --data that this user can access, such as /var/lib/dispo: %w",
			s.home.user.name,
			s.home.dir,
			err,
		)
	}
	return p, nil
}

// setUp does in a new cluster what docs/roles.sql does elsewhere, one statement a line.
const setUp = `CREATE ROLE dispo_app
CREATE ROLE dispo_operator
CREATE ROLE dispo_keeper
CREATE ROLE ` + login + ` LOGIN IN ROLE dispo_app, dispo_operator, dispo_keeper
ALTER DATABASE postgres OWNER TO ` + login + `
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC
`

// initdb creates the cluster under another name and then renames it, so that a cluster is always complete. initdb
// syncs the files to disk, unless the settings turn fsync off.
func (s *Server) initdb(ctx context.Context) error {
	unfinished := s.home.data() + ".new"
	err := os.RemoveAll(unfinished)
	if err == nil {
		defer os.RemoveAll(unfinished)
		err = os.Mkdir(unfinished, 0o700)
	}
	if err == nil {
		err = s.home.user.own(unfinished)
	}
	if err != nil {
		return fmt.Errorf("cannot create the database in %s: %w", s.home.dir, err)
	}
	args := []string{
		"--pgdata", unfinished, "--username", superuser, "--encoding", "UTF8", "--locale", "C",
		"--auth-local", "trust", "--auth-host", "reject",
	}
	fsync := cmp.Or(s.options.Settings["fsync"], "on")
	if fsync == "off" {
		args = append(args, "--no-sync")
	}
	if err := s.finish(ctx, nil, "initdb", args...); err != nil {
		return err
	}
	if err := s.finish(
		ctx,
		strings.NewReader(setUp),
		"postgres",
		"--single",
		"-D",
		unfinished,
		"-c",
		"exit_on_error=on",
		"-c",
		"fsync="+fsync,
		"postgres",
	); err != nil {
		return err
	}
	if err := os.Rename(unfinished, s.home.data()); err != nil {
		return fmt.Errorf("cannot rename the new database, remove what is in its place: %w", err)
	}
	return nil
}

// finish runs a program that creates the cluster to its end.
func (s *Server) finish(ctx context.Context, input io.Reader, program string, args ...string) error {
	p, err := s.run(ctx, input, program, args...)
	if err != nil {
		return err
	}
	<-p.done
	if ctx.Err() != nil {
		return fmt.Errorf("the start was interrupted before the database in %s was created: %w", s.home.dir,
			context.Cause(ctx))
	}
	if p.err == nil {
		return nil
	}
	err = s.failure("PostgreSQL's " + program + " failed")
	if strings.Contains(err.Error(), "could not look up effective user ID") {
		return fmt.Errorf(
			"the user id %s has no entry in /etc/passwd, without which PostgreSQL creates no database: add one, or set DATABASE_URL to use a running server",
			s.home.user.name,
		)
	}
	return err
}

func (s *Server) postgres() (*process, error) {
	all := map[string]string{
		"max_connections": "200",
		"shared_buffers":  "128MB",
		"jit":             "off", // too expensive for short queries
		"timezone":        "GMT",
		"log_timezone":    "GMT",
		"log_checkpoints": "off", // keeps the log short
	}
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
	return s.run(context.Background(), nil, "postgres", args...)
}
