package dashboard_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// The count above the companies is that of the ones that the search finds.
func TestCompanyCount(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	cvrs := []string{"20000001", "20000002", "30000001"}
	for i := range 1001 {
		cvrs = append(cvrs, strconv.Itoa(40_000_000+i))
	}
	s.Companies(t, a, cvrs...)
	b := s.signedIn(t, "owner@a.example")
	for path, want := range map[string]string{
		"/companies":                            "1,004 companies",
		"/companies?q=200000":                   "2 companies",
		"/companies?q=300000":                   "1 company",
		"/companies?q=company":                  "1,004 companies",
		"/companies?q=40000":                    "1,000 companies", // from 40000000 to 40000999
		"/companies?q=200000&status=CREATED":    "2 companies",
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
