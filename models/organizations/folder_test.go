package organizations_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// An export has every row that the organization has in the tables that it may read, in both
// formats, with the values of the API and the database, and nothing of others and no secret.
// Its files are their owner's alone.
func TestExport(t *testing.T) {
	t.Parallel()
	w, conn, a, _ := modelstest.Filled(t)
	const odd = "Ærø \"quoted\", \\ back\nslash\tå\u2028"
	modelstest.Execute(t, conn, `UPDATE companies SET address = $2, sender_reg_number = NULL WHERE organization_id = $1`,
		a.ID, odd)
	folder := filepath.Join(t.TempDir(), "export")
	patient := modelstest.Open(t, w.URL+"&idle_in_transaction_session_timeout=1",
		database.Operator) // a slow disk keeps PostgreSQL waiting
	require.NoError(t, organizations.Export(t.Context(), patient.Store, a, folder))

	left := []string{"running_tasks", "delivery_notices", "sign_in_states", "mails", "writers", "delivery_withdrawals"}
	var tables []string
	for _, name := range modelstest.Column[string](t, conn, `SELECT name FROM tenant_tables() WHERE own IS NOT NULL AND NOT name = ANY($1) ORDER BY 1`, left) {
		own := modelstest.Value[string](t, conn, `SELECT own FROM tenant_tables() WHERE name = $1`, name)
		objects, records := readBoth(t, filepath.Join(folder, name))
		count := modelstest.Value[int](t, conn, fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s = $1`, name, own), a.ID)
		require.Len(t, objects, count, name)
		require.Len(t, records, count+1, name)
		for i, object := range objects {
			require.Len(t, object, len(records[0]), name)
			for j, column := range records[0] {
				if text, ok := object[column].(string); ok && !strings.Contains(text, "T") { // times are written otherwise
					require.Equal(t, text, records[i+1][j], "%s.%s", name, column)
				}
			}
		}
		tables = append(tables, name+".csv", name+".jsonl")
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	var names []string
	for _, file := range files {
		names = append(names, file.Name())
		info, err := file.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
		text := modelstest.ReadFile(t, filepath.Join(folder, file.Name()))
		require.NotContains(t, string(text), "$2a$")
		require.NotRegexp(t, `hash|fingerprint|\b\\\\x[0-9a-f]{16}|Organization b|10000003`, string(text), file.Name())
	}
	require.ElementsMatch(t, tables, names)

	companies, _ := readBoth(t, filepath.Join(folder, "companies"))
	for i, company := range modelstest.Companies(t, w.Service, a) {
		require.Equal(t, []any{company.ID.String(), company.CVR, company.Name, odd, nil}, []any{
			companies[i]["id"], companies[i]["cvr"], companies[i]["name"], companies[i]["address"],
			companies[i]["sender_reg_number"],
		})
	}
	transactions, _ := readBoth(t, filepath.Join(folder, "transactions"))
	listed, err := ledger.Transactions(t.Context(), w.Service.Tenant(a.ID), "10000001", ledger.Cursor{Limit: 100})
	require.NoError(t, err)
	for i, transaction := range listed.Items {
		require.Equal(t, []any{transaction.ID.String(), json.Number(transaction.AmountDKK)},
			[]any{transactions[i]["id"], transactions[i]["amount_dkk"]})
	}
	members, _ := readBoth(t, filepath.Join(folder, "memberships"))
	require.ElementsMatch(t, []any{"a@example.com", "both@example.com"}, []any{members[0]["email"], members[1]["email"]})

	require.ErrorContains(t, organizations.Export(t.Context(), w.Operator.Store, a, folder), "is there already")
	ended, end := context.WithCancel(t.Context())
	end()
	beside := filepath.Dir(folder)
	require.Error(t,
		organizations.Export(ended, w.Operator.Store, models.Organization{ID: a.ID}, filepath.Join(beside, "other")))
	inside, err := os.ReadDir(beside)
	require.NoError(t, err)
	require.Len(t, inside, 1, "a failed export left something")
}

// readBoth reads the JSON Lines and the CSV of a table.
func readBoth(t *testing.T, path string) (objects []map[string]any, records [][]string) {
	t.Helper()
	text := modelstest.ReadFile(t, path+".jsonl")
	for line := range strings.Lines(string(text)) {
		var object map[string]any
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&object), line)
		objects = append(objects, object)
	}
	file, err := os.Open(path + ".csv")
	require.NoError(t, err)
	defer file.Close()
	records, err = csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	return objects, records
}
