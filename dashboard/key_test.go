package dashboard_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

const keyEntries = 50 // of the audit log, that a key's page shows

// A key's page names it, its note and its neighbors in a rotation. It shows its requests, counted and
// one by one, each with its second, the rows that were sent and the company, and offers them as a file.
// It shows its refusals, and leads to its settings and to all that the audit log has about it and its
// callers. The lists link to it. The key can be revoked from its page and from that of its requests.
func TestKeyPage(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	tenant := s.Service.Tenant(a.ID)
	old, _ := s.Key(t, a)
	key, _ := modelstest.CreateKey(t, tenant, keys.NewKey{Name: "Bookkeeping", SuccessorOf: &old.ID})
	other, _ := s.Key(t, a)
	for key, path := range map[*keys.Key]string{&key: "/api/v1/mine", &other: "/api/v1/other"} {
		s.used(*key, keys.Request{Status: 429, Method: "GET", Path: path, Address: "192.0.2.7", UserAgent: "nightly/3"})
	}

	path, served := "/settings/api-keys/"+key.ID.String(), "section[aria-labelledby=served]"
	var read []keys.Request
	const browser = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
	for n := range 60 {
		read = append(read, keys.Request{
			Status: []int{200, 400, 404}[n%3], Method: "GET", Path: "/api/v1/read/" + strconv.Itoa(n), Rows: 1234, Bulk: n == 59,
			Address: "192.0.2." + strconv.Itoa(8+n%2), UserAgent: []string{browser, "reader/3"}[n%2],
		})
	}
	s.Companies(t, a, "10000001")
	s.Companies(t, s.Organization(t, "other"), "10000002")
	read[58].Path, read[57].Path = "/api/v1/companies/10000001/days?limit=9", "/api/v1/companies/10000002"
	s.used(key, read...)
	page := b.get(path)
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.Contains(t, page.text("h1"), "Bookkeeping")
	require.Contains(t, page.text(served+" tbody"), "1,234")
	require.Equal(t, 1, page.count("#known ~ section #live-chart[data-live] .chart"),
		"the chart is as new as the page says")
	require.Equal(t, 3, page.count(served+" tbody tr"))
	for _, client := range []string{"reader/3", "Chrome on Windows"} {
		require.Contains(t, page.text(served+" tbody"), client)
	}
	requests := b.get(page.attr(served+" > p a", "href"))
	require.Equal(t, 50, requests.count("tbody tr"))
	for _, shown := range []*answer{page, requests} {
		require.Equal(t, "Company 10000001", shown.text("tbody a[href='/companies/10000001']"))
		require.NotContains(t, shown.text(), "Company 10000002")
		require.Equal(t, 1, shown.count(".head a[href='"+path+"/revoke']"))
	}
	viewer := s.member(t, a, "viewer@a.example", terms.Viewer)
	require.Zero(t, viewer.get(path+"/requests").count(".head a"))
	require.Contains(t, requests.text(".sums"), "Rows sent in all74,040")
	require.Regexp(t, `^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d CES?T$`, requests.text("tbody tr:first-child th"))
	require.Contains(t, b.get(requests.attr("nav a[rel=next]", "href")).text("tbody"), "/api/v1/read/0")
	oneCaller := b.get(requests.attr("tbody a", "href"))
	require.Equal(t, 30, oneCaller.count("tbody tr"))
	require.Contains(t, oneCaller.text(), "Only requests of reader from 192.0.2.9.")
	require.Contains(t, oneCaller.text(".sums"), "Rows sent in all37,020")
	require.Contains(t, oneCaller.text("tbody tr:first-child"), "In bulk")
	require.NotContains(t, oneCaller.text("tbody tr:last-child"), "In bulk")
	for _, in := range []struct {
		page *answer
		rows int
	}{{requests, 60}, {oneCaller, 30}} { // on all pages
		file := readCSV(t, b.get(in.page.attr(".download a:contains('CSV')", "href")).body, ',')
		require.Len(t, file, 1+in.rows)
		require.Equal(t, []string{"/api/v1/read/59", "true", "404", "1234", "192.0.2.9", "reader/3"}, file[1][1:])
	}
	require.Contains(t, b.get("/settings/audit-log").text("tbody tr:first-child"),
		"Downloaded what was read with a key CSV for programs, as in the API, key Bookkeeping (dispo_…")
	other8 := b.get(
		path + "/requests?" + url.Values{"address": {"192.0.2.8"}, "client": {keys.ClientName(browser)}}.Encode())
	require.Contains(t, other8.text(), "Only requests of Chrome on Windows from 192.0.2.8.")
	require.Contains(t, b.get(page.attr(".buttons a:contains('History')", "href")).text(), "Created a replacement key")
	for _, text := range []string{"…" + key.Hint, "Replaces", "…" + old.Hint, "/api/v1/mine", "nightly/3", "60 answered", "1 refused", "Answered includes answers such as 404. Refused is 401 and 429."} {
		require.Contains(t, page.text(), text)
	}
	require.NotContains(t, page.text(), "/api/v1/other")
	require.Contains(t, b.get("/settings/api-keys/"+old.ID.String()).text(), "Replaced by")
	require.Equal(t, http.StatusOK, b.get(path+"?by=hour").StatusCode)

	callers, err := keys.Callers(t.Context(), tenant, key.ID, time.Time{})
	require.NoError(t, err)
	require.NoError(t, keys.CallerDismiss(t.Context(), tenant, key, callers[0].Address, callers[0].Client))
	page = b.get(path + "?show=history")
	require.Contains(t, page.text("main table"), "Dismissed a caller")
	require.NotContains(t, page.text(), "All entries about this key")
	for n := range keyEntries {
		require.NoError(t, modelstest.ErrorOf(keys.Describe(t.Context(), tenant, key.ID, "Bookkeeping", strconv.Itoa(n))))
	}
	require.NotContains(t, b.get(path+"?show=history").text(), "Dismissed a caller")
	all := b.get(b.last.attr("main > p:last-child a", "href"))
	require.Equal(t, keyEntries, all.count("tbody tr"))
	require.Contains(t, b.get(all.attr(`nav a[rel=next]`, "href")).text(), "Dismissed a caller")

	for _, list := range []string{"/settings/api-keys", "/", "/settings/audit-log"} {
		require.NotZero(t, b.get(list).count(`main a[href="`+path+`"]`), list)
	}
}

