package dashboard_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A delivery that is late is said on the overview, on the page of deliveries and on its
// day, which keeps it when the next one has come. Without an expected time, nothing is said.
func TestLateDeliveryIsSaid(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Companies(t, a, "10000001")
	earlier := time.Now().AddDate(0, 0, -40)
	result, err := s.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, fmt.Sprintf("10000001,1234,0012345678,CARD,%s,3,1.00\n", earlier.Format(time.DateOnly)))})
	require.NoError(t, err)
	modelstest.ExecuteAt(t, s.URL, `UPDATE delivery_files SET created_at = $1 WHERE delivery_id = $2`, earlier, result.ID)
	const late, missed, next = "The delivery expected by", "No delivery had arrived by 00:00.", "The next one came"
	require.NotContains(t, b.get("/").text("main")+b.get("/deliveries").text("main"), late)

	modelstest.ExecuteAt(t, s.URL, `UPDATE organizations SET expected_by = '00:00', expected_since = '2020-01-01'`)
	day, err := ledger.LateDelivery(t.Context(), s.Service.Tenant(a.ID), time.Now())
	require.NoError(t, err)
	row := func() string {
		return b.get("/days?month=" + day.Day.Format("2006-01")).text("#day-" + day.Day.Format(time.DateOnly))
	}
	require.Contains(t, b.get("/").text("section[aria-labelledby=attention]"), late)
	require.Contains(t, b.get("/deliveries").text(".banner"), late)
	require.Contains(t, row(), missed)
	require.NotContains(t, row(), next)

	s.Delivery(t, "10000001", 1)
	require.NotContains(t, b.get("/").text("main")+b.get("/deliveries").text("main"), late)
	require.Contains(t, row(), missed)
	require.Contains(t, row(), next)
}
