package database_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// Connections that die without a word cost one deadline each. They do not keep their
// places in the pool after that, although pgx takes up to 15 s to close them.
func TestDeadConnectionsLeaveThePool(t *testing.T) {
	t.Parallel()
	const connections = 2
	for name, read := range map[string]func(context.Context, models.Tenant) error{
		"Read": func(ctx context.Context, tenant models.Tenant) error {
			_, err := ledger.Companies(ctx, tenant, ledger.Cursor{Limit: 1})
			return err
		},
		"GORM": func(ctx context.Context, tenant models.Tenant) error {
			_, err := keys.List(ctx, tenant)
			return err
		},
		"transaction": func(ctx context.Context, tenant models.Tenant) error {
			_, err := keys.Revoke(ctx, tenant, database.NewID())
			if models.ErrorKind(err) == models.KindNotFound {
				return nil
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a := w.Organization(t, "a")
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
			occupyPool(t, instance.DB(), connections)
			require.NoError(t, readAll(t.Context()))

			proxy.Abandon()
			short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			modelstest.RequireKind(t, models.KindUnavailable, readAll(short))
			require.NoError(t, readAll(t.Context()))
		})
	}
}

// occupyPool makes the pool open that many connections.
func occupyPool(t *testing.T, db *database.DB, connections int) {
	t.Helper()
	for range connections {
		conn, err := db.Pool.Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
	}
}
