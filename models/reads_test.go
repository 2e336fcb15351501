package models_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// begin starts a read with a timeout, and returns a channel for its error.
func begin(t *testing.T, timeout time.Duration, read func(ctx context.Context) error) <-chan error {
	ended := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		ended <- read(ctx)
	}()
	return ended
}

// A read ends at its own deadline, whether it waits for its query or for a connection, and
// leaves other reads alone. Reads that hang do not block others, as long as there are
// connections.
func TestReadsHaveTheirOwnDeadlines(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	service := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 3},
		modelstest.Secret)
	read := func(ctx context.Context) error {
		return modelstest.ErrorOf(ledger.Company(ctx, service.Tenant(a.ID), "10000001"))
	}
	hang := func(ctx context.Context) error {
		return modelstest.ErrorOf(ledger.Transactions(ctx, service.Tenant(a.ID), "10000001", ledger.Cursor{Limit: 10}))
	}
	lock, watching := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	modelstest.Execute(t, lock, `BEGIN; LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE`)
	var hanging []<-chan error
	hangUntil := func(count int) {
		for len(hanging) < count {
			hanging = append(hanging, begin(t, time.Minute, hang))
		}
		modelstest.Eventually(t, func() bool {
			return modelstest.Value[int](t, watching,
				`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == count
		})
	}
	modelstest.RequireKind(t, models.KindUnavailable, <-begin(t, 200*time.Millisecond, hang)) // during its query
	hangUntil(2)
	require.NoError(t, <-begin(t, time.Minute, read))
	hangUntil(3)
	modelstest.RequireKind(t, models.KindUnavailable,
		<-begin(t, 200*time.Millisecond, read)) // while it waits for a connection
	for _, ended := range hanging {
		require.Empty(t, ended)
	}
	modelstest.Execute(t, lock, `ROLLBACK`)
	for _, ended := range hanging {
		require.NoError(t, <-ended)
	}
	require.NoError(t, read(t.Context()))
}
