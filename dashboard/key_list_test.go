package dashboard_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// The list of keys is sorted and searched by its address, names both keys of a rotation,
// shows the requests of 30 days, and folds revoked keys away.
func TestKeyList(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	tenant := s.Service.Tenant(a.ID)
	create := func(name string, replaces *keys.Key) keys.Key {
		wanted := keys.NewKey{Name: name}
		if replaces != nil {
			wanted.SuccessorOf = &replaces.ID
		}
		key, _ := modelstest.CreateKey(t, tenant, wanted)
		return key
	}
	alpha, gamma := create("alpha", nil), create("Gamma", nil)
	beta, gone := create("beta", &alpha), create("gone", nil)
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), tenant, gone.ID)))
	_, err := keys.Describe(t.Context(), tenant, gamma.ID, "Gamma", "for the warehouse")
	require.NoError(t, err)
	s.execute(t, `UPDATE api_keys SET created_at = now() - interval '100 days' WHERE name <> 'beta'`)
	s.execute(t, `UPDATE api_keys SET last_used_at = now() - interval '2 days' WHERE name = 'Gamma'`)
	s.execute(t, `UPDATE api_keys SET last_used_at = now() - interval '91 days', expires_at = now() + interval '1 day'
		WHERE name = 'alpha'`)
	request := modelstest.Request("192.0.2.7", "nightly/3")
	s.used(beta, request, request, request)

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
		"?unused=90&q=none":       {},
		"?q=a&sort=name&unused=0": {"alpha", "beta", "Gamma"},
	} {
		page := b.get("/settings/api-keys" + query)
		require.Equal(t, http.StatusOK, page.StatusCode)
		names := page.page.Find("main table").
			First().
			Not("details table").
			Find("tbody .key-name > a:first-child").
			Map(func(_ int, name *goquery.Selection) string { return name.Text() })
		require.Equal(t, want, names, query)
	}

	list := b.get("/settings/api-keys")
	require.Contains(t, list.text("tr:contains('beta')"), "replaces …"+alpha.Hint)
	require.Contains(t, list.text("tr:contains('alpha')"), "replaced by …"+beta.Hint)
	page := b.get("/settings/api-keys?sort=name")
	require.Equal(t, "Key", page.page.Find(`main table:not(details table) th[aria-sort="ascending"]`).Text())
	require.Contains(t, page.page.Find("main svg.sparkline").Eq(1).AttrOr("aria-label", ""), "at most 3 a day")
	require.Contains(t, page.text("details:not([open])"), "gone")
	require.Contains(t, b.get("/settings/api-keys?q=gone").text("details[open]"), "gone")
	require.Contains(t, b.get("/settings/api-keys?q=nothing").text(), "No key matches.")

	s.execute(t, `UPDATE api_keys SET revoked_at = now() WHERE id = $1`, alpha.ID) // the end of their rotation
	page = b.get("/settings/api-keys")
	require.Contains(t, page.text(), "replaces …"+alpha.Hint)
	require.Contains(t, page.text(), "replaced by …"+beta.Hint)
}

// Of many keys, the list shows a hundred on a page, in every order, and those that no longer
// work last. Its pages have each key once, whatever is used meanwhile, lead back, and keep
// the search. The overview shows the five busiest.
func TestManyKeys(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	const all, ended = 230, 15
	s.execute(t, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name, created_at, last_used_at,
		expires_at, revoked_at) SELECT gen_random_uuid(), $1, substr(md5(random()::text), 1, 12), '$2a$10$', 'abcd',
		'Key ' || n % 7, now() - n % 11 * interval '1 day', CASE WHEN n % 3 > 0 THEN now() - n % 5 * interval '1 hour' END,
		CASE WHEN n % 2 = 0 THEN now() + n % 13 * interval '30 days' + interval '30 days' END,
		CASE WHEN n <= $3 THEN now() END FROM generate_series(1, $2::int) n`, a.ID, all, ended)
	s.execute(t, `SELECT key_usage_add(jsonb_agg(jsonb_build_object('organization_id', organization_id, 'key_id', id,
		'hour', date_trunc('hour', now()), 'requests', length(id::text || name) % 3, 'refused', 0))) FROM api_keys`)
	read := func(page *answer) []string {
		keys := page.page.Find("main .key-name > a:first-child").
			Map(func(_ int, name *goquery.Selection) string { return name.AttrOr("href", "") })
		require.LessOrEqual(t, len(keys), 100)
		return keys
	}
	follow := func(page *answer, to string) *answer {
		link, ok := page.page.Find("nav.pager a[rel=" + to + "]").Attr("href")
		require.True(t, ok)
		return b.get(link)
	}
	for _, sort := range []string{"", "name", "created", "used", "expires", "requests"} {
		first := b.get("/settings/api-keys?q=key&sort=" + sort)
		second := follow(first, "next")
		if sort == "used" { // the last of the first page moves up
			last := read(first)[99]
			s.execute(t, `UPDATE api_keys SET last_used_at = now() WHERE id = $1`,
				last[strings.LastIndex(last, "/")+1:])
		}
		second = b.get(second.Request.URL.RequestURI())
		third := follow(second, "next")
		require.Zero(t, first.count("nav.pager a[rel=prev]")+third.count("nav.pager a[rel=next]"))
		require.Zero(t, first.count("details")+second.count("details"))
		require.Equal(t, ended, third.count("details .key-name"))
		require.Equal(t, "key", third.attr("main [name=q]", "value"))
		keys := slices.Concat(read(first), read(second), read(third))
		slices.Sort(keys)
		require.Len(t, slices.Compact(keys), all, sort)
		require.Equal(t, read(second), read(follow(third, "prev")), sort)
		if sort != "used" {
			require.Equal(t, read(first), read(follow(second, "prev")), sort)
		}
	}
	for _, place := range []string{"~", "/", "%00%ff"} {
		require.Len(t, read(b.get("/settings/api-keys?from="+place)), 100)
	}

	overview := b.get("/")
	require.Equal(t, 5, overview.count("#live-by-key tbody tr"))
	require.Equal(t, 1, overview.count("#known[data-live]"))
	require.Equal(t, 1, overview.count("#live-chart[data-live] .chart"),
		"the chart is as new as the page says")
	require.Equal(t, 1, overview.count(`#live-by-key a[href="/settings/api-keys?sort=requests"]`))
}

