package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// invite invites somebody, and returns the path of the invitation's link.
func invite(b *browser, email, role string) string {
	b.t.Helper()
	created := b.send("/settings/members", "/settings/members/invite", url.Values{"email": {email}, "role": {role}})
	require.Equal(b.t, http.StatusOK, created.StatusCode, created.text())
	at := strings.Index(created.body, b.site.url+"/invitations/")
	require.Positive(b.t, at)
	path := created.body[at+len(b.site.url):]
	return path[:strings.IndexAny(path, `"< `)]
}

// Somebody without an account joins by an invitation's link: they choose a password
// and are signed in. The link works once.
func TestInvitationOfNewUser(t *testing.T) {
	t.Parallel()
	s, _, owner := ownerSite(t)
	path := invite(owner, "New@A.example", "viewer")

	b := s.browser(t)
	page := b.get(path)
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.Contains(t, page.text(), "Organization a")
	require.NotContains(t, page.text(), "UTC", "the time is the organization's")
	for _, refused := range []string{"short", "password1234"} {
		require.Equal(t, http.StatusUnprocessableEntity, b.submit(path, url.Values{"password": {refused}}).StatusCode,
			refused)
	}
	require.Equal(t, http.StatusSeeOther, b.submit(path, url.Values{"password": {password}}).StatusCode)
	require.Contains(t, b.follow().text(), "You have joined Organization a")
	used := s.browser(t).get(path)
	require.Equal(t, http.StatusNotFound, used.StatusCode, "the link works once")
	require.Equal(t, "This link no longer works", used.text("h1"))
	s.signedIn(t, "new@a.example")
}

// Somebody with an account can join only after signing in. The inviter cannot use the
// link to get into that account.
func TestInvitationOfExistingUser(t *testing.T) {
	t.Parallel()
	s, _, inviter := ownerSite(t)
	s.user(t, s.Organization(t, "o"), "kari@o.example", terms.Owner)
	path := invite(inviter, "kari@o.example", "admin")

	stranger := s.browser(t)
	require.Zero(t, stranger.get(path).count("input[type=password]"))
	for _, b := range []*browser{inviter, stranger} {
		require.Equal(t, http.StatusForbidden,
			b.do(http.MethodPost, path, url.Values{"form_token": {b.token()}, "password": {"another long one"}}, nil).StatusCode)
	}

	kari := s.signedIn(t, "kari@o.example")
	require.Equal(t, http.StatusSeeOther, kari.post(path, nil).StatusCode)
	require.Contains(t, kari.follow().text(), "You have joined Organization a")
	require.Equal(t, http.StatusNotFound, kari.get(path).StatusCode)
}

// A changed role withdraws the member's open invitations, and the notice and the audit log say
// so. A removed admin cannot come back by an invitation that they made before.
func TestInvitationsEndWithTheInviter(t *testing.T) {
	t.Parallel()
	s, a, owner := ownerSite(t)
	admin, path := s.member(t, a, "admin@a.example", terms.Admin), "/settings/members/"+s.userID(t, "admin@a.example")
	invite(admin, "second@a.example", "admin")
	for _, row := range []struct{ role, said string }{
		{"viewer", "admin@a.example is now a viewer. Their 1 open invitation was withdrawn."}, {"admin", "admin@a.example is now an admin."},
	} {
		owner.send("/settings/members", path+"/role", url.Values{"role": {row.role}})
		require.Equal(t, row.said, owner.follow().text(".notice span"))
	}
	require.NotContains(t, owner.last.text("main"), "second@a.example")
	require.Contains(t, owner.get("/settings/audit-log").text("tbody"), "Withdrew an invitation second@a.example")

	link := invite(admin, "second@a.example", "admin")
	require.Equal(t, http.StatusSeeOther, owner.post(path+"/remove", nil).StatusCode)
	require.Equal(t, http.StatusNotFound, s.browser(t).get(link).StatusCode)
	require.NotEqual(t, http.StatusOK, admin.get("/settings/members").StatusCode, "their session there has ended too")
}

