package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// paths returns the paths of pages (GET) or forms (POST) that signed-in users have, those
// for owners and admins only or the others. {key}, {member}, {invitation}, {delivery}
// and {cvr} stand for the organization's own.
func paths(method string, managers bool) (paths []string) {
	for _, route := range dashboard.RouteTable() {
		if route.Method == method && !route.Public && route.Managers == managers {
			paths = append(paths, pathOf(route))
		}
	}
	return paths
}

func pathOf(route dashboard.Route) string {
	path := strings.ReplaceAll(route.Path, ":cvr", "{cvr}")
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
func allPages() []string { return append(paths(http.MethodGet, false), paths(http.MethodGet, true)...) }
func allForms() []string {
	return append(paths(http.MethodPost, false), paths(http.MethodPost, true)...)
}

// fields are values for the fields of all forms.
var fields = url.Values{
	"name": {"X"}, "expires": {"never"}, "time_zone": {"UTC"}, "confirm": {"early"}, "email": {"new@x.example"}, "role": {"admin"},
	"password": {password}, "current_password": {password}, "new_password": {"another long password"}, "code": {"123456"},
	"language": {"da"}, "when": {"idle"}, "idle_days": {"35"}, "expires_on": {"2099-12-31"},
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
		for _, role := range []models.Role{models.RoleOwner, models.RoleAdmin, models.RoleViewer} {
			s.user(t, o, fmt.Sprintf("%s@%s.example", role, o.Slug), role)
		}
		key, _ := s.Key(t, o)
		invitation, _, err := accounts.Invite(t.Context(), s.Service.Tenant(o.ID), "invited@"+o.Slug+".example", models.RoleViewer)
		require.NoError(t, err)
		members, err := accounts.Members(t.Context(), s.Service.Tenant(o.ID))
		require.NoError(t, err)
		viewer := members[slices.IndexFunc(members, func(m accounts.MemberDetail) bool { return m.Role == models.RoleViewer })]
		w.paths[o.Slug] = strings.NewReplacer("{key}", key.ID.String(), "{invitation}", invitation.ID.String(),
			"{member}", viewer.UserID.String(),
			"{delivery}", modelstest.ValueAt[string](t, s.URL, `SELECT id::text FROM delivery_files WHERE organization_id = $1`, o.ID), "{cvr}", fmt.Sprintf("1000000%d", i+1))
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

// Without a session every page and every form redirects to the sign-in page, and
// nothing changes.
func TestNotSignedIn(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	before := w.state(t)
	b := w.browser(t)
	token := b.token()
	for _, path := range allPages() {
		a := b.get(w.paths["a"].Replace(path))
		require.Equal(t, http.StatusSeeOther, a.StatusCode, path)
		require.True(t, strings.HasPrefix(a.Header.Get("Location"), "/sign-in"), path)
	}
	for _, path := range allForms() {
		a := b.do(http.MethodPost, w.paths["a"].Replace(path), with(path, token), nil)
		require.Equal(t, http.StatusSeeOther, a.StatusCode, path)
		require.Equal(t, "/sign-in", a.Header.Get("Location"), path)
	}
	require.Equal(t, before, w.state(t))
}

// An owner cannot see or change another organization's data. Pages and forms with its
// ids answer as for unknown ids.
func TestOtherOrganization(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	b := w.signedIn(t, "owner@b.example")
	before := w.state(t)
	token := b.token()
	unknown := strings.NewReplacer("{key}", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "{member}", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b",
		"{invitation}", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "{cvr}", "10000009")
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
		theirs := b.do(http.MethodPost, w.paths["a"].Replace(path), with(path, token), nil)
		missing := b.do(http.MethodPost, unknown.Replace(path), with(path, token), nil)
		require.Equal(t, missing.StatusCode, theirs.StatusCode, path)
		if !strings.HasSuffix(path, "/rotate") && !strings.HasSuffix(path, "/recreate") { // their forms have no valid nonce here
			require.Equal(t, http.StatusNotFound, theirs.StatusCode, path)
		}
		require.Equal(t, strings.ReplaceAll(missing.text(), "10000009", ""), strings.ReplaceAll(theirs.text(), "10000001", ""), path)
	}
	switched := b.do(http.MethodPost, "/organization", url.Values{"form_token": {token}, "organization": {w.a.ID.String()}}, nil)
	require.Equal(t, http.StatusNotFound, switched.StatusCode)
	require.Equal(t, before, w.state(t))
}

// A member sees the organization's data, and can change only their own account.
func TestMemberChangesNothing(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	b := w.signedIn(t, "viewer@a.example")
	old := uuid.MustParse(w.paths["a"].Replace("{key}")) // it is being rotated
	successor, _, err := keys.Create(t.Context(), w.Service.Tenant(w.a.ID), keys.NewKey{Name: "New", SuccessorOf: &old})
	require.NoError(t, err)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET last_used_at = now() WHERE id = $1`, old)
	instance := modelstest.Open(t, w.URL, database.Service)
	instance.Usage.Record(models.Caller{OrganizationID: w.a.ID, KeyID: old}, modelstest.Request("10.0.0.7", "nightly/3"))
	instance.Close()
	before := w.state(t)
	token := b.token()
	links := map[string]bool{"/settings/api-keys/" + successor.ID.String() + "/revoke": true}
	for _, path := range paths(http.MethodGet, false) {
		if strings.HasSuffix(path, "/remove") {
			continue // about another member
		}
		a := b.get(w.paths["a"].Replace(path))
		require.Contains(t, []int{http.StatusOK, http.StatusSeeOther}, a.StatusCode, path)
		require.Zero(t, a.page.Find(`main form[method=post][action^="/settings"]`).Length(), path)
		for _, link := range a.page.Find(`main a[href^="/settings"]`).EachIter() {
			links[link.AttrOr("href", "")] = true
		}
		if strings.HasSuffix(path, "/revoke") || strings.HasSuffix(path, "/rotate") {
			require.Contains(t, a.text("main"), "You are a viewer of Organization a. Its owners and admins can change keys.", path)
		}
	}
	require.Contains(t, links, "/settings/api-keys/"+old.String()+"/rotate")
	for link := range links {
		require.NotEqual(t, http.StatusForbidden, b.get(link).StatusCode, link)
	}
	for _, path := range paths(http.MethodGet, true) {
		require.Equal(t, http.StatusForbidden, b.get(w.paths["a"].Replace(path)).StatusCode, path)
	}
	for _, path := range paths(http.MethodPost, true) {
		a := b.do(http.MethodPost, w.paths["a"].Replace(path), with(path, token), nil)
		require.Equal(t, http.StatusForbidden, a.StatusCode, path)
	}
	members, err := accounts.Members(t.Context(), w.Service.Tenant(w.a.ID))
	require.NoError(t, err)
	for _, m := range members {
		if m.Role != models.RoleViewer {
			a := b.do(http.MethodPost, "/settings/members/"+m.UserID.String()+"/remove", with("/settings/members/{member}/remove", token), nil)
			require.Equal(t, http.StatusForbidden, a.StatusCode)
		}
	}
	require.Equal(t, before, w.state(t))
}

// The pages offer each role what it may do, and nothing else. A member may leave, and can
// then not get in.
func TestPagesOfferWhatARoleMayDo(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	for role, want := range map[models.Role]struct {
		gives      string // roles
		changes    int    // members
		removes    int
		manages    int
		notManager string
	}{
		models.RoleOwner:  {"Owner Admin Viewer", 2, 2, 1, ""},
		models.RoleAdmin:  {"Admin Viewer", 2, 2, 1, ""},
		models.RoleViewer: {"", 0, 1, 0, "You are a viewer of Organization a. Its owners and admins can change members."},
	} {
		b := w.signedIn(t, string(role)+"@a.example")
		page := b.get("/settings/members")
		given := page.page.Find(`form[action$="/invite"] option`).Map(func(_ int, option *goquery.Selection) string {
			title, _, _ := strings.Cut(option.Text(), ":")
			return title
		})
		require.Equal(t, want.gives, strings.Join(given, " "), role)
		require.Equal(t, want.changes, page.page.Find(`form[action$="/role"]`).Length(), role)
		require.Equal(t, want.removes, page.page.Find(`a[href$="/remove"]`).Length(), role)
		require.Contains(t, page.text(), want.notManager, role)
		list := b.get("/settings/api-keys")
		require.Equal(t, want.manages, list.page.Find(`a[href$="/new"]`).Length(), role)
		require.Equal(t, want.manages, list.page.Find(`a[href$="/rotate"]`).Length(), role)
	}
	b := w.signedIn(t, "viewer@a.example")
	leave := b.get("/settings/members").page.Find(`a[href$="/remove"]`).AttrOr("href", "")
	b.post(leave, nil)
	refused := b.signIn("viewer@a.example", password)
	require.Equal(t, http.StatusForbidden, refused.StatusCode)
	require.Contains(t, refused.text(), "You are no longer a member of any organization.")
}

// A form is accepted only from a page of this site in the same browser. Another
// session's token, a missing token and another site's origin are refused.
func TestForeignForms(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	b := w.signedIn(t, "owner@a.example")
	other := w.signedIn(t, "admin@a.example")
	token, stolen := b.token(), other.token()
	before := w.state(t)
	for _, path := range allForms() {
		for name, attempt := range map[string]struct {
			form   url.Values
			header http.Header
		}{
			"stolen token":  {with(path, stolen), nil},
			"no token":      {with(path, ""), nil},
			"other origin":  {with(path, token), http.Header{"Origin": {"https://evil.example"}}},
			"null origin":   {with(path, token), http.Header{"Origin": {"null"}}},
			"cross-site":    {with(path, token), http.Header{"Sec-Fetch-Site": {"cross-site"}}},
			"same-site":     {with(path, token), http.Header{"Sec-Fetch-Site": {"same-site"}}},
			"garbage token": {with(path, "x"), nil},
		} {
			a := b.do(http.MethodPost, w.paths["a"].Replace(path), attempt.form, attempt.header)
			require.Equal(t, http.StatusForbidden, a.StatusCode, "%s: %s", path, name)
		}
	}
	require.Equal(t, before, w.state(t))
}

// An admin cannot change owners or make anybody an owner. The last owner cannot leave or
// get another role.
func TestOwnersStay(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	admin, owner := w.signedIn(t, "admin@a.example"), w.signedIn(t, "owner@a.example")
	members, err := accounts.Members(t.Context(), w.Service.Tenant(w.a.ID))
	require.NoError(t, err)
	before := w.state(t)
	promoted := with("/settings/members/{member}/role", admin.token())
	promoted.Set("role", "owner")
	invited := with("/settings/members/invite", admin.token())
	invited.Set("role", "owner")
	for _, m := range members {
		path := "/settings/members/" + m.UserID.String()
		require.Equal(t, http.StatusForbidden, admin.do(http.MethodPost, path+"/role", promoted, nil).StatusCode)
		if m.Role != models.RoleOwner {
			continue
		}
		for _, form := range []string{"/role", "/remove"} {
			require.Equal(t, http.StatusForbidden, admin.do(http.MethodPost, path+form, with("/settings/members/{member}"+form, admin.token()), nil).StatusCode)
			a := owner.do(http.MethodPost, path+form, with("/settings/members/{member}"+form, owner.token()), nil)
			require.Equal(t, http.StatusConflict, a.StatusCode)
			require.Contains(t, a.text(), "needs an owner")
		}
	}
	require.Equal(t, http.StatusForbidden, admin.do(http.MethodPost, "/settings/members/invite", invited, nil).StatusCode)
	require.Equal(t, before, w.state(t))
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
