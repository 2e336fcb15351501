package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// twoOrganizations returns a browser of a user who is an owner of both, and works in a.
func twoOrganizations(t *testing.T) (s *site, b *browser, a, other models.Organization) {
	t.Helper()
	s, a, b = ownerSite(t)
	other = s.Organization(t, "o")
	s.join(t, other, "owner@a.example", terms.Owner)
	return s, b, a, other
}

// A form acts on the organization that it was shown for. After the user has switched in
// another tab, it is refused with an explanation and with what was typed, and can be
// sent for its own organization after all. That works for the user's own organizations alone.
func TestFormOfAnotherOrganization(t *testing.T) {
	t.Parallel()
	s, b, _, other := twoOrganizations(t)
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
		require.Equal(
			t,
			"a",
			modelstest.ValueAt[string](t, s.URL,
				"SELECT slug FROM organizations o JOIN "+row.done+" d ON d.organization_id = o.id"),
		)
		require.Contains(t, b.get("/").page.Find("title").Text(), "Organization a", "the user works there again")
	}
}

// A form that is submitted after the session has ended leads to the sign-in and then
// back to what was typed, for its user and nobody else. Passwords are not kept, but asked for
// again. What is too long to keep is not lost silently.
func TestFormAfterTheSessionEnded(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.user(t, a, "other@a.example", terms.Owner)
	const path = "/settings/api-keys/new"
	late := func(page, path string, typed url.Values) *answer {
		b.get(page)
		form := b.form(path, typed)
		s.execute(t, `DELETE FROM sessions`)
		return b.do(http.MethodPost, path, form, nil)
	}
	sendLate := func() *answer { return late(path, path, url.Values{"name": {"Nightly job"}}) }
	signIn := func(email string) (next string) {
		b.follow()
		b.submit("/sign-in", url.Values{"email": {email}, "password": {password}})
		return b.last.Header.Get("Location")
	}
	for _, cookie := range sendLate().Cookies() {
		require.NotContains(t, cookie.Value, "Nightly", "what was typed is sealed")
	}
	signIn("owner@a.example")
	kept := b.follow()
	require.Contains(t, kept.text(), "Nothing was changed")
	require.Contains(t, kept.text(), "Nightly job")
	require.Regexp(t, keyForm, b.submit(path, nil).body)
	require.Equal(t, "Nightly job", s.newestKey(t, a).Name)
	require.Equal(t, "/", b.get("/kept-form").Header.Get("Location"), "it is shown once")

	sendLate()
	require.Equal(t, "/kept-form", signIn("other@a.example"))
	require.NotContains(t, b.follow().body, "Nightly job")
	require.Equal(t, "/", b.last.Header.Get("Location"))
	b.send("/", "/sign-out", nil)
	require.Equal(t, "/", signIn("owner@a.example"), "it is gone")

	late("/profile", "/profile/password", url.Values{"current_password": {password}, "new_password": {"a secret word"}})
	signIn("owner@a.example")
	kept = b.follow()
	require.Equal(t, 2, kept.count("main [type=password]"))
	require.Contains(t, kept.text(), "Passwords and codes are not kept, so type them again.")
	require.NotContains(t, kept.body, "a secret word")
	b.submit("/profile/password",
		url.Values{"current_password": {password}, "new_password": {"en anden lang adgangskode"}})
	require.Contains(t, b.follow().text(), "Password changed.")

	key := "/settings/api-keys/" + s.newestKey(t, a).ID.String()
	late(key+"?show=settings", key, url.Values{"note": {strings.Repeat("note ", 500)}})
	require.Contains(t, b.follow().text(), "What you typed was too long to keep")
	b.submit("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {"en anden lang adgangskode"}})
	require.Equal(t, key, b.last.Header.Get("Location"))
}

// A form of an organization that its user has left, or that is suspended, is offered for no
// other: neither at once nor after signing in again. Nothing typed is lost.
func TestFormOfALostOrganization(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	other := s.Organization(t, "z")
	for name, lose := range map[string]string{
		"left":      `DELETE FROM memberships WHERE organization_id = $1`,
		"suspended": `UPDATE organizations SET suspended_at = now() WHERE id = $1`,
	} {
		for when, signedOut := range map[string]bool{"-before": false, "-while-signed-out": true} {
			lost, email := s.Organization(t, name+when), name+when+"@a.example"
			s.user(t, lost, email, terms.Owner)
			s.join(t, other, email, terms.Owner)
			b := s.signedIn(t, email)
			b.get("/settings/organization")
			form := b.form("/settings/organization", url.Values{"name": {"Nordlys"}})
			s.execute(t, lose, lost.ID)
			if signedOut {
				s.execute(t, `DELETE FROM sessions`)
			}
			refused := b.do(http.MethodPost, "/settings/organization", form, nil)
			if signedOut {
				b.follow()
				b.submit("/sign-in", url.Values{"email": {email}, "password": {password}})
				refused = b.follow()
			} else {
				require.Equal(t, http.StatusConflict, refused.StatusCode)
			}
			require.Contains(t, refused.text("main"), "an organization that you can no longer use", email)
			require.Contains(t, refused.text("main"), "Nordlys", email)
			require.NotContains(t, refused.text("main"), "opened this form in Organization", email)
			require.Zero(t, refused.count("main form"), email)
		}
	}
	require.Equal(t, "Organization z",
		modelstest.ValueAt[string](t, s.URL, `SELECT name FROM organizations WHERE id = $1`, other.ID))
}

// What belongs to another of the user's organizations offers to switch to it, and then shows
// itself. So does an address that names the organization. Pages show the data of the
// organization that was switched to alone, and follow the user's role there. Things of other
// organizations stay unknown.
func (w *pair) thingsOfAnotherOrganization(t *testing.T) {
	c := w.Organization(t, "c")
	w.join(t, w.b, "owner@a.example", terms.Viewer)
	b := w.signedIn(t, "owner@a.example")
	paths := []string{"/settings/api-keys/{key}", "/deliveries/{delivery}", "/companies/{cvr}",
		"/companies/{cvr}?from=2026-01-01", "/days?organization=" + w.b.ID.String(),
		"/deliveries/{delivery}?organization=" + w.b.ID.String()}
	for _, path := range paths {
		path = w.paths["b"].Replace(path)
		found := b.get(path)
		require.Equal(t, http.StatusNotFound, found.StatusCode, path)
		require.Contains(t, found.text("main"), "This page belongs to Organization b", path)
		require.NotContains(t, found.text("main"), "Company 1", path)
		b.submit("/organization",
			url.Values{"organization": {w.b.ID.String()}, "next": {found.attr("main [name=next]", "value")}})
		require.Equal(t, path, b.last.Header.Get("Location"))
		require.Equal(t, http.StatusOK, b.follow().StatusCode, path)
		for _, in := range []struct {
			organization models.Organization
			cvr          string
			manages      int
		}{{w.b, "10000002", 0}, {w.a, "10000001", 1}} {
			b.submit("/organization", url.Values{"organization": {in.organization.ID.String()}})
			require.Equal(t, in.cvr, b.get("/companies").text("tbody [data-label=CVR]"))
			require.Equal(t, in.manages, b.get("/settings/api-keys").count(`a[href$="/new"]`))
		}
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
func (w *pair) suspendedOrganization(t *testing.T) {
	s := serve(t, w.World, dashboard.Config{Support: "help@dispo.example"})
	before := s.signedIn(t, "admin@a.example")
	require.NoError(t, organizations.Suspend(t.Context(), w.Operator.Tenant(w.a.ID)))
	for _, b := range []*browser{before, s.signedIn(t, "admin@a.example")} {
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
				refused := w.send(b, path, token)
				require.Equal(t, http.StatusConflict, refused.StatusCode, path)
				require.Contains(t, refused.text("main"), "or it is suspended. Nothing was changed.", path)
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

// Someone with two organizations, one of them suspended, never sees the other's data in its place:
// each page says that it is suspended, and offers the other. The switch names it, and from the
// other one its links say the same.
func (w *pair) suspendedBesideAnother(t *testing.T) {
	w.User(t, w.a, "two@a.example", terms.Owner, password)
	w.join(t, w.b, "two@a.example", terms.Owner)
	b := w.signedIn(t, "two@a.example")
	require.Equal(t, "Organization a", b.get("/").text(".organization strong"))
	require.NoError(t, organizations.Suspend(t.Context(), w.Operator.Tenant(w.a.ID)))
	suspended := func(path string) {
		t.Helper()
		page := b.get(w.paths["a"].Replace(path))
		require.Equal(t, http.StatusForbidden, page.StatusCode, path)
		require.Equal(t, "Organization a is suspended", page.text("h1"), path)
		require.NotContains(t, page.text("main"), "Company", path)
	}
	suspended("/")
	suspended("/companies/{cvr}")
	require.Contains(t, b.get("/docs").text(".organization"), "Organization a Suspended")
	require.Equal(t, "Switch to Organization b", b.get("/").text("main button"))
	b.submit("/organization", url.Values{"organization": {w.b.ID.String()}})
	page := b.get("/companies")
	require.Equal(t, "10000002", page.text("tbody [data-label=CVR]"))
	require.Contains(t, page.text(".organization details"), "Organization a Suspended")
	for _, path := range []string{"/companies/{cvr}", "/settings/api-keys/{key}", "/days?organization=" + w.a.ID.String()} {
		suspended(path)
	}
	b.submit("/organization", url.Values{"organization": {w.a.ID.String()}})
	suspended("/companies")
	require.NoError(t, organizations.Resume(t.Context(), w.Operator.Tenant(w.a.ID)))
	require.Equal(t, "10000001", b.get("/companies").text("tbody [data-label=CVR]"))
}

// More than 15 minutes after signing in, what could do lasting harm asks for the password
// again, and then goes on with what was sent. A wrong one changes nothing.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	s := w.site
	b := w.signedIn(t, "owner@a.example")
	for _, path := range []string{"/settings/api-keys/new", "/profile/second-factor"} {
		s.confirmed(t, "16 minutes")
		asked := b.get(path)
		require.Equal(t, http.StatusForbidden, asked.StatusCode, path)
		require.Contains(t, asked.text(), "Confirm your identity")
		require.Equal(t, http.StatusUnprocessableEntity,
			b.submit("/confirm", url.Values{"confirmation": {"wrong"}}).StatusCode)
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
		{"scheduling in use", key + "?show=settings", key + "/schedule", url.Values{"when": {"date"}, "revoke_on": {"2099-01-01"}}},
		{"revoking a key in use", key + "/revoke", key + "/revoke", nil},
		{"inviting an owner", "/settings/members", "/settings/members/invite", url.Values{"email": {"thief@a.example"}, "role": {"owner"}}},
		{"removing a member", member + "/remove", member + "/remove", nil},
	} {
		s.confirmed(t, "0")
		// Used too rarely to say that five days without use mean anything.
		s.execute(t, `UPDATE api_keys SET paused_at = NULL, last_used_at = now() - interval '5 days'`)
		b.get(row.page)
		form := b.form(row.form, row.typed)
		s.confirmed(t, "16 minutes")
		before := w.state(t)
		asked := b.do(http.MethodPost, row.form, form, nil)
		require.Equal(t, http.StatusForbidden, asked.StatusCode, row.name)
		require.Equal(t, http.StatusUnprocessableEntity, b.submit(row.form, url.Values{"confirmation": {"wrong"}}).StatusCode,
			row.name)
		require.Equal(t, before, w.state(t), row.name)
		done := b.submit(row.form, url.Values{"confirmation": {password}})
		require.Contains(t, []int{http.StatusOK, http.StatusSeeOther}, done.StatusCode, "%s: %s", row.name, done.text())
		require.NotEqual(t, before, w.state(t), row.name)
	}
}

// An owner can require a second factor of all members. Who has none is led to set one up
// before anything else, and cannot turn it off again.
func TestRequiredSecondFactor(t *testing.T) {
	t.Parallel()
	s, a, owner := ownerSite(t)
	admin, member := s.member(t, a, "admin@a.example", terms.Admin), s.member(t, a, "viewer@a.example", terms.Viewer)
	require.Zero(t, admin.get("/settings/members").count(`form[action="/settings/members/second-factor"]`))
	form := url.Values{"form_token": admin.form("/settings/members/invite", nil)["form_token"], "required": {"yes"}}
	s.execute(t, `UPDATE users SET totp_secret = 'x' WHERE email <> 'viewer@a.example'`)
	require.Equal(t, http.StatusForbidden,
		admin.do(http.MethodPost, "/settings/members/second-factor", form, nil).StatusCode)

	require.Equal(t, http.StatusSeeOther,
		owner.send("/settings/members", "/settings/members/second-factor", url.Values{"required": {"yes"}}).StatusCode)
	require.Contains(t, owner.follow().text(), "Members now need a second factor")
	for _, path := range []string{"/", "/companies", "/settings/api-keys"} {
		require.Equal(t, "/profile/second-factor", member.get(path).Header.Get("Location"), path)
	}
	require.Contains(t, member.follow().text(), "Organization a requires a second factor")
	require.Equal(t, http.StatusOK, owner.get("/companies").StatusCode)
	require.Contains(t, owner.post("/profile/second-factor/remove", nil).text(), "requires a second factor")
	require.Equal(t, 2, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM users WHERE totp_secret IS NOT NULL`))
}
