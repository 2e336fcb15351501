package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/modelstest"
)

// twoOrganizations returns a browser of a user who is an owner of both, and works in a.
func twoOrganizations(t *testing.T) (s *site, b *browser, other models.Organization) {
	t.Helper()
	s = newSite(t)
	a, o := s.Organization(t, "a"), s.Organization(t, "o")
	s.user(t, a, "kari@a.example", models.RoleOwner)
	modelstest.ExecuteAt(t, s.URL, `INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'owner' FROM users`, o.ID)
	return s, s.signedIn(t, "kari@a.example"), o
}

// After switching, pages show the data of that organization alone, and follow the user's
// role there.
func TestSwitchingOrganizations(t *testing.T) {
	t.Parallel()
	s, b, other := twoOrganizations(t)
	a, err := s.Operator.OrganizationBySlug(t.Context(), "a")
	require.NoError(t, err)
	s.Companies(t, a, "10000001")
	s.Companies(t, other, "10000002")
	s.user(t, other, "owner@o.example", models.RoleOwner)
	modelstest.ExecuteAt(t, s.URL, `UPDATE memberships SET role = 'viewer' FROM users WHERE users.id = user_id AND organization_id = $1 AND email = 'kari@a.example'`, other.ID)
	for _, row := range []struct {
		in           models.Organization
		own, foreign string
		manages      int
	}{{a, "10000001", "10000002", 1}, {other, "10000002", "10000001", 0}, {a, "10000001", "10000002", 1}} {
		require.Equal(t, "/", b.send("/", "/organization", url.Values{"organization": {row.in.ID.String()}}).Header.Get("Location"))
		companies := b.get("/companies")
		require.Contains(t, companies.text("tbody"), row.own)
		require.NotContains(t, companies.text(), row.foreign)
		require.Equal(t, http.StatusNotFound, b.get("/companies/"+row.foreign).StatusCode)
		require.Equal(t, row.manages, b.get("/settings/api-keys").page.Find(`a[href$="/new"]`).Length())
	}
}

// A form acts on the organization that it was shown for. After the user has switched in
// another tab, it is refused with an explanation and with what was typed, and can be
// sent for its own organization after all. That works for the user's own organizations alone.
func TestFormOfAnotherOrganization(t *testing.T) {
	t.Parallel()
	s, b, other := twoOrganizations(t)
	foreign := s.Organization(t, "foreign")
	for _, row := range []struct {
		page, form string
		typed      url.Values
		shows      string
		done       string // counts what the form made, by organization
	}{
		{"/settings/api-keys/new", "/settings/api-keys/new", url.Values{"name": {"Nightly <job>"}}, "Nightly <job>", "api_keys"},
		{"/settings/members", "/settings/members/invite", url.Values{"email": {"new@a.example"}, "role": {"admin"}}, "new@a.example", "invitations"},
	} {
		b.get(row.page)
		form := b.form(row.form, row.typed)
		b.submit("/organization", url.Values{"organization": {other.ID.String()}})
		count := func() int { return modelstest.ValueAt[int](t, s.URL, "SELECT count(*) FROM "+row.done) }
		refused := b.do(http.MethodPost, row.form, form, nil)
		require.Equal(t, http.StatusConflict, refused.StatusCode)
		require.Contains(t, refused.text(), "You opened this form in Organization a, then switched to Organization o")
		require.Contains(t, refused.text(), row.shows)
		again, stranger := b.form(row.form, nil), b.form(row.form, nil)
		stranger.Set("shown_for", foreign.ID.String())
		require.Equal(t, http.StatusConflict, b.do(http.MethodPost, row.form, stranger, nil).StatusCode)
		require.NotContains(t, b.last.body, "Organization foreign")
		stranger.Set("switch_to", foreign.ID.String())
		require.Equal(t, http.StatusNotFound, b.do(http.MethodPost, row.form, stranger, nil).StatusCode)
		require.Zero(t, count())

		again.Set("switch_to", again.Get("shown_for"))
		sent := b.do(http.MethodPost, row.form, again, nil)
		require.Equal(t, http.StatusOK, sent.StatusCode, sent.text())
		require.Equal(t, 1, count())
		require.Equal(t, "a", modelstest.ValueAt[string](t, s.URL, "SELECT slug FROM organizations o JOIN "+row.done+" d ON d.organization_id = o.id"))
		require.Contains(t, b.get("/").page.Find("title").Text(), "Organization a", "the user works there again")
	}
}

