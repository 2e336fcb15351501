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

// An import that is cancelled, or whose connection is killed, at any point, leaves nothing
// behind and can be repeated. A killed connection is reported as a database that does not
// answer.
func TestInterruptedImports(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	conn := modelstest.Conn(t, w.URL)
	delivery := bigDelivery(t, "10000001")
	companies := modelstest.File(t, "companies.csv", modelstest.CompaniesCSV(20_000_000, 5_000))
	for _, row := range []struct {
		name              string
		load              func(context.Context, imports.Progress) (stored int64, err error)
		cancelled, killed []float64 // shares of the work
		connection        string
		stored            int64
	}{
		{"companies", func(ctx context.Context, progress imports.Progress) (int64, error) {
			done, err := imports.Companies(ctx, w.Operator.DB(), imports.CompaniesOptions{Organization: a, Path: companies, Progress: progress})
			return done.Inserted, err
		}, []float64{0.9}, []float64{0.9}, "xact_start", 5_000},
		{"delivery", func(ctx context.Context, progress imports.Progress) (int64, error) {
			done, err := w.ImportDelivery(ctx, imports.DeliveryOptions{Path: delivery, Progress: progress})
			return done.Stored, err
		}, []float64{0, 0.25, 0.6, 0.95}, []float64{0.51, 0.7, 0.95}, "backend_xid", 15_000},
	} {
		before := everything(t, w)
		requireUnchanged := func() {
			t.Helper()
			require.Equal(t, before, everything(t, w), row.name)
			modelstest.RequireTotals(t, w.URL)
		}
		for _, share := range row.cancelled {
			ctx, cancel := context.WithCancel(t.Context())
			reports := 0
			stop := atShare(share, cancel)
			_, err := row.load(ctx, func(done, total int64) {
				if ctx.Err() != nil {
					reports++
				}
				stop(done, total)
			})
			cancel()
			require.Zero(t, reports, "the import read on")
			require.ErrorIs(t, err, context.Canceled, "%s at %v", row.name, share)
			requireUnchanged()
		}
		for _, share := range row.killed {
			_, err := row.load(t.Context(), atShare(share, func() {
				killed := modelstest.Value[int](t, conn, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
					WHERE datname = current_database() AND pid <> pg_backend_pid() AND `+row.connection+` IS NOT NULL`)
				if killed != 1 {
					t.Errorf("%d connections were writing", killed)
				}
			}))
			modelstest.RequireKind(t, models.KindUnavailable, err)
			requireUnchanged()
		}
		stored, err := row.load(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, row.stored, stored)
	}
}
