package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// The list of keys is sorted and searched by its address, names both keys of a rotation,
// shows the requests of 30 days, and folds revoked keys away.
func TestKeyList(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	tenant := s.Service.Tenant(a.ID)
	create := func(name string, replaces *models.APIKey) models.APIKey {
		wanted := keys.NewKey{Name: name}
		if replaces != nil {
			wanted.SuccessorOf = &replaces.ID
		}
		key, _, err := keys.Create(t.Context(), tenant, wanted)
		require.NoError(t, err)
		return key
	}
	alpha, gamma := create("alpha", nil), create("Gamma", nil)
	beta, gone := create("beta", &alpha), create("gone", nil)
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), tenant, gone.ID)))
	_, err := keys.Describe(t.Context(), tenant, gamma.ID, "Gamma", "for the warehouse")
	require.NoError(t, err)
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET created_at = now() - interval '100 days' WHERE name <> 'beta'`)
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET last_used_at = now() - interval '2 days' WHERE name = 'Gamma'`)
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET last_used_at = now() - interval '91 days', expires_at = now() + interval '1 day' WHERE name = 'alpha'`)
	for range 3 {
		s.Service.Usage.Record(models.Caller{OrganizationID: a.ID, KeyID: beta.ID}, keys.Request{Status: 200, Method: "GET", Path: "/", Address: "192.0.2.7"})
	}
	modelstest.Eventually(t, func() bool {
		days, err := keys.DaysByKey(t.Context(), tenant, time.Now(), 30)
		return err == nil && len(days[beta.ID]) == 30 && days[beta.ID][29] == 3
	})

	for query, want := range map[string][]string{
		"":                        {"beta", "Gamma", "alpha"},
		"?sort=name":              {"alpha", "beta", "Gamma"},
		"?sort=created":           {"beta", "Gamma", "alpha"},
		"?sort=used":              {"beta", "Gamma", "alpha"},
		"?sort=expires":           {"alpha", "beta", "Gamma"},
		"?sort=requests":          {"beta", "Gamma", "alpha"},
		"?sort=bogus":             {"beta", "Gamma", "alpha"},
		"?q=ALPHA":                {"alpha"},
		"?q=warehouse":            {"Gamma"},
		"?q=" + beta.Hint:         {"beta"},
		"?unused=90":              {"alpha"},
		"?unused=90&q=none":       nil,
		"?q=a&sort=name&unused=0": {"alpha", "beta", "Gamma"},
	} {
		page := b.get("/settings/api-keys" + query)
		require.Equal(t, http.StatusOK, page.StatusCode)
		var names []string
		page.page.Find("main table").First().Not("details table").Find("tbody .key-name > a:first-child").Each(func(_ int, name *goquery.Selection) { names = append(names, name.Text()) })
		require.Equal(t, want, names, query)
	}

	for _, path := range []string{"/settings/api-keys", "/"} {
		page := b.get(path)
		require.Contains(t, page.text("tr:contains('beta')"), "replaces …"+alpha.Hint, path)
		require.Contains(t, page.text("tr:contains('alpha')"), "replaced by …"+beta.Hint, path)
	}
	page := b.get("/settings/api-keys?sort=name")
	require.Equal(t, "Key", page.page.Find(`main table:not(details table) th[aria-sort="ascending"]`).Text())
	require.Contains(t, page.page.Find("main svg.sparkline").Eq(1).AttrOr("aria-label", ""), "at most 3 a day")
	require.Contains(t, page.text("details:not([open])"), "gone")
	require.Contains(t, b.get("/settings/api-keys?q=gone").text("details[open]"), "gone")
	require.Contains(t, b.get("/settings/api-keys?q=nothing").text(), "No key matches.")

	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET revoked_at = now() WHERE id = $1`, alpha.ID) // the end of their rotation
	page = b.get("/settings/api-keys")
	require.Contains(t, page.text(), "replaces …"+alpha.Hint)
	require.Contains(t, page.text(), "replaced by …"+beta.Hint)
}

// A whole key that somebody searches for does not stay in the address: its last
// characters take its place, and find it.
func TestSearchForAWholeKey(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	key, text := s.Key(t, a)
	for _, typed := range []string{text, " X-API-Key: " + text + " ", "X-API-Key:" + text, `"` + text + `"`, "key=" + text + "."} {
		answer := b.get("/settings/api-keys?q=" + url.QueryEscape(typed))
		require.Equal(t, "/settings/api-keys?q="+key.Hint, answer.Header.Get("Location"), typed)
		require.Contains(t, b.follow().text("tbody"), "…"+key.Hint)
	}
}
