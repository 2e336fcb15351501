package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

const anyRole, managersOnly = false, true

// paths returns the paths of pages (GET) or forms (POST) that signed-in users have, those
// for owners and admins only or the others. {key}, {member}, {invitation}, {delivery}
// and {cvr} stand for the organization's own.
func paths(method string, managers bool) (paths []string) {
	for _, route := range dashboard.RouteTable() {
		if route.Method == method && route.Access != dashboard.Anyone && (route.Access == dashboard.Manager) == managers {
			paths = append(paths, pathOf(route))
		}
	}
	return paths
}

func pathOf(route dashboard.Route) string {
	path := strings.ReplaceAll(route.Path, ":cvr", "{cvr}")
	path = strings.Replace(path, "/sign-in/return/:id", "/sign-in/return/0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", 1)
	for prefix, id := range map[string]string{"/settings/api-keys/": "{key}", "/settings/members/invitations/": "{invitation}",
		"/settings/members/": "{member}", "/profile/sessions/": "{member}", "/deliveries/": "{delivery}"} {
		path = strings.Replace(path, prefix+":id", prefix+id, 1)
	}
	if route.Method == http.MethodGet && strings.HasSuffix(path, "/export") {
		path += "?format=csv"
	}
	return path
}

// allPages and allForms are those of signed-in users.
func allPages() []string {
	return append(paths(http.MethodGet, anyRole), paths(http.MethodGet, managersOnly)...)
}
func allForms() []string {
	return append(paths(http.MethodPost, anyRole), paths(http.MethodPost, managersOnly)...)
}

// fields are values for the fields of all forms.
var fields = url.Values{
	"name": {"X"}, "email": {"new@x.example"}, "role": {"admin"}, "language": {"da"}, "time_zone": {"UTC"},
	"password": {password}, "current_password": {password}, "new_password": {"another long password"},
	"code": {"123456"}, "confirm": {"early"}, "when": {"idle"}, "idle_days": {"35"}, "expires": {"never"},
	"expires_on": {"2099-12-31"},
}

// pair is two organizations with the same kinds of data.
type pair struct {
	*site
	a, b  models.Organization
	paths map[string]*strings.Replacer // that fill in an organization's ids, by slug
}

func newPair(t *testing.T) *pair {
	t.Helper()
	s := newSite(t)
	w := &pair{site: s, a: s.Organization(t, "a"), b: s.Organization(t, "b"), paths: map[string]*strings.Replacer{}}
	s.Companies(t, w.a, "10000001")
	s.Companies(t, w.b, "10000002")
	s.Delivery(t, "10000001", 1)
	s.Delivery(t, "10000002", 1)
	for i, o := range []models.Organization{w.a, w.b} {
		for _, role := range []terms.Role{terms.Owner, terms.Admin, terms.Viewer} {
			s.user(t, o, fmt.Sprintf("%s@%s.example", role, o.Slug), role)
		}
		key, _ := s.Key(t, o)
		invitation, _, err := accounts.Invite(t.Context(), s.Service.Tenant(o.ID), "invited@"+o.Slug+".example", terms.Viewer)
		require.NoError(t, err)
		w.paths[o.Slug] = strings.NewReplacer("{key}", key.ID.String(), "{invitation}", invitation.ID.String(),
			"{member}", s.userID(t, "viewer@"+o.Slug+".example"), "{delivery}", s.fileID(t, o),
			"{cvr}", fmt.Sprintf("1000000%d", i+1))
	}
	return w
}

// state returns everything that a form could change.
func (w *pair) state(t *testing.T) string {
	t.Helper()
	return modelstest.ValueAt[string](t, w.site.URL, `SELECT concat_ws(E'\n',
		(SELECT string_agg(k::text, E'\n' ORDER BY k.id) FROM (SELECT id, name, note, revoked_at, paused_at, revoke_scheduled_at, expires_at, organization_id FROM api_keys) k),
		(SELECT string_agg(m::text, E'\n' ORDER BY m) FROM memberships m),
		(SELECT string_agg(i::text, E'\n' ORDER BY i.id) FROM invitations i),
		(SELECT string_agg(u::text, E'\n' ORDER BY u.id) FROM (SELECT id, email, password_hash, totp_secret, language FROM users) u),
		(SELECT string_agg(s::text, E'\n' ORDER BY s.id) FROM (SELECT id, organization_id FROM sessions) s))`)
}

