// Package embedded runs a private PostgreSQL server in a data directory. It needs PostgreSQL's programs, but
// no port and no password.
//
// One process owns the server of a directory and is its parent. Commands share the server of a service, and wait for
// each other otherwise. Guests only ever share. The server stops when its owner ends or is killed. Committed data is kept for the next start.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"dispo/migrations"
)

var (
	// ErrInUse is wrapped by the error that Open returns to a service if another one already owns the directory.
	ErrInUse = errors.New("the data directory is in use")

	// ErrNone is wrapped by the error that Open returns if the directory has no database.
	ErrNone = errors.New("there is no database")
)

const (
	// superuser owns the cluster. Dispo works as the owner of the database, which is not a superuser, because a database
	// that was restored runs code of the backup.
	superuser, login = "dispo", "dispo_owner"

	// patience is how long to wait for a process that owns the server but does not let others use it.
	patience = 2 * time.Minute

	// deafFor is how long a server may run without listening.
	deafFor = time.Minute

	// remindEvery is how often a wait is logged.
	remindEvery = time.Minute

	// pollEvery is how often to check for a change that another process makes.
	pollEvery = 10 * time.Millisecond

	// guestPollEvery is the same for a guest, which may wait for days.
	guestPollEvery = 200 * time.Millisecond
)

// Options configure a server. Only Dir and Log are required.
type Options struct {
	// Dir is the data directory. It is created if missing, and only its user may enter it; if that is
	// root, so may the server's user. It may contain other files: only `postgres` and what begins with
	// `postgres.` belongs to this package.
	Dir string

	// Create lets Open create a database for a command. For a service it always may.
	Create bool

	// BinDir is the directory of PostgreSQL's programs (PG_BIN). If empty, PATH and the usual directories
	// are searched.
	BinDir string

	// Settings are PostgreSQL settings, such as fsync=off for tests. They override this package's own and the
	// operator's, except for those that determine where the server listens.
	Settings map[string]string

	// Log receives a message before slow steps.
	Log *slog.Logger

	patience, remindEvery time.Duration // tests change them
}

// Server is a running PostgreSQL server, owned by this process or by another one.
type Server struct {
	options Options
	home    home
	role    Role
	lock    *os.File // held by the owner and by the server's processes
	process *process // nil if a service owns the server
	stop    func() error

	bin binaries
	log *os.File // the output of the programs, and of the server until its collector runs
}

// Role says who opens a server. The lock file names the owner's.
type Role string

const (
	Service Role = "service" // runs for long, and always owns the server
	Command Role = "command" // uses the server of a service, or else owns one for a short time
	Guest   Role = "guest"   // runs for long, and uses the server of a service
)

// Open returns the server of a directory, until Stop. If a command owns the server, Open waits for it until ctx is
// done. So does a guest if no service owns it.
//
// The error wraps ErrInUse if two services want the directory, and ErrNone if it has no database and none may be
// created. Every error is one sentence for the operator: no suitable PostgreSQL, an unusable directory, or the last
// lines of the server's log. Cancelling ctx after Open has returned has no effect.
func Open(ctx context.Context, role Role, options Options) (*Server, error) {
	options.Create = options.Create || role == Service
	options.patience, options.remindEvery = cmp.Or(options.patience, patience), cmp.Or(options.remindEvery, remindEvery)
	s := &Server{options: options, role: role}
	s.stop = sync.OnceValue(s.leave)
	var err error
	if s.home, err = openHome(options.Dir, options.Create); err != nil {
		return nil, err
	}
	if s.lock, err = s.home.open(lockName, os.O_RDWR); err != nil {
		return nil, fmt.Errorf("cannot lock the data directory %s: %w", s.home.dir, err)
	}
	enter := s.own
	if role == Guest {
		enter = s.join
	}
	if err := enter(ctx); err != nil {
		s.lock.Close()
		s.log.Close()
		return nil, err
	}
	return s, nil
}

// URL returns the connection string of the server's database, as the database's owner, over the unix socket.
func (s *Server) URL() string { return s.address(login, "postgres") }

