package doctor

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// Checks share a connection. One that runs out of time leaves no broken one to those after it.
func TestChecksShareAConnection(t *testing.T) {
	t.Parallel()
	d := &doctor{url: modelstest.Database(t), idle: make(chan *pgx.Conn, 1)}
	defer d.disconnect(t.Context())
	asked := func(question string, limit time.Duration) (pid int, err error) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		err = d.connected(ctx, func(conn *pgx.Conn) error { return conn.QueryRow(ctx, question).Scan(&pid) })
		return pid, err
	}
	const who = `SELECT pg_backend_pid()`
	first, err := asked(who, longLimit)
	require.NoError(t, err)
	second, err := asked(who, longLimit)
	require.NoError(t, err)
	require.Equal(t, first, second)
	_, err = asked(`SELECT pg_backend_pid() FROM pg_sleep(3600)`, 10*time.Millisecond)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = asked(who, longLimit)
	require.NoError(t, err)
}
