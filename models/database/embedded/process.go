package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// process is a program of PostgreSQL that runs as a child of this process.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	err  error         // how it ended; valid after done is closed
}

// start runs a command from a locked OS thread. On Linux, Pdeathsig is sent when the thread that created the child
// ends, and the runtime may end any other thread.
func start(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		defer close(p.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()

		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
		}
	}()
	return p, <-started
}

// stop shuts a server down cleanly (fast shutdown). If that takes too long, it shuts down immediately, and the next
// start recovers the data.
func (p *process) stop() error {
	for _, step := range []struct {
		signal   os.Signal
		patience time.Duration
	}{{syscall.SIGINT, time.Minute}, {syscall.SIGQUIT, 10 * time.Second}, {syscall.SIGKILL, time.Minute}} {
		p.cmd.Process.Signal(step.signal) //nolint:errcheck // done shows whether the process has ended
		select {
		case <-p.done:
			return p.err
		case <-time.After(step.patience):
		}
	}
	return fmt.Errorf("process %d does not stop", p.cmd.Process.Pid)
}

// launcher runs the programs of PostgreSQL in a home.
type launcher struct {
	home   home
	alive  *os.File // the server lock, which the programs inherit
	log    *os.File // the output of the programs
	logged int64    // size of the log before this start, in bytes
}

// failure returns an error with the last lines that were logged since this start.
func (l launcher) failure(what string) error {
	const tail = 2048
	info, err := l.log.Stat()
	if err != nil {
		return err
	}
	text := make([]byte, tail)
	n, _ := l.log.ReadAt(text, max(l.logged, info.Size()-tail))
	lines := strings.FieldsFunc(string(text[:n]), func(r rune) bool { return r == '\n' })
	return fmt.Errorf("%s in %s, its last lines in %s are: %s", what, l.home.dir, l.log.Name(),
		strings.Join(lines[max(0, len(lines)-4):], " | "))
}

// command prepares a program of PostgreSQL. It runs in its own session, so that Ctrl-C in the terminal does not
// stop the server before this process does.
func (l launcher) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = l.home.dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PG") || strings.HasPrefix(variable, "LC_") || strings.HasPrefix(variable, "LANG")
	}), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = l.log, l.log
	cmd.ExtraFiles = []*os.File{l.alive}
	cmd.SysProcAttr = attributes(l.home.user.credential())
	return cmd
}

// initdb creates the cluster under another name and then renames it, so that a cluster is always complete. The files
// are synced to disk before the rename, unless the settings turn fsync off.
func (l launcher) initdb(ctx context.Context, bin binaries, settings map[string]string) error {
	unfinished := l.home.data() + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return fmt.Errorf("cannot remove the files of an interrupted start: %w", err)
	}
	defer os.RemoveAll(unfinished)
	if err := os.Mkdir(unfinished, 0o700); err != nil {
		return fmt.Errorf("cannot create the database in %s: %w", l.home.dir, err)
	}
	if err := l.home.user.own(unfinished); err != nil {
		return err
	}

	args := []string{
		"--pgdata", unfinished, "--username", superuser, "--encoding", "UTF8", "--locale", "C",
		"--auth-local", "trust", "--auth-host", "reject",
	}
	if settings["fsync"] == "off" {
		args = append(args, "--no-sync")
	}
	p, err := start(l.command(filepath.Join(bin.dir, "initdb"), args...))
	if err != nil {
		return l.refused(err)
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		p.stop() //nolint:errcheck // ctx's error matters more
		return fmt.Errorf("the start was interrupted before the database in %s was created: %w", l.home.dir, context.Cause(ctx))
	}
	if p.err != nil {
		return l.failure("PostgreSQL's initdb failed")
	}

	if err := os.Rename(unfinished, l.home.data()); err != nil {
		return fmt.Errorf("cannot rename the new database, remove what is in its place: %w", err)
	}
	return syncDir(l.home.dir)
}

// postgres starts the server.
func (l launcher) postgres(bin binaries, settings map[string]string) (*process, error) {
	all := map[string]string{
		"max_connections": "200",
		"shared_buffers":  "128MB",
		"jit":             "off", // too expensive for short queries
		"timezone":        "GMT",
		"log_timezone":    "GMT",
		"log_checkpoints": "off", // keeps the log short
	}
	maps.Copy(all, settings)
	maps.Copy(all, map[string]string{
		"listen_addresses":        "",
		"port":                    port,
		"unix_socket_directories": `"` + strings.ReplaceAll(l.home.socket(), `"`, `""`) + `"`,
		"unix_socket_permissions": "0700",
	})
	args := []string{"-D", l.home.data()}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}

	p, err := start(l.command(filepath.Join(bin.dir, "postgres"), args...))
	if err != nil {
		return nil, l.refused(err)
	}
	return p, nil
}

// refused explains why a program could not be started.
func (l launcher) refused(err error) error {
	if errors.Is(err, fs.ErrPermission) && l.home.user.other {
		return fmt.Errorf("cannot run PostgreSQL as user %s in %s, choose a --data that this user can access, such as /var/lib/dispo: %w", l.home.user.name, l.home.dir, err)
	}
	return fmt.Errorf("cannot run PostgreSQL in %s: %w", l.home.dir, err)
}

// syncDir makes a rename in a directory durable.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// isStarting reports whether a connection failed because the server does not listen yet or is starting up.
func isStarting(err error) bool {
	return errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ECONNREFUSED) || hasCode(err, "57P03") // cannot_connect_now
}

// hasCode reports whether an error is from PostgreSQL, with this SQLSTATE.
func hasCode(err error, code string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == code
}
