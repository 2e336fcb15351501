package api_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// A change has exactly the fields of the contract, and null where one does not concern its
// type. No sum stands in a header.
func TestChangeFields(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{noCache: true})
	w.Companies(t, a.Organization, "10000001")
	const filename, reason = `Levering "æ" <&> 🌭.csv`, `wrong "æ" \ 🌭`
	text := modelstest.DeliveryHeader + "10000001,1234,1,CARD,2026-02-28,1,-0.5\n10000001,1234,1,CARD,2024-02-29,1,1234.5\n"
	done, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, filename, text)})
	require.NoError(t, err)
	file := modelstest.ValueAt[string](t, w.URL, `SELECT id::text FROM delivery_files`)
	list := func() []any {
		page := service.get(t, "/api/v1/changes", a.token)
		page.requireOK(t)
		require.Empty(t, page.header.Values("X-Total-Amount-Dkk"))
		return page.object(t)["data"].([]any)
	}
	change := func(typ, at string, fields object) object {
		want := object{
			"type":                      typ,
			"createdAt":                 at,
			"cardNetworkDeliveryFileId": nil,
			"filename":                  nil,
			"transactions":              nil,
			"amountDkk":                 nil,
			"firstDispositionDate":      nil,
			"lastDispositionDate":       nil,
			"reason":                    nil,
			"cvr":                       nil,
			"status":                    nil,
		}
		for name, value := range fields {
			want[name] = value
		}
		return want
	}
	delivery := object{
		"cardNetworkDeliveryFileId": file,
		"filename":                  filename,
		"transactions":              json.Number("2"),
		"amountDkk":                 "1234.00",
		"firstDispositionDate":      "2024-02-29",
		"lastDispositionDate":       "2026-02-28",
	}

	modelstest.ExecuteAt(t, w.URL, `UPDATE delivery_files SET created_at = '2026-01-31 23:59:59.9999+00'`)
	modelstest.ExecuteAt(t, w.URL, `UPDATE companies SET updated_at = '2026-02-01 01:00:00.001+01'`)
	got := list()
	ids := modelstest.Column[string](t, modelstest.Conn(t, w.URL),
		`SELECT change_id::text FROM companies UNION ALL SELECT change_id::text FROM delivery_files`)
	company, arrival := change("company.changed", "2026-02-01T00:00:00.001Z",
		object{"cvr": "10000001", "status": "CREATED"}), change("delivery.arrived", "2026-01-31T23:59:59.999Z", delivery)
	company["id"], arrival["id"] = ids[0], ids[1]
	require.Equal(t, []any{company, arrival}, got)

	_, err = imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, reason, nil)
	require.NoError(t, err)
	modelstest.ExecuteAt(t, w.URL, `UPDATE withdrawn_files SET withdrawn_at = '2026-03-01 00:00:00+00'`)
	delivery["reason"] = reason
	withdrawal := change("delivery.withdrawn", "2026-03-01T00:00:00.000Z", delivery)
	withdrawal["id"] = modelstest.ValueAt[string](t, w.URL, `SELECT change_id::text FROM withdrawn_files`)
	require.Equal(t, []any{company, withdrawal}, list())
}
