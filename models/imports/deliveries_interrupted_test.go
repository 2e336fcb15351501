package imports_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// atShare calls f once, when the import has reached that share of its work.
func atShare(share float64, f func()) imports.Progress {
	called := false
	return func(done, total int64) {
		if !called && float64(done) >= share*float64(total) {
			called = true
			f()
		}
	}
}

// An import that is cancelled, at any point, leaves nothing behind and can be
// repeated.
func TestDeliveryCancelled(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10000001")
	path := bigDelivery(t, "10000001")
	conn := modelstest.Conn(t, w.URL)
	for _, share := range []float64{0, 0.25, 0.6, 0.95} {
		ctx, cancel := context.WithCancel(t.Context())
		reports := 0
		stop := atShare(share, cancel)
		_, err := w.ImportDelivery(ctx, imports.DeliveryOptions{Path: path, Progress: func(done, total int64) {
			if ctx.Err() != nil {
				reports++
			}
			stop(done, total)
		}})
		require.Zero(t, reports, "the import read on")
		cancel()
		require.ErrorIs(t, err, context.Canceled, "at %v", share)
		requireNothingStored(t, conn)
		modelstest.RequireTotals(t, w.URL)
	}
	requireImported(t, w, path)
}

// An import whose connection is killed, at any point, leaves nothing behind, reports
// that the database does not answer, and can be repeated.
func TestDeliveryConnectionKilled(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10000001")
	path := bigDelivery(t, "10000001")
	conn := modelstest.Conn(t, w.URL)
	for _, share := range []float64{0.51, 0.7, 0.95} {
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Progress: atShare(share, func() {
			killed := modelstest.Value[int](t, conn, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL`)
			if killed != 1 {
				t.Errorf("%d connections were writing", killed)
			}
		})})
		modelstest.RequireKind(t, models.KindUnavailable, err)
		requireNothingStored(t, conn)
		modelstest.RequireTotals(t, w.URL)
	}
	requireImported(t, w, path)
}

func requireImported(t *testing.T, w *modelstest.World, path string) {
	t.Helper()
	done := load(t, w, imports.DeliveryOptions{Path: path})
	require.False(t, done.Already)
	require.Equal(t, done.Records, done.Stored)
	require.EqualValues(t, done.Records, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM transactions`))
}

// An import of companies that is cancelled, or whose connection is killed, leaves
// nothing behind and can be repeated.
func TestCompaniesInterrupted(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	path := modelstest.File(t, "companies.csv", modelstest.CompaniesCSV(20_000_000, 5_000))
	conn := modelstest.Conn(t, w.URL)

	ctx, cancel := context.WithCancel(t.Context())
	_, err := imports.Companies(ctx, w.Operator.DB(), imports.CompaniesOptions{Organization: a, Path: path, Progress: atShare(0.9, cancel)})
	cancel()
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, modelstest.Companies(t, w.Service, a))

	_, err = imports.Companies(t.Context(), w.Operator.DB(), imports.CompaniesOptions{Organization: a, Path: path, Progress: atShare(0.9, func() {
		require.Equal(t, 1, modelstest.Value[int](t, conn, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`))
	})})
	modelstest.RequireKind(t, models.KindUnavailable, err)
	require.Empty(t, modelstest.Companies(t, w.Service, a))

	done, err := w.ImportCompanies(t.Context(), a, path)
	require.NoError(t, err)
	require.EqualValues(t, 5_000, done.Inserted)
}
