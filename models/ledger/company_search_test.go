package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
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
	modelstest.Execute(t, conn,
		`INSERT INTO companies (organization_id, id, change_id, cvr, name, folded_name, sort_key, status)
		SELECT $1, ('0190' || lpad(to_hex(n), 28, '0'))::uuid, gen_random_uuid(), (20000000 + n)::text, name, folded, sort_key,
			CASE WHEN n % 9999 = 0 THEN 'REJECTED' ELSE (ARRAY['REGISTERED', 'CREATED', 'MODIFIED'])[1 + n % 3] END
		FROM unnest($2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY AS x (name, folded, sort_key, n)`, organization.ID,
		names, folded, sortKeys)
	modelstest.Execute(t, conn,
		`UPDATE organizations SET last_id = ('0190' || lpad(to_hex($2::int), 28, '0'))::uuid WHERE id = $1`, organization.ID,
		companies)
	modelstest.Recount(t, w.URL)
	modelstest.Execute(t, conn, `VACUUM ANALYZE companies`)
	return organization
}

// lowerDanish is lower(text) for Danish names, in every locale.
func lowerDanish(text string) string { return "translate(lower(" + text + "), 'ÆØÅ', 'æøå')" }

var searches = []ledger.CompanySearch{
	{
		Text: "nordlys",
	},
	{Text: "nordlys byg 4000 "},
	{Text: "LATE"},
	{Text: "æble & søn 12"},
	{Text: "100%_ 7"},
	{Text: "zzz"},
	{Text: "y"},
	{Text: "zz"},
	{Text: "7 l"},
	{Text: "20012345"},
	{Text: "2002499"},
	{Text: "24999"},
	{Text: "200"},
	{Text: "2"},
	{Text: `\`},
	{Text: "'; --"},
	{Status: "REJECTED"},
	{Status: "CREATED"},
	{Status: "TERMINATED"},
	{
		Text:   "aps",
		Status: "REJECTED",
	},
	{Text: "aps", Status: "TERMINATED"},
	{Text: "late", Status: "CREATED"},
	{Text: "ys", Status: "REJECTED"},
	{Text: "late 1", Status: "REGISTERED"},
	{Text: "20024", Status: "MODIFIED"},
}

// requireFound requires what a search finds, in its order, forwards and backwards, each once.
func requireFound(
	t *testing.T, w *modelstest.World, conn *pgx.Conn, organization models.Organization, wanted ledger.CompanySearch,
) {
	t.Helper()
	key, down := strings.CutPrefix(string(wanted.Order), "-")
	by, direction := map[string]string{"": "id", "name": lowerDanish("name") + ` COLLATE "C"`, "cvr": "cvr"}[key], ""
	if down {
		direction = " DESC"
	}
	expected := modelstest.Column[uuid.UUID](t, conn, `SELECT id FROM companies WHERE organization_id = $1
		AND (position(`+lowerDanish("$2")+` IN `+lowerDanish("name")+`) > 0 OR starts_with(cvr, replace($2, ' ', ''))) AND ($3 = '' OR status = $3)
		ORDER BY `+by+direction+`, id`+direction, organization.ID, wanted.Text, wanted.Status)
	read := func(cursor ledger.Cursor) (ledger.CompanyMatches, []uuid.UUID) {
		cursor.Limit = 100
		matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(organization.ID), wanted, cursor)
		require.NoError(t, err)
		require.False(t, matches.Unsorted)
		require.LessOrEqual(t, len(matches.Items), cursor.Limit)
		if !matches.More {
			require.EqualValues(t, len(expected), matches.Found)
		}
		require.LessOrEqual(t, matches.Found, int64(len(expected)))
		var ids []uuid.UUID
		for _, company := range matches.Items {
			require.Equal(t, organization.ID, company.OrganizationID)
			ids = append(ids, company.ID)
		}
		return matches, ids
	}
	page, found := read(ledger.Cursor{})
	ids := found
	for page.Next != nil && len(found) <= 300 {
		page, ids = read(ledger.Cursor{After: page.Next})
		found = append(found, ids...)
	}
	if page.Next == nil { // else there are too many to read all of them
		require.Len(t, found, len(expected))
	}
	back := ids
	for page.Previous != nil {
		page, ids = read(ledger.Cursor{Before: page.Previous})
		back = slices.Concat(ids, back)
	}
	require.True(t, slices.Equal(expected[:len(found)], found), "%s %+v", organization.Slug, wanted)
	require.True(t, slices.Equal(found, back), "%s %+v", organization.Slug, wanted)
}

// A search finds the same companies in an organization of any size, in order of arrival or
// in another one: those whose name contains the text in any case, or whose CVR begins with
// it, and which have the status. No other organization's company is ever found.
func TestCompanySearch(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	large, other := searched(t, w, "large", largeCompanies), searched(t, w, "other", 5_000)
	small := w.Organization(t, "small", "20000004", "20012345", "39999999")
	testSearchReadsFewRows(t, w, large)
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE companies SET name = upper(name) WHERE organization_id = $1 AND cvr = '20012345'`,
		small.ID) // the order ignores it
	conn := modelstest.Conn(t, w.URL)
	for _, organization := range []models.Organization{large, small} {
		for _, wanted := range searches {
			requireFound(t, w, conn, organization, wanted)
		}
		for _, wanted := range []ledger.CompanySearch{{}, {Text: "nordlys byg 40"}, {Text: "200123"}, {Text: "2001 23"}, {Status: "REJECTED"}, {Text: "nobody"}} {
			for _, wanted.Order = range ledger.CompanyOrders {
				requireFound(t, w, conn, organization, wanted)
			}
		}
	}
	find := func(organization models.Organization, wanted ledger.CompanySearch) ledger.CompanyMatches {
		matches, err := ledger.FindCompanies(t.Context(), w.Service.Tenant(organization.ID), wanted, ledger.Cursor{Limit: 50})
		require.NoError(t, err)
		return matches
	}
	require.True(t, find(large, ledger.CompanySearch{Text: "y", Order: ledger.CompaniesByName}).Unsorted)
	matches := find(other, ledger.CompanySearch{Text: "nordlys byg 4000 "})
	require.Len(t, matches.Items, 1)
	require.EqualValues(t, 5_000, matches.Total)

	// A CVR is found as people write it, in an organization of any size, and so are names
	// with digits.
	modelstest.ExecuteAt(
		t,
		w.URL,
		`UPDATE companies SET name = 'Fitness 24 7', folded_name = 'fitness 24 7', sort_key = $1 WHERE cvr IN ('20000001', '39999999')`,
		i18n.SortKey("Fitness 24 7"),
	)
	for text, found := range map[string]int{"DK20012345": 1, "dk 20 01 23 45": 1, "2001 2345": 1, "20 01 23 45": 1, " 20012345 ": 1, "24 7": 1, "20 01 23 4.5": 1, ".": 0} {
		for _, organization := range []models.Organization{large, small} {
			require.Len(t, find(organization, ledger.CompanySearch{Text: text}).Items, found, "%s %q", organization.Slug, text)
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
		{ledger.CompanySearch{Order: ledger.CompaniesByName}, 150},
		{ledger.CompanySearch{Order: ledger.CompaniesByNameDown}, 150},
		{ledger.CompanySearch{Order: ledger.CompaniesByCVR}, 150},
		{ledger.CompanySearch{Order: ledger.CompaniesByCVRDown}, 150},
	} {
		w.Service.DB().Pool.Reset() // connections report what they have read when they end
		rows := modelstest.RowsRead(t, w.URL, func() {
			require.NoError(t, modelstest.ErrorOf(
				ledger.FindCompanies(t.Context(), w.Service.Tenant(large.ID), c.wanted, ledger.Cursor{Limit: 50})))
			w.Service.DB().Pool.Reset()
		})
		require.Less(t, rows["companies"], c.most, "%+v", c.wanted)
		require.Positive(t, rows["companies"], "%+v", c.wanted)
	}
}

// Companies are found and ordered by Danish names, on every PostgreSQL: in any case, however
// Unicode composes them, with Æ, Ø and Å after Z and Aa as two letters. A search compares
// accents, the order does not.
func TestCompanyNames(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	names := []string{
		"4 Hjul", "aalborg Is", "AARHUS Is", "Abe", "Café D", "CAFE\u0301 E", "Cafe F", "Müller",
		"Straße 1", "Stub", "Zoo", "Æblegaarden", "ØSTERS", "A\u030ag Is", "Ål", "ÅRHUS",
	}
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