// The forms of a key's page change its name and note, its expiry, its state and its
// schedule, and lead back to the page, which shows the change.
func TestKeyPageForms(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	key, _ := s.Key(t, a)
	path := "/settings/api-keys/" + key.ID.String()
	soon := time.Now().AddDate(0, 0, 40).Format(time.DateOnly)
	for _, step := range []struct {
		form   string
		values url.Values
		status int
		shows  string
	}{
		{"", url.Values{"name": {"Nightly"}, "note": {"First line.\r\nSecond line."}}, 303, "First line. Second line."},
		{"", url.Values{"name": {" "}}, 422, "A key needs a name of 1 to 100 characters."},
		{"", url.Values{"name": {"Nightly"}, "note": {strings.Repeat("x", 501)}}, 422, "A note has at most 500 characters."},
		{"/expire", url.Values{"expires_on": {soon}}, 303, "The key expires after " + soon},
		{"/expire", url.Values{"expires_on": {"2099-01-01"}}, 422, "A key cannot expire later than it does now. Create a new key instead."},
		{"/expire", url.Values{"expires_on": {"2020-01-01"}}, 422, "A key must expire in the future, within 100 years."},
		{"/expire", url.Values{"expires_on": {"31/12/2026"}}, 422, "Choose the last day."},
		{"/pause", nil, 303, "Paused"},
		{"/resume", nil, 303, "works again"},
		{"/schedule", url.Values{"when": {"idle"}, "idle_days": {"0"}}, 422, "The number of days must be from 1 to 365."},
		{"/schedule", url.Values{"when": {"date"}, "revoke_on": {"x"}}, 422, "Choose the last day on which the key works."},
		{"/schedule", url.Values{"when": {"idle"}, "idle_days": {"10"}}, 303, "Will be revoked when unused for 10 days"},
		{"/unschedule", nil, 303, "The scheduled revocation is canceled."},
	} {
		b.get(path + "?show=settings")
		if step.form == "/pause" {
			b.get(path + "/pause")
		}
		answer := b.submit(path+step.form, step.values)
		require.Equal(t, step.status, answer.StatusCode, "%s %v: %s", step.form, step.values, answer.text())
		if step.status == http.StatusSeeOther {
			require.Equal(t, path, answer.Header.Get("Location"))
			answer = b.follow()
		}
		require.Contains(t, answer.text(), step.shows, "%s %v", step.form, step.values)
	}
	// A revocation that is scheduled can be put off only after a confirmation, like canceling
	// it. The first schedule needs none if nothing uses the key.
	s.confirmed(t, "16 minutes")
	b.get(path + "?show=settings")
	schedule := b.form(path+"/schedule", url.Values{"when": {"date"}, "revoke_on": {soon}})
	require.Equal(t, path, b.do(http.MethodPost, path+"/schedule", schedule, nil).Header.Get("Location"))
	require.Contains(t, b.follow().text(), "Will be revoked after "+soon)
	schedule.Set("revoke_on", "2099-01-01")
	require.Equal(t, http.StatusForbidden, b.do(http.MethodPost, path+"/schedule", schedule, nil).StatusCode)
	require.Contains(t, b.get("/settings/api-keys").text(), "Revoked after "+soon)
	require.Contains(t, b.get("/settings/audit-log").text(), "Changed a key Nightly")
}

