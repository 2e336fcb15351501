package keys_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// A lookup that waits in vain for a connection, because others have them all, leaves
// the pool as it is.
func TestLookupWithoutAConnectionKeepsThePool(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, text := w.Key(t, w.a)
	pool := w.Service.DB().Pool
	var held []*pgxpool.Conn
	for range pool.Config().MaxConns {
		conn, err := pool.Acquire(t.Context())
		require.NoError(t, err)
		held = append(held, conn)
	}
	opened := pool.Stat().NewConnsCount()
	modelstest.RequireKind(t, models.KindUnavailable, w.Service.Verify(t, text))
	for _, conn := range held {
		conn.Release()
	}
	require.NoError(t, w.Service.Verify(t, text))
	require.Equal(t, opened, pool.Stat().NewConnsCount())
	require.EqualValues(t, len(held), pool.Stat().TotalConns())
}