// Every form of every page names the organization and the user that it is shown for, and every
// print the organization and the time. The address of a form answers GET with its page, or
// leads to the page above it, so that what a browser shows after a refused form can be reloaded.
// The route table lists its fields.
func TestEveryFormNamesItsOrganization(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	b := w.signedIn(t, "owner@a.example")
	known := map[string][]string{}
	for _, route := range dashboard.RouteTable() {
		if route.Method == http.MethodPost {
			known[w.paths["a"].Replace(pathOf(route))] = append(route.Fields, dashboard.EveryForm...)
		}
	}
	for _, path := range allPages() {
		page := b.get(w.paths["a"].Replace(path))
		forms := page.page.Find("form[method=post]")
		require.Equal(t, forms.Length(), page.page.Find(`form[method=post] input[name=shown_for][value="`+w.a.ID.String()+`"]`).Length(), path)
		require.Equal(t, forms.Length(), page.page.Find("form[method=post] input[name=shown_to][value]").Length(), path)
		forms.Each(func(_ int, form *goquery.Selection) {
			if takes := known[form.AttrOr("action", "")]; takes != nil { // else it is of another key or member
				form.Find("[name]").Each(func(_ int, field *goquery.Selection) {
					require.Contains(t, takes, field.AttrOr("name", ""), "%s: %s", path, form.AttrOr("action", ""))
				})
			}
		})
		if page.page.Find("main").Length() > 0 {
			require.Regexp(t, `^Organization a, as of 20\d\d-\d\d-\d\d \d\d:\d\d`, page.text("main > .print-only"), path)
		}
	}
	for _, form := range allForms() {
		a := b.get(w.paths["a"].Replace(form))
		for range 2 {
			if a.StatusCode == http.StatusSeeOther {
				a = b.follow()
			}
		}
		require.Contains(t, []int{http.StatusOK, http.StatusForbidden}, a.StatusCode, "%s: %s", form, a.text())
	}
	require.Equal(t, "/settings/members", b.get("/settings/members/invite").Header.Get("Location"))
	require.Equal(t, "/", b.get("/sign-out").Header.Get("Location"))
}

