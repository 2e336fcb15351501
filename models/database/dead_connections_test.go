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
	"dispo/models/modelstest"
)

// Connections that die without a word cost one deadline each. They do not keep their
// places in the pool after that, although pgx takes up to 15 s to close them.
func TestDeadConnectionsLeaveThePool(t *testing.T) {
	t.Parallel()
	const connections = 2
	for name, read := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a := w.Organization(t, "a", "10000001")
			proxy := modelstest.NewProxy(t, w.URL)
			// The operator's instance has no change feed, which would reset the pool.
			instance := modelstest.OpenConfig(t, database.Config{URL: proxy.URL, Role: database.Operator, MaxConnections: connections}, modelstest.Secret)
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