// A notice tells only of what was changed: a revoked key stays as it is, and one that has
// expired is still refused when it is resumed.
func TestNoticesOfUnchangedKeys(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	key, _ := s.Key(t, a)
	path := "/settings/api-keys/" + key.ID.String()
	for _, change := range []string{"expires_at", "revoked_at"} {
		s.execute(t, `UPDATE api_keys SET paused_at = now()`)
		b.get(path + "?show=settings")
		forms := map[string]url.Values{
			"/resume":     b.form(path+"/resume", nil),
			"/expire":     b.form(path+"/expire", url.Values{"expires_on": {"2099-01-01"}}),
			"/schedule":   b.form(path+"/schedule", url.Values{"revoke_on": {"2099-01-01"}}),
			"/pause":      b.form(path+"/resume", nil),
			"/unschedule": b.form(path+"/resume", nil),
		}
		s.execute(t, `UPDATE api_keys SET `+change+` = now()`)
		want := "Nothing was changed: key " + key.Subject() + " is revoked."
		if change == "expires_at" {
			forms = map[string]url.Values{"/resume": forms["/resume"], "/pause": forms["/pause"]}
			want = "Key " + key.Subject() + " has expired. Requests with it are refused."
		}
		for form, values := range forms {
			b.do(http.MethodPost, path+form, values, nil)
			require.Contains(t, b.follow().text("main"), want, form)
		}
		s.execute(t, `UPDATE api_keys SET expires_at = NULL`)
	}
}

// The page that asks before a key is revoked counts the requests that would have been refused,
// without those that were. Of a key with many callers, its page names five and leads to the rest.
func TestKeyThatWasRefused(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	key, _ := s.Key(t, a)
	path := "/settings/api-keys/" + key.ID.String()
	for n := range 7 {
		request := modelstest.Request("10.0.0."+strconv.Itoa(n+1), "nightly/3")
		s.used(key, request)
		request.Status = 429
		s.used(key, request, request)
	}
	require.Contains(t, b.get(path+"/revoke").text(".facts"),
		"Last 24 hours7 requests that would have been refused 14 more were refused")
	page := b.get(path)
	require.Equal(t, 5, page.count("section[aria-labelledby=callers] tbody tr"))
	require.Equal(t, 3, page.count("section[aria-labelledby=refused] tbody tr"))
	all := b.get(page.attr("section[aria-labelledby=callers] p a", "href"))
	require.Equal(t, 7, all.count("section[aria-labelledby=callers] tbody tr"))
	require.Equal(t, 14, all.count("section[aria-labelledby=refused] tbody tr"))
}
