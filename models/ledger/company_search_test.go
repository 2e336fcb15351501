package ledger_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// largeCompanies is the number of companies of an organization in which a search can no
// longer look at all of them.
const largeCompanies = 25_000

// searched creates an organization with so many companies. Every third is
// REGISTERED and every third CREATED, except that a few are REJECTED. The names of the
// second half contain "late".
func searched(t *testing.T, w *modelstest.World, slug string, companies int) models.Organization {
	t.Helper()
	organization := w.Organization(t, slug)
	conn := modelstest.Conn(t, w.URL)
	var names, folded []string
	var sortKeys [][]byte
	for n := 1; n <= companies; n++ {
		name := fmt.Sprintf("%s %d ApS", []string{"Nordlys Byg", "ÆBLE & Søn", "Havnens 100%_", "Havnens 100%_"}[n%4], n)
		if n > companies/2 {
			name = strings.Replace(name, " ApS", " Late ApS", 1)
		}
		names, folded, sortKeys = append(names, name), append(folded, i18n.Fold(name)), append(sortKeys, i18n.SortKey(name))
	}
	modelstest.Execute(t, conn, `INSERT INTO companies (organization_id, id, change_id, cvr, name, folded_name, sort_key, status)
		SELECT $1, ('0190' || lpad(to_hex(n), 28, '0'))::uuid, gen_random_uuid(), (20000000 + n)::text, name, folded, sort_key,
			CASE WHEN n % 9999 = 0 THEN 'REJECTED' ELSE (ARRAY['REGISTERED', 'CREATED', 'MODIFIED'])[1 + n % 3] END
		FROM unnest($2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY AS x (name, folded, sort_key, n)`, organization.ID, names, folded, sortKeys)
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = ('0190' || lpad(to_hex($2::int), 28, '0'))::uuid WHERE id = $1`, organization.ID, companies)
	modelstest.Recount(t, w.URL)
	modelstest.Execute(t, conn, `VACUUM ANALYZE companies`)
	return organization
}

// lowerDanish is lower(text) for Danish names, in every locale.
func lowerDanish(text string) string { return "translate(lower(" + text + "), 'ÆØÅ', 'æøå')" }

var searches = []ledger.CompanySearch{
	{Text: "nordlys"}, {Text: "nordlys byg 4000 "}, {Text: "LATE"}, {Text: "æble & søn 12"}, {Text: "100%_ 7"}, {Text: "zzz"}, {Text: "y"}, {Text: "zz"}, {Text: "7 l"},
	{Text: "20012345"}, {Text: "2002499"}, {Text: "24999"}, {Text: "200"}, {Text: "2"}, {Text: `\`}, {Text: "'; --"},
	{Status: "REJECTED"}, {Status: "CREATED"}, {Status: "TERMINATED"},
	{Text: "aps", Status: "REJECTED"}, {Text: "aps", Status: "TERMINATED"}, {Text: "late", Status: "CREATED"}, {Text: "ys", Status: "REJECTED"},
	{Text: "late 1", Status: "REGISTERED"}, {Text: "20024", Status: "MODIFIED"},
}

// A search finds the same companies in an organization of any size, in order of
// arrival, each once: those whose name contains the text in any case, or whose CVR
// begins with it, and which have the status. Reading backwards finds them too. No other
// organization's company is ever found.
func TestCompanySearch(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	large, other := searched(t, w, "large", largeCompanies), searched(t, w, "other", 5_000)
	small := w.Organization(t, "small", "20000004", "20012345", "39999999")
	testSearchReadsFewRows(t, w, large)
	testCompanyOrder(t, w, large, small)
	conn := modelstest.Conn(t, w.URL)
	for _, wanted := range searches {
		for _, organization := range []models.Organization{large, small} {
			t.Run(fmt.Sprintf("%s %q %s", organization.Slug, wanted.Text, wanted.Status), func(t *testing.T) {
				expected := modelstest.Column[uuid.UUID](t, conn, `SELECT id FROM companies WHERE organization_id = $1
					AND (position(`+lowerDanish("$2")+` IN `+lowerDanish("name")+`) > 0 OR left(cvr, length($2)) = $2) AND ($3 = '' OR status = $3) ORDER BY id`,
					organization.ID, wanted.Text, wanted.Status)
				read := func(cursor ledger.Cursor) ledger.CompanyMatches {
					matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(organization.ID), wanted, cursor)
					require.NoError(t, err)
					require.LessOrEqual(t, len(matches.Items), cursor.Limit)
					if !matches.More {
						require.EqualValues(t, len(expected), matches.Found)
					}
					require.LessOrEqual(t, matches.Found, int64(len(expected)))
					return matches
				}
				const limit = 100
				var found []uuid.UUID
				var last ledger.CompanyMatches
				for cursor := (ledger.Cursor{Limit: limit}); ; cursor = (ledger.Cursor{Limit: limit, After: last.Next}) {
					last = read(cursor)
					for _, company := range last.Items {
						found = append(found, company.ID)
						require.Equal(t, organization.ID, company.OrganizationID)
					}
					if last.Next == nil || len(found) > 1200 {
						break
					}
				}
				require.Equal(t, len(expected[:min(len(found), len(expected))]), len(found))
				require.True(t, slices.Equal(expected[:len(found)], found))
				if last.Next != nil { // too many to read all of them
					return
				}
				require.Len(t, found, len(expected))

				var back []uuid.UUID
				most := uuid.Max
				for cursor := (ledger.Cursor{Limit: limit, Before: &most}); ; cursor.Before = last.Previous {
					last = read(cursor)
					var ids []uuid.UUID
					for _, company := range last.Items {
						ids = append(ids, company.ID)
					}
					back = append(ids, back...)
					if last.Previous == nil {
						break
					}
				}
				require.True(t, slices.Equal(expected, back), "%d of %d", len(back), len(expected))
			})
		}
	}
	matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(other.ID), ledger.CompanySearch{Text: "nordlys byg 4000 "}, ledger.Cursor{Limit: 10})
	require.NoError(t, err)
	require.Len(t, matches.Items, 1)
	require.EqualValues(t, 5_000, matches.Total)

	// A CVR is found as people write it, in an organization of any size, and so are names
	// with digits.
	modelstest.ExecuteAt(t, w.URL, `UPDATE companies SET name = 'Fitness 24 7', folded_name = 'fitness 24 7', sort_key = $1 WHERE cvr IN ('20000001', '39999999')`, i18n.SortKey("Fitness 24 7"))
	for text, found := range map[string]int{"DK20012345": 1, "dk 20 01 23 45": 1, "2001 2345": 1, "20 01 23 45": 1, " 20012345 ": 1, "24 7": 1, "20 01 23 4.5": 1, ".": 0} {
		for _, organization := range []models.Organization{large, small} {
			matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(organization.ID), ledger.CompanySearch{Text: text}, ledger.Cursor{Limit: 50})
			require.NoError(t, err)
			require.Len(t, matches.Items, found, "%s %q", organization.Slug, text)
		}
	}
}

// A search reads a bounded part of a large organization's companies, whatever it finds.
func testSearchReadsFewRows(t *testing.T, w *modelstest.World, large models.Organization) {
	t.Helper()
	for _, c := range []struct {
		wanted ledger.CompanySearch
		most   int64
	}{
		{ledger.CompanySearch{Text: "nordlys"}, 1_000},
		{ledger.CompanySearch{Text: "zzzz"}, 2_500},
		{ledger.CompanySearch{Text: "nordlys byg 4000 "}, 2_500},
		{ledger.CompanySearch{Text: "20024999"}, 2_500},
		{ledger.CompanySearch{Status: "REJECTED"}, 2_500},
		{ledger.CompanySearch{Text: "aps", Status: "TERMINATED"}, 2_500},
		{ledger.CompanySearch{Text: "late"}, 23_500},
		{ledger.CompanySearch{Text: "zz"}, 22_500},
	} {
		rows := modelstest.RowsRead(t, w.URL, func() {
			service := modelstest.Open(t, w.URL, database.Service)
			defer service.Close()
			require.NoError(t, modelstest.ErrorOf(ledger.FindCompanies(context.Background(), service.Tenant(large.ID), c.wanted, ledger.Cursor{Limit: 50})))
		})
		require.Less(t, rows["companies"], c.most, "%+v", c.wanted)
		require.Positive(t, rows["companies"], "%+v", c.wanted)
	}
}
