package ledger_test

import (
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
func TestCompanyOrder(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	large := largeOrganization(t, w, "large")
	small := w.Organization(t, "small", "20000004", "20012345", "39999999")
	modelstest.ExecuteAt(t, w.URL, `UPDATE companies SET name = upper(name) WHERE cvr = '20012345'`)
	conn := modelstest.Conn(t, w.URL)
	for _, organization := range []models.Organization{large, small} {
		for _, wanted := range []ledger.CompanySearch{{}, {Text: "nordlys byg 40"}, {Text: "200123"}, {Text: "2001 23"}, {Status: "REJECTED"}, {Text: "nobody"}} {
			for _, order := range ledger.CompanyOrders {
				key, down := strings.CutPrefix(string(order), "-")
				by := map[string]string{"name": "lower(name)", "cvr": "cvr"}[key]
				if wanted.Order = order; down {
					by += " DESC"
				}
				expected := modelstest.Column[uuid.UUID](t, conn, `SELECT id FROM companies WHERE organization_id = $1
					AND (position(lower($2) IN lower(name)) > 0 OR starts_with(cvr, replace($2, ' ', ''))) AND ($3 = '' OR status = $3)
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

// A CVR is found as people write it, in an organization of any size, and so are names
// with digits.
func TestCompanySearchCVR(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	large, small := largeOrganization(t, w, "large"), w.Organization(t, "small")
	w.Companies(t, small, "20012345", "20012346", "30000000")
	modelstest.ExecuteAt(t, w.URL, `UPDATE companies SET name = 'Fitness 24 7' WHERE cvr IN ('20000001', '30000000')`)
	for text, found := range map[string]int{"DK20012345": 1, "dk 20 01 23 45": 1, "2001 2345": 1, "20 01 23 45": 1, " 20012345 ": 1, "24 7": 1, "20 01 23 4.5": 1, ".": 0} {
		for _, organization := range []models.Organization{large, small} {
			matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(organization.ID), ledger.CompanySearch{Text: text}, ledger.Cursor{Limit: 50})
			require.NoError(t, err)
			require.Len(t, matches.Items, found, "%s %q", organization.Slug, text)
		}
	}
}