// changesNothing requires that from now on the test changes nothing that a form could.
func (w *pair) changesNothing(t *testing.T) {
	t.Helper()
	before := w.state(t)
	t.Cleanup(func() { require.Equal(t, before, w.state(t)) })
}

// send sends a form of the organization a, with values for all of its fields.
func (w *pair) send(b *browser, path, token string) *answer {
	b.t.Helper()
	return b.do(http.MethodPost, w.paths["a"].Replace(path), with(path, token), nil)
}

// What everybody may see and do, on every page and with every form of the route table. The
// parts share one database, and the last four change it, so a failure may cause others.
func TestAccess(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	t.Run("not signed in", w.notSignedIn)
	t.Run("another organization", w.otherOrganization)
	t.Run("foreign forms", w.foreignForms)
	t.Run("owners stay", w.ownersStay)
	t.Run("each form names its organization", w.everyFormNamesItsOrganization)
	t.Run("each form is confirmed or says why not", w.everyFormIsConfirmed)
	t.Run("roles", w.pagesOfferWhatARoleMayDo)
	t.Run("viewers", w.viewerChangesNothing)
	t.Run("viewers leave", w.viewerLeaves)
	t.Run("things of another organization", w.thingsOfAnotherOrganization)
	t.Run("suspended beside another", w.suspendedBesideAnother)
	t.Run("suspended organization", w.suspendedOrganization)
}

// Without a session every page and every form redirects to the sign-in page, and
// nothing changes.
func (w *pair) notSignedIn(t *testing.T) {
	w.changesNothing(t)
	b := w.browser(t)
	token := b.token()
	for _, path := range allPages() {
		a := b.get(w.paths["a"].Replace(path))
		require.Equal(t, http.StatusSeeOther, a.StatusCode, path)
		require.True(t, strings.HasPrefix(a.Header.Get("Location"), "/sign-in"), path)
	}
	for _, path := range allForms() {
		a := w.send(b, path, token)
		require.Equal(t, http.StatusSeeOther, a.StatusCode, path)
		require.Equal(t, "/sign-in", a.Header.Get("Location"), path)
	}
}

// An owner cannot see or change another organization's data. Pages and forms with its
// ids answer as for unknown ids.
func (w *pair) otherOrganization(t *testing.T) {
	b := w.signedIn(t, "owner@b.example")
	w.changesNothing(t)
	token := b.token()
	const id = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	unknown := strings.NewReplacer("{key}", id, "{member}", id, "{invitation}", id, "{cvr}", "10000009")
	for _, path := range append(allPages(), "/transactions/export?format=csv-da&cvr=10000001", "/companies/export?format=csv&q=10000001", "/transactions/export?format=csv&type=CARD") {
		if !strings.Contains(path, "{") {
			a := b.get(path)
			for _, theirs := range []string{"a.example", "10000001", "Organization a"} {
				require.NotContains(t, a.body, theirs, path)
			}
			continue
		}
		require.Equal(t, http.StatusNotFound, b.get(w.paths["a"].Replace(path)).StatusCode, path)
		require.Equal(t, http.StatusNotFound, b.get(unknown.Replace(path)).StatusCode, path)
	}
	for _, path := range allForms() {
		if !strings.Contains(path, "{") {
			continue
		}
		theirs := w.send(b, path, token)
		missing := b.do(http.MethodPost, unknown.Replace(path), with(path, token), nil)
		require.Equal(t, missing.StatusCode, theirs.StatusCode, path)
		if !strings.HasSuffix(path, "/rotate") &&
			!strings.HasSuffix(path, "/recreate") { // their forms have no valid nonce here
			require.Equal(t, http.StatusNotFound, theirs.StatusCode, path)
		}
		require.Equal(t, strings.ReplaceAll(missing.text(), "10000009", ""),
			strings.ReplaceAll(theirs.text(), "10000001", ""), path)
	}
	switched := b.do(http.MethodPost, "/organization",
		url.Values{"form_token": {token}, "organization": {w.a.ID.String()}}, nil)
	require.Equal(t, http.StatusNotFound, switched.StatusCode)
}

