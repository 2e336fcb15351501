package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// importDelivery imports a csv delivery file with that name.
func importDelivery(t *testing.T, w *modelstest.World, name, text string) {
	t.Helper()
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, name, text)})
	require.NoError(t, err)
}

// A transaction has exactly the fields of the contract, with the file's values:
// amounts are exact and have two decimals, the raw line is unchanged, and the record
// index counts every line of the file from 0.
func TestTransactionFields(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{noCache: true})
	w.Companies(t, a.Organization, "10000001", "10000002")

	type record struct {
		index         int
		line          string
		reg, account  string
		transferType  string
		date          string
		count, amount string
	}
	records := []record{
		{1, `10000001;0000;1;KORT;2026-01-31;0;0`, "0000", "1", "KORT", "2026-01-31", "0", "0.00"},
		{2, `10000001;9999;9999999999;KORT;2024-02-29;1;-0.5`, "9999", "9999999999", "KORT", "2024-02-29", "1", "-0.50"},
		{
			4,
			`10000001;1234;0000000001;KORT;9999-12-31;118;1234.5`,
			"1234",
			"0000000001",
			"KORT",
			"9999-12-31",
			"118",
			"1234.50",
		},
		{5, `10000001;1234;5;KORT;2026-01-31;1;999999999999.99`, "1234", "5", "KORT", "2026-01-31", "1", "999999999999.99"},
		{6, `10000001;1234;5;KORT;2026-01-31;1;-999999999999.99`, "1234", "5", "KORT", "2026-01-31", "1", "-999999999999.99"},
		{
			7,
			`10000001;1234;5;KORT;2026-01-31;9007199254740991;0.07`,
			"1234",
			"5",
			"KORT",
			"2026-01-31",
			"9007199254740991",
			"0.07",
		},
		{
			8,
			`10000001;1234;5;"two ""words""; one \ type";2026-01-31;1;1.00`,
			"1234",
			"5",
			`two "words"; one \ type`,
			"2026-01-31",
			"1",
			"1.00",
		},
	}
	for i, text := range texts {
		if strings.Contains(text, `"`) {
			continue // the record with index 8 has quotes
		}
		line := fmt.Sprintf(`10000001;1234;%d;%s;2026-01-31;1;0.10`, i, text)
		records = append(records, record{len(records) + 2, line, "1234", fmt.Sprint(i), text, "2026-01-31", "1", "0.10"})
	}
	lines := []string{"cvr;regNumber;accountNumber;transferType;dispositionDate;count;amountDkk"}
	for _, r := range records {
		for len(lines) < r.index {
			lines = append(lines, "10000002;1234;1;KORT;2026-01-31;1;1.00") // another company's
		}
		lines = append(lines, r.line)
	}
	const filename = `Levering "æ" 2026-01-31 <&> 🌭.csv`
	importDelivery(t, w, filename, strings.Join(lines, "\r\n")+"\r\n")
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE delivery_files SET created_at = '2026-01-31 23:59:59.9999+00', processed_at = '2026-02-01 01:00:00.001+01'`)
	file := modelstest.ValueAt[string](t, w.URL, `SELECT id::text FROM delivery_files`)

	list := func() []any {
		page := service.get(t, "/api/v1/companies/10000001/transactions?limit=100", a.token)
		page.requireOK(t)
		return page.object(t)["data"].([]any)
	}
	listed := list()
	require.Len(t, listed, len(records))
	ids := selectKeys(t, w, `SELECT id FROM transactions WHERE cvr = '10000001' ORDER BY id`)
	expected := make([]object, len(records))
	for i, r := range records {
		expected[i] = object{
			"id":                        ids[i],
			"cardNetworkDeliveryFileId": file,
			"recordIndex":               json.Number(fmt.Sprint(r.index)),
			"cvr":                       "10000001",
			"regNumber":                 r.reg,
			"accountNumber":             r.account,
			"transferType":              r.transferType,
			"dispositionDate":           r.date,
			"count":                     json.Number(r.count),
			"amountDkk":                 r.amount,
			"rawLine":                   r.line,
			"filename":                  filename,
			"createdAt":                 "2026-01-31T23:59:59.999Z",
			"updatedAt":                 "2026-01-31T23:59:59.999Z",
			"processedAt":               "2026-02-01T00:00:00.001Z",
		}
		require.Equal(t, expected[i], listed[i])
	}

	// An unknown time is null, not left out.
	modelstest.ExecuteAt(t, w.URL, `UPDATE delivery_files SET processed_at = NULL`)
	for i, item := range list() {
		expected[i]["processedAt"] = nil
		require.Equal(t, expected[i], item)
	}
}
