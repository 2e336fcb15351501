package imports_test

import (
	"fmt"
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
	load(t, w, imports.DeliveryOptions{Path: records(0, stored)})
	line := strings.Replace(modelstest.Record("10000001"), "1234.50", "7.00", 1)
	load(t, w, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, slices.Repeat([]string{line}, stored)...)})

	day := func(number int, amount string) string {
		return fmt.Sprintf("10000001,1234,1,CARD,%s,1,%s\n", day(2000, 1, 1).AddDate(0, 0, number).Format(time.DateOnly), amount)
	}
	var days []string
	for i := range 3000 {
		days = append(days, day(i, "2.00"))
	}
	load(t, w, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, days...)})

	modelstest.ExecuteAt(t, w.URL, `ANALYZE daily_totals`)
	amount := 300
	rows := modelstest.RowsRead(t, w.URL, func() {
		operator := modelstest.Open(t, w.URL, database.Operator)
		defer operator.Close()
		require.NoError(t, modelstest.ErrorOf(imports.Delivery(t.Context(), operator.DB(), imports.DeliveryOptions{Path: records(stored, 30)})))
		amount++
		far := modelstest.DeliveryFile(t, day(0, fmt.Sprint(amount, ".00")), day(2999, fmt.Sprint(amount, ".00")))
		require.NoError(t, modelstest.ErrorOf(imports.Delivery(t.Context(), operator.DB(), imports.DeliveryOptions{Path: far})))
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