// A viewer sees the organization's data, and can change only their own account.
func (w *pair) viewerChangesNothing(t *testing.T) {
	b := w.signedIn(t, "viewer@a.example")
	old := w.newestKey(t, w.a).Key // it is being rotated
	successor, _, err := keys.Create(t.Context(), w.Service.Tenant(w.a.ID), keys.NewKey{Name: "New", SuccessorOf: &old.ID})
	require.NoError(t, err)
	w.used(old, modelstest.Request("10.0.0.7", "nightly/3"))
	w.changesNothing(t)
	token := b.token()
	links := map[string]bool{"/settings/api-keys/" + successor.ID.String() + "/revoke": true}
	for _, path := range paths(http.MethodGet, anyRole) {
		if strings.HasSuffix(path, "/remove") {
			continue // about another member
		}
		a := b.get(w.paths["a"].Replace(path))
		require.Contains(t, []int{http.StatusOK, http.StatusSeeOther}, a.StatusCode, path)
		require.Zero(t, a.count(`main form[method=post][action^="/settings"]`), path)
		for _, link := range a.page.Find(`main a[href^="/settings"]`).EachIter() {
			links[link.AttrOr("href", "")] = true
		}
		if strings.HasSuffix(path, "/revoke") || strings.HasSuffix(path, "/rotate") {
			require.Contains(t, a.text("main"), "You are a viewer of Organization a. Its owners and admins can change keys.",
				path)
		}
	}
	require.Contains(t, links, "/settings/api-keys/"+old.ID.String()+"/rotate")
	for link := range links {
		require.NotEqual(t, http.StatusForbidden, b.get(link).StatusCode, link)
	}
	for _, path := range paths(http.MethodGet, managersOnly) {
		require.Equal(t, http.StatusForbidden, b.get(w.paths["a"].Replace(path)).StatusCode, path)
	}
	for _, path := range allForms() {
		if strings.HasPrefix(path, "/settings/") && path != "/settings/members/{member}/remove" { // by which a viewer leaves
			require.Equal(t, http.StatusForbidden, w.send(b, path, token).StatusCode, path)
		}
	}
	for _, email := range []string{"owner@a.example", "admin@a.example"} {
		a := b.do(http.MethodPost, "/settings/members/"+w.userID(t, email)+"/remove",
			with("/settings/members/{member}/remove", token), nil)
		require.Equal(t, http.StatusForbidden, a.StatusCode)
	}
}

// The pages offer each role what it may do, and nothing else.
func (w *pair) pagesOfferWhatARoleMayDo(t *testing.T) {
	for role, want := range map[terms.Role]struct {
		gives      string // roles
		changes    int    // members
		removes    int
		manages    int
		notManager string
	}{
		terms.Owner:  {"Owner Admin Viewer", 2, 2, 1, ""},
		terms.Admin:  {"Admin Viewer", 2, 2, 1, ""},
		terms.Viewer: {"", 0, 1, 0, "You are a viewer of Organization a. Its owners and admins can change members."},
	} {
		b := w.signedIn(t, string(role)+"@a.example")
		page := b.get("/settings/members")
		given := page.page.Find(`form[action$="/invite"] option`).Map(func(_ int, option *goquery.Selection) string {
			title, _, _ := strings.Cut(option.Text(), ":")
			return title
		})
		require.Equal(t, want.gives, strings.Join(given, " "), role)
		require.Equal(t, want.changes, page.count(`form[action$="/role"]`), role)
		require.Equal(t, want.removes, page.count(`a[href$="/remove"]`), role)
		require.Contains(t, page.text(), want.notManager, role)
		list := b.get("/settings/api-keys")
		require.Equal(t, want.manages, list.count(`a[href$="/new"]`), role)
		require.Equal(t, want.manages, list.count(`a[href$="/rotate"]`), role)
	}
}

