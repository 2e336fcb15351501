package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// invite sends the form of an invitation, and gives the path of its link.
func invite(b *browser, email, role string) string {
	b.t.Helper()
	b.get("/settings/members")
	created := b.submit("/settings/members/invite", url.Values{"email": {email}, "role": {role}})
	require.Equal(b.t, http.StatusOK, created.StatusCode, created.text())
	at := strings.Index(created.body, b.site.url+"/invitations/")
	require.Positive(b.t, at)
	path := created.body[at+len(b.site.url):]
	return path[:strings.IndexAny(path, `"< `)]
}

// An invitation's link makes a newcomer a member, once, by a password of their
// own, and signs them in.
func TestInvitationOfANewcomer(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.Owner)
	path := invite(s.signedIn(t, "owner@a.example"), "New@A.example", "member")

	b := s.browser(t)
	page := b.get(path)
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.Contains(t, page.text(), "Organization a")
	require.Equal(t, http.StatusUnprocessableEntity, b.submit(path, url.Values{"password": {"short"}}).StatusCode)
	require.Equal(t, http.StatusUnprocessableEntity, b.submit(path, url.Values{"password": {"password1234"}}).StatusCode, "too common")
	require.Equal(t, http.StatusSeeOther, b.submit(path, url.Values{"password": {password}}).StatusCode)
	require.Contains(t, b.follow().text(), "You have joined Organization a")
	require.Equal(t, http.StatusNotFound, s.browser(t).get(path).StatusCode, "the link is good once")
	s.signedIn(t, "new@a.example")
}

// Who has an account joins by signing in, and by nothing else: the one who made
// the link can't get at the account by it.
func TestInvitationOfAUser(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a, o := s.Organization(t, "a"), s.Organization(t, "o")
	s.user(t, a, "kari@a.example", models.Owner)
	s.user(t, o, "owner@o.example", models.Owner)
	inviter := s.signedIn(t, "owner@o.example")
	path := invite(inviter, "kari@a.example", "admin")

	require.Equal(t, http.StatusForbidden, inviter.do(http.MethodPost, path, url.Values{"form_token": {formToken(inviter)}, "password": {"another long one"}}, nil).StatusCode)
	stranger := s.browser(t)
	stranger.get(path)
	require.Zero(t, stranger.last.page.Find("input[type=password]").Length())
	require.Equal(t, http.StatusForbidden, stranger.do(http.MethodPost, path, url.Values{"form_token": {formToken(stranger)}, "password": {"another long one"}}, nil).StatusCode)

	kari := s.signedIn(t, "kari@a.example")
	kari.get(path)
	require.Equal(t, http.StatusSeeOther, kari.submit(path, nil).StatusCode)
	require.Contains(t, kari.follow().text(), "You have joined Organization o")
	require.Equal(t, http.StatusNotFound, kari.get(path).StatusCode)
}

func formToken(b *browser) string {
	token, _ := b.get("/docs").page.Find("input[name=form_token]").Attr("value")
	if token == "" {
		token, _ = b.get("/sign-in").page.Find("input[name=form_token]").Attr("value")
	}
	return token
}

// Who is removed can't come back by an invitation that they made before.
func TestRemovedAdminsInvitations(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	admin := w.signedIn(t, "admin@a.example")
	path := invite(admin, "second@a.example", "admin")
	owner := w.signedIn(t, "owner@a.example")
	members, err := w.Service.Tenant(w.a.ID).Members(t.Context())
	require.NoError(t, err)
	for _, m := range members {
		if m.Role == models.Admin {
			remove := "/settings/members/" + m.UserID.String() + "/remove"
			owner.get(remove)
			require.Equal(t, http.StatusSeeOther, owner.submit(remove, nil).StatusCode)
		}
	}
	require.Equal(t, http.StatusNotFound, w.browser(t).get(path).StatusCode)
	require.NotEqual(t, http.StatusOK, admin.get("/settings/members").StatusCode, "nor are they signed in there any more")
}

// A link to set a password is good once, and ends with any other way of setting it.
func TestPasswordLinks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.Owner)
	before := s.signedIn(t, "owner@a.example")
	first, err := s.Operator.PasswordLinkCreate(t.Context(), "owner@a.example")
	require.NoError(t, err)
	second, err := s.Operator.PasswordLinkCreate(t.Context(), "owner@a.example")
	require.NoError(t, err)
	b := s.browser(t)
	b.get("/password/" + second)
	require.Equal(t, http.StatusSeeOther, b.submit("/password/"+second, url.Values{"password": {"quite another one"}}).StatusCode)
	for _, token := range []string{first, second} {
		require.Equal(t, http.StatusNotFound, s.browser(t).get("/password/"+token).StatusCode)
	}
	require.Equal(t, http.StatusSeeOther, before.get("/profile").StatusCode, "sessions from before end")
	b.get("/sign-in")
	require.Equal(t, http.StatusUnauthorized, b.submit("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {password}}).StatusCode)
	require.Equal(t, http.StatusSeeOther, b.submit("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {"quite another one"}}).StatusCode)
}

// Guesses made at once are counted before they are looked at.
func TestGuessesAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.Owner)
	var judged, refused int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			_, err := s.Service.SignIn(t.Context(), models.SignIn{Email: "owner@a.example", Password: "not the password", Address: "192.0.2.1"})
			mu.Lock()
			defer mu.Unlock()
			if models.ErrorKind(err) == models.KindLimited {
				refused++
			} else {
				judged++
			}
		})
	}
	all.Wait()
	require.Equal(t, 10, judged)
	require.Equal(t, 20, refused)
}

// Whatever is typed into a form or an address is answered as the mistake that it
// is, never as one of ours.
func TestHostileText(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	b := w.signedIn(t, "owner@a.example")
	token := w.token(b)
	hostile := []string{"a\x00b", "a\xffb", strings.Repeat("æ", 20_000), "<script>alert(1)</script>", "' OR 1=1 --", "{{.}}", "%00", "\u202e"}
	for _, text := range hostile {
		for _, path := range append(append([]string{}, forms...), managerForms...) {
			if path == "/sign-out" || strings.Contains(path, "remove") || strings.Contains(path, "revoke") || strings.Contains(path, "/end") {
				continue
			}
			form := url.Values{"form_token": {token}}
			for name := range typed {
				form.Set(name, text)
			}
			form.Set("nonce", text)
			form.Set("organization", text)
			form.Set("setup", text)
			a := b.do(http.MethodPost, w.paths["a"].Replace(path), form, nil)
			require.Less(t, a.StatusCode, 500, "%s: %q", path, text[:min(len(text), 20)])
			require.NotContains(t, a.body, "<script>alert(1)", path)
		}
		for _, path := range []string{"/companies?q=", "/companies?status=", "/companies/", "/?key=", "/?day=", "/settings/audit-log?before=", "/settings/api-keys/", "/invitations/", "/password/", "/companies?after="} {
			a := b.get(path + url.QueryEscape(text[:min(len(text), 500)]))
			require.Less(t, a.StatusCode, 500, "%s: %q", path, text[:min(len(text), 20)])
			require.NotContains(t, a.body, "<script>alert(1)", path)
		}
		c := w.browser(t)
		c.get("/sign-in")
		a := c.submit("/sign-in", url.Values{"email": {text}, "password": {text}})
		require.Less(t, a.StatusCode, 500, "sign-in: %q", text[:min(len(text), 20)])
	}
}
