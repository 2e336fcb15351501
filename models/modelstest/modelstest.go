// Package modelstest runs tests on a real PostgreSQL, with a new database for each test,
// cloned from a migrated one.
package modelstest

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dispo/migrations"
	"dispo/models/database/embedded"
)

// Superuser is the login of the server's superuser.
const Superuser = "dispo"

// ServerVariable is the environment variable with the address of the server to use. `make
// test` starts one server for all packages. Without it, each package starts its own.
const ServerVariable = "DISPO_TEST_SERVER"

// serverURL is the server's address, as the superuser, and template is a migrated database.
// A connection costs the server as much as a small test, so server keeps some.
var (
	serverURL, template string
	server              *pgxpool.Pool
)

// Main runs a package's tests on a server:
//
//	func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }
func Main(m *testing.M) int {
	var err error
	// os.Getenv would make the go command repeat tests that passed on another server.
	serverURL, _ = syscall.Getenv(ServerVariable)
	if serverURL == "" {
		var stop func()
		if serverURL, stop, err = Start(); err == nil {
			defer stop()
		}
	}
	if err == nil {
		err = connect()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests need PostgreSQL:", err)
		return 1
	}
	defer server.Close()
	return m.Run()
}

// connect connects to the server, and makes the template if no other package has done so.
func connect() error {
	config, err := pgxpool.ParseConfig(serverURL)
	if err != nil {
		return err
	}
	config.MaxConns, config.ConnConfig.DefaultQueryExecMode = 4, pgx.QueryExecModeExec
	if server, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		return err
	}
	return makeTemplate()
}

// Start starts a server for tests and returns its address, as the superuser. stop deletes
// its data.
func Start() (url string, stop func(), err error) {
	directory, err := MakeDirectory()
	if err != nil {
		return "", nil, err
	}
	server, err := embedded.Open(context.Background(), embedded.Service, embedded.Options{
		Dir: filepath.Join(directory, "data"), BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler),
		Settings: map[string]string{
			// Nothing here has to survive a crash.
			"fsync":              "off",
			"full_page_writes":   "off",
			"synchronous_commit": "off",
			"wal_level":          "minimal",
			"max_wal_senders":    "0",
			"max_wal_size":       "256MB",
			"autovacuum":         "off", // tests that count reads must not be disturbed
			"max_connections":    "1000",
		},
	})
	if err != nil {
		_ = os.RemoveAll(directory)
		return "", nil, err
	}
	return As(server.URL(), Superuser), func() {
		_ = server.Stop()
		_ = os.RemoveAll(directory)
	}, nil
}

// MakeDirectory creates a directory for a server, which every user can access, and whose path
// is short enough for a socket. It is in memory where that is possible, because a database has
// hundreds of files. Those of tests that were killed hours ago are deleted.
func MakeDirectory() (string, error) {
	const memory, enough, prefix = "/dev/shm", 2 << 30, "dispo-tests-"
	parent := os.TempDir()
	var free unix.Statfs_t
	if unix.Statfs(memory, &free) == nil && free.Bavail*uint64(free.Bsize) >= enough {
		parent = memory
	}
	left, _ := filepath.Glob(filepath.Join(parent, prefix+"*"))
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > 6*time.Hour {
			_ = os.RemoveAll(path)
		}
	}
	path, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return "", err
	}
	return path, os.Chmod(path, 0o755) // the server may run as another user
}

// makeTemplate creates the template of this schema, if another package has not done so.
func makeTemplate() error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, serverURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(1)`); err != nil {
		return err
	}
	template = "template_" + migrations.Hash()
	var exists bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, template).
		Scan(&exists); err != nil || exists {
		return err
	}
	unfinished := newName()
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+unfinished); err != nil {
		return err
	}
	if _, err := migrations.Up(ctx, At(serverURL, unfinished)); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+unfinished+" RENAME TO "+template)
	return err
}

// newName returns a name for a database or a role that no other test uses.
func newName() string { return "test_" + strings.ToLower(rand.Text()) }

// edit returns the address after a change.
func edit(address string, change func(u *url.URL, query url.Values)) string {
	parsed, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	query := parsed.Query()
	change(parsed, query)
	parsed.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // as PostgreSQL reads it
	return parsed.String()
}

// At returns the address of another database of the server at address.
func At(address, database string) string {
	return edit(address, func(u *url.URL, query url.Values) {
		u.Path = "/" + database
		query.Set("connect_timeout", "60") // a machine may be slow
		query.Set("statement_timeout", "600000")
	})
}

// As returns the address with another login role.
func As(address, role string) string {
	return edit(address, func(u *url.URL, _ url.Values) { u.User = url.User(role) })
}

// With returns the address with a setting of PostgreSQL's, or without it if value is empty.
func With(address, setting, value string) string {
	return edit(address, func(_ *url.URL, query url.Values) {
		query.Set(setting, value)
		if value == "" {
			query.Del(setting)
		}
	})
}

// Database creates a migrated database for the test and returns its address, as the
// superuser.
func Database(t testing.TB) string {
	t.Helper()
	// Copying the files takes a third of the time that copying by the log takes.
	name := create(t, " STRATEGY file_copy TEMPLATE "+template)
	// PostgreSQL does not copy the rights to the database itself.
	onServer(t, `UPDATE pg_database SET datacl = (SELECT datacl FROM pg_database WHERE datname = $1) WHERE datname = $2`,
		template, name)
	return At(serverURL, name)
}

// EmptyDatabase creates a database without a schema and returns its address, as the
// superuser.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	return At(serverURL, create(t, ""))
}

// create creates a database, and returns its name.
func create(t testing.TB, options string) string {
	t.Helper()
	name := newName()
	onServer(t, "CREATE DATABASE "+name+options)
	t.Cleanup(func() {
		closeIdle("/" + name + "?")
		onServer(t, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	})
	return name
}

// onServer runs a statement as the superuser, in no test's database.
func onServer(t testing.TB, statement string, args ...any) {
	t.Helper()
	require.NoError(t, ErrorOf(server.Exec(context.Background(), statement, args...)), statement)
}

// Login creates a login role that is neither a superuser nor an owner, as the operator
// of a managed database would, grants it these roles, and returns the database's
// address as that role.
func Login(t testing.TB, address string, granted ...string) string {
	t.Helper()
	return As(address, newRole(t, granted))
}

// OwnedDatabase creates an empty database that belongs to a login role of its own,
// which cannot create roles and was granted these. It returns the database's address
// as that role.
func OwnedDatabase(t testing.TB, granted ...string) string {
	t.Helper()
	role := newRole(t, granted)
	return As(At(serverURL, create(t, " OWNER "+role)), role)
}

func newRole(t testing.TB, granted []string) string {
	t.Helper()
	role := newName()
	onServer(t, "CREATE ROLE "+role+" LOGIN NOSUPERUSER")
	for _, name := range granted {
		onServer(t, "GRANT "+name+" TO "+role)
	}
	return role
}
