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

// lock keeps every query on a table waiting until release is called.
func lock(t *testing.T, w *modelstest.World, table string) (release func()) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE `+table+` IN ACCESS EXCLUSIVE MODE`)
	return func() { modelstest.Execute(t, conn, `ROLLBACK`) }
}

// requireLocked waits until that many connections wait for a lock.
func requireLocked(t *testing.T, w *modelstest.World, count int) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	modelstest.Eventually(t, func() bool {
		return modelstest.Value[int](t, conn, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == count
	})
}

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

// A read ends at its own deadline, whether it waits for its query or for a
// connection, and leaves other reads alone.
func TestReadsHaveTheirOwnDeadlines(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	const connections = 2
	service := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: connections}, modelstest.Secret)
	read := func(ctx context.Context) error {
		_, err := ledger.Company(ctx, service.Tenant(a.ID), "10000001")
		return err
	}
	require.NoError(t, read(t.Context()))
	release := lock(t, w, "companies")
	requireTimeout := func() {
		t.Helper()
		modelstest.RequireKind(t, models.KindUnavailable, <-begin(t, 200*time.Millisecond, read))
	}
	requireTimeout() // during its query
	var long []<-chan error
	for range connections {
		long = append(long, begin(t, time.Minute, read))
	}
	requireLocked(t, w, connections)
	requireTimeout() // while it waits for a connection
	for _, ended := range long {
		require.Empty(t, ended)
	}
	release()
	for _, ended := range long {
		require.NoError(t, <-ended)
	}
	require.NoError(t, read(t.Context()))
}

// Reads that hang do not block other reads, as long as there are connections.
func TestHangingReadsBlockNobody(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	release := lock(t, w, "transactions")
	tenant := w.Service.Tenant(a.ID)
	var hanging []<-chan error
	const count = 5
	for range count {
		hanging = append(hanging, begin(t, time.Minute, func(ctx context.Context) error {
			_, err := ledger.Transactions(ctx, tenant, "10000001", ledger.Cursor{Limit: 10})
			return err
		}))
	}
	requireLocked(t, w, count)
	require.NoError(t, <-begin(t, time.Minute, func(ctx context.Context) error {
		_, err := ledger.Company(ctx, tenant, "10000001")
		return err
	}))
	require.NoError(t, <-begin(t, time.Minute, func(ctx context.Context) error {
		_, err := ledger.FindCompanies(ctx, tenant, ledger.CompanySearch{Text: "company"}, ledger.Cursor{Limit: 10})
		return err
	}))
	for _, ended := range hanging {
		require.Empty(t, ended)
	}
	release()
	for _, ended := range hanging {
		require.NoError(t, <-ended)
	}
}
