package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// After random imports and withdrawals, each day has the number and the exact sum of its
// transactions, also by transfer type in ascending order of its bytes: over all companies
// and for one. A day has no item once it has no transactions, and a company that has none
// has an empty list.
func TestDays(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	w.Companies(t, a.Organization, "10000001", "10000002", "10000009")
	w.Companies(t, b.Organization, "10000001", "10000003")
	service := serve(t, w.Service, settings{})
	var imported []imports.DeliveryResult
	for round := range 12 {
		if round%3 == 2 {
			at := rand.IntN(len(imported))
			_, err := imports.Withdraw(t.Context(), w.Operator.DB(), imported[at].ID, "test", nil)
			require.NoError(t, err)
			imported = append(imported[:at], imported[at+1:]...)
		} else {
			var lines []string
			for i := range 1 + rand.IntN(40) {
				lines = append(lines, fmt.Sprintf("1000000%d,1234,%d,%s,%s,1,%d.%02d\n", 1+rand.IntN(3), i,
					[]string{"CARD", "Cash", "card", "Øl", "a b"}[rand.IntN(5)], firstDay.AddDate(0, 0, rand.IntN(10)).Format(time.DateOnly),
					rand.IntN(2_000_000_000_000)-1_000_000_000_000, rand.IntN(100)))
			}
			done, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...), Repeated: imports.RepeatedAdditional})
			require.NoError(t, err)
			imported = append(imported, done)
		}
		for _, x := range []tenant{a, b} {
			requireCaughtUp(t, w, x)
			for path, cvr := range map[string]string{"/api/v1/days": "", "/api/v1/companies/10000001/days": "10000001", "/api/v1/companies/10000009/days": "10000009"} {
				if x.Slug == "b" && cvr == "10000009" {
					continue
				}
				counted := modelstest.ValueAt[string](t, w.URL, `SELECT coalesce(jsonb_agg(day ORDER BY day->>'dispositionDate'), '[]')::text FROM (
					SELECT jsonb_build_object('dispositionDate', disposition_date, 'transactions', sum(n), 'amountDkk', sum(amount)::text, 'transferTypes',
						jsonb_agg(jsonb_build_object('transferType', transfer_type, 'transactions', n, 'amountDkk', amount::text) ORDER BY transfer_type COLLATE "C")) AS day
					FROM (SELECT disposition_date, transfer_type, count(*) AS n, sum(amount_dkk) AS amount FROM transactions
						WHERE organization_id = $1 AND $2 IN ('', cvr) GROUP BY 1, 2) types GROUP BY disposition_date) days`, x.ID, cvr)
				answered, err := json.Marshal(service.get(t, path, x.token).object(t)["data"])
				require.NoError(t, err)
				require.JSONEq(t, counted, string(answered), path)
			}
		}
	}
}
