package database_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

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

// maxima returns how many connections each pool may open.
func maxima(db *database.DB) map[string]int {
	maxima := map[string]int{}
	db.EachPool(func(name string, count database.Connections) { maxima[name] = int(count.Max) })
	return maxima
}

// Pages, exports and the API's reads have connections of their own, so none waits for the
// others' or for writes. All together have as many as the operator allows.
func TestPagesHaveTheirOwnConnections(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	ctx := modelstest.Context(t)
	for most, want := range map[int]map[string]int{
		4:  {"pages": 1, "exports": 1, "other": 2},
		8:  {"pages": 2, "exports": 1, "reads": 3, "other": 2},
		16: {"pages": 4, "exports": 3, "reads": 5, "other": 4},
	} {
		service := modelstest.OpenConfig(t,
			database.Config{URL: w.URL, Role: database.Service, MaxConnections: most, Serving: true}, modelstest.Secret)
		require.Equal(t, want, maxima(service.DB()))
		require.EqualValues(t, want["pages"], service.DB().ForPages().Pool.Config().MaxConns)
		require.EqualValues(t, want["exports"], service.DB().ForExports().Pool.Config().MaxConns)
		require.EqualValues(t, want["other"], service.DB().Pool.Config().MaxConns)
		require.Same(t, service.DB().ForExports(), service.DB().ForPages().ForExports())
		occupyAll(t, service.DB().ForExports().Pool)
		require.NoError(t,
			modelstest.ErrorOf(ledger.Companies(t.Context(), service.ForPages().Tenant(a.ID), ledger.Cursor{Limit: 1})))
		occupyAll(t, service.DB().ForPages().Pool)
		if most > 4 {
			occupyAll(t, service.DB().Pool)
		}
		require.NoError(t, modelstest.ErrorOf(ledger.Companies(ctx, service.Tenant(a.ID), ledger.Cursor{Limit: 1})))
		require.NoError(t, service.Ping(ctx))
	}
	few := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 3, Serving: true},
		modelstest.Secret)
	require.Equal(t, map[string]int{"other": 3}, maxima(few.DB()))
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

// A database is up as long as it answers, even if all connections are in use and it lets the
// feed make no new one.
func TestUpWhileAllConnectionsAreInUse(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	proxy := modelstest.NewProxy(t, modelstest.Login(t, url, "dispo_app"))
	service := modelstest.OpenFollowing(t, proxy.URL)
	occupyAll(t, service.DB().Pool)
	proxy.Feed(modelstest.Cut)
	modelstest.Eventually(t, func() bool { return !service.DB().Feed.Fresh() })
	require.True(t, service.DB().Up(modelstest.Context(t)))
	modelstest.ExecuteAt(t, url,
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 0', current_database()); END $$`)
	require.True(t, service.DB().Up(modelstest.Context(t)))
	proxy.All(modelstest.Cut)
	modelstest.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		return !service.DB().Up(ctx)
	})
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
	url := modelstest.With(w.URL, "statement_timeout", "")
	require.Equal(t, "3s",
		timeout(modelstest.OpenConfig(t, database.Config{URL: url, Role: database.Service}, modelstest.Secret)))
	require.Equal(t, "0",
		timeout(modelstest.OpenConfig(t, database.Config{URL: url, Role: database.Operator}, modelstest.Secret)))

	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE api_keys, companies IN ACCESS EXCLUSIVE MODE`)
	// An operator may choose another timeout in the database's URL.
	service := modelstest.OpenConfig(t,
		database.Config{URL: modelstest.With(w.URL, "statement_timeout", "1000"), Role: database.Service, MaxConnections: 1},
		modelstest.Secret)
	ctx := modelstest.Context(t)
	modelstest.RequireKind(t, models.KindBusy, modelstest.ErrorOf(keys.List(ctx, service.Tenant(a.ID))))
	_, err := ledger.Companies(ctx, service.Tenant(a.ID), ledger.Cursor{Limit: 1})
	modelstest.RequireKind(t, models.KindBusy, err)
	require.EqualValues(t, 1, service.DB().Pool.Stat().NewConnsCount())
}

// A pooler in transaction mode is refused at the start, by the service and by the
// operator's commands, in a sentence that says what to do.
func TestPoolerInTransactionModeIsRefused(t *testing.T) {
	t.Parallel()
	address := modelstest.Database(t)
	for _, role := range []database.Role{database.Service, database.Operator} {
		require.EqualError(t, modelstest.ErrorOf(database.Open(
			t.Context(),
			database.Config{URL: modelstest.NewPooler(t, address, modelstest.TransactionMode), Role: role},
		)), database.ErrPooler.Error())
	}
}

// A pooler in session mode works.
func TestPoolerInSessionModeWorks(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, text := w.Key(t, a)
	instance := modelstest.OpenFollowing(t, modelstest.NewPooler(t, w.URL, modelstest.SessionMode))
	require.NoError(t, instance.Verify(t, text))
}

// Connections that die without a word cost one deadline each. They do not keep their
// places in the pool after that, although pgx takes up to 15 s to close them.
func TestDeadConnectionsLeaveThePool(t *testing.T) {
	t.Parallel()
	const connections = 2
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	for name, read := range reads {
		t.Run(name, func(t *testing.T) {
			proxy := modelstest.NewProxy(t, w.URL)
			// The operator's instance has no change feed, which would reset the pool.
			instance := modelstest.OpenConfig(t,
				database.Config{URL: proxy.URL, Role: database.Operator, MaxConnections: connections}, modelstest.Secret)
			readAll := func(ctx context.Context) error {
				var reading errgroup.Group
				for range connections {
					reading.Go(func() error { return read(ctx, instance.Tenant(a.ID)) })
				}
				return reading.Wait()
			}
			occupied := make([]*pgxpool.Conn, connections) // so that the pool opens them
			for i := range occupied {
				conn, err := instance.DB().Pool.Acquire(t.Context())
				require.NoError(t, err)
				occupied[i] = conn
			}
			for _, conn := range occupied {
				conn.Release()
			}
			require.NoError(t, readAll(t.Context()))

			proxy.Abandon()
			short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			modelstest.RequireKind(t, models.KindUnavailable, readAll(short))
			require.NoError(t, readAll(t.Context()))
		})
	}
}

// An answer of another server process than the one that listens proves nothing, so nothing
// remembered is trusted because of it.
func TestFeedTrustsTheListeningProcessAlone(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	const ping = "SELECT pg_backend_pid()"
	process, fresh := database.AskFeed(t.Context(), conn, "LISTEN dispo; "+ping, "")
	require.True(t, fresh)
	_, fresh = database.AskFeed(t.Context(), conn, ping, process)
	require.True(t, fresh)
	_, fresh = database.AskFeed(t.Context(), conn, ping, "1")
	require.False(t, fresh)
}