// A key that has expired and is still called is named first: on the overview, in the list, where
// it is not folded away, and on its page, whose first button creates a replacement. This ends when
// somebody dismisses it, and by itself when its caller has used another key.
func TestExpiredKeyThatIsStillCalled(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	viewer := s.member(t, a, "viewer@a.example", terms.Viewer)
	key, _ := s.Key(t, a)
	newer, _ := s.Key(t, a)
	s.execute(t, `UPDATE api_keys SET expires_at = date_trunc('day', now(), 'Europe/Copenhagen'),
		created_at = now() - interval '90 days' WHERE id = $1`, key.ID)
	page := "/settings/api-keys/" + key.ID.String()
	refuse := func(address, client string) {
		request := modelstest.Request(address, client)
		request.Status, request.Reason = http.StatusUnauthorized, "expired"
		s.used(key, request)
	}
	const first = "section[aria-labelledby=attention] li:first-child"
	require.Empty(t, b.get("/").text(first))

	refuse("10.0.0.7", "nightly-export/2.3")
	yesterday := time.Now().In(i18n.StoredZone("Europe/Copenhagen")).AddDate(0, 0, -1).Format(time.DateOnly)
	said := "…" + key.Hint + " expired on " + yesterday + " and is still called by nightly-export/2.3, last "
	overview := b.get("/")
	require.Contains(t, overview.text(first), said)
	require.Equal(t, page+"/rotate", overview.attr(first+" a:contains('Replace it')", "href"))
	require.Contains(t, viewer.get("/").text(first), said)
	require.NotContains(t, viewer.last.text(first), "Replace it")
	list := b.get("/settings/api-keys?sort=created")
	require.Contains(t, list.text("main > table tbody tr:first-child"), "Still called")
	require.Equal(t, page+"/rotate", list.attr("tbody tr:first-child .actions a", "href"))
	require.Zero(t, list.count("details.aside"))
	shown := b.get(page)
	require.Contains(t, shown.text("main"), said)
	require.Equal(t, page+"/rotate", shown.attr(".head .buttons a:first-child:contains('Create a replacement')", "href"))
	require.Equal(t, 1, b.get(page+"/rotate").count(`#step-1 form[action="`+page+`/rotate"]`))

	b.get(page)
	require.Equal(t, page, b.submit(page+"/dismiss", nil).Header.Get("Location"))
	require.Contains(t, b.follow().text(".notice"), "Dismissed.")
	require.Zero(t, b.last.count(".banner"))
	refuse("10.0.0.7", "nightly-export/2.3")
	require.NotContains(t, b.get("/").text(first), "still called", "also if it calls again")
	require.Contains(t, b.get("/settings/api-keys").text("details.aside"), key.Hint)

	refuse("10.0.0.8", "nightly-export/2.3")
	refuse("10.0.0.9", "ledger/1.0")
	require.Contains(t, b.get("/").text(first), "is still called by ledger/1.0 and 1 other caller, last ")
	b.get(page + "/rotate")
	b.submit(page+"/rotate", nil)
	require.Equal(t, page+"/rotate", b.get("/").attr(first+" a:contains('Go on with its rotation')", "href"))
	require.Contains(t, b.get("/settings/api-keys").text("main > table .actions"), "Rotation under way: ")
	s.used(newer, modelstest.Request("10.0.0.9", "ledger/2.0"))
	require.Contains(t, b.get("/").text(first), said)
	s.used(newer, modelstest.Request("10.0.0.8", "nightly-export/3.0"))
	require.NotContains(t, b.get("/").text(first), "still called")
}

// A revoked key that was called in the last 24 hours is named on the overview, with its latest caller,
// and leads to its page.
func TestRevokedKeyThatIsStillCalled(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	key, _ := s.Key(t, a)
	paused, _ := s.Key(t, a)
	for _, refused := range []struct {
		key            keys.Key
		reason, client string
	}{{key, "revoked", "ledger/1.0"}, {key, "revoked", "nightly-export/2.3"}, {paused, "paused", "ledger/1.0"}} {
		request := modelstest.Request("10.0.0.7", refused.client)
		request.Status, request.Reason = http.StatusUnauthorized, refused.reason
		s.used(refused.key, request)
	}
	const named = "section[aria-labelledby=attention] li:contains('still called')"
	overview := b.get("/")
	require.Equal(t, 1, overview.count(named))
	require.Contains(t, overview.text(named), "…"+key.Hint+" is revoked and is still called by nightly-export/2.3, last ")
	require.Equal(t, "/settings/api-keys/"+key.ID.String(), overview.attr(named+" a", "href"))
	s.execute(t, `UPDATE refused_requests SET at = now() - interval '25 hours'`)
	require.Zero(t, b.get("/").count(named))
}
