package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// A failed sign-in gets the same answer whether or not the account exists. After ten
// failures even the right password is refused for a while.
func TestPasswordGuessing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	try := func(email, password string) *answer {
		b := s.browser(t)
		b.get("/sign-in")
		return b.submit("/sign-in", url.Values{"email": {email}, "password": {password}})
	}
	wrong, unknown := try("owner@a.example", "not the password"), try("nobody@a.example", "not the password")
	require.Equal(t, http.StatusUnauthorized, wrong.StatusCode)
	require.Equal(t, wrong.StatusCode, unknown.StatusCode)
	require.Equal(t, strings.ReplaceAll(wrong.text(), "owner@", ""), strings.ReplaceAll(unknown.text(), "nobody@", ""))
	for range 9 {
		require.Equal(t, http.StatusUnauthorized, try("OWNER@a.example", "not the password").StatusCode)
	}
	limited := try("owner@a.example", password)
	require.Equal(t, http.StatusTooManyRequests, limited.StatusCode)
	require.Contains(t, limited.text(), "Try again in")
	require.Contains(t, limited.text(), "Ask the operator of this service for a link to set a new password.")
	require.Zero(t, limited.page.Find("form[action='/sign-in/link']").Length())

	modelstest.ExecuteAt(t, s.URL, `UPDATE sign_in_failures SET expires_at = now()`)
	require.Equal(t, http.StatusSeeOther, try("owner@a.example", password).StatusCode)
}

// A session's cookie is sent only with requests of this site, and the database does
// not contain its token. Signing out ends the session at once, for every copy of the
// cookie.
func TestSession(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	var cookie *http.Cookie
	for _, set := range b.last.Cookies() {
		if strings.HasSuffix(set.Name, "session") {
			cookie = set
		}
	}
	require.NotNil(t, cookie)
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	dump := modelstest.ValueAt[string](t, s.URL, `SELECT string_agg(s::text, '') FROM sessions s`)
	require.NotContains(t, dump, cookie.Value)

	copied := s.browser(t)
	header := http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}}
	require.Equal(t, http.StatusOK, copied.do(http.MethodGet, "/profile", nil, header).StatusCode)
	b.get("/profile")
	b.submit("/sign-out", nil)
	require.Equal(t, http.StatusSeeOther, copied.do(http.MethodGet, "/profile", nil, header).StatusCode)
}

// A session ends a day after its last use, and two weeks after its start.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	s, _, _ := ownerSite(t)
	for _, aged := range []string{"seen_at = now() - interval '25 hours'", "expires_at = now()"} {
		b := s.signedIn(t, "owner@a.example")
		require.Equal(t, http.StatusOK, b.get("/profile").StatusCode)
		modelstest.ExecuteAt(t, s.URL, "UPDATE sessions SET "+aged)
		require.Equal(t, http.StatusSeeOther, b.get("/profile").StatusCode, aged)
	}
}

// Signing in redirects to the page in next, but never to another site.
func TestRedirectAfterSignIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	for next, expected := range map[string]string{
		"/companies?q=x":       "/companies?q=x",
		"":                     "/",
		"https://evil.example": "/",
		"//evil.example":       "/",
		`/\evil.example`:       "/",
		"javascript:alert(1)":  "/",
	} {
		b := s.browser(t)
		b.get("/sign-in?" + url.Values{"next": {next}}.Encode())
		a := b.submit("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {password}})
		require.Equal(t, expected, a.Header.Get("Location"), next)
	}
}

var recoveryForm = regexp.MustCompile(`\b[a-z2-7]{5}-[a-z2-7]{5}\b`)

// findSecret reads the secret from the page's otpauth link.
func findSecret(t *testing.T, page *answer) string {
	t.Helper()
	link, ok := page.page.Find(`a[href^="otpauth:"]`).Attr("href")
	require.True(t, ok, page.text())
	parsed, err := url.Parse(link)
	require.NoError(t, err)
	return parsed.Query().Get("secret")
}