func (s *Server) address(user, database string) string {
	query := url.Values{"host": {s.home.data()}, "port": {port}, "sslmode": {"disable"}}.Encode()
	u := url.URL{
		Scheme:   "postgres",
		User:     url.User(user),
		Path:     "/" + database,
		RawQuery: strings.ReplaceAll(query, "+", "%20"),
	} // as PostgreSQL reads a blank
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

// own starts the server and owns it, or shares the server of a service.
func (s *Server) own(ctx context.Context) error {
	patience, remind := time.NewTimer(s.options.patience), time.NewTicker(s.options.remindEvery)
	defer patience.Stop()
	defer remind.Stop()
	for tries := 0; ; tries++ {
		err := syscall.Flock(int(s.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			if err = s.launch(ctx); err != nil {
				s.release()
			}
			return err
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("cannot lock %s, choose a --data on a local disk: %w", s.lock.Name(), err)
		}
		role, pid := s.owner()
		alive := syscall.Kill(pid, 0) != syscall.ESRCH
		switch {
		case role == Service && alive && s.role == Command:
			var conn *pgx.Conn
			if conn, err = pgx.Connect(ctx, s.URL()); err == nil {
				return conn.Close(ctx)
			}
			if major, unread := s.home.version(); major == 0 && unread == nil || isRecovering(err) {
				err = nil // it is being created, or is starting up
			}
		case role == Service && alive:
			return fmt.Errorf("%w: dispo with process id %d already serves %s, stop it or choose another --data",
				ErrInUse, pid, s.home.dir)
		case role == Command && alive:
			err = nil // a command may take its time
		}
		if tries == 10 || passed(remind.C) {
			s.options.Log.Info("waiting for another dispo, which uses the database or is starting it",
				"dir", s.home.dir, "pid", pid)
		}
		if err == nil {
			patience.Reset(s.options.patience)
		}
		if err == nil || !passed(patience.C) {
			err = pause(ctx, pollEvery)
		}
		if err != nil {
			return fmt.Errorf("the database in %s is in use by dispo with process id %d and does not answer, "+
				"try again or see %s: %w", s.home.dir, pid, s.home.logs(), err)
		}
	}
}

// join waits until a service owns the server.
func (s *Server) join(ctx context.Context) error {
	for tries := 0; ; tries++ {
		if role, pid := s.owner(); role == Service && syscall.Kill(pid, 0) != syscall.ESRCH {
			if conn, err := pgx.Connect(ctx, s.URL()); err == nil {
				return conn.Close(ctx)
			}
		}
		if tries == 0 {
			s.options.Log.Info("waiting for dispo serve or dispo demo: one of them must run the database", "dir", s.home.dir)
		}
		if err := pause(ctx, guestPollEvery); err != nil {
			return fmt.Errorf("neither dispo serve nor dispo demo has started the database in %s: %w", s.home.dir, err)
		}
	}
}

// Announce notes for commands at which URL the service that owns the server is reached.
func (s *Server) Announce(url string) error { return s.sign(url) }

// ServiceURL returns the URL that the service that owns the server has announced, or "".
func (s *Server) ServiceURL() (url string) {
	text := make([]byte, 1024)
	n, _ := s.lock.ReadAt(text, 0)
	_, _ = fmt.Sscanf(string(text[:n]), string(Service)+" %d %s", new(int), &url)
	return url
}

// owner returns what the lock's holder has written: its role and its process id.
func (s *Server) owner() (role Role, pid int) {
	text := make([]byte, 64)
	n, _ := s.lock.ReadAt(text, 0)
	_, _ = fmt.Sscan(string(text[:n]), &role, &pid)
	return role, pid
}

// launch creates the cluster if there is none, starts the server as its owner, and returns when the database
// answers.
func (s *Server) launch(ctx context.Context) error {
	if err := s.sign(""); err != nil {
		return err
	}
	major, err := s.home.version()
	if err != nil {
		return err
	}
	if _, missing := os.Lstat(filepath.Join(s.home.next(), swapName)); major == 0 && missing == nil {
		// An upgrade ended between its two renames.
		if err = os.Rename(s.home.old(), s.home.data()); err == nil {
			major, err = s.home.version()
		}
	}
	// Remove what is unfinished first; it may have filled the disk.
	if err == nil {
		err = os.RemoveAll(s.home.next())
	}
	if err == nil {
		s.log, err = s.home.open("postgres.log", os.O_RDWR|os.O_APPEND|os.O_TRUNC)
	}
	if err == nil {
		err = s.home.write("postgres.conf", defaults)
	}
	if err != nil {
		return fmt.Errorf("cannot prepare the start of the database in %s: %w", s.home.dir, err)
	}
	if major == 0 && !s.options.Create {
		return none(s.home.dir)
	}
	if s.bin, err = findBinaries(ctx, s.options.BinDir, s.home, major); err != nil {
		return err
	}
	if err := s.home.letIn(); err != nil {
		return fmt.Errorf("cannot give user %s, who runs PostgreSQL, access to %s: %w", s.home.user.name, s.home.dir, err)
	}
	if major == 0 {
		s.options.Log.Info("creating the database", "dir", s.home.dir, "postgresql", s.bin.dir)
		defer os.RemoveAll(s.home.next())
		if err := s.build(ctx); err != nil {
			return err
		}
		if err := os.Rename(s.home.next(), s.home.data()); err != nil {
			return fmt.Errorf("cannot rename the new database, remove what is in its place: %w", err)
		}
	}
	if err := s.home.clearStale(ctx); err != nil {
		return err
	}
	if s.role == Service {
		if warning := Outdated(ctx, s.home.dir); warning != "" {
			s.options.Log.Warn(warning)
		}
	}
	return s.start(ctx)
}

// start starts the server, and returns when the database answers.
func (s *Server) start(ctx context.Context) (err error) {
	if s.process, err = s.postgres(); err != nil {
		return err
	}
	if err = s.ready(ctx); err != nil {
		s.process.stop() //nolint:errcheck // the start's error matters more
		s.process = nil
	}
	return err
}

// ready returns when the server answers, in a database that no backup is restored into. A server that recovers may
// take its time.
func (s *Server) ready(ctx context.Context) error {
	deaf, remind := time.NewTimer(min(deafFor, s.options.patience)), time.NewTicker(s.options.remindEvery)
	defer deaf.Stop()
	defer remind.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.address(superuser, "template1"))
		if err == nil {
			var owned bool // not in a database of before Dispo worked as its owner
			err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`, login).Scan(&owned)
			if err = errors.Join(err, conn.Close(ctx)); err == nil && !owned {
				err = migrations.ErrEdition
			}
			return err
		}
		select {
		case <-s.process.done:
			return s.failure("PostgreSQL did not start", s.logFile())
		default:
		}
		switch {
		case isRecovering(err):
			if deaf.Reset(min(deafFor, s.options.patience)); passed(remind.C) {
				s.options.Log.Info("waiting for PostgreSQL, which was not shut down cleanly and recovers its data", "dir",
					s.home.dir, "log", s.home.logs())
			}
		case ctx.Err() == nil && !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.ECONNREFUSED):
			return fmt.Errorf("cannot use the database in %s, see %s: %w", s.home.dir, s.home.logs(), err)
		case ctx.Err() == nil && passed(deaf.C):
			return fmt.Errorf("PostgreSQL runs, but nobody listens on its socket in %s: see %s, or choose another --data",
				s.home.data(), s.home.logs())
		}
		if err := pause(ctx, pollEvery); err != nil {
			return fmt.Errorf("the database in %s was not ready in time, see %s: %w", s.home.dir, s.home.logs(), err)
		}
	}
}

// leave implements Stop.
func (s *Server) leave() error {
	defer s.lock.Close()
	defer s.log.Close()
	if s.process == nil {
		return nil
	}
	s.release()
	if err := s.process.stop(); err != nil {
		return fmt.Errorf("PostgreSQL did not stop cleanly, see %s: %w", s.home.logs(), err)
	}
	return nil
}

// sign writes the owner's name into the lock.
func (s *Server) sign(url string) error {
	err := s.lock.Truncate(0)
	if err == nil {
		_, err = s.lock.WriteAt(fmt.Appendf(nil, "%s %d %s\n", s.role, os.Getpid(), url), 0)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", s.lock.Name(), err)
	}
	return nil
}

// isRecovering reports whether the server refuses connections because it is starting up, recovering or shutting down.
func isRecovering(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.Code == "57P03" // cannot_connect_now
}

// release removes the owner's name from the lock, so that a service that starts now waits until the lock is free,
// instead of being refused.
func (s *Server) release() { _ = s.lock.Truncate(0) }

// pause waits for a time, or returns an error when ctx is done.
func pause(ctx context.Context, length time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(length):
		return nil
	}
}

// passed reports whether a timer or a ticker has fired since the last time.
func passed(fired <-chan time.Time) bool {
	select {
	case <-fired:
		return true
	default:
		return false
	}
}
