package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/migrations"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == helperArg {
		helper(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

// newDir returns the path of a data directory that does not exist yet, which the server's user can access. Its name has
// what a shell, a URL or PostgreSQL's settings could take for something else.
func newDir(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "e-") // a socket's path has at most 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(parent)) })
	require.NoError(t, os.Chmod(parent, 0o755))
	parent, err = filepath.EvalSymlinks(parent)
	require.NoError(t, err)
	return filepath.Join(parent, `it's "a" 5%2C+?#&=\u æ漢`)
}

// testOptions are Options that do not sync to disk.
func testOptions(dir string) Options {
	return Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Settings: map[string]string{"fsync": "off"}}
}

// enterAs starts or opens the server of a directory until the test ends.
func enterAs(t *testing.T, role Role, options Options) *Server {
	t.Helper()
	s, err := Open(t.Context(), role, options)
	require.NoError(t, err)
	t.Cleanup(func() { s.Stop() })
	return s
}

// openBriefly returns the error of an Open that waits for a moment only.
func openBriefly(t *testing.T, role Role, options Options) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, role, options)
	return err
}

// query returns the single value of a query, or an empty text if it returns none.
func query(ctx context.Context, s *Server, sql string) (text string, err error) {
	conn, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	if err = conn.QueryRow(ctx, sql).Scan(&text); errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return text, err
}

// answers returns an error unless the server answers.
func answers(s *Server) error {
	_, err := query(context.Background(), s, "SELECT 'here'")
	return err
}

// requireAnswer requires the result of a query.
func requireAnswer(t *testing.T, s *Server, sql, answer string) {
	t.Helper()
	text, err := query(t.Context(), s, sql)
	require.NoError(t, err)
	require.Equal(t, answer, text)
}

// requireSentence requires an error of one line that contains all parts.
func requireSentence(t *testing.T, err error, parts ...string) {
	t.Helper()
	require.Error(t, err)
	require.NotContains(t, err.Error(), "\n")
	require.NotContains(t, err.Error(), "%!")
	for _, part := range parts {
		require.ErrorContains(t, err, part)
	}
}

// requireOwnFiles requires that only the server's user and root have access to its files, and
// that it does not run as root.
func requireOwnFiles(t *testing.T, s *Server, directory string) {
	t.Helper()
	for _, name := range []string{"postgres", "postgres/" + socketName, lockName, "postgres.log", "postgres.conf"} {
		info, err := os.Stat(filepath.Join(directory, name))
		require.NoError(t, err)
		uid, _ := owner(info)
		require.NotZero(t, uid, name)
		require.Equal(t, serverUID(s), uid, name)
		require.Zero(t, info.Mode().Perm()&0o077, name)
	}
	info, err := os.Stat(directory)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o067)
}