// With a second factor the password alone is not enough. Every code and every recovery
// code works once.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	setup := b.get("/profile/second-factor")
	form := b.form("/profile/second-factor", nil)
	secret := strings.ReplaceAll(findSecret(t, setup), " ", "")
	form.Set("code", "000000")
	require.Equal(t, http.StatusUnprocessableEntity, b.do(http.MethodPost, "/profile/second-factor", form, nil).StatusCode)
	// A code is not kept while the password is asked for, and so is not called wrong after it.
	modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now() - interval '1 hour'`)
	b.do(http.MethodPost, "/profile/second-factor", form, nil)
	asked := b.submit("/profile/second-factor", url.Values{"confirmation": {password}}).text("main")
	require.Contains(t, asked, "Enter the newest code from your app.")
	require.NotContains(t, asked, "wrong")
	now := time.Now()
	code, err := totp.GenerateCode(secret, now)
	require.NoError(t, err)
	form.Set("code", code)
	on := b.do(http.MethodPost, "/profile/second-factor", form, nil)
	require.Equal(t, http.StatusOK, on.StatusCode, on.text())
	stored := modelstest.ValueAt[string](t, s.URL, `SELECT encode(totp_secret, 'escape') FROM users`)
	require.NotContains(t, stored, secret)
	recovery := recoveryForm.FindString(on.text())
	require.NotEmpty(t, recovery, on.text())

	half := func() *browser {
		b := s.browser(t)
		b.get("/sign-in")
		first := b.submit("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {password}})
		require.True(t, strings.HasPrefix(first.Header.Get("Location"), "/sign-in/second-factor"))
		require.Equal(t, http.StatusSeeOther, b.get("/profile").StatusCode, "the password alone")
		b.get("/sign-in/second-factor")
		return b
	}
	again := half().submit("/sign-in/second-factor", url.Values{"code": {code}})
	require.Equal(t, http.StatusUnauthorized, again.StatusCode, "a code that was used already")
	later, err := totp.GenerateCode(secret, now.Add(30*time.Second))
	require.NoError(t, err)
	require.Equal(t, http.StatusSeeOther, half().submit("/sign-in/second-factor", url.Values{"code": {later}}).StatusCode)
	recovered := half()
	recovered.submit("/sign-in/second-factor", url.Values{"code": {strings.ToUpper(recovery)}})
	require.Contains(t, recovered.follow().text(), "You used a recovery code. 9 codes are left.")
	require.Equal(t, http.StatusUnauthorized, half().submit("/sign-in/second-factor", url.Values{"code": {recovery}}).StatusCode)

	// Confirming with a recovery code says how many are left: on the page that is shown next,
	// or beside its notice.
	codes := recoveryForm.FindAllString(on.text(), -1)
	for i, confirm := range []func(code url.Values) *answer{
		func(code url.Values) *answer {
			recovered.get("/settings/api-keys/new")
			recovered.submit("/confirm", code)
			return recovered.follow()
		},
		func(code url.Values) *answer {
			recovered.get("/settings/members")
			page := recovered.submit("/settings/members/invite", url.Values{"email": {"new@x.example"}, "role": {"viewer"}})
			require.Equal(t, http.StatusForbidden, page.StatusCode)
			return recovered.submit("/settings/members/invite", code)
		},
		func(code url.Values) *answer {
			recovered.get("/settings/organization")
			recovered.submit("/settings/organization", url.Values{"time_zone": {"UTC"}})
			recovered.submit("/settings/organization", code)
			return recovered.follow()
		},
	} {
		modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now() - interval '1 hour'`)
		said := confirm(url.Values{"confirmation": {codes[i+2]}})
		require.Equal(t, http.StatusOK, said.StatusCode)
		require.Contains(t, said.text(), fmt.Sprintf("You used a recovery code. %d codes are left.", 8-i))
		require.NotContains(t, recovered.get("/profile").text(), "You used a recovery code", "it is said once")
	}
	// A code confirms once. The same form again goes on, and another is told why not.
	modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now() - interval '1 hour'`)
	modelstest.ExecuteAt(t, s.URL, `UPDATE users SET totp_step = 0`)
	recovered.get("/settings/api-keys/new")
	twice := recovered.form("/confirm", url.Values{"confirmation": {later}})
	for range 2 {
		require.Equal(t, "/settings/api-keys/new", recovered.do(http.MethodPost, "/confirm", twice, nil).Header.Get("Location"))
	}
	modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now() - interval '1 hour'`)
	require.Contains(t, recovered.do(http.MethodPost, "/confirm", twice, nil).text(), "already used")
	modelstest.ExecuteAt(t, s.URL, `UPDATE sessions SET confirmed_at = now()`)

	b.get("/profile/second-factor/recovery-codes")
	unused := codes[1]
	renewed := recoveryForm.FindString(b.submit("/profile/second-factor/recovery-codes", nil).text())
	require.Equal(t, http.StatusUnauthorized, half().submit("/sign-in/second-factor", url.Values{"code": {unused}}).StatusCode, "it was replaced")
	require.Equal(t, http.StatusSeeOther, half().submit("/sign-in/second-factor", url.Values{"code": {renewed}}).StatusCode)
	b.get("/profile/second-factor/remove")
	b.submit("/profile/second-factor/remove", nil)
	require.Contains(t, b.follow().text(), "Your second factor is off.")
	require.Equal(t, http.StatusOK, s.signedIn(t, "owner@a.example").follow().StatusCode)
}

// Ending another session, ending all others and changing the password sign out elsewhere
// at once, and not here.
func TestSessionsEndElsewhere(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	for _, end := range []func(){
		func() { b.submit(b.get("/profile").page.Find(`form[action$="/end"]`).AttrOr("action", ""), nil) },
		func() { b.submit("/profile/sessions/end-others", nil) },
		func() {
			b.submit("/profile/password", url.Values{"current_password": {password}, "new_password": {"some other long words"}})
		},
	} {
		other := s.signedIn(t, "owner@a.example")
		require.Equal(t, http.StatusOK, other.get("/profile").StatusCode)
		b.get("/profile")
		end()
		require.Equal(t, "/profile", b.last.Header.Get("Location"), b.last.text())
		require.Equal(t, http.StatusOK, b.follow().StatusCode)
		require.Equal(t, http.StatusSeeOther, other.get("/profile").StatusCode)
	}
}