// A link to set a password works once, and ends when the password is set by another
// link.
func TestPasswordLinks(t *testing.T) {
	t.Parallel()
	s, _, before := ownerSite(t)
	first, err := s.Operator.Accounts.PasswordLinkCreate(t.Context(), "owner@a.example")
	require.NoError(t, err)
	second, err := s.Operator.Accounts.PasswordLinkCreate(t.Context(), "owner@a.example")
	require.NoError(t, err)
	b := s.browser(t)
	require.Equal(t, http.StatusSeeOther,
		b.post("/password/"+second, url.Values{"password": {"quite another one"}}).StatusCode)
	for _, token := range []string{first, second} {
		require.Equal(t, http.StatusNotFound, s.browser(t).get("/password/"+token).StatusCode)
	}
	require.Equal(t, http.StatusSeeOther, before.get("/profile").StatusCode, "sessions from before end")
	require.Equal(t, http.StatusUnauthorized, b.signIn("owner@a.example", password).StatusCode)
	require.Equal(t, http.StatusSeeOther, b.signIn("owner@a.example", "quite another one").StatusCode)
	require.Contains(t, b.get("/settings/audit-log").text("tbody"), "Set a new password")
}

// No text in a form or an address causes an internal error or is shown unescaped.
func TestHostileText(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	b := w.signedIn(t, "owner@a.example")
	token := b.token()
	for _, text := range []string{"a\x00b\xffc%00\u202e", "<script>alert(1)</script>' OR 1=1 --{{.}}", strings.Repeat("æ", 20_000)} {
		for _, path := range allForms() {
			if path == "/sign-out" || strings.Contains(path, "remove") || strings.Contains(path, "revoke") ||
				strings.Contains(path, "/end") {
				continue
			}
			form := url.Values{"form_token": {token}}
			for name := range fields {
				form.Set(name, text)
			}
			form.Set("nonce", text)
			form.Set("organization", text)
			form.Set("setup", text)
			a := b.do(http.MethodPost, w.paths["a"].Replace(path), form, nil)
			require.Less(t, a.StatusCode, 500, "%s: %q", path, text[:min(len(text), 20)])
			if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") { // which browsers save
				require.NotContains(t, a.body, "<script>alert(1)", path)
			}
		}
		for _, path := range []string{"/companies?q=", "/companies?status=", "/companies/", "/?key=", "/?day=", "/settings/audit-log?before=", "/settings/api-keys/", "/invitations/", "/password/", "/companies?after="} {
			a := b.get(path + url.QueryEscape(text[:min(len(text), 500)]))
			require.Less(t, a.StatusCode, 500, "%s: %q", path, text[:min(len(text), 20)])
			require.NotContains(t, a.body, "<script>alert(1)", path)
		}
		c := w.browser(t)
		a := c.signIn(text, text)
		require.Less(t, a.StatusCode, 500, "sign-in: %q", text[:min(len(text), 20)])
	}
}

// A removed member is told with the next page, before any password, who removed them from
// where, and once; and where to reach the operator where one is told to ask.
func TestRemovedMemberIsTold(t *testing.T) {
	t.Parallel()
	s, a, owner := ownerSite(t, dashboard.Config{Support: "help@dispo.example"})
	kari, bo := s.member(t, a, "kari@a.example", terms.Viewer), s.member(t, a, "bo@a.example", terms.Viewer)
	s.join(t, s.Organization(t, "z"), "bo@a.example", terms.Viewer)
	for _, email := range []string{"kari@a.example", "bo@a.example"} {
		owner.post("/settings/members/"+s.userID(t, email)+"/remove", nil)
	}
	const told = "Your access to Organization a was removed by owner@a.example."
	require.True(t, strings.HasPrefix(kari.get("/companies").Header.Get("Location"), "/sign-in?"))
	require.Contains(t, kari.follow().text(".notice"), told)
	require.NotContains(t, kari.get("/sign-in").text(), told)
	require.Contains(t, bo.get("/companies").text(".notice"), told)
	require.NotContains(t, bo.get("/companies").text(), told)
	require.Contains(t, bo.get("/nothing").text(), "The operator of this service: help@dispo.example")
}