// The life of a server on one directory. Each step goes on where the one before has ended.
func TestServer(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	require.NoError(t, os.Mkdir(options.Dir, 0o700))
	foreign := filepath.Join(options.Dir, "secret")
	require.NoError(t, os.WriteFile(foreign, []byte("secret"), 0o640))
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(foreign, 12345, 54321))
	}
	before, err := os.Stat(foreign)
	require.NoError(t, err)
	// If the server cannot start, the error contains the server's own message, and the next start works at once.
	options.Settings["shared_buffers"] = "many"
	_, err = Open(t.Context(), Service, options)
	requireSentence(t, err, options.Dir, `invalid value for parameter "shared_buffers"`)
	holder, err := os.ReadFile(filepath.Join(options.Dir, lockName))
	require.NoError(t, err)
	require.Empty(t, holder, "the next start would be refused while a program that starts still has the lock")
	delete(options.Settings, "shared_buffers")

	// The first start creates a UTF-8 database. Settings cannot make the server listen where others can connect.
	options.Settings["listen_addresses"], options.Settings["unix_socket_directories"] = "127.0.0.1", "/tmp"
	s := enterAs(t, Service, options)
	requireAnswer(t, s, "SHOW server_encoding", "UTF8")
	requireAnswer(t, s, "SHOW fsync", "off")
	requireAnswer(t, s, "SHOW listen_addresses", "")
	requireAnswer(t, s, "SHOW data_checksums", "on")
	super, err := pgx.Connect(t.Context(), s.address(superuser, "template1"))
	require.NoError(t, err)
	var directories string
	require.NoError(t, super.QueryRow(t.Context(), "SHOW unix_socket_directories").Scan(&directories))
	require.Equal(t, `"`+strings.ReplaceAll(s.home.data(), `"`, `""`)+`"`, directories)
	require.NoError(t, super.Close(t.Context()))
	requireAnswer(t, s, "CREATE TABLE kept AS SELECT 'æøå'::text AS word", "")
	// Its user may do no more than the owner that docs/roles.sql creates.
	requireAnswer(
		t,
		s,
		`SELECT concat_ws(' ', rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, (SELECT string_agg(role.rolname, ' ' ORDER BY role.rolname) FROM pg_roles role WHERE pg_has_role(role.oid, 'MEMBER') AND rolname <> current_user))
		FROM pg_roles WHERE rolname = current_user`,
		"dispo_owner f f f f dispo_app dispo_keeper dispo_operator pg_database_owner",
	)
	requireAnswer(
		t,
		s,
		`SELECT count(*)::text FROM pg_proc WHERE proname IN ('lo_creat', 'lo_create', 'lo_from_bytea') AND has_function_privilege(oid, 'EXECUTE')`,
		"0",
	)

	requireOwnFiles(t, s, options.Dir)
	after, err := os.Stat(foreign)
	require.NoError(t, err)
	require.Equal(t, before.Sys(), after.Sys(), "other files keep their owner and mode")

	// A command uses the server of a running service, and leaves it running.
	joined := enterAs(t, Command, options)
	require.Equal(t, s.URL(), joined.URL())
	require.Nil(t, joined.Done())
	requireAnswer(t, joined, "SELECT word FROM kept", "æøå")
	require.NoError(t, joined.Stop())
	requireAnswer(t, s, "SELECT 'here'", "here")

	// Done is closed when the server ends on its own. Committed data is kept for the next start.
	require.NoError(t, s.process.cmd.Process.Kill())
	<-s.Done()
	requireSentence(t, openBriefly(t, Command, options), options.Dir, "does not answer")
	requireSentence(t, s.Stop(), "killed")
	s = enterAs(t, Service, options)
	requireAnswer(t, s, "SELECT word FROM kept", "æøå")

	// Stop leaves no process, not even a zombie.
	pid := s.process.cmd.Process.Pid
	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop())
	require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
	<-s.Done()
	require.NoFileExists(t, filepath.Join(s.home.data(), socketName))

	// Without a service, a command has its own server, which stops with it.
	alone := enterAs(t, Command, options)
	requireAnswer(t, alone, "SELECT word FROM kept", "æøå")
	require.NoError(t, alone.Stop())
	require.Error(t, answers(alone))

	// If someone has started a server on the data by hand, the start is refused and that server keeps running.
	cmd := exec.Command(filepath.Join(realBin(t), "postgres"), "-D", s.home.data(), "-k", s.home.data(), "-c",
		"listen_addresses=")
	cmd.Dir = s.home.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.home.user.credential}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	require.Eventually(t, func() bool { return answers(s) == nil }, patience, pollEvery)
	_, err = Open(t.Context(), Service, options)
	requireSentence(t, err, options.Dir, fmt.Sprint("process id ", cmd.Process.Pid))
	require.NoError(t, answers(s))
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.NoError(t, cmd.Wait())

	// Data of another major version is never started with the wrong binaries. One sentence says which ones it needs.
	require.NoError(t, os.WriteFile(filepath.Join(s.home.data(), "PG_VERSION"), []byte("99\n"), 0o600))
	_, err = Open(t.Context(), Service, options)
	requireSentence(t, err, options.Dir, "PostgreSQL 99", "PG_BIN")
	options.BinDir = realBin(t)
	_, err = Open(t.Context(), Service, options)
	requireSentence(t, err, options.Dir, "PostgreSQL 99", "PG_BIN", options.BinDir)
}

