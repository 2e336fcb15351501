package dashboard_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// The count above the companies is that of the ones that the search finds.
func TestCompanyCount(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	cvrs := []string{"20000001", "20000002", "30000001"}
	for i := range 1001 {
		cvrs = append(cvrs, strconv.Itoa(40_000_000+i))
	}
	s.Companies(t, a, cvrs...)
	for path, want := range map[string]string{
		"/companies":                            "1,004 companies",
		"/companies?q=200000":                   "2 companies",
		"/companies?q=300000":                   "1 company",
		"/companies?q=company":                  "1,004 companies",
		"/companies?q=40000":                    "1,000 companies", // from 40000000 to 40000999
		"/companies?q=200000&status=CREATED":    "2 companies",
		"/companies?q=DK20000001":               "1 company",
		"/companies?q=20+00+00+01":              "1 company",
		"/companies?q=2000+0001&sort=-name":     "1 company",
		"/companies?q=20000&sort=cvr":           "2 companies",
		"/companies?q=nobody":                   "",
		"/companies?q=200000&status=TERMINATED": "",
		"/companies?status=nonsense&q=300000":   "1 company",
	} {
		page := b.get(path)
		require.Equal(t, want, page.text("main .head p"), path)
		if want == "" {
			require.Contains(t, page.text(), "No matching companies.", path)
		}
	}
}

// Companies can be sorted without a script: a heading links to each order, and the pages
// keep it.
func TestCompaniesSorted(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	var cvrs []string
	for i := range 60 {
		cvrs = append(cvrs, strconv.Itoa(40_000_059-i))
	}
	s.Companies(t, a, cvrs...)
	first := func(path string) string {
		page := b.get(path)
		return page.page.Find("tbody th a").First().Text()
	}
	require.Equal(t, "Company 40000059", first("/companies"))
	require.Equal(t, "Company 40000000", first("/companies?sort=name"))
	require.Equal(t, "Company 40000059", first("/companies?sort=-cvr"))
	require.Equal(t, "Company 40000059", first("/companies?sort=nonsense"))
	page := b.get("/companies?sort=cvr&q=4000&status=CREATED")
	require.Equal(t, 1, page.page.Find("th[aria-sort=ascending]").Length())
	link, _ := page.page.Find("th[aria-sort=ascending] a").Attr("href")
	require.Equal(t, "/companies?q=4000&sort=-cvr&status=CREATED", link)
	next, _ := page.page.Find("a[rel=next]").Attr("href")
	require.Equal(t, "Company 40000050", first(next))
	require.Contains(t, next, "sort=cvr")
}
