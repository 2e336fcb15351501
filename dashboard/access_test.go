package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// pages are those that show something of an organization's, and forms those that
// change something; {key}, {member}, {invitation} and {cvr} stand for its things.
var (
	pages = []string{
		"/", "/companies", "/companies/{cvr}", "/settings", "/settings/api-keys", "/settings/members", "/settings/audit-log",
		"/profile", "/profile/second-factor",
		"/settings/members/{member}/remove",
	}
	managerPages = []string{
		"/settings/api-keys/new", "/settings/api-keys/{key}/revoke", "/settings/api-keys/{key}/rotate", "/settings/api-keys/{key}/rotate/status",
	}
	forms = []string{
		"/organization", "/sign-out", "/profile/password", "/profile/sessions/end-others", "/profile/sessions/{member}/end",
		"/profile/second-factor", "/profile/second-factor/remove", "/profile/second-factor/recovery-codes",
		"/settings/members/{member}/remove",
	}
	managerForms = []string{
		"/settings/api-keys/new", "/settings/api-keys/{key}/revoke", "/settings/api-keys/{key}/rotate",
		"/settings/members/invite", "/settings/members/{member}/role", "/settings/members/invitations/{invitation}/revoke",
	}
)

// typed is what somebody might send to any of the forms.
var typed = url.Values{
	"name": {"X"}, "expires": {"never"}, "action": {"revoke"}, "confirm": {"early"}, "email": {"new@x.example"}, "role": {"admin"},
	"password": {password}, "current_password": {password}, "new_password": {"another long password"}, "code": {"123456"},
}

// town is two organizations that have the same kinds of things.
type town struct {
	*site
	a, b  models.Organization
	paths map[string]*strings.Replacer // of each organization's things
}

func newTown(t *testing.T) *town {
	t.Helper()
	s := newSite(t)
	w := &town{site: s, a: s.Organization(t, "a"), b: s.Organization(t, "b"), paths: map[string]*strings.Replacer{}}
	s.Companies(t, w.a, "10000001")
	s.Companies(t, w.b, "10000002")
	for i, o := range []models.Organization{w.a, w.b} {
		for _, role := range []models.UserRole{models.Owner, models.Admin, models.Member} {
			s.user(t, o, fmt.Sprintf("%s@%s.example", role, o.Slug), role)
		}
		key, _ := s.Key(t, o)
		invitation, _, err := s.Service.Tenant(o.ID).MemberInvite(t.Context(), "invited@"+o.Slug+".example", models.Member)
		require.NoError(t, err)
		members, err := s.Service.Tenant(o.ID).Members(t.Context())
		require.NoError(t, err)
		sort.Slice(members, func(i, j int) bool { return members[i].Role > members[j].Role }) // owner, member, admin
		w.paths[o.Slug] = strings.NewReplacer("{key}", key.ID.String(), "{invitation}", invitation.ID.String(),
			"{member}", members[1].UserID.String(), "{cvr}", fmt.Sprintf("1000000%d", i+1))
	}
	return w
}

// state is everything that a form could have changed.
func (w *town) state(t *testing.T) string {
	t.Helper()
	return modelstest.ValueAt[string](t, w.site.URL, `SELECT concat_ws(E'\n',
		(SELECT string_agg(k::text, E'\n' ORDER BY k.id) FROM (SELECT id, name, revoked_at, expires_at, organization_id FROM api_keys) k),
		(SELECT string_agg(m::text, E'\n' ORDER BY m) FROM memberships m),
		(SELECT string_agg(i::text, E'\n' ORDER BY i.id) FROM invitations i),
		(SELECT string_agg(u::text, E'\n' ORDER BY u.id) FROM (SELECT id, email, password_hash, totp_secret FROM users) u),
		(SELECT string_agg(s::text, E'\n' ORDER BY s.id) FROM (SELECT id, organization_id FROM sessions) s))`)
}

// Without a session every page and every form leads to signing in, and changes
// nothing.
func TestNobodySignedIn(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	before := w.state(t)
	b := w.browser(t)
	form := url.Values{}
	b.get("/sign-in")
	token, _ := b.last.page.Find("input[name=form_token]").Attr("value")
	for name, values := range typed {
		form[name] = values
	}
	form.Set("form_token", token)
	for _, path := range append(append([]string{}, pages...), managerPages...) {
		a := b.get(w.paths["a"].Replace(path))
		require.Equal(t, http.StatusSeeOther, a.StatusCode, path)
		require.True(t, strings.HasPrefix(a.Header.Get("Location"), "/sign-in"), path)
	}
	for _, path := range append(append([]string{}, forms...), managerForms...) {
		a := b.do(http.MethodPost, w.paths["a"].Replace(path), form, nil)
		require.Equal(t, http.StatusSeeOther, a.StatusCode, path)
		require.Equal(t, "/sign-in", a.Header.Get("Location"), path)
	}
	require.Equal(t, before, w.state(t))
}

