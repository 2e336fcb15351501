// Package embedded runs a private PostgreSQL server in a data directory. It needs PostgreSQL's programs, but
// no port and no password.
//
// One process owns the server of a directory and is its parent. Commands share the server of a service, and wait for
// each other otherwise. The server stops when its owner ends or is killed. Committed data is kept for the next start.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

var (
	// ErrInUse is wrapped by the error that Start returns if another service already owns the directory.
	ErrInUse = errors.New("the data directory is in use")

	// ErrNone is wrapped by the error that Open returns if the directory has no database.
	ErrNone = errors.New("there is no database")
)

const (
	// superuser owns the cluster, and database is created in it.
	superuser = "dispo"
	database  = "dispo"

	// patience is how long to wait for a process that owns the server but does not let others use it.
	patience = 2 * time.Minute

	// pollEvery is how often to check for a change that another process makes.
	pollEvery = 10 * time.Millisecond
)

// Options configure a server. Only Dir and Log are required.
type Options struct {
	// Dir is the data directory. It is created if missing, and only its user may enter it; if that is
	// root, so may the server's user. It may contain other files: only `postgres`, `postgres.log` and
	// `postgres.lock` belong to this package.
	Dir string

	// Create lets Open create a database. Start always may.
	Create bool

	// BinDir is the directory of PostgreSQL's programs (PG_BIN). If empty, PATH and the usual directories
	// are searched.
	BinDir string

	// Settings are PostgreSQL settings, such as fsync=off for tests. They override this package's own,
	// except for those that determine where the server listens.
	Settings map[string]string

	// Log receives a message before slow steps.
	Log *slog.Logger
}

// Server is a running PostgreSQL server, owned by this process or by another one.
type Server struct {
	options Options
	home    home
	role    string
	lock    *os.File // held by the owner and by the server's processes
	process *process // nil if a service owns the server
	stop    func() error
}

// The roles of owners, which the lock file names.
const (
	service = "service"
	command = "command"
)

// Start starts the server of a directory for a long-lived service, which owns it until Stop. If a command owns
// the server, Start waits for the command until ctx is done.
//
// If another service owns the directory, the error wraps ErrInUse. Every error is one sentence for the operator:
// no suitable PostgreSQL, an unusable directory, or the last lines of the server's log. Cancelling ctx after
// Start has returned has no effect.
func Start(ctx context.Context, options Options) (*Server, error) {
	options.Create = true
	return enter(ctx, options, service)
}

// Open returns the server of a directory for a short command: the one of a running service, or else one of its own. If
// another command owns the server, Open waits for it until ctx is done. The errors are those of Start, with ErrNone in
// place of ErrInUse. Cancelling ctx after Open has returned has no effect.
func Open(ctx context.Context, options Options) (*Server, error) {
	return enter(ctx, options, command)
}

// URL returns the connection string of the database dispo, as the cluster's superuser, over the unix socket.
func (s *Server) URL() string { return s.URLFor(database) }

// URLFor is like URL, for another database of the same server. It does not create the database.
func (s *Server) URLFor(database string) string {
	query := url.Values{"host": {s.home.data()}, "port": {port}, "sslmode": {"disable"}}
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database, RawQuery: query.Encode()}
	return u.String()
}

// Done returns a channel that is closed when a server owned by this process has ended, whether by Stop or on its
// own. It returns nil for a server that another process owns.
func (s *Server) Done() <-chan struct{} {
	if s.process == nil {
		return nil
	}
	return s.process.done
}

// Stop ends the use of the server, and shuts it down if this process owns it. All processes of the server have ended
// then. Later calls do nothing and return the same error.
func (s *Server) Stop() error { return s.stop() }

// enter implements Start and Open.
func enter(ctx context.Context, options Options, role string) (*Server, error) {
	s := &Server{options: options, role: role}
	s.stop = sync.OnceValue(s.leave)
	var err error
	if s.home, err = openHome(options.Dir, options.Create); err != nil {
		return nil, err
	}
	if s.lock, err = s.home.open(lockName, os.O_RDWR); err != nil {
		return nil, fmt.Errorf("cannot lock the data directory %s: %w", s.home.dir, err)
	}
	if err := s.own(ctx); err != nil {
		s.lock.Close()
		return nil, err
	}
	return s, nil
}