// A command whose directory has no database says so, and creates nothing.
func TestOpenCreatesNothing(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	for range 2 {
		_, err := Open(t.Context(), Command, options)
		require.ErrorIs(t, err, ErrNone)
		requireSentence(t, err, options.Dir, "dispo organization create", "DISPO_DATA")
		entries, _ := os.ReadDir(options.Dir)
		require.Empty(t, entries)
		require.NoError(t, os.MkdirAll(options.Dir, 0o700)) // and then with a directory
	}
	// A creation that failed leaves no database either.
	require.NoError(t, os.WriteFile(filepath.Join(options.Dir, lockName), nil, 0o600))
	_, err := Open(t.Context(), Command, options)
	require.ErrorIs(t, err, ErrNone)
}

// A directory of before Dispo worked as the owner of its database is refused in one sentence.
func TestOpenWithoutOwner(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	s := enterAs(t, Service, options)
	super, err := pgx.Connect(t.Context(), s.address(superuser, "template1"))
	require.NoError(t, err)
	_, err = super.Exec(t.Context(), `ALTER ROLE `+login+` RENAME TO other`)
	require.NoError(t, errors.Join(err, super.Close(t.Context()), s.Stop()))
	for _, role := range []Role{Service, Command} {
		_, err = Open(t.Context(), role, options)
		require.ErrorIs(t, err, migrations.ErrEdition)
	}
}

// A start waits for a server that recovers, for as long as that takes, and so does a command. Both say so again and
// again. A server that nobody can reach ends the start.
func TestStartWaitsForRecovery(t *testing.T) {
	t.Parallel()
	log := make(lines)
	options := testOptions(newDir(t))
	silent := options
	silent.BinDir = scriptBin(t, `exec "$bin/initdb" "$@"`,
		`case "$1" in --version | --single) exec "$bin/postgres" "$@" ;; esac; exec sleep 1000`)
	silent.patience = 100 * time.Millisecond
	_, err := Open(t.Context(), Service, silent)
	requireSentence(t, err, options.Dir, "nobody listens", "postgres/log")

	standby := filepath.Join(options.Dir, "postgres",
		"standby.signal") // without a primary, it recovers until it is promoted
	require.NoError(t, os.WriteFile(standby, nil, 0o644))
	options.Settings["hot_standby"] = "off"
	options.remindEvery, options.Log = time.Millisecond, slog.New(slog.NewTextHandler(log, nil))
	opened := make(chan error, 2)
	open := func(role Role) {
		s, err := Open(t.Context(), role, options)
		if err == nil {
			t.Cleanup(func() { s.Stop() })
		}
		opened <- err
	}
	for _, row := range []struct {
		role    Role
		message string
	}{{Service, "recovers its data"}, {Command, "waiting for another dispo"}} {
		go open(row.role)
		for said := 0; said < 3; {
			select {
			case line := <-log:
				said += strings.Count(line, row.message)
			case err := <-opened:
				require.NoError(t, err)
				require.Fail(t, "it is open")
			}
		}
	}
	go func() {
		for range log { // nobody waits to log
		}
	}()
	require.NoError(t, os.WriteFile(filepath.Join(options.Dir, "postgres", "promote"), nil, 0o644))
	require.NoError(t, syscall.Kill(postmaster(t, options.Dir), syscall.SIGUSR1))
	require.NoError(t, <-opened)
	require.NoError(t, <-opened)
}

// PostgreSQL's programs get nothing of the environment but what they need, so none of the service's secrets.
func TestServerInheritsNoSecret(t *testing.T) {
	t.Setenv("DISPO_SECRET", "hunter2")
	options := testOptions(newDir(t))
	options.BinDir = scriptBin(t, `env >"$0.env"; exec "$bin/initdb" "$@"`, `env >"$0.env"; exec "$bin/postgres" "$@"`)
	require.NoError(t, os.Chmod(options.BinDir, 0o777))
	enterAs(t, Service, options)
	for _, program := range []string{"initdb.env", "postgres.env"} {
		text, err := os.ReadFile(filepath.Join(options.BinDir, program))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			name, _, _ := strings.Cut(line, "=")
			require.Contains(t, []string{"PATH", "HOME", "TMPDIR", "LC_ALL", "PWD", "SHLVL", "_", "OLDPWD"},
				name) // the last four are the shell's
		}
	}
}

