package imports_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// Whether a delivery repeats stored records costs what it has itself, however many
// records are stored of the same company and day, with the same amount,
// however often one of them is, and however many other days lie between those of the file.
func TestRepeatsCostWhatArrives(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10000001")
	records := func(first, count int) string {
		var lines []string
		for i := range count {
			lines = append(lines, fmt.Sprintf("10000001,1234,%d,CARD,2026-01-31,1,1.00\n", first+i))
		}
		return modelstest.DeliveryFile(t, lines...)
	}
	const stored = 10_000
	w.Import(t, imports.DeliveryOptions{Path: records(0, stored)})
	line := strings.Replace(modelstest.Record("10000001"), "1234.50", "7.00", 1)
	w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, slices.Repeat([]string{line}, stored)...)})

	day := func(number int, amount string) string {
		return fmt.Sprintf("10000001,1234,1,CARD,%s,1,%s\n", day(2000, 1, 1).AddDate(0, 0, number).Format(time.DateOnly),
			amount)
	}
	var days []string
	for i := range 3000 {
		days = append(days, day(i, "2.00"))
	}
	w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, days...)})

	modelstest.ExecuteAt(t, w.URL, `ANALYZE daily_totals`)
	amount := 300
	rows := modelstest.RowsRead(t, w.URL, func() {
		operator := modelstest.Open(t, w.URL, database.Operator)
		defer operator.Close()
		require.NoError(t,
			modelstest.ErrorOf(imports.Delivery(t.Context(), operator.DB(), imports.DeliveryOptions{Path: records(stored, 30)})))
		amount++
		far := modelstest.DeliveryFile(t, day(0, fmt.Sprint(amount, ".00")), day(2999, fmt.Sprint(amount, ".00")))
		require.NoError(t,
			modelstest.ErrorOf(imports.Delivery(t.Context(), operator.DB(), imports.DeliveryOptions{Path: far})))
		for path, repeated := range map[string]string{
			records(stored-1, 30): " stored records (lines 2, ",
			modelstest.DeliveryFile(t, slices.Repeat([]string{line}, 30)...): " repeats 30 stored records (lines 2, 3, 4, 5, 6, …), of delivery.csv ",
		} {
			_, err := imports.Delivery(t.Context(), operator.DB(), imports.DeliveryOptions{Path: path})
			modelstest.RequireKind(t, models.KindConflict, err)
			require.ErrorContains(t, err, repeated)
		}
	})
	require.Less(t, rows["transactions"], int64(stored/10))
	require.Less(t, rows["daily_totals"], int64(len(days)/10))
}

func backfilled(t *testing.T, w *modelstest.World, options imports.BackfillOptions) int64 {
	t.Helper()
	done, err := imports.Backfill(t.Context(), w.Operator.DB(), options)
	require.NoError(t, err)
	return done.Records
}

// A backfill reads what has arrived since the one before, and all of companies that are
// newer than it, but not what was there already.
func TestBackfillCostsWhatArrived(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000001")
	c := w.Organization(t, "c", "10000009")
	const stored = 5_000
	path := modelstest.File(t, "delivery.csv", modelstest.DeliveryCSV("10000001", stored))
	w.Import(t, imports.DeliveryOptions{Path: path, Organization: &a})
	other := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000002"))
	w.Import(t, imports.DeliveryOptions{Path: other, Organization: &c})
	require.EqualValues(t, stored, backfilled(t, w, imports.BackfillOptions{Organization: b}))

	rows := modelstest.RowsRead(t, w.URL, func() {
		operator := modelstest.Open(t, w.URL, database.Operator)
		defer operator.Close()
		done, err := imports.Backfill(t.Context(), operator.DB(), imports.BackfillOptions{Organization: b})
		require.NoError(t, err)
		require.Zero(t, done.Records)
	})
	require.Less(t, rows["transactions"], int64(stored/10))

	// a gets an earlier delivery only now, and b a company of which a has records.
	w.Import(t, imports.DeliveryOptions{Path: other, Organization: &a})
	require.EqualValues(t, 1, backfilled(t, w, imports.BackfillOptions{Organization: b}))
	w.Companies(t, b, "10000002")
	require.EqualValues(t, 1, backfilled(t, w, imports.BackfillOptions{Organization: b}))
	require.Zero(t, backfilled(t, w, imports.BackfillOptions{Organization: b}))
}

// An import's memory does not grow with the file. The heap never holds more than the
// buffers of an 8 MB import, which allocates less in all than its records take (next
// to nothing, but the race detector drops pooled buffers). However many chunks the
// rows take, a company is written once. The test is not parallel, because it
// measures the heap.
func TestDeliveryMemoryIsBounded(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in the program
	w := modelstest.NewWorld(t)
	for _, slug := range []string{"a", "b"} { // both get all records
		w.Organization(t, slug, "10000001", "10000002")
	}
	const size = 8 << 20
	records := longRecord("10000001") + longRecord("10000002")
	path := modelstest.File(t, "delivery.csv", modelstest.DeliveryHeader+strings.Repeat(records, size/len(records)+1))

	var peak uint64
	runtime.GC()
	before := memory()
	done, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Progress: func(int64, int64) {
		peak = max(peak, memory().HeapInuse)
	}})
	allocated := memory().TotalAlloc - before.TotalAlloc
	require.NoError(t, err)
	require.Equal(t, 2*done.Records, done.Stored)
	require.Greater(t, done.Stored, int64(imports.InsertChunk))
	modelstest.RequireTotals(t, w.URL)
	// The places of rows in their page: four companies, and one new version of each.
	require.Equal(t, 8, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT max((ctid::text::point)[1])::int
		FROM companies`))
	t.Logf("%d MB, %d records: at most %d MB more heap, %d MB allocated", size>>20, done.Records,
		(peak-before.HeapInuse)>>20, allocated>>20)
	require.Less(t, peak-before.HeapInuse, uint64(6<<20))
	require.Less(t, allocated, 2*uint64(size))
}

func memory() runtime.MemStats {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats
}