// A form that is submitted after the session has ended leads to the sign-in and then
// back to what was typed. Passwords are not kept.
func TestFormAfterTheSessionEnded(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	b.get("/settings/api-keys/new")
	form := b.form("/settings/api-keys/new", url.Values{"name": {"Nightly job"}, "password": {"a secret word"}})
	modelstest.ExecuteAt(t, s.URL, `DELETE FROM sessions`)

	ended := b.do(http.MethodPost, "/settings/api-keys/new", form, nil)
	require.Equal(t, http.StatusSeeOther, ended.StatusCode, ended.text())
	for _, cookie := range ended.Cookies() {
		require.NotContains(t, cookie.Value, "Nightly", "what was typed is sealed")
	}
	b.follow()
	b.submit("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {password}})
	kept := b.follow()
	require.Contains(t, kept.text(), "Nothing was changed")
	require.Contains(t, kept.text(), "Nightly job")
	require.NotContains(t, kept.body, "a secret word")
	created := b.submit("/settings/api-keys/new", nil)
	require.Equal(t, http.StatusOK, created.StatusCode, created.text())
	require.Regexp(t, keyForm, created.body)
	require.Equal(t, "Nightly job", modelstest.ValueAt[string](t, s.URL, `SELECT name FROM api_keys`))
	require.Equal(t, "/", b.get("/kept-form").Header.Get("Location"), "it is shown once")
}

// A form that the browser keeps is shown to nobody but its user.
func TestKeptFormBelongsToItsUser(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.user(t, a, "other@a.example", models.RoleOwner)
	b.get("/settings/api-keys/new")
	form := b.form("/settings/api-keys/new", url.Values{"name": {"Nightly job"}})
	modelstest.ExecuteAt(t, s.URL, `DELETE FROM sessions`)
	b.do(http.MethodPost, "/settings/api-keys/new", form, nil)
	b.follow()
	b.submit("/sign-in", url.Values{"email": {"other@a.example"}, "password": {password}})
	require.Equal(t, "/kept-form", b.last.Header.Get("Location"))
	require.NotContains(t, b.follow().body, "Nightly job")
	require.Equal(t, "/", b.last.Header.Get("Location"))
	b.send("/", "/sign-out", nil)
	b.follow()
	b.submit("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {password}})
	require.Equal(t, "/", b.last.Header.Get("Location"), "it is gone")
}

// A form of an organization that its user has left, or that is suspended, is offered for no
// other: neither at once nor after signing in again. Nothing typed is lost.
func TestFormOfALostOrganization(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]string{
		"left":      `DELETE FROM memberships WHERE organization_id = $1`,
		"suspended": `UPDATE organizations SET suspended_at = now() WHERE id = $1`,
	} {
		for _, signedOut := range []bool{false, true} {
			s, b, other := twoOrganizations(t)
			a, err := s.Operator.OrganizationBySlug(t.Context(), "a")
			require.NoError(t, err)
			b.get("/settings/organization")
			form := b.form("/settings/organization", url.Values{"name": {"Nordlys"}})
			modelstest.ExecuteAt(t, s.URL, lose, a.ID)
			if signedOut {
				modelstest.ExecuteAt(t, s.URL, `DELETE FROM sessions`)
			}
			refused := b.do(http.MethodPost, "/settings/organization", form, nil)
			if signedOut {
				b.follow()
				b.submit("/sign-in", url.Values{"email": {"kari@a.example"}, "password": {password}})
				refused = b.follow()
			} else {
				require.Equal(t, http.StatusConflict, refused.StatusCode)
			}
			require.Contains(t, refused.text("main"), "an organization that you can no longer use", name)
			require.Contains(t, refused.text("main"), "Nordlys", name)
			require.NotContains(t, refused.text("main"), "opened this form in Organization", name)
			require.Zero(t, refused.page.Find("main form").Length(), name)
			require.Equal(t, "Organization o", modelstest.ValueAt[string](t, s.URL, `SELECT name FROM organizations WHERE id = $1`, other.ID))
		}
	}
}

// What belongs to another of the user's organizations offers to switch to it, and then shows
// itself. So does an address that names the organization. Things of other organizations stay unknown.
func TestThingOfAnotherOrganization(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	c := w.Organization(t, "c")
	modelstest.ExecuteAt(t, w.site.URL, `INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'viewer' FROM users WHERE email = 'owner@a.example'`, w.b.ID)
	b := w.signedIn(t, "owner@a.example")
	paths := []string{"/settings/api-keys/{key}", "/deliveries/{delivery}", "/companies/{cvr}", "/companies/{cvr}?from=2026-01-01",
		"/days?organization=" + w.b.ID.String(), "/deliveries/{delivery}?organization=" + w.b.ID.String()}
	for _, path := range paths {
		path = w.paths["b"].Replace(path)
		found := b.get(path)
		require.Equal(t, http.StatusNotFound, found.StatusCode, path)
		require.Contains(t, found.text("main"), "This page belongs to Organization b", path)
		require.NotContains(t, found.text("main"), "Company 1", path)
		b.submit("/organization", url.Values{"organization": {w.b.ID.String()}, "next": {found.page.Find("main [name=next]").AttrOr("value", "")}})
		require.Equal(t, path, b.last.Header.Get("Location"))
		require.Equal(t, http.StatusOK, b.follow().StatusCode, path)
		b.submit("/organization", url.Values{"organization": {w.a.ID.String()}})
	}
	require.Equal(t, http.StatusOK, b.get("/days?organization="+w.a.ID.String()).StatusCode)
	stranger := w.signedIn(t, "owner@b.example")
	for _, path := range append(paths, "/days?organization="+c.ID.String(), "/days?organization=x", "/companies/10000009") {
		path = strings.ReplaceAll(w.paths["a"].Replace(path), w.b.ID.String(), w.a.ID.String())
		unknown := stranger.get(path)
		require.Equal(t, http.StatusNotFound, unknown.StatusCode, path)
		require.NotContains(t, unknown.body, "Organization a", path)
		require.NotContains(t, unknown.text("main"), "belongs to Organization", path)
	}
}

// A member whose only organization is suspended can sign in and out, read the docs and change
// their profile. Every other page says so, and whom to ask, and no form changes anything.
func TestSuspendedOrganization(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	s := serveConfig(t, w.World, dashboard.Config{Support: "help@dispo.example"})
	before := s.signedIn(t, "owner@a.example")
	require.NoError(t, w.Operator.Tenant(w.a.ID).Suspend(t.Context()))
	for _, b := range []*browser{before, s.signedIn(t, "owner@a.example")} {
		token, state := b.token(), w.state(t)
		for _, path := range allPages() {
			page := b.get(w.paths["a"].Replace(path))
			if strings.HasPrefix(path, "/profile") || path == "/kept-form" {
				require.Contains(t, []int{http.StatusOK, http.StatusSeeOther}, page.StatusCode, path)
				continue
			}
			require.Equal(t, http.StatusForbidden, page.StatusCode, path)
			require.Equal(t, "Organization a is suspended", page.text("h1"), path)
			require.Contains(t, page.text("main"), "help@dispo.example", path)
		}
		for _, path := range allForms() {
			if strings.HasPrefix(path, "/settings/") {
				require.Equal(t, http.StatusForbidden, b.do(http.MethodPost, w.paths["a"].Replace(path), with(path, token), nil).StatusCode, path)
			}
		}
		require.Equal(t, state, w.state(t))
		require.Equal(t, http.StatusOK, b.get("/docs").StatusCode)
		b.send("/profile", "/profile/language", url.Values{"language": {"en"}})
		require.Contains(t, b.follow().text(), "Saved.")
		b.submit("/sign-out", nil)
		require.Contains(t, b.follow().text(), "You are signed out.")
	}
}

// More than 15 minutes after signing in, what could do lasting harm asks for the password
// again, and then goes on with what was sent. A wrong one changes nothing.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	s := w.site
	b := w.signedIn(t, "owner@a.example")
	for _, path := range []string{"/settings/api-keys/new", "/profile/second-factor"} {
		modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now() - interval '16 minutes'`)
		asked := b.get(path)
		require.Equal(t, http.StatusForbidden, asked.StatusCode, path)
		require.Contains(t, asked.text(), "Confirm your identity")
		require.Equal(t, http.StatusUnprocessableEntity, b.submit("/confirm", url.Values{"confirmation": {"wrong"}}).StatusCode)
		require.Contains(t, b.last.text(), "The password is wrong")
		b.submit("/confirm", url.Values{"confirmation": {password}})
		require.Equal(t, path, b.last.Header.Get("Location"))
		require.Equal(t, http.StatusOK, b.follow().StatusCode, path)
	}

	key := w.paths["a"].Replace("/settings/api-keys/{key}")
	member := w.paths["a"].Replace("/settings/members/{member}")
	for _, row := range []struct {
		name, page, form string
		typed            url.Values
	}{
		{"creating a key", "/settings/api-keys/new", "/settings/api-keys/new", url.Values{"name": {"Nightly job"}}},
		{"rotating", key + "/rotate", key + "/rotate", nil},
		{"changing a role", "/settings/members", member + "/role", url.Values{"role": {"admin"}}},
		{"pausing a key in use", key + "/pause", key + "/pause", nil},
		{"scheduling in use", key, key + "/schedule", url.Values{"when": {"date"}, "revoke_on": {"2099-01-01"}}},
		{"revoking a key in use", key + "/revoke", key + "/revoke", nil},
		{"inviting an owner", "/settings/members", "/settings/members/invite", url.Values{"email": {"thief@a.example"}, "role": {"owner"}}},
		{"removing a member", member + "/remove", member + "/remove", nil},
	} {
		modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now()`)
		// Used too rarely to say that five days without use mean anything.
		modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET paused_at = NULL, last_used_at = now() - interval '5 days'`)
		b.get(row.page)
		form := b.form(row.form, row.typed)
		modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now() - interval '16 minutes'`)
		before := w.state(t)
		asked := b.do(http.MethodPost, row.form, form, nil)
		require.Equal(t, http.StatusForbidden, asked.StatusCode, row.name)
		require.Equal(t, http.StatusUnprocessableEntity, b.submit(row.form, url.Values{"confirmation": {"wrong"}}).StatusCode, row.name)
		require.Equal(t, before, w.state(t), row.name)
		done := b.submit(row.form, url.Values{"confirmation": {password}})
		require.Contains(t, []int{http.StatusOK, http.StatusSeeOther}, done.StatusCode, "%s: %s", row.name, done.text())
		require.NotEqual(t, before, w.state(t), row.name)
	}
}