// A member may leave, and cannot get in afterwards.
func (w *pair) viewerLeaves(t *testing.T) {
	b := w.signedIn(t, "viewer@a.example")
	leave := b.get("/settings/members").attr(`a[href$="/remove"]`, "href")
	b.post(leave, nil)
	refused := b.signIn("viewer@a.example", password)
	require.Equal(t, http.StatusForbidden, refused.StatusCode)
	require.Contains(t, refused.text(), "You are no longer a member of any organization.")
}

// A form is accepted only from a page of this site in the same browser. Another
// session's token, a missing token and another site's origin are refused, and the page names
// the cause.
func (w *pair) foreignForms(t *testing.T) {
	// Behind a proxy that adds Referrer-Policy: no-referrer, the token and the browser's word suffice.
	fresh := w.browser(t)
	signIn := url.Values{"form_token": {fresh.token()}, "email": {"owner@a.example"}, "password": {password}}
	signedIn := fresh.do(http.MethodPost, "/sign-in", signIn,
		http.Header{"Origin": {"null"}, "Sec-Fetch-Site": {"same-origin"}})
	require.Equal(t, http.StatusSeeOther, signedIn.StatusCode, signedIn.text())
	b := w.signedIn(t, "owner@a.example")
	other := w.signedIn(t, "admin@a.example")
	w.changesNothing(t)
	token, stolen := b.token(), other.token()
	for n, path := range allForms() {
		for name, attempt := range map[string]struct {
			form   url.Values
			header http.Header
			cause  string
		}{
			"stolen token":         {with(path, stolen), nil, "has expired"},
			"no token":             {with(path, ""), nil, "has expired"},
			"other origin":         {with(path, token), http.Header{"Origin": {"https://evil.example"}}, "from another site"},
			"null origin":          {with(path, token), http.Header{"Origin": {"null"}}, "“Referrer-Policy: no-referrer”"},
			"null from elsewhere":  {with(path, token), http.Header{"Origin": {"null"}, "Sec-Fetch-Site": {"cross-site"}}, "from another site"},
			"null, other token":    {with(path, stolen), http.Header{"Origin": {"null"}, "Sec-Fetch-Site": {"same-origin"}}, "has expired"},
			"same-origin, but not": {with(path, token), http.Header{"Origin": {"https://evil.example"}, "Sec-Fetch-Site": {"same-origin"}}, "from another site"},
			"cross-site":           {with(path, token), http.Header{"Sec-Fetch-Site": {"cross-site"}}, "from another site"},
			"same-site":            {with(path, token), http.Header{"Sec-Fetch-Site": {"same-site"}}, "from another site"},
			"garbage token":        {with(path, "x"), nil, "has expired"},
		} {
			if n == 0 || name == "stolen token" || name == "other origin" { // one form shows that the others are refused
				a := b.do(http.MethodPost, w.paths["a"].Replace(path), attempt.form, attempt.header)
				require.Equal(t, http.StatusForbidden, a.StatusCode, "%s: %s", path, name)
				require.Contains(t, a.text("main"), attempt.cause, "%s: %s", path, name)
			}
		}
	}
}

