package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// Companies come in each order once, forwards and backwards, also where a search found
// them, and a page reads about as many as it shows.
func testCompanyOrder(t *testing.T, w *modelstest.World, large, small models.Organization) {
	t.Helper()
	modelstest.ExecuteAt(t, w.URL, `UPDATE companies SET name = upper(name) WHERE organization_id = $1 AND cvr = '20012345'`, small.ID) // the order ignores it
	conn := modelstest.Conn(t, w.URL)
	for _, organization := range []models.Organization{large, small} {
		for _, wanted := range []ledger.CompanySearch{{}, {Text: "nordlys byg 40"}, {Text: "200123"}, {Text: "2001 23"}, {Status: "REJECTED"}, {Text: "nobody"}} {
			for _, order := range ledger.CompanyOrders {
				key, down := strings.CutPrefix(string(order), "-")
				by := map[string]string{"name": lowerDanish("name") + ` COLLATE "C"`, "cvr": "cvr"}[key]
				if wanted.Order = order; down {
					by += " DESC"
				}
				expected := modelstest.Column[uuid.UUID](t, conn, `SELECT id FROM companies WHERE organization_id = $1
					AND (position(`+lowerDanish("$2")+` IN `+lowerDanish("name")+`) > 0 OR starts_with(cvr, replace($2, ' ', ''))) AND ($3 = '' OR status = $3)
					ORDER BY `+strings.Replace(by+", id", " DESC, id", " DESC, id DESC", 1)+` LIMIT 130`, organization.ID, wanted.Text, wanted.Status)
				var found []uuid.UUID
				cursor := ledger.Cursor{Limit: 50}
				for {
					matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(organization.ID), wanted, cursor)
					require.NoError(t, err)
					require.False(t, matches.Unsorted)
					for _, company := range matches.Items {
						found = append(found, company.ID)
					}
					if matches.Previous != nil { // back to where it came from
						before, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(organization.ID), wanted, ledger.Cursor{Limit: 50, Before: matches.Previous})
						require.NoError(t, err)
						require.Equal(t, found[len(found)-len(matches.Items)-1], before.Items[len(before.Items)-1].ID)
					}
					if matches.Next == nil || len(found) >= 100 {
						break
					}
					cursor.After = matches.Next
				}
				require.Equal(t, len(expected), max(len(found), min(len(expected), 130)))
				require.True(t, slices.Equal(expected[:len(found)], found), "%s %+v", organization.Slug, wanted)
			}
		}
	}
	for _, order := range ledger.CompanyOrders {
		rows := modelstest.RowsRead(t, w.URL, func() {
			service := modelstest.Open(t, w.URL, database.Service)
			defer service.Close()
			require.NoError(t, modelstest.ErrorOf(ledger.FindCompanies(t.Context(), service.Tenant(large.ID), ledger.CompanySearch{Order: order}, ledger.Cursor{Limit: 50})))
		})
		require.Less(t, rows["companies"], int64(150), order)
	}
	matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(large.ID), ledger.CompanySearch{Text: "y", Order: ledger.CompaniesByName}, ledger.Cursor{Limit: 50})
	require.NoError(t, err)
	require.True(t, matches.Unsorted)
}

// Companies are found and ordered by Danish names, on every PostgreSQL: in any case, however
// Unicode composes them, with Æ, Ø and Å after Z and Aa as two letters. A search compares
// accents, the order does not.
func TestCompanyNames(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	names := []string{"4 Hjul", "aalborg Is", "AARHUS Is", "Abe", "Café D", "CAFE\u0301 E", "Cafe F", "Müller", "Straße 1", "Stub", "Zoo", "Æblegaarden", "ØSTERS", "A\u030ag Is", "Ål", "ÅRHUS"}
	text := "cvr,name\n"
	for i := range names {
		text += fmt.Sprintf("%d,%s\n", 10000000+i*7%len(names), names[i*7%len(names)])
	}
	require.NoError(t, modelstest.ErrorOf(w.ImportCompanies(t.Context(), a, modelstest.File(t, "companies.csv", text))))
	find := func(wanted ledger.CompanySearch) (found []string) {
		matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(a.ID), wanted, ledger.Cursor{Limit: 50})
		require.NoError(t, err)
		for _, company := range matches.Items {
			found = append(found, company.Name)
		}
		return found
	}
	search := func() {
		for text, want := range map[string][]string{
			"æblegaarden": {"Æblegaarden"}, "ÆBLE": {"Æblegaarden"}, "æ": {"Æblegaarden"}, "østers": {"ØSTERS"}, "Ø": {"ØSTERS"}, "åRHUS": {"ÅRHUS"}, "A\u030arhus": {"ÅRHUS"}, "åg": {"A\u030ag Is"},
			"aarhus": {"AARHUS Is"}, "å": {"A\u030ag Is", "Ål", "ÅRHUS"}, "café": {"Café D", "CAFE\u0301 E"}, "É": {"Café D", "CAFE\u0301 E"}, "cafe": {"Cafe F"}, "MÜLLER": {"Müller"}, "mu\u0308l": {"Müller"}, "muller": nil,
			"STRASSE": {"Straße 1"}, "straẞe": {"Straße 1"}, "ß": {"Straße 1"}, "4 h": {"4 Hjul"},
		} {
			require.ElementsMatch(t, want, find(ledger.CompanySearch{Text: text}), text)
		}
	}
	search()
	require.Equal(t, names, find(ledger.CompanySearch{Order: ledger.CompaniesByName}))
	slices.Reverse(names)
	require.Equal(t, names, find(ledger.CompanySearch{Order: ledger.CompaniesByNameDown}))
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET company_count = 20000`) // too many to look at all of them
	search()
	modelstest.Recount(t, w.URL)
}
