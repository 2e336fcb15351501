package api_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// A database that refuses connections counts as unavailable too.
func TestDatabaseRefusesConnections(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	service := serve(t, modelstest.Open(t, w.URL, database.Service), settings{noCache: true})
	requireRecovery(t, service, a.token)
	config, err := pgx.ParseConfig(w.URL)
	require.NoError(t, err)
	name := config.Database
	config.Database = "postgres"
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	allow := func(yes bool) {
		_, err := conn.Exec(t.Context(), fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS %t", name, yes))
		require.NoError(t, err)
	}
	allow(false)
	t.Cleanup(func() {
		_, _ = conn.Exec(context.Background(), fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS true", name))
	})
	_, err = conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, name)
	require.NoError(t, err)
	for _, path := range keyPaths {
		service.get(t, path, a.token).requireUnavailable(t)
	}
	service.get(t, "/api/health", "").requireError(t, 503, "SERVICE_UNAVAILABLE")
	allow(true)
	requireRecovery(t, service, a.token)
}
