package api_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// Every page of the list of transactions has the sum of all of the company's amounts
// in a header, read or remembered, also an empty page and an empty list. It follows
// imports and withdrawals like the total, and no other answer has it.
func TestTotalAmount(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	w.Companies(t, a.Organization, "10000001", "10000002")
	w.Companies(t, b.Organization, "10000001")
	for _, config := range []settings{{minute: 10_000, hour: 10_000, noCache: true}, {minute: 10_000, hour: 10_000}} {
		service := serve(t, w.Service, config)
		requireSum := func(path, sum, total string) {
			t.Helper()
			modelstest.Eventually(t, func() bool { // an answer may be a moment behind the data
				page := service.get(t, "/api/v1/companies/"+path, a.token)
				page.requireOK(t)
				remembered := service.get(t, "/api/v1/companies/"+path, a.token)
				return page.header.Get("X-Total-Amount-Dkk") == sum && remembered.header.Get("X-Total-Amount-Dkk") == sum &&
					page.object(t)["meta"].(object)["total"] == json.Number(total)
			}, "%s: %s", path, sum)
		}
		requireSum("10000001/transactions", "0.00", "0")
		done, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t,
			"10000001,1234,1,CARD,2026-01-31,1,999999999999.99\n", "10000001,1234,2,CARD,2026-01-31,1,999999999999.99\n",
			"10000001,1234,3,CARD,2026-01-31,1,-0.99\n", "10000002,1234,3,CARD,2026-01-31,1,-7\n")})
		require.NoError(t, err)
		requireSum("10000001/transactions", "1999999999998.99", "3")
		requireSum("10000001/transactions?limit=1", "1999999999998.99", "3")
		requireSum("10000001/transactions?after="+uuid.Max.String(), "1999999999998.99", "3")
		requireSum("10000002/transactions", "-7.00", "1")
		for _, path := range []string{"", "/10000001"} {
			require.Empty(t, service.get(t, "/api/v1/companies"+path, a.token).header.Values("X-Total-Amount-Dkk"))
		}
		_, err = imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, "test", &a.Organization)
		require.NoError(t, err)
		requireSum("10000001/transactions", "0.00", "0")
		_, err = imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, "test", nil)
		require.NoError(t, err)
	}
}