// A start that is interrupted while the cluster is created, or before the server answers, leaves no process and no
// lock.
func TestInterruptedStart(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	creating, starting := options, options
	creating.BinDir = halfBin(t)
	starting.Settings = map[string]string{"fsync": "off", "post_auth_delay": "600"} // seconds

	for _, row := range []struct {
		options Options
		sign    string
	}{{creating, half}, {starting, "postgres/postmaster.pid"}} {
		stopped := errors.New("interrupted by the test")
		ctx, cancel := context.WithCancelCause(t.Context())
		result := make(chan error, 1)
		go func() {
			_, err := Open(ctx, Service, row.options)
			result <- err
		}()
		require.Eventually(t, exists(options.Dir, row.sign), patience, pollEvery)
		cancel(stopped)
		err := <-result
		require.ErrorIs(t, err, stopped)
		requireSentence(t, err, options.Dir)
		require.NoDirExists(t, filepath.Join(options.Dir, "postgres.new"))
		require.NoFileExists(t, filepath.Join(options.Dir, "postgres", "postmaster.pid"))
		// No process of it has the lock any more.
		_, err = Open(t.Context(), Command, Options{Dir: options.Dir, BinDir: "/nonexistent", Log: options.Log})
		require.NotContains(t, err.Error(), "does not answer")
	}
	enterAs(t, Service, options)
}

// exists returns a function that reports whether a file of a directory exists.
func exists(dir, name string) func() bool {
	return func() bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
}

// lines are the lines of a log.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// A service and a command each wait for a command that owns the server, and say so.
func TestCommandsTakeTurns(t *testing.T) {
	t.Parallel()
	log := make(lines, 100)
	options := testOptions(newDir(t))
	options.Create, options.Log = true, slog.New(slog.NewTextHandler(log, nil))
	for _, role := range []Role{Service, Command} {
		owner := enterAs(t, Command, options)
		started := make(chan error, 1)
		var s *Server
		go func() {
			var err error
			s, err = Open(t.Context(), role, options)
			started <- err
		}()
		for said := ""; !strings.Contains(said, "waiting for another dispo"); {
			said = <-log
		}
		requireAnswer(t, owner, "SELECT 'here'", "here")
		require.NoError(t, owner.Stop())
		require.NoError(t, <-started)
		requireAnswer(t, s, "SELECT 'here'", "here")
		require.NoError(t, s.Stop())
	}
}

// A command waits for a service that is creating the database, however long that takes.
func TestCommandWaitsForTheFirstStart(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.BinDir = scriptBin(t,
		`touch "$2/begun" && until [ -e "$2/go" ]; do sleep 0.05; done; rm "$2/begun" "$2/go"; exec "$bin/initdb" "$@"`,
		`exec "$bin/postgres" "$@"`)
	opened := make(chan error, 2)
	open := func(role Role) {
		s, err := Open(t.Context(), role, options)
		if err == nil {
			t.Cleanup(func() { s.Stop() })
			err = answers(s)
		}
		opened <- err
	}
	go open(Service)
	require.Eventually(t, exists(options.Dir, "postgres.new/begun"), patience, pollEvery)
	go open(Command)

	log, impatient, stopped := make(lines, 100), options, errors.New("stopped by the test")
	impatient.patience, impatient.Log = time.Nanosecond, slog.New(slog.NewTextHandler(log, nil))
	ctx, cancel := context.WithCancelCause(t.Context())
	gaveUp := make(chan error, 1)
	go func() {
		_, err := Open(ctx, Command, impatient)
		gaveUp <- err
	}()
	select {
	case said := <-log:
		require.Contains(t, said, "waiting for another dispo")
	case err := <-gaveUp:
		require.NoError(t, err)
	}
	cancel(stopped)
	require.ErrorIs(t, <-gaveUp, stopped)

	require.NoError(t, os.WriteFile(filepath.Join(options.Dir, "postgres.new/go"), nil, 0o644))
	require.NoError(t, <-opened)
	require.NoError(t, <-opened)
}

// Commands that start and stop concurrently all have a server that answers until they are done.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Create = true
	var group sync.WaitGroup
	for worker := range 6 {
		group.Go(func() {
			for range 2 {
				s, err := Open(t.Context(), Command, options)
				if err == nil {
					err = errors.Join(answers(s), s.Stop())
				}
				if err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
			}
		})
	}
	group.Wait()
}