// Every form either asks for the password again, if it was given more than 15 minutes ago,
// or says in the route table why it does not. Nothing changes before.
func TestEveryFormIsConfirmedOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	b := w.signedIn(t, "owner@a.example")
	token := b.token()
	modelstest.ExecuteAt(t, w.site.URL, `UPDATE api_keys SET last_used_at = now()`)
	modelstest.ExecuteAt(t, w.site.URL, `UPDATE sessions SET confirmed_at = now() - interval '1 hour'`)
	before := w.state(t)
	for _, route := range dashboard.RouteTable() {
		if route.Method != http.MethodPost {
			continue
		}
		rules := 0
		for _, has := range []bool{route.Confirmed, route.IfInUse, route.Unconfirmed != ""} {
			if has {
				rules++
			}
		}
		require.Equal(t, 1, rules, "%s needs exactly one of confirmed, ifInUse and unconfirmed", route.Path)
		if route.Unconfirmed != "" {
			continue
		}
		asked := b.do(http.MethodPost, w.paths["a"].Replace(pathOf(route)), with(pathOf(route), token), nil)
		require.Equal(t, http.StatusForbidden, asked.StatusCode, route.Path)
		require.Contains(t, asked.text("h1"), "Confirm your identity", route.Path)
	}
	require.Equal(t, before, w.state(t))
}

