package dashboard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/dashboard/export"
	"dispo/models/i18n"
	"dispo/web"
)

// No file has two columns with one title: a spreadsheet refuses a table with such a heading.
func TestTitlesAreUnique(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Offered {
		f := web.Frame{Locale: language}
		requireUnique(t, transactionTable(f))
		requireUnique(t, companyTable(f))
		requireUnique(t, deliveryTable(f))
		requireUnique(t, auditTable(f))
	}
}

func requireUnique[T any](t *testing.T, table export.Table[T]) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range table.Columns {
		require.False(t, c.Title != "" && seen[c.Title], "%s: %s", table.Name, c.Title)
		seen[c.Title] = true
	}
}