// own starts the server and owns it, or shares the server of a service.
func (s *Server) own(ctx context.Context) error {
	const roleKnown = 10 // how many tries it takes at most until a new owner has written its role
	began := time.Now()
	for tries := 0; ; tries++ {
		err := syscall.Flock(int(s.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return s.launch(ctx)
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("cannot lock %s, choose a --data on a local disk: %w", s.lock.Name(), err)
		}
		role, pid := s.owner()
		alive := syscall.Kill(pid, 0) != syscall.ESRCH
		switch {
		case role == service && alive && s.role == command:
			var conn *pgx.Conn
			if conn, err = pgx.Connect(ctx, s.URL()); err == nil {
				return conn.Close(ctx)
			}
		case role == service && alive && tries > roleKnown: // before, the role may be that of an earlier owner
			return fmt.Errorf("%w: dispo with process id %d already serves %s, stop it or choose another --data", ErrInUse, pid, s.home.dir)
		case role == command && alive:
			began = time.Now() // a command may take its time
		}
		if tries == roleKnown+1 { // it was not refused
			s.options.Log.Info("waiting for another command that uses the database", "dir", s.home.dir)
		}
		if time.Since(began) < patience {
			err = pause(ctx)
		}
		if err != nil {
			return fmt.Errorf("the database in %s is in use by dispo with process id %d and does not answer, try again or see %s: %w", s.home.dir, pid, s.home.logFile(), err)
		}
	}
}

// owner returns what the lock's holder has written: its role and its process id.
func (s *Server) owner() (role string, pid int) {
	text := make([]byte, 64)
	n, _ := s.lock.ReadAt(text, 0)
	_, _ = fmt.Sscan(string(text[:n]), &role, &pid)
	return role, pid
}

// launch creates the cluster if there is none, starts the server as its owner, and returns when the database
// answers.
func (s *Server) launch(ctx context.Context) error {
	err := s.lock.Truncate(0)
	if err == nil {
		_, err = s.lock.WriteAt(fmt.Appendf(nil, "%s %d\n", s.role, os.Getpid()), 0)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", s.lock.Name(), err)
	}
	run := launcher{home: s.home, lock: s.lock}
	if run.log, run.logged, err = s.home.openLog(); err != nil {
		return err
	}
	defer run.log.Close()
	major, err := s.home.version()
	if err != nil {
		return err
	}
	if major == 0 && !s.options.Create {
		return none(s.home.dir)
	}
	bin, err := findBinaries(ctx, s.options.BinDir, s.home, major)
	if err != nil {
		return err
	}
	if err := s.home.letIn(); err != nil {
		return fmt.Errorf("cannot give user %s, who runs PostgreSQL, access to %s: %w", s.home.user.name, s.home.dir, err)
	}
	if major == 0 {
		s.options.Log.Info("creating the database", "dir", s.home.dir, "postgresql", bin.dir)
		if err := run.initdb(ctx, bin, s.options.Settings); err != nil {
			return err
		}
	}
	if err := s.home.clearStale(ctx); err != nil {
		return err
	}
	if s.process, err = run.postgres(bin, s.options.Settings); err != nil {
		return err
	}
	if err := s.ready(ctx, run); err != nil {
		s.process.stop() //nolint:errcheck // the start's error matters more
		return err
	}
	return nil
}

// ready waits until the database answers.
func (s *Server) ready(ctx context.Context, run launcher) error {
	for {
		err := s.connect(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.process.done:
			return run.failure("PostgreSQL did not start")
		default:
		}
		if ctx.Err() == nil && !isStarting(err) {
			return fmt.Errorf("cannot use the database in %s, see %s: %w", s.home.dir, s.home.logFile(), err)
		}
		if err := pause(ctx); err != nil {
			return fmt.Errorf("the database in %s was not ready in time, see %s: %w", s.home.dir, s.home.logFile(), err)
		}
	}
}

// connect checks that the database answers. It creates the database if the cluster is new.
func (s *Server) connect(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.URL())
	if err == nil {
		return conn.Close(ctx)
	}
	if !hasCode(err, "3D000") { // invalid_catalog_name
		return err
	}
	if conn, err = pgx.Connect(ctx, s.URLFor("postgres")); err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "CREATE DATABASE "+database)
	return err
}

// leave implements Stop.
func (s *Server) leave() error {
	defer s.lock.Close()
	if s.process == nil {
		return nil
	}
	s.lock.Truncate(0) //nolint:errcheck // so that a service that starts now waits, instead of being refused
	if err := s.process.stop(); err != nil {
		return fmt.Errorf("PostgreSQL did not stop cleanly, see %s: %w", s.home.logFile(), err)
	}
	return nil
}

// pause waits for pollEvery, or returns an error when ctx is done.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pollEvery):
		return nil
	}
}
