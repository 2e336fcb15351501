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

// process is a program of PostgreSQL's that runs as a child of this process.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process is gone
	err  error         // of its end, to be read after done
}

// start runs a command in a thread of its own: on Linux the child is told when the thread that made it ends,
// and any other thread may end at the runtime's whim.
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

// stop shuts a server down: in good order (fast shutdown), or, where that takes too long, without (immediate
// shutdown), which the next start recovers from.
func (p *process) stop() error {
	for _, step := range []struct {
		signal   os.Signal
		patience time.Duration
	}{{syscall.SIGINT, time.Minute}, {syscall.SIGQUIT, 10 * time.Second}, {syscall.SIGKILL, time.Minute}} {
		p.cmd.Process.Signal(step.signal) //nolint:errcheck // it may be gone, which done tells
		select {
		case <-p.done:
			return p.err
		case <-time.After(step.patience):
		}
	}
	return fmt.Errorf("process %d does not end", p.cmd.Process.Pid)
}

// launcher runs PostgreSQL's programs in a home.
type launcher struct {
	home   home
	alive  *os.File // the server lock, which they inherit
	log    *os.File // where they write
	logged int64    // the size of the log before
}

// failure is what happened, and the last lines that were logged meanwhile.
func (l launcher) failure(what string) error {
	const tail = 2048
	info, err := l.log.Stat()
	if err != nil {
		return err
	}
	text := make([]byte, tail)
	n, _ := l.log.ReadAt(text, max(l.logged, info.Size()-tail))
	lines := strings.FieldsFunc(string(text[:n]), func(r rune) bool { return r == '\n' })
	return fmt.Errorf("%s in %s, and the last it wrote to %s is: %s", what, l.home.dir, l.log.Name(),
		strings.Join(lines[max(0, len(lines)-4):], " | "))
}

// command prepares a program of PostgreSQL's, apart from the terminal, so that an interrupt meant for this
// process does not end the server under it.
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

// initdb makes the cluster. It is made beside its place and moved there when done, so that it is whole or not
// there at all.
//
// It reaches the disk before it is moved, except where the settings say that the disk does not matter.
func (l launcher) initdb(ctx context.Context, bin binaries, settings map[string]string) error {
	unfinished := l.home.data() + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return fmt.Errorf("what an interrupted start left can't be removed: %w", err)
	}
	defer os.RemoveAll(unfinished)
	if err := os.Mkdir(unfinished, 0o700); err != nil {
		return fmt.Errorf("the database can't be created in %s: %w", l.home.dir, err)
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
		p.stop() //nolint:errcheck // the error to tell is that of ctx
		return fmt.Errorf("the database in %s was not created, because the start was interrupted: %w", l.home.dir, context.Cause(ctx))
	}
	if p.err != nil {
		return l.failure("PostgreSQL's initdb failed")
	}

	if err := os.Rename(unfinished, l.home.data()); err != nil {
		return fmt.Errorf("the new database can't be put in its place, so remove what is there: %w", err)
	}
	return syncDir(l.home.dir)
}

// postgres starts the server.
func (l launcher) postgres(bin binaries, settings map[string]string) (*process, error) {
	all := map[string]string{
		"max_connections": "200",
		"shared_buffers":  "128MB",
		"jit":             "off", // dear for queries as short as ours
		"timezone":        "GMT",
		"log_timezone":    "GMT",
		"log_checkpoints": "off", // else the log grows without need
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

// refused explains why a program could not even be started.
func (l launcher) refused(err error) error {
	if errors.Is(err, fs.ErrPermission) && l.home.user.other {
		return fmt.Errorf("PostgreSQL can't run as user %s in %s, so choose a --data that this user can reach, such as /var/lib/dispo: %w", l.home.user.name, l.home.dir, err)
	}
	return fmt.Errorf("PostgreSQL can't be run in %s: %w", l.home.dir, err)
}

// syncDir makes a rename within a directory durable.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// isStarting tells whether a connection failed for a reason that time heals: the server does not listen yet, or
// says that it is starting up.
func isStarting(err error) bool {
	return errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ECONNREFUSED) || hasCode(err, "57P03") // cannot_connect_now
}

// hasCode tells whether an error is PostgreSQL's with this SQLSTATE.
func hasCode(err error, code string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == code
}
