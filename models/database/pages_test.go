package database_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// occupyAll takes all connections of a pool, and gives them back when the test ends.
func occupyAll(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for range pool.Config().MaxConns {
		conn, err := pool.Acquire(t.Context())
		require.NoError(t, err)
		t.Cleanup(conn.Release)
	}
}

// Pages and exports have connections of their own, so reads of the API never wait for
// theirs, nor pages for exports. All together have as many as the operator allows.
func TestPagesHaveTheirOwnConnections(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	ctx := modelstest.Context(t)
	for most, want := range map[int]struct{ pages, exports int32 }{4: {1, 1}, 8: {2, 1}, 16: {4, 3}} {
		service := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: most, Pages: true}, modelstest.Secret)
		require.Equal(t, most, service.DB().Connections().Max)
		require.Equal(t, want.pages, service.DB().ForPages().Pool.Config().MaxConns)
		require.Equal(t, want.exports, service.DB().ForExports().Pool.Config().MaxConns)
		require.Same(t, service.DB().ForExports(), service.DB().ForPages().ForExports())
		occupyAll(t, service.DB().ForExports().Pool)
		require.NoError(t, modelstest.ErrorOf(ledger.Companies(t.Context(), service.ForPages().Tenant(a.ID), ledger.Cursor{Limit: 1})))
		occupyAll(t, service.DB().ForPages().Pool)
		require.NoError(t, modelstest.ErrorOf(ledger.Companies(ctx, service.Tenant(a.ID), ledger.Cursor{Limit: 1})))
		require.NoError(t, service.Ping(ctx))
	}
	few := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 3, Pages: true}, modelstest.Secret)
	require.Equal(t, 3, few.DB().Connections().Max)
	require.Same(t, few.DB(), few.DB().ForPages())
	require.Same(t, few.DB(), few.DB().ForExports())
}

// A check of the database does not wait for a free connection.
func TestPingWaitsForNoConnection(t *testing.T) {
	t.Parallel()
	service := modelstest.OpenFollowing(t, modelstest.Database(t))
	occupyAll(t, service.DB().Pool)
	ctx := modelstest.Context(t)
	require.NoError(t, service.Ping(ctx))
}

// A statement of the service that takes too long is ended by the server. Its connection
// goes on. The operator's statements may take any time.
func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	timeout := func(instance *modelstest.Instance) (text string) {
		require.NoError(t, instance.DB().GORM(t.Context()).Raw(`SHOW statement_timeout`).Scan(&text).Error)
		return text
	}
	url := modelstest.StatementTimeout(w.URL, "")
	require.Equal(t, "3s", timeout(modelstest.OpenConfig(t, database.Config{URL: url, Role: database.Service}, modelstest.Secret)))
	require.Equal(t, "0", timeout(modelstest.OpenConfig(t, database.Config{URL: url, Role: database.Operator}, modelstest.Secret)))

	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE api_keys, companies IN ACCESS EXCLUSIVE MODE`)
	// An operator may choose another timeout in the database's URL.
	service := modelstest.OpenConfig(t, database.Config{URL: modelstest.StatementTimeout(w.URL, "1000"), Role: database.Service, MaxConnections: 1}, modelstest.Secret)
	ctx := modelstest.Context(t)
	modelstest.RequireKind(t, models.KindBusy, modelstest.ErrorOf(keys.List(ctx, service.Tenant(a.ID))))
	_, err := ledger.Companies(ctx, service.Tenant(a.ID), ledger.Cursor{Limit: 1})
	modelstest.RequireKind(t, models.KindBusy, err)
	require.EqualValues(t, 1, service.DB().Pool.Stat().NewConnsCount())
}