// Owners and admins change the organization's name, time zone, notification address
// and when deliveries are expected, which the audit log says. What cannot be used is refused, and what was typed is kept.
func TestOrganizationSettings(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.user(t, a, "viewer@a.example", terms.Viewer)
	const path = "/settings/organization"
	for _, values := range []url.Values{
		{"name": {" "}}, {"name": {"a\u202eb"}}, {"time_zone": {""}}, {"time_zone": {"Local"}}, {"time_zone": {"Mars/Olympus"}}, {"time_zone": {"../etc/passwd"}},
		{"notification_address": {"accounts"}}, {"expected_by": {"24:00"}}, {"expected_by": {"10"}}, {"expected_by": {"ten"}},
	} {
		answer := b.post(path, values)
		require.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode, "%v", values)
		require.Equal(t, 1, answer.count("[aria-invalid]"), "%v", values)
		for name, value := range values {
			require.Equal(t, value[0], answer.attr("[name="+name+"]", "value"))
		}
	}
	for _, values := range []url.Values{
		{"name": {"Åse & Søn"}, "time_zone": {"America/Nuuk"}, "notification_address": {"Accounts@a.example"}}, {}, {"notification_address": {""}},
		{"expected_by": {"09:30"}}, {"expected_by": {" 8.05 "}}, {"expected_by": {""}},
	} {
		b.post(path, values)
		require.Contains(t, b.follow().text(), "Settings saved.")
	}
	require.Equal(t, "Åse & Søn", b.get("/").text(".organization strong"))
	s.execute(t, `CREATE OR REPLACE FUNCTION known_zone(name text) RETURNS text LANGUAGE sql
		AS $$ SELECT CASE name WHEN 'Asia/Tokyo' THEN 'UTC' ELSE name END $$`) // as an older PostgreSQL would
	require.Equal(t, http.StatusUnprocessableEntity, b.post(path, url.Values{"time_zone": {"Asia/Tokyo"}}).StatusCode)
	require.Equal(t, "America/Nuuk", b.get(path).attr("[name=time_zone]", "value"))
	require.ElementsMatch(t, []string{
		"name from Organization a to Åse & Søn, time zone from Europe/Copenhagen to America/Nuuk, notification address from none to accounts@a.example",
		"notification address from accounts@a.example to none",
		"delivery time from none to 09:30",
		"delivery time from 09:30 to 08:05",
		"delivery time from 08:05 to none",
	}, modelstest.Column[string](t, modelstest.Conn(t, s.URL), `SELECT subject FROM audit_log WHERE action = 'organization.change'`))
	require.Contains(t, s.signedIn(t, "viewer@a.example").get(path).text("main"), "America/Nuuk")
}

// Members and invitations are listed 50 on a page, each with their number, and found by a part of
// their address, on all pages. Nothing else is on the pages.
func TestManyMembers(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.execute(t, `INSERT INTO users (id, email) SELECT gen_random_uuid(), 'm' || lpad(n::text, 3, '0') || '@a.example'
		FROM generate_series(1, 120) n`)
	s.execute(t, `INSERT INTO memberships (organization_id, user_id, role)
		SELECT o.id, u.id, 'viewer' FROM organizations o, users u WHERE u.email LIKE 'm%'`)
	s.execute(t, `INSERT INTO invitations (organization_id, id, email, role, token_hash, expires_at)
		SELECT id, gen_random_uuid(), 'i' || lpad(n::text, 3, '0') || '@a.example', 'viewer', sha256(n::text::bytea),
			now() + interval '1 day' FROM organizations, generate_series(1, 60) n`)
	page := b.get("/settings/members")
	require.Contains(t, page.text(".head"), "121 members")
	require.Contains(t, page.text("#invitations"), "(60)")
	var seen []string
	for next := "/settings/members"; next != ""; next = page.attr("a[rel=next]", "href") {
		page = b.get(next)
		require.LessOrEqual(t, page.count("tbody tr"), 100)
		page.page.Find("tbody th").Each(func(_ int, th *goquery.Selection) {
			seen = append(seen, regexp.MustCompile(`\S+@a\.example`).FindString(th.Text()))
		})
	}
	slices.Sort(seen)
	require.Len(t, slices.Compact(seen), 181, a.Slug)
	found := b.get("/settings/members?q=+M11")
	require.Equal(t, 10, found.count("tbody tr"))
	require.Contains(t, found.text(".head"), "10 members")
	require.Equal(t, 1, b.get("/settings/members?q=i011").count("tbody tr"))
	require.Equal(t, http.StatusOK, b.get("/settings/members?page=99").StatusCode)
}