// An owner can require a second factor of all members. Who has none is led to set one up
// before anything else, and cannot turn it off again.
func TestRequiredSecondFactor(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	for _, role := range models.Roles {
		s.user(t, a, string(role)+"@a.example", role)
	}
	admin, owner, member := s.signedIn(t, "admin@a.example"), s.signedIn(t, "owner@a.example"), s.signedIn(t, "viewer@a.example")
	require.Zero(t, admin.get("/settings/members").page.Find(`form[action="/settings/members/second-factor"]`).Length())
	form := url.Values{"form_token": admin.form("/settings/members/invite", nil)["form_token"], "required": {"yes"}}
	modelstest.ExecuteAt(t, s.URL, `UPDATE users SET totp_secret = 'x' WHERE email <> 'viewer@a.example'`)
	require.Equal(t, http.StatusForbidden, admin.do(http.MethodPost, "/settings/members/second-factor", form, nil).StatusCode)

	require.Equal(t, http.StatusSeeOther, owner.send("/settings/members", "/settings/members/second-factor", url.Values{"required": {"yes"}}).StatusCode)
	require.Contains(t, owner.follow().text(), "Members now need a second factor")
	for _, path := range []string{"/", "/companies", "/settings/api-keys"} {
		require.Equal(t, "/profile/second-factor", member.get(path).Header.Get("Location"), path)
	}
	require.Contains(t, member.follow().text(), "Organization a requires a second factor")
	require.Equal(t, http.StatusOK, owner.get("/companies").StatusCode)
	require.Contains(t, owner.post("/profile/second-factor/remove", nil).text(), "requires a second factor")
	require.Equal(t, 2, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM users WHERE totp_secret IS NOT NULL`))
}
