package imports_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// An import that is cancelled, or whose connection is killed, at any point, leaves nothing
// behind and can be repeated. A killed connection is reported as a database that does not
// answer.
func TestInterruptedImports(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	conn := modelstest.Conn(t, w.URL)
	delivery := modelstest.DeliveryFile(t,
		strings.Repeat(longRecord("10000001"), 5_000)) // it takes several reads and several COPYs
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
		}, []float64{0, 0.25, 0.6, 0.95}, []float64{0.51, 0.7, 0.95}, "backend_xid", 5_000},
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

// longRecord returns a good line with as much text as a csv delivery can have.
func longRecord(cvr string) string {
	return strings.Replace(modelstest.Record(cvr), "CARD", strings.Repeat("CARD", 25), 1)
}

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

// A file that changes between its two readings, or while it is read, is refused, and nothing of it is
// stored, however it changes: it gets longer or shorter, other content, a bad line, or is
// written again as it is.
func TestFileChangesDuringTheImport(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	w.Organization(t, "b", "10000001", "10000002")
	record, row := longRecord("10000001"), "10000000,Company\n"
	var companies strings.Builder
	companies.WriteString("cvr,name\n")
	for i := range 20_000 {
		fmt.Fprintf(&companies, "%d,Company\n", 10_000_000+i)
	}
	for _, kind := range []struct {
		name, text, row, other string
		load                   func(path string, progress imports.Progress) error
	}{
		{"delivery.csv", modelstest.DeliveryHeader + strings.Repeat(record, 2_000), record, longRecord("10000002"), func(path string, progress imports.Progress) error {
			_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Progress: progress})
			return err
		}},
		{"companies.csv", companies.String(), row, "20000000,Company\n", func(path string, progress imports.Progress) error {
			_, err := imports.Companies(t.Context(), w.Operator.DB(), imports.CompaniesOptions{Organization: a, Path: path, Progress: progress})
			return err
		}},
	} {
		size := int64(len(kind.text))
		last := size - int64(len(kind.row))
		write := func(text string, at int64) func(*os.File) error {
			return func(file *os.File) error {
				_, err := file.WriteAt([]byte(text), at)
				return err
			}
		}
		for name, change := range map[string]func(*os.File) error{
			"longer": write(kind.row, size), "other content": write("1", size-2), "other company": write(kind.other, last), "bad line": write("x", last), "written again": write("\n", size-1),
			"shorter":        func(file *os.File) error { return file.Truncate(last) },
			"nothing at all": func(file *os.File) error { return file.Truncate(0) },
		} {
			path := modelstest.File(t, kind.name, kind.text)
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			require.NoError(t, err)
			err = kind.load(path, atShare(0.51, func() { // a delivery is read for the second time
				if err := change(file); err != nil {
					t.Error(err)
				}
			}))
			require.NoError(t, file.Close())
			modelstest.RequireKind(t, models.KindConflict, err)
			require.Equal(t, path+" changed while it was read: import it again once it is complete", err.Error(), name)
			requireNothingStored(t, modelstest.Conn(t, w.URL))
			require.Empty(t, modelstest.Companies(t, w.Service, a))
		}
	}
}
