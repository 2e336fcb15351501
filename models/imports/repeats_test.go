package imports_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// Whether a delivery repeats stored records costs what it has itself, however many
// records are stored of the same company and day, with the same amount.
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
	const stored = 20_000
	load(t, w, imports.DeliveryOptions{Path: records(0, stored)})

	rows := modelstest.RowsRead(t, w.URL, func() {
		operator := modelstest.Open(t, w.URL, database.Operator)
		defer operator.Close()
		require.NoError(t, modelstest.ErrorOf(imports.Delivery(t.Context(), operator.DB(), imports.DeliveryOptions{Path: records(stored, 30)})))
		_, err := imports.Delivery(t.Context(), operator.DB(), imports.DeliveryOptions{Path: records(stored-1, 30)})
		modelstest.RequireKind(t, models.KindConflict, err)
	})
	require.Less(t, rows["transactions"], int64(stored/10))
}
