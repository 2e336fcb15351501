// Package embedded runs a private PostgreSQL server in a data directory. It needs PostgreSQL's programs, but
// no port and no password.
//
// One process owns the server of a directory and is its parent; other processes share that server. The server
// stops when its owner ends or is killed. Committed data is kept for the next start.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"
)

// ErrInUse is wrapped by the error that Start returns if another service already owns the directory.
var ErrInUse = errors.New("the data directory is in use")

const (
	// superuser owns the cluster, and database is created in it.
	superuser = "dispo"
	database  = "dispo"

	// attachedGrace is how long a stopping service waits for the commands that use its server.
	attachedGrace = 5 * time.Second
)

// Options configure a server. Only Dir is required.
type Options struct {
	// Dir is the data directory. It is created if missing, and only its user may enter it; if that is
	// root, so may the server's user. It may contain other files: only `postgres`, `socket`, `lock` and
	// `postgres.log` belong to this package.
	Dir string

	// BinDir is the directory of PostgreSQL's programs (PG_BIN). If empty, PATH and the usual directories
	// are searched.
	BinDir string

	// Settings are PostgreSQL settings, such as fsync=off for tests. They override this package's own,
	// except for those that determine where the server listens.
	Settings map[string]string

	// Log receives a message before slow steps. It may be nil.
	Log *slog.Logger

	// search overrides everywhere, for tests.
	search *search
}

// Server is a running PostgreSQL server, owned by this process or by another one.
type Server struct {
	home    home
	log     *slog.Logger
	role    role
	gate    *lock
	owner   *lock
	users   *lock
	process *process // nil if another process owns the server
	grace   time.Duration
	stop    func() error
}

// role is what a process uses the server for. The server's owner writes it to the owner lock.
type role string

const (
	service role = "service"
	command role = "command"
)

// errWait means that the server is not available yet.
var errWait = errors.New("a command owns the server")

// Start starts the server of a directory for a long-lived service, which owns it until Stop. If a command owns
// the server, Start waits for the command until ctx is done.
//
// If another service owns the directory, the error wraps ErrInUse. Every error is one sentence for the operator:
// no suitable PostgreSQL, an unusable directory, or the last lines of the server's log. Cancelling ctx after
// Start has returned has no effect.
func Start(ctx context.Context, options Options) (*Server, error) {
	return enter(ctx, options, service)
}

// Open returns the server of a directory for a short command. It joins the server that another process owns, or
// else starts one. Either way the server runs until Stop. The errors are those of Start, except for ErrInUse.
// Cancelling ctx after Open has returned has no effect.
func Open(ctx context.Context, options Options) (*Server, error) {
	return enter(ctx, options, command)
}

// URL returns the connection string of the database dispo, as the cluster's superuser, over the unix socket.
func (s *Server) URL() string {
	return s.URLFor(database)
}

// URLFor is like URL, for another database of the same server. It does not create the database.
func (s *Server) URLFor(database string) string {
	u := url.URL{
		Scheme: "postgres",
		User:   url.User(superuser),
		Path:   "/" + database,
		RawQuery: url.Values{
			"host":    {s.home.socket()},
			"port":    {port},
			"sslmode": {"disable"},
		}.Encode(),
	}
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

// Stop ends the use of the server, and shuts it down if this process owns it. A service first waits a few
// seconds for the commands that still use the server; a command waits until they are done. All processes of the
// server have ended when Stop returns. Later calls do nothing and return the same error.
func (s *Server) Stop() error {
	return s.stop()
}

// enter implements Start and Open.
func enter(ctx context.Context, options Options, role role) (*Server, error) {
	s, err := prepare(options, role)
	if err != nil {
		return nil, err
	}
	for waiting := false; ; waiting = true {
		err := s.pass(ctx, options)
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, errWait) {
			s.unlock()
			return nil, err
		}
		if !waiting {
			s.log.Info("waiting for another command that uses the database", "dir", s.home.dir)
		}
		if err := pause(ctx); err != nil {
			s.unlock()
			return nil, fmt.Errorf("another command is still using the database in %s, try again when it has finished: %w", s.home.dir, err)
		}
	}
}

// prepare creates the directory and opens its locks.
func prepare(options Options, role role) (*Server, error) {
	s := &Server{log: options.Log, role: role, grace: attachedGrace}
	s.stop = sync.OnceValue(s.leave)
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}

	var err error
	if s.home, err = openHome(options.Dir); err != nil {
		return nil, err
	}
	for name, l := range map[string]**lock{"gate": &s.gate, "owner": &s.owner, "users": &s.users} {
		if *l, err = openLock(s.home, name); err != nil {
			s.unlock()
			return nil, err
		}
	}
	return s, nil
}

