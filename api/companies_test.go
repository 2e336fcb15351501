package api_test

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// texts are awkward to encode as JSON: quotes, backslashes, Danish letters,
// characters beyond the basic plane, HTML, and Unicode line separators.
var texts = []string{
	`Plain Aps`,
	`"Quoted" / 'quoted'`,
	`back\slash \u0041 \n \`,
	`Ærø Smørrebrød & Ålekro A/S`,
	"Pølsevogn 🌭 𝕯 é e\u0301 " + "\u202eRTL",
	`<script>alert('&lt')</script> %20 {} [] $`,
	"sep\u2028ara\u2029tor \ufffd \u00a0.",
}

// importCompanies imports a companies file. The first record is its header.
func importCompanies(t *testing.T, w *modelstest.World, organization models.Organization, records ...[]string) {
	t.Helper()
	var text strings.Builder
	require.NoError(t, csv.NewWriter(&text).WriteAll(records))
	_, err := w.ImportCompanies(t.Context(), organization, modelstest.File(t, "companies.csv", text.String()))
	require.NoError(t, err)
}

// A company has exactly the fields of the contract, with the imported values, and
// null written as null. It is the same in the list and on its own.
func TestCompanyFields(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	columns := []string{
		"cvr", "name", "address", "startDate", "endDate", "status", "senderRegNumber",
		"senderAccountNumber", "receiverRegNumber", "receiverAccountNumber", "defaultAmountCents",
	}
	records := [][]string{
		columns,
		{"10000001", "All null", "", "2026-01-31", "", "", "", "", "", "", ""},
		{
			"10000002", "All there", "Havnegade 12, 5000 Odense C", "2024-02-29", "2026-12-31", "REGISTERED",
			"0000", "0000000001", "9999", "7", "150000",
		},
		{"00000000", "Least", "-", "1000-01-01", "1000-01-01", "MODIFIED", "0001", "0", "0002", "0", "-99999999999999"},
		{
			"99999999", "Most", "-", "9999-12-31", "9999-12-31", "TERMINATED", "9999", "9999999999", "9999",
			"9999999999", "99999999999999",
		},
		{"10000003", "Nought", "null", "2026-01-01", "", "REJECTED", "", "1", "1234", "", "0"},
		{"10000004", "A\ttab", "a\\nb", "2026-01-01", "", "CREATED", "", "", "", "", ""},
	}
	imported := slices.Clone(records)
	for i, text := range texts {
		record := []string{"2000000" + string(rune('0'+i)), text, text, "2026-01-01", "", "", "", "", "", "", ""}
		records = append(records, record)
		record = slices.Clone(record)
		record[1], record[2] = "stored below", "" // imports refuse invisible characters, which older rows may have
		imported = append(imported, record)
	}
	importCompanies(t, w, a.Organization, imported...)
	for i, text := range texts {
		modelstest.ExecuteAt(t, w.URL, `UPDATE companies SET name = $1, address = $1 WHERE cvr = $2`, text,
			"2000000"+string(rune('0'+i)))
	}
	modelstest.Refold(t, w.URL)
	// Times are in UTC and truncated to the millisecond. The database keeps microseconds.
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE companies SET created_at = '2026-01-31 12:00:00.000999+00', updated_at = '2026-07-01 00:30:00.1205+02'`)
	ids := selectKeys(t, w, `SELECT id FROM companies ORDER BY id`)

	page := service.get(t, "/api/v1/companies?limit=100", a.token)
	page.requireOK(t)
	listed := page.object(t)["data"].([]any)
	require.Len(t, listed, len(records)-1)
	for i, record := range records[1:] {
		expected := object{"id": ids[i], "createdAt": "2026-01-31T12:00:00.000Z", "updatedAt": "2026-06-30T22:30:00.120Z"}
		for j, column := range columns {
			expected[column] = record[j]
			if record[j] == "" {
				expected[column] = map[string]any{"endDate": "9999-12-31", "status": "CREATED"}[column]
			} else if column == "defaultAmountCents" {
				expected[column] = json.Number(record[j])
			}
		}
		// A CSV reader turns CR LF into LF.
		if address, ok := expected["address"].(string); ok {
			expected["address"] = strings.ReplaceAll(address, "\r\n", "\n")
		}
		require.Equal(t, expected, listed[i])
		alone := service.get(t, "/api/v1/companies/"+record[0], a.token)
		alone.requireOK(t)
		require.Equal(t, expected, alone.object(t))
		require.Contains(t, string(page.body), string(alone.body))
	}
}

// On both paths a CVR must be exactly 8 ASCII digits, and the message says so.
func TestCVRParameter(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.Companies(t, a.Organization, "10000001", "00000001")
	for _, cvr := range []string{"1", "1000000", "100000010", "1000000a", "DK10000001", "-1000001", "+1000001", "1000000.", "1e000001",
		"%2010000001", "10000001%20", "10000001%00", "1000000%2531", "%D9%A1%D9%A1%D9%A1%D9%A1", "%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96%EF%BC%97%EF%BC%98",
		"10000001,00000001", "10000001;", "10000001%2Ftransactions", "%27%20OR%201=1", "*", "null", "health"} {
		for _, path := range []string{"/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions"} {
			service.get(t, path, a.token).requireError(t, 400, "BAD_REQUEST", "cvr", "8 digits")
		}
	}
	service.get(t, "/api/v1/companies/00000001", a.token).requireOK(t)
	service.get(t, "/api/v1/companies/00000001/transactions", a.token).requireOK(t)
}
