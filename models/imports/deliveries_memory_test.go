package imports_test

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// An import's memory does not grow with the file. The heap never holds more than the
// buffers of a 20 MB import, which allocates less in all than its records take (next
// to nothing, but the race detector drops pooled buffers). However many chunks the
// rows take, a company is written once. The test is not parallel, because it
// measures the heap.
func TestDeliveryMemoryIsBounded(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in the program
	w := modelstest.NewWorld(t)
	for _, slug := range []string{"a", "b"} { // both get all records
		w.Organization(t, slug, "10000001", "10000002")
	}
	const size = 20 << 20
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
	require.Equal(t, 8, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT max((ctid::text::point)[1])::int FROM companies`))
	t.Logf("%d MB, %d records: at most %d MB more heap, %d MB allocated", size>>20, done.Records, (peak-before.HeapInuse)>>20, allocated>>20)
	require.Less(t, peak-before.HeapInuse, uint64(16<<20))
	require.Less(t, allocated, 2*uint64(size))
}

func memory() runtime.MemStats {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats
}