// pass starts the server and owns it, or joins the server of another process. It returns errWait if this process
// is a service and a command owns the server.
func (s *Server) pass(ctx context.Context, options Options) error {
	if err := s.gate.wait(ctx); err != nil {
		return fmt.Errorf("the database in %s is being started or stopped by another command, try again: %w", s.home.dir, err)
	}
	defer s.gate.release()

	owned, err := s.owner.try(unix.LOCK_EX)
	if err != nil {
		return err
	}
	if owned {
		if err := s.launch(ctx, options); err != nil {
			s.owner.release()
			return err
		}
		return nil
	}

	kind, pid := s.owner.read()
	if s.role == command {
		return s.attach(ctx, pid)
	}
	if kind == service {
		return fmt.Errorf("%w: dispo with process id %s already serves %s, stop it or choose another --data", ErrInUse, pid, s.home.dir)
	}
	return errWait
}

// attach joins the server that another process owns. The owner does not stop the server before this process is
// done.
func (s *Server) attach(ctx context.Context, pid string) error {
	joined, err := s.users.try(unix.LOCK_SH)
	if err != nil {
		return err
	}
	if !joined {
		return errWait // a service is stopping, without the gate because another process held it for too long
	}
	if err := s.connect(ctx); err != nil {
		return fmt.Errorf("the database in %s, run by dispo with process id %s, does not answer, see %s: %w", s.home.dir, pid, s.home.logFile(), err)
	}
	return nil
}

// launch creates the cluster if there is none, starts the server as its owner, and returns when the database
// answers.
func (s *Server) launch(ctx context.Context, options Options) error {
	began := time.Now()
	if err := s.owner.write(s.role); err != nil {
		return err
	}
	alive, err := s.home.alone(ctx)
	if err != nil {
		return err
	}
	defer alive.file.Close() // the server inherits its own descriptor

	log, err := s.home.openLog()
	if err != nil {
		return err
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return err
	}
	run := launcher{home: s.home, alive: alive.file, log: log, logged: info.Size()}

	major, err := s.home.version()
	if err != nil {
		return err
	}
	bin, err := findBinaries(ctx, options, s.home, major)
	if err != nil {
		return err
	}
	if err := s.home.letIn(); err != nil {
		return fmt.Errorf("cannot give user %s, who runs PostgreSQL, access to %s: %w", s.home.user.name, s.home.dir, err)
	}
	if major == 0 {
		s.log.Info("creating the database", "dir", s.home.dir, "postgresql", bin.dir)
		if err := run.initdb(ctx, bin, options.Settings); err != nil {
			return err
		}
	}
	if err := s.home.makeSocketDir(); err != nil {
		return err
	}
	if err := s.home.clearStale(ctx); err != nil {
		return err
	}
	if s.process, err = run.postgres(bin, options.Settings); err != nil {
		return err
	}
	if err := s.ready(ctx, run); err != nil {
		s.process.stop() //nolint:errcheck // the start's error matters more
		return err
	}
	s.log.Debug("the database is ready", "dir", s.home.dir, "postgresql", bin.dir, "took", time.Since(began))
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
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()

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
	defer s.unlock()
	if s.process == nil {
		return nil
	}

	s.closeGate()
	err := s.process.stop()
	os.Remove(s.home.socket())
	if err != nil {
		return fmt.Errorf("PostgreSQL did not stop cleanly, see %s: %w", s.home.logFile(), err)
	}
	return nil
}

// closeGate waits for the commands that use the server, a service only for the grace period. It keeps the gate,
// so that no process joins a server that is about to stop.
func (s *Server) closeGate() {
	ctx := context.Background()
	if s.role == service {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.grace)
		defer cancel()
	}

	for waiting := false; s.gate.wait(ctx) == nil; waiting = true {
		if alone, err := s.users.try(unix.LOCK_EX); alone || err != nil || ctx.Err() != nil {
			return
		}
		s.gate.release()
		if !waiting {
			s.log.Info("waiting for another command that uses the database", "dir", s.home.dir)
		}
		select {
		case <-s.process.done:
			return // the commands have already lost their connections
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// unlock releases all locks, the gate last.
func (s *Server) unlock() {
	for _, l := range []*lock{s.users, s.owner, s.gate} {
		if l != nil {
			l.file.Close()
		}
	}
}
