package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The exit status of health shows whether a service is running and healthy.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := on(modelstest.Database(t)).serve(t)
	address := strings.TrimPrefix(s.url, "http://")
	r := plain().run(t, "health", "--listen", address)
	require.Equal(t, "ok", r.requireDone(t))
	require.Empty(t, r.err)
	_, port, _ := strings.Cut(address, ":")
	for _, everywhere := range []string{":" + port, "0.0.0.0:" + port, "[::]:" + port} {
		plain().with("DISPO_LISTEN="+everywhere).run(t, "health").requireDone(t)
	}

	require.Zero(t, s.end(t, terminate))
	plain().run(t, "health", "--listen", address).requireRefused(t, 1, address, "does not answer", "refused")
	plain().run(t, "health", "--listen", "x").requireRefused(t, 2, "--listen", "127.0.0.1:8080")
}

// If PostgreSQL cannot load its libraries, because its package was upgraded while it ran, the
// log and the line about /api/health say what to do.
func TestHealthOfAReplacedPostgreSQL(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	conn := modelstest.Conn(t, url)
	s := on(url).serve(t)
	library := file(t, "plpgsql.so", "of another version")
	modelstest.Execute(t, conn, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_preload_libraries = %L', current_database(), '`+library+`'); END $$`)
	modelstest.Execute(t, conn, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	const advice = "its programs were probably replaced while it was running: restart PostgreSQL, or dispo serve if it runs the database"
	modelstest.Eventually(t, func() bool {
		s.get(t, "/api/health", "")
		for _, entry := range s.entries("request failed") {
			if entry["path"] == "/api/health" && strings.Contains(fmt.Sprint(entry["error"]), advice) && strings.Contains(fmt.Sprint(entry["error"]), library) {
				return true
			}
		}
		return false
	})
	require.NotEmpty(t, s.entries("PostgreSQL cannot load its own libraries, so "+advice))
}