// The things of an organization are not there for another one's owner: pages and
// forms with its ids answer as for ids that nobody has, and change nothing.
func TestOtherOrganizationsThings(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	b := w.signedIn(t, "owner@b.example")
	before := w.state(t)
	token := w.token(b)
	nobody := strings.NewReplacer("{key}", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "{member}", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b",
		"{invitation}", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b", "{cvr}", "10000009")
	for _, path := range append(append([]string{}, pages...), managerPages...) {
		if !strings.Contains(path, "{") {
			a := b.get(path)
			for _, theirs := range []string{"a.example", "10000001", "Organization a"} {
				require.NotContains(t, a.body, theirs, path)
			}
			continue
		}
		require.Equal(t, http.StatusNotFound, b.get(w.paths["a"].Replace(path)).StatusCode, path)
		require.Equal(t, http.StatusNotFound, b.get(nobody.Replace(path)).StatusCode, path)
	}
	for _, path := range append(append([]string{}, forms...), managerForms...) {
		if !strings.Contains(path, "{") {
			continue
		}
		theirs := b.do(http.MethodPost, w.paths["a"].Replace(path), with(token), nil)
		none := b.do(http.MethodPost, nobody.Replace(path), with(token), nil)
		require.Equal(t, http.StatusNotFound, theirs.StatusCode, path)
		require.Equal(t, http.StatusNotFound, none.StatusCode, path)
		require.Equal(t, strings.ReplaceAll(none.text(), "10000009", ""), strings.ReplaceAll(theirs.text(), "10000001", ""), path)
	}
	switched := b.do(http.MethodPost, "/organization", url.Values{"form_token": {token}, "organization": {w.a.ID.String()}}, nil)
	require.Equal(t, http.StatusNotFound, switched.StatusCode)
	require.Equal(t, before, w.state(t))
}

// A member sees the organization's things, and can change nothing but their own.
func TestMemberChangesNothing(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	b := w.signedIn(t, "member@a.example")
	before := w.state(t)
	token := w.token(b)
	for _, path := range pages[:len(pages)-1] {
		a := b.get(w.paths["a"].Replace(path))
		require.Contains(t, []int{http.StatusOK, http.StatusSeeOther}, a.StatusCode, path)
	}
	list := b.get("/settings/api-keys")
	require.Zero(t, list.page.Find(`a[href$="/revoke"], a[href$="/rotate"], a[href$="/new"]`).Length())
	for _, path := range managerPages {
		require.Equal(t, http.StatusForbidden, b.get(w.paths["a"].Replace(path)).StatusCode, path)
	}
	for _, path := range managerForms {
		a := b.do(http.MethodPost, w.paths["a"].Replace(path), with(token), nil)
		require.Equal(t, http.StatusForbidden, a.StatusCode, path)
	}
	members, err := w.Service.Tenant(w.a.ID).Members(t.Context())
	require.NoError(t, err)
	for _, m := range members {
		if m.Role != models.Member {
			a := b.do(http.MethodPost, "/settings/members/"+m.UserID.String()+"/remove", with(token), nil)
			require.Equal(t, http.StatusForbidden, a.StatusCode)
		}
	}
	require.Equal(t, before, w.state(t))
}

// A form is taken from a page of this site in this very browser alone: another
// session's token, none at all, or another site's origin is refused.
func TestForeignForms(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	b := w.signedIn(t, "owner@a.example")
	other := w.signedIn(t, "admin@a.example")
	token, stolen := w.token(b), w.token(other)
	before := w.state(t)
	for _, path := range append(append([]string{}, forms...), managerForms...) {
		path := w.paths["a"].Replace(path)
		for name, attempt := range map[string]struct {
			form   url.Values
			header http.Header
		}{
			"stolen token":  {with(stolen), nil},
			"no token":      {with(""), nil},
			"other origin":  {with(token), http.Header{"Origin": {"https://evil.example"}}},
			"null origin":   {with(token), http.Header{"Origin": {"null"}}},
			"cross-site":    {with(token), http.Header{"Sec-Fetch-Site": {"cross-site"}}},
			"same-site":     {with(token), http.Header{"Sec-Fetch-Site": {"same-site"}}},
			"garbage token": {with("x"), nil},
		} {
			a := b.do(http.MethodPost, path, attempt.form, attempt.header)
			require.Equal(t, http.StatusForbidden, a.StatusCode, "%s: %s", path, name)
		}
	}
	require.Equal(t, before, w.state(t))
}

// An admin manages keys and members, but neither owners nor ownership.
func TestAdminAndOwners(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	b := w.signedIn(t, "admin@a.example")
	token := w.token(b)
	members, err := w.Service.Tenant(w.a.ID).Members(t.Context())
	require.NoError(t, err)
	before := w.state(t)
	for _, m := range members {
		path := "/settings/members/" + m.UserID.String()
		if m.Role == models.Owner {
			for _, form := range []string{"/role", "/remove"} {
				require.Equal(t, http.StatusForbidden, b.do(http.MethodPost, path+form, with(token), nil).StatusCode)
			}
		}
		promoted := with(token)
		promoted.Set("role", "owner")
		require.Equal(t, http.StatusForbidden, b.do(http.MethodPost, path+"/role", promoted, nil).StatusCode)
	}
	invite := with(token)
	invite.Set("role", "owner")
	require.Equal(t, http.StatusForbidden, b.do(http.MethodPost, "/settings/members/invite", invite, nil).StatusCode)
	require.Equal(t, before, w.state(t))
}

// The last owner can't be removed, nor made anything else, not even by themselves.
func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	b := w.signedIn(t, "owner@a.example")
	token := w.token(b)
	members, err := w.Service.Tenant(w.a.ID).Members(t.Context())
	require.NoError(t, err)
	before := w.state(t)
	for _, m := range members {
		if m.Role == models.Owner {
			for _, form := range []string{"/role", "/remove"} {
				a := b.do(http.MethodPost, "/settings/members/"+m.UserID.String()+form, with(token), nil)
				require.Equal(t, http.StatusConflict, a.StatusCode)
				require.Contains(t, a.text(), "needs an owner")
			}
		}
	}
	require.Equal(t, before, w.state(t))
}

// token is the form token of the browser's session.
func (w *town) token(b *browser) string {
	token, _ := b.get("/profile").page.Find("input[name=form_token]").Attr("value")
	return token
}

func with(token string) url.Values {
	form := url.Values{}
	for name, values := range typed {
		form[name] = values
	}
	form.Set("form_token", token)
	return form
}