// An admin cannot change owners or make anybody an owner. The last owner cannot leave or
// get another role.
func (w *pair) ownersStay(t *testing.T) {
	admin, owner := w.signedIn(t, "admin@a.example"), w.signedIn(t, "owner@a.example")
	w.changesNothing(t)
	send := func(b *browser, email, form, role string) *answer {
		path := "/settings/members/{member}/" + form
		values := with(path, b.token())
		if values.Has("role") {
			values.Set("role", role)
		}
		return b.do(http.MethodPost, strings.Replace(path, "{member}", w.userID(t, email), 1), values, nil)
	}
	for _, email := range []string{"owner@a.example", "admin@a.example", "viewer@a.example"} {
		require.Equal(t, http.StatusForbidden, send(admin, email, "role", "owner").StatusCode)
	}
	for _, form := range []string{"role", "remove"} {
		require.Equal(t, http.StatusForbidden, send(admin, "owner@a.example", form, "admin").StatusCode)
		refused := send(owner, "owner@a.example", form, "admin")
		require.Equal(t, http.StatusConflict, refused.StatusCode)
		require.Contains(t, refused.text(), "needs an owner")
	}
	invited := with("/settings/members/invite", admin.token())
	invited.Set("role", "owner")
	require.Equal(t, http.StatusForbidden, admin.do(http.MethodPost, "/settings/members/invite", invited, nil).StatusCode)
}

// Every form of every page names the organization and the user that it is shown for, and every
// print the organization and the time. The address of a form answers GET with its page, or
// leads to the page above it, so that what a browser shows after a refused form can be reloaded.
// The route table lists its fields.
func (w *pair) everyFormNamesItsOrganization(t *testing.T) {
	b := w.signedIn(t, "owner@a.example")
	known := map[string][]string{}
	for _, route := range dashboard.RouteTable() {
		if route.Method == http.MethodPost {
			known[w.paths["a"].Replace(pathOf(route))] = append(route.Fields, dashboard.CommonFields...)
		}
	}
	for _, path := range allPages() {
		page := b.get(w.paths["a"].Replace(path))
		forms := page.page.Find("form[method=post]")
		require.Equal(t, forms.Length(),
			page.count(`form[method=post] input[name=shown_for][value="`+w.a.ID.String()+`"]`), path)
		require.Equal(t, forms.Length(), page.count("form[method=post] input[name=shown_to][value]"), path)
		forms.Each(func(_ int, form *goquery.Selection) {
			if takes := known[form.AttrOr("action", "")]; takes != nil { // else it is of another key or member
				form.Find("[name]").Each(func(_ int, field *goquery.Selection) {
					require.Contains(t, takes, field.AttrOr("name", ""), "%s: %s", path, form.AttrOr("action", ""))
				})
			}
		})
		if page.count("main") > 0 {
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

// Every form either asks for the password again, if it was given more than 15 minutes ago,
// or says in the route table why it does not. Nothing changes before.
func (w *pair) everyFormIsConfirmed(t *testing.T) {
	b := w.signedIn(t, "owner@a.example")
	token := b.token()
	w.execute(t, `UPDATE api_keys SET last_used_at = now()`)
	w.confirmed(t, "1 hour")
	w.changesNothing(t)
	for _, route := range dashboard.RouteTable() {
		if route.Method != http.MethodPost {
			continue
		}
		require.NotEqual(t, route.ConfirmedIf != nil, route.Unconfirmed != "", "%s is confirmed, or says why not", route.Path)
		require.True(t, route.Access > dashboard.Anyone || route.Unconfirmed != "", route.Path)
		if route.Unconfirmed != "" {
			continue
		}
		asked := w.send(b, pathOf(route), token)
		require.Equal(t, http.StatusForbidden, asked.StatusCode, route.Path)
		require.Contains(t, asked.text("h1"), "Confirm your identity", route.Path)
	}
}

// with returns values for the fields of the form with that path.
func with(path, token string) url.Values {
	form := url.Values{"form_token": {token}}
	for _, route := range dashboard.RouteTable() {
		if route.Method != http.MethodPost || pathOf(route) != path {
			continue
		}
		for _, name := range route.Fields {
			if values, ok := fields[name]; ok {
				form[name] = values
			}
		}
	}
	return form
}
