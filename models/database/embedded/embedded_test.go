package embedded

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == helperArg {
		helper(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

// newDir returns the path of a data directory that does not exist yet, which the server's user can access.
func newDir(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("/tmp", "dispo-embedded-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(parent)) })
	require.NoError(t, os.Chmod(parent, 0o755))
	parent, err = filepath.EvalSymlinks(parent)
	require.NoError(t, err)
	return filepath.Join(parent, "data")
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

// query returns the single value of a query.
func query(ctx context.Context, s *Server, sql string) (string, error) {
	conn, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	var text string
	err = conn.QueryRow(ctx, sql).Scan(&text)
	return text, err
}

// requireAnswer requires the result of a query.
func requireAnswer(t *testing.T, s *Server, sql, answer string) {
	t.Helper()
	text, err := query(t.Context(), s, sql)
	require.NoError(t, err)
	require.Equal(t, answer, text)
}

// requireDone runs a statement.
func requireDone(t *testing.T, s *Server, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.URL())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
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

// The first start creates a UTF-8 database, Stop leaves no process, not even a zombie, and the next start has the data.
func TestStartKeepsData(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))

	began := time.Now()
	s := enterAs(t, Service, options)
	t.Log("first start", time.Since(began))
	requireAnswer(t, s, "SHOW server_encoding", "UTF8")
	requireAnswer(t, s, "SHOW fsync", "off")
	requireDone(t, s, "CREATE TABLE kept AS SELECT 'æøå'::text AS word")
	pid := s.process.cmd.Process.Pid
	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop())
	require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
	<-s.Done()
	require.NoFileExists(t, filepath.Join(s.home.data(), socketName))

	began = time.Now()
	s = enterAs(t, Service, options)
	t.Log("second start", time.Since(began))
	requireAnswer(t, s, "SELECT word FROM kept", "æøå")
}

// A command uses the server of a running service, and leaves it running. Without a service it has its own server,
// which stops with it.
func TestOpen(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	s := enterAs(t, Service, options)
	requireDone(t, s, "CREATE TABLE shared AS SELECT 1")
	joined := enterAs(t, Command, options)
	require.Equal(t, s.URL(), joined.URL())
	require.Nil(t, joined.Done())
	requireAnswer(t, joined, "SELECT count(*)::text FROM shared", "1")
	require.NoError(t, joined.Stop())
	requireAnswer(t, s, "SELECT 'here'", "here")
	require.NoError(t, s.Stop())

	alone := enterAs(t, Command, options)
	requireAnswer(t, alone, "SELECT count(*)::text FROM shared", "1")
	require.NoError(t, alone.Stop())
	_, err := query(t.Context(), alone, "SELECT 'here'")
	require.Error(t, err)
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
	options.Create = true
	enterAs(t, Command, options)
}

// If the server cannot start, the error contains the server's own message. The next start works.
func TestServerThatFails(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Settings = map[string]string{"shared_buffers": "many"}
	_, err := Open(t.Context(), Service, options)
	requireSentence(t, err, options.Dir, `invalid value for parameter "shared_buffers"`)
	holder, err := os.ReadFile(filepath.Join(options.Dir, lockName))
	require.NoError(t, err)
	require.Empty(t, holder, "the next start would be refused while a program that starts still has the lock")

	enterAs(t, Service, testOptions(options.Dir))
}

// Settings cannot make the server listen where others can connect.
func TestSettingsDoNotOpenTheServer(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Settings = map[string]string{"listen_addresses": "127.0.0.1", "unix_socket_directories": "/tmp"}
	s := enterAs(t, Service, options)
	requireAnswer(t, s, "SHOW listen_addresses", "")
	requireAnswer(t, s, "SHOW unix_socket_directories", `"`+s.home.data()+`"`)
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

// Done is closed when the server ends on its own. Committed data is kept for the next start.
func TestServerThatCrashes(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	s := enterAs(t, Service, options)
	requireDone(t, s, "CREATE TABLE kept AS SELECT 1")
	require.NoError(t, s.process.cmd.Process.Kill())
	<-s.Done()

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, Command, options)
	requireSentence(t, err, options.Dir, "does not answer")
	requireSentence(t, s.Stop(), "killed")

	s = enterAs(t, Service, options)
	requireAnswer(t, s, "SELECT count(*)::text FROM kept", "1")
}
