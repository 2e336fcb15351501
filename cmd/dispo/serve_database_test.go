package main_test

import (
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database/embedded"
	"dispo/models/modelstest"
)

// ownServer starts a PostgreSQL server that the test can stop and start again.
func ownServer(t *testing.T) (server *embedded.Server, again func() *embedded.Server) {
	t.Helper()
	dir := newData(t)
	again = func() *embedded.Server {
		t.Helper()
		server, err := embedded.Open(t.Context(), embedded.Service, embedded.Options{
			Dir: dir, BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler), Settings: map[string]string{"fsync": "off", "synchronous_commit": "off"},
		})
		require.NoError(t, err)
		t.Cleanup(func() { _ = server.Stop() })
		return server
	}
	return again(), again
}

// requireUnavailable requires status 503 with Retry-After. How soon it comes is for the
// tests of package api.
func (s *service) requireUnavailable(t *testing.T, path, key string) {
	t.Helper()
	got := s.get(t, path, key)
	got.requireError(t, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE")
	seconds, err := strconv.Atoi(got.header.Get("Retry-After"))
	require.NoError(t, err)
	require.Positive(t, seconds)
}

// While the database is stopped, every request is answered with 503. When the database is back, the service works again without a restart.
func TestDatabaseStopsAndComesBack(t *testing.T) {
	t.Parallel()
	server, again := ownServer(t)
	p := on(server.URL())
	p.run(t, "migrate").requireDone(t)
	key := p.fill(t)
	s := p.serve(t)
	require.Equal(t, 2, s.transactions(t, key))

	require.NoError(t, server.Stop())
	for _, path := range []string{"/api/health", "/api/v1/companies", "/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions"} {
		s.requireUnavailable(t, path, key)
	}
	plain().run(t, "health", "--listen", strings.TrimPrefix(s.url, "http://")).requireRefused(t, 1, "503")
	require.False(t, s.hasEnded())

	again()
	modelstest.Eventually(t, func() bool { return s.get(t, "/api/health", "").status == http.StatusOK })
	modelstest.Eventually(t, func() bool { return s.get(t, "/api/v1/companies", key).status == http.StatusOK })
	require.Equal(t, 2, s.transactions(t, key))
}
