package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/terms"
)

// Whoever works in a sandbox and in a real organization sees everywhere which is which: on
// each page, in the list of organizations, at keys and in the names of downloaded files. A
// key that is created in the sandbox is a test key.
func TestSandboxAndRealOrganizationCannotBeMistaken(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	made := s.Sandbox(t, "b")
	s.join(t, made, "owner@a.example", terms.Owner)

	pages := []string{"/", "/companies", "/days", "/transactions", "/deliveries", "/settings/api-keys",
		"/settings/api-keys/new", "/settings/members", "/settings/audit-log", "/settings/organization", "/profile", "/docs"}
	for _, path := range pages {
		page := b.get(path)
		require.Equal(t, http.StatusOK, page.StatusCode, path)
		require.Zero(t, page.count("main > .sandbox"), path)
		require.Equal(t, "Organization a", page.text(".organization > strong"))
		require.Contains(t, page.text(".organization details"), "Sandbox b (sandbox)")
	}
	require.Equal(t, http.StatusSeeOther,
		b.submit("/organization", url.Values{"organization": {made.ID.String()}}).StatusCode)
	for _, path := range pages {
		page := b.get(path)
		require.Equal(t, http.StatusOK, page.StatusCode, path)
		require.Equal(t, "Sandbox. All data here is made up. Keys begin with dispo_test_.", page.text("main > .sandbox"),
			path)
		require.Equal(t, "Sandbox b (sandbox)", page.text(".organization > strong"), path)
		require.Contains(t, page.page.Find("title").Text(), "(sandbox)", path)
	}
	inDanish := b.do(http.MethodGet, "/", nil, http.Header{"Accept-Language": {"da"}})
	require.Contains(t, inDanish.text("main > .sandbox"), "Testmiljø.")

	created := b.post("/settings/api-keys/new", url.Values{"name": {"First"}, "expires": {"90"}})
	require.Contains(t, created.text("h1"), "test key")
	key := regexp.MustCompile(`dispo_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}`).FindString(created.body)
	require.NotEmpty(t, key)
	require.NoError(t, s.Service.Verify(t, key))
	hint := key[len(key)-4:]
	require.Contains(t, b.get("/settings/api-keys").text("main"), "test key")
	for _, path := range []string{"", "/revoke", "/pause", "/rotate"} {
		require.Contains(t, b.get("/settings/api-keys/"+s.newestKey(t, made).ID.String()+path).text("main"),
			"dispo_test_…"+hint, path)
	}
	require.Contains(t, b.get("/settings/audit-log").text("main"), "First (dispo_test_…"+hint+")")
	found := b.get("/settings/api-keys?q=" + key) // the whole key does not stay in the address
	require.Equal(t, "/settings/api-keys?q="+hint, found.Header.Get("Location"))

	for path, name := range map[string]string{
		"/transactions/export?format=csv": "Sandbox b-sandbox-transactions", "/companies/export?format=csv": "Sandbox b-sandbox-companies",
		"/settings/audit-log/export?format=csv": "Sandbox b-sandbox-audit log",
	} {
		file := b.get(path)
		require.Equal(t, http.StatusOK, file.StatusCode, path)
		require.True(t, strings.HasPrefix(file.Header.Get("Content-Disposition"), `attachment; filename="`+name),
			file.Header.Get("Content-Disposition"))
	}
}
