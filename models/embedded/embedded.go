// Package embedded runs a private PostgreSQL in a data directory that stays, for a program that has no
// other database: nothing to install beside PostgreSQL itself, no port, no password.
//
// One process owns the server of a directory and is its parent; others that come meanwhile use the same
// server. The server ends with its owner, also where the owner is killed, and what is committed is there at
// the next start.
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

// ErrInUse is the kind of the error that Start returns where another service already owns the directory.
var ErrInUse = errors.New("the data directory is in use")

const (
	// superuser is the role that owns the cluster, and database what is created in it.
	superuser = "dispo"
	database  = "dispo"

	// attachedGrace is how long a service that stops waits for the commands that use its server.
	attachedGrace = 5 * time.Second
)

// Options say where the server lives and how it is run. Only Dir is required.
type Options struct {
	// Dir is the data directory. It is created if missing, and only its user may enter it; if that is
	// root, so may the server's user. It may contain other files: only `postgres`, `socket`, `lock` and
	// `postgres.log` belong to this package.
	Dir string

	// BinDir is the directory of PostgreSQL's programs (PG_BIN). If empty, PATH and the usual directories
	// are searched.
	BinDir string

	// Settings are server settings (`fsync=off` for tests), which win over this package's own, except
	// those that say where the server listens.
	Settings map[string]string

	// Log receives a line where something takes a while. It may be nil.
	Log *slog.Logger

	// search is where to look for binaries; nil is everywhere.
	search *search
}

// Server is a running PostgreSQL, owned by this process or by another one.
type Server struct {
	home    home
	log     *slog.Logger
	role    role
	gate    *lock
	owner   *lock
	users   *lock
	process *process // nil where another process owns the server
	grace   time.Duration
	stop    func() error
}

// role is why a process wants the server, as its owner writes it into the owner lock.
type role string

const (
	service role = "service"
	command role = "command"
)

// errWait says that the server can't be had yet.
var errWait = errors.New("a command owns the server")

// Start starts the server of a directory for a long-lived service, and owns it until Stop. A command that
// has the server at the time is waited for, as long as ctx allows.
//
// Where another service owns the directory, the error is an ErrInUse. Every error is one sentence to show to
// the operator: no fitting PostgreSQL, a directory that can't be used, or the last words of the server's log.
// ctx bounds the start only.
func Start(ctx context.Context, options Options) (*Server, error) {
	return enter(ctx, options, service)
}

// Open gives a short command the server of a directory: the one that another process owns, or else one that
// is started for as long as the command needs it. Either way the server stays until Stop. The errors are those
// of Start, but never ErrInUse. ctx bounds the start only.
func Open(ctx context.Context, options Options) (*Server, error) {
	return enter(ctx, options, command)
}

// URL is the connection string of the database `dispo`, as the cluster's superuser, over the unix socket.
func (s *Server) URL() string {
	return s.URLFor(database)
}

// URLFor is URL for another database of the same server. It does not create it.
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

// Done is closed when a server that this process owns has ended, be it by Stop or by itself. For a server
// that another process owns it is nil.
func (s *Server) Done() <-chan struct{} {
	if s.process == nil {
		return nil
	}
	return s.process.done
}

// Stop ends the use of the server. Where this process owns it, the server is shut down first: a service gives
// the commands that still use it some seconds, a command waits until they are done. The server's processes are
// gone when Stop returns. A second call does nothing and returns the same.
func (s *Server) Stop() error {
	return s.stop()
}

// enter is Start and Open: it passes the gate, behind which the server is either owned and ready or nobody's.
func enter(ctx context.Context, options Options, role role) (*Server, error) {
	s, err := prepare(options, role)
	if err != nil {
		return nil, err
	}
	for told := false; ; told = true {
		err := s.pass(ctx, options)
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, errWait) {
			s.unlock()
			return nil, err
		}
		if !told {
			s.log.Info("waiting for another command to be done with the database", "dir", s.home.dir)
		}
		if err := pause(ctx); err != nil {
			s.unlock()
			return nil, fmt.Errorf("another command is still using the database in %s, try again when it is done: %w", s.home.dir, err)
		}
	}
}

// prepare makes the directory and opens its locks.
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

// pass becomes the server's owner or joins it. It returns errWait where a service finds a command's server.
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
		return fmt.Errorf("%w: the dispo with process id %s serves %s already, so stop that one or choose another --data", ErrInUse, pid, s.home.dir)
	}
	return errWait
}

// attach joins the server that another process owns, which can't stop it before this one is done.
func (s *Server) attach(ctx context.Context, pid string) error {
	joined, err := s.users.try(unix.LOCK_SH)
	if err != nil {
		return err
	}
	if !joined {
		return errWait // a service stops, without the gate since somebody held it for too long
	}
	if err := s.connect(ctx); err != nil {
		return fmt.Errorf("the database in %s, which the dispo with process id %s runs, does not answer, see %s: %w", s.home.dir, pid, s.home.logFile(), err)
	}
	return nil
}

// launch starts the server as its owner, having made the cluster where there is none, and returns when the
// database answers.
func (s *Server) launch(ctx context.Context, options Options) error {
	began := time.Now()
	if err := s.owner.write(s.role); err != nil {
		return err
	}
	alive, err := s.home.alone(ctx)
	if err != nil {
		return err
	}
	defer alive.file.Close() // the server has its own by now

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
		return fmt.Errorf("user %s, under which PostgreSQL runs, can't be let into %s: %w", s.home.user.name, s.home.dir, err)
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
		s.process.stop() //nolint:errcheck // the error to tell is the one of the start
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
			return fmt.Errorf("the database in %s started but can't be used, see %s: %w", s.home.dir, s.home.logFile(), err)
		}
		if err := pause(ctx); err != nil {
			return fmt.Errorf("the database in %s was not ready in time, see %s: %w", s.home.dir, s.home.logFile(), err)
		}
	}
}

// connect tries the database once, and creates it in a new cluster.
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

// leave is Stop.
func (s *Server) leave() error {
	defer s.unlock()
	if s.process == nil {
		return nil
	}

	s.closeGate()
	err := s.process.stop()
	os.Remove(s.home.socket())
	if err != nil {
		return fmt.Errorf("PostgreSQL did not stop in good order, see %s: %w", s.home.logFile(), err)
	}
	return nil
}

// closeGate waits for the commands that use the server and leaves the gate shut, so that nobody joins a
// server about to stop. A service does not wait for ever.
func (s *Server) closeGate() {
	ctx := context.Background()
	if s.role == service {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.grace)
		defer cancel()
	}

	for told := false; s.gate.wait(ctx) == nil; told = true {
		if alone, err := s.users.try(unix.LOCK_EX); alone || err != nil || ctx.Err() != nil {
			return
		}
		s.gate.release()
		if !told {
			s.log.Info("waiting for another command to be done with the database", "dir", s.home.dir)
		}
		select {
		case <-s.process.done:
			return // those who used it have lost it already
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// unlock gives up all locks, the gate last.
func (s *Server) unlock() {
	for _, l := range []*lock{s.users, s.owner, s.gate} {
		if l != nil {
			l.file.Close()
		}
	}
}
