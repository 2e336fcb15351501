// Package modelstest runs tests on a real PostgreSQL: one server for a package's
// tests, and a new database for each test, cloned from a migrated one.
package modelstest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/database/embedded"
)

const template = "dispo_template"

var (
	server    *embedded.Server
	databases atomic.Int64
)

// Main starts a server, runs a package's tests, and stops the server:
//
//	func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }
func Main(m *testing.M) int {
	started, stop, err := start()
	if err == nil {
		defer stop()
		server = started
		err = makeTemplate()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests need PostgreSQL:", err)
		return 1
	}
	return m.Run()
}

// Server starts an empty server for one test, because roles belong to the whole
// server. It returns a function that returns a database's address, as the superuser.
func Server(t testing.TB) (urlFor func(database string) string) {
	t.Helper()
	started, stop, err := start()
	require.NoError(t, err)
	t.Cleanup(stop)
	return started.URLFor
}

func start() (started *embedded.Server, stop func(), err error) {
	directory, err := os.MkdirTemp("", "dispo-test-")
	if err != nil {
		return nil, nil, err
	}
	// The server may run as another user.
	if err = os.Chmod(directory, 0o755); err == nil {
		started, err = embedded.Start(context.Background(), embedded.Options{
			Dir: directory + "/data", BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler),
			// Nothing here has to survive a crash.
			Settings: map[string]string{"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "max_connections": "400"},
		})
	}
	if err != nil {
		_ = os.RemoveAll(directory)
		return nil, nil, err
	}
	return started, func() {
		_ = started.Stop()
		_ = os.RemoveAll(directory)
	}, nil
}

func makeTemplate() error {
	if err := runOnServer("CREATE DATABASE " + template); err != nil {
		return err
	}
	_, err := migrations.Up(context.Background(), server.URLFor(template))
	return err
}

// runOnServer runs a statement as the server's superuser.
func runOnServer(statement string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// Database creates a migrated database for the test and returns its address, as the
// superuser.
func Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", databases.Add(1))
	require.NoError(t, runOnServer("CREATE DATABASE "+name+" TEMPLATE "+template))
	t.Cleanup(func() { _ = runOnServer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") })
	return server.URLFor(name)
}

// EmptyDatabase creates a database without a schema and returns its address, as the
// superuser.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", databases.Add(1))
	require.NoError(t, runOnServer("CREATE DATABASE "+name))
	t.Cleanup(func() { _ = runOnServer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") })
	return server.URLFor(name)
}

// Conn connects to the database as the address's user. For the superuser no policy
// holds.
func Conn(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
