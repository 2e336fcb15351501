package dashboard_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// Signing in redirects to the page in next, but never to another site. A failed sign-in gets the
// same answer whether or not the account exists. After too many failures even the right password
// is refused for a while.
func TestSignIn(t *testing.T) {
	t.Parallel()
	s, _, _ := ownerSite(t)
	for next, expected := range map[string]string{
		"/companies?q=x":       "/companies?q=x",
		"":                     "/",
		"https://evil.example": "/",
		"//evil.example":       "/",
		`/\evil.example`:       "/",
		"javascript:alert(1)":  "/",
	} {
		a := s.browser(t).
			send("/sign-in?"+url.Values{"next": {next}}.Encode(), "/sign-in", url.Values{"email": {"owner@a.example"}, "password": {password}})
		require.Equal(t, expected, a.Header.Get("Location"), next)
	}
	wrong, unknown := s.browser(t).signIn("owner@a.example", "wrong"), s.browser(t).signIn("nobody@a.example", "wrong")
	require.Equal(t, http.StatusUnauthorized, wrong.StatusCode)
	require.Equal(t, wrong.StatusCode, unknown.StatusCode)
	require.Equal(t, strings.ReplaceAll(wrong.text(), "owner@", ""), strings.ReplaceAll(unknown.text(), "nobody@", ""))
	s.execute(t, `UPDATE sign_in_failures SET count = 1000`)
	limited := s.browser(t).signIn("OWNER@a.example", password)
	require.Equal(t, http.StatusTooManyRequests, limited.StatusCode)
	require.Contains(t, limited.text(), "Try again in")
	require.Contains(t, limited.text(), "Ask the operator of this service for a link to set a new password.")
	require.Zero(t, limited.count("form[action='/sign-in/link']"))
	s.execute(t, `UPDATE sign_in_failures SET expires_at = now()`)
	s.signedIn(t, "owner@a.example")
}

// A session's cookie is sent only with requests of this site, and the database does
// not contain its token. Signing out ends the session at once, for every copy of the
// cookie. It tells the browser to forget what it has stored of this site, but not its cookies: the
// device stays known, and the visitor keeps the language.
func TestSession(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	cookies := b.last.Cookies()
	cookie := cookies[slices.IndexFunc(cookies, func(set *http.Cookie) bool { return strings.HasSuffix(set.Name, "session") })]
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	dump := modelstest.ValueAt[string](t, s.URL, `SELECT string_agg(s::text, '') FROM sessions s`)
	require.NotContains(t, dump, cookie.Value)

	copied := s.browser(t)
	header := http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}}
	require.Equal(t, http.StatusOK, copied.do(http.MethodGet, "/profile", nil, header).StatusCode)
	out := b.send("/profile", "/sign-out", nil)
	require.Equal(t, `"cache", "storage"`, out.Header.Get("Clear-Site-Data"))
	kept := map[string]bool{}
	for _, cookie := range b.http.Jar.Cookies(out.Request.URL) {
		kept[cookie.Name] = true
	}
	require.True(t, kept["dispo_device"])
	require.False(t, kept["dispo_session"])
	require.Contains(t, b.follow().text(), "You are signed out.")
	require.Empty(t, b.last.Header.Get("Clear-Site-Data"))
	require.Equal(t, http.StatusSeeOther, copied.do(http.MethodGet, "/profile", nil, header).StatusCode)
}

// A session ends a day after its last use, and two weeks after its start. Ending another
// session, ending all others and changing the password sign out elsewhere at once, and not here.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	for _, aged := range []string{"seen_at = now() - interval '25 hours'", "expires_at = now()"} {
		require.Equal(t, http.StatusOK, b.get("/profile").StatusCode)
		s.execute(t, "UPDATE sessions SET "+aged)
		require.Equal(t, http.StatusSeeOther, b.get("/profile").StatusCode, aged)
		b = s.signedIn(t, "owner@a.example")
	}
	b.send("/profile", "/profile/password",
		url.Values{"current_password": {"wrong"}, "new_password": {"some other long words"}})
	require.Equal(t, http.StatusUnprocessableEntity, b.last.StatusCode)
	for _, end := range []func(){
		func() { b.submit(b.get("/profile").attr(`form[action$="/end"]`, "action"), nil) },
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
	s.confirmed(t, "1 hour")
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
		first := b.signIn("owner@a.example", password)
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
	require.Equal(t, http.StatusUnauthorized,
		half().submit("/sign-in/second-factor", url.Values{"code": {recovery}}).StatusCode)

	codes := recoveryForm.FindAllString(on.text(), -1)
	recovered.requireCodesCounted(t, codes[2:5])
	// A code confirms once. The same form again goes on, and another is told why not.
	s.confirmed(t, "1 hour")
	s.execute(t, `UPDATE users SET totp_step = 0`)
	recovered.get("/settings/api-keys/new")
	twice := recovered.form("/confirm", url.Values{"confirmation": {later}})
	for range 2 {
		require.Equal(t, "/settings/api-keys/new",
			recovered.do(http.MethodPost, "/confirm", twice, nil).Header.Get("Location"))
	}
	s.confirmed(t, "1 hour")
	require.Contains(t, recovered.do(http.MethodPost, "/confirm", twice, nil).text(), "already used")
	s.confirmed(t, "0")

	b.get("/profile/second-factor/recovery-codes")
	unused := codes[1]
	renewed := recoveryForm.FindString(b.submit("/profile/second-factor/recovery-codes", nil).text())
	require.Equal(t, http.StatusUnauthorized,
		half().submit("/sign-in/second-factor", url.Values{"code": {unused}}).StatusCode, "it was replaced")
	require.Equal(t, http.StatusSeeOther,
		half().submit("/sign-in/second-factor", url.Values{"code": {renewed}}).StatusCode)
	b.post("/profile/second-factor/remove", nil)
	require.Contains(t, b.follow().text(), "Your second factor is off.")
	require.Equal(t, http.StatusOK, s.signedIn(t, "owner@a.example").follow().StatusCode)
}

// requireCodesCounted requires that confirming with a recovery code, after which six others
// to eight are left, says how many: on the page that is shown next, or beside its notice.
func (b *browser) requireCodesCounted(t *testing.T, codes []string) {
	t.Helper()
	for i, confirm := range []func(code url.Values) *answer{
		func(code url.Values) *answer {
			b.send("/settings/api-keys/new", "/confirm", code)
			return b.follow()
		},
		func(code url.Values) *answer {
			page := b.send("/settings/members", "/settings/members/invite", url.Values{"email": {"new@x.example"}, "role": {"viewer"}})
			require.Equal(t, http.StatusForbidden, page.StatusCode)
			return b.submit("/settings/members/invite", code)
		},
		func(code url.Values) *answer {
			b.post("/settings/organization", url.Values{"time_zone": {"UTC"}})
			b.submit("/settings/organization", code)
			return b.follow()
		},
	} {
		b.site.confirmed(t, "1 hour")
		said := confirm(url.Values{"confirmation": {codes[i]}})
		require.Equal(t, http.StatusOK, said.StatusCode)
		require.Contains(t, said.text(), fmt.Sprintf("You used a recovery code. %d codes are left.", 8-i))
		require.NotContains(t, b.get("/profile").text(), "You used a recovery code", "it is said once")
	}
}

// If the service requires a second factor, everybody has a week to set one up, from the day on
// which the service began to, or from their first sign-in. Every page says until when. After it,
// they can only do that, change their profile, read the docs and sign out, until they have one, which
// they cannot turn off. If the operator turns it off, they have another week.
func TestSecondFactorRequired(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	b.get("/")
	s.user(t, a, "new@a.example", terms.Viewer)
	due := func(email string) (at *time.Time) {
		return modelstest.ValueAt[*time.Time](t, s.URL, `SELECT totp_due_at FROM users WHERE email = $1`, email)
	}
	require.NoError(t, s.Service.Accounts.RequireSecondFactor(t.Context(), true))
	require.WithinDuration(t, time.Now().Add(7*24*time.Hour), *due("owner@a.example"), time.Hour)
	require.Nil(t, due("new@a.example"))
	s.signedIn(t, "new@a.example").get("/")
	require.WithinDuration(t, time.Now().Add(7*24*time.Hour), *due("new@a.example"), time.Hour)

	s.execute(t, `UPDATE users SET totp_due_at = '2099-01-31T11:30:00Z'`)
	require.NoError(t, s.Service.Accounts.RequireSecondFactor(t.Context(), true), "a restart")
	for _, path := range []string{"/", "/profile", "/docs", "/settings/api-keys"} {
		require.Equal(t, http.StatusOK, b.get(path).StatusCode)
		require.Contains(t, b.last.text("main"), "This service requires a second factor from 2099-01-31 12:30 on.",
			path)
	}
	danish := b.do(http.MethodGet, "/", nil, http.Header{"Accept-Language": {"da"}})
	require.Contains(t, danish.text("main"), "Denne tjeneste kræver totrinsbekræftelse fra 31.01.2099 12.30.")

	s.execute(t, `UPDATE users SET totp_due_at = now()`)
	for _, path := range []string{"/", "/transactions/export", "/settings/api-keys", "/settings/organization"} {
		require.Equal(t, "/profile/second-factor", b.get(path).Header.Get("Location"), path)
	}
	b.follow()
	create := url.Values{"form_token": {b.token()}, "name": {"Stolen"}}
	require.Equal(t, "/profile/second-factor",
		b.do(http.MethodPost, "/settings/api-keys/new", create, nil).Header.Get("Location"))
	require.Zero(t, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM api_keys`))
	for _, path := range []string{"/profile", "/docs", "/docs/errors"} {
		require.Equal(t, http.StatusOK, b.get(path).StatusCode, path)
		require.Contains(t, b.last.text("main"), "Until you have set one up", path)
	}

	code, err := totp.GenerateCode(findSecret(t, b.get("/profile/second-factor")), time.Now())
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, b.submit("/profile/second-factor", url.Values{"code": {code}}).StatusCode,
		b.last.text())
	require.Equal(t, http.StatusOK, b.get("/").StatusCode)
	require.NotContains(t, b.last.text("main"), "requires a second factor")
	require.Contains(t, b.get("/profile").text("main"),
		"This service requires a second factor, so you can’t turn yours off.")
	require.Zero(t, b.last.count(`a[href="/profile/second-factor/remove"]`))
	require.Contains(t, b.get("/settings/members").text("main"),
		"This service requires a second factor. Anyone without one has a week to set it up.")
	require.NotContains(t, b.last.text("main"), "only their password")
	require.Contains(t, b.post("/profile/second-factor/remove", nil).text("main"),
		"This service requires a second factor, so you can’t turn yours off.")

	require.NoError(t, s.Operator.Accounts.UserResetSecondFactor(t.Context(), "owner@a.example"))
	require.Nil(t, due("owner@a.example"))
	require.Equal(t, http.StatusOK, s.signedIn(t, "owner@a.example").get("/").StatusCode)
	require.NotNil(t, due("owner@a.example"))

	require.NoError(t, s.Service.Accounts.RequireSecondFactor(t.Context(), false))
	require.Nil(t, due("owner@a.example"))
	require.Equal(t, http.StatusOK, s.signedIn(t, "new@a.example").get("/").StatusCode)
}

// New recovery codes can be downloaded. They travel in bodies alone: an address never
// contains them, and nothing but codes comes back as a file.
func TestRecoveryCodesFile(t *testing.T) {
	t.Parallel()
	_, _, b := ownerSite(t)
	const path = "/profile/second-factor/recovery-codes/file"
	token := b.token()
	post := func(codes string) *answer {
		return b.do(http.MethodPost, path, url.Values{"form_token": {token}, "codes": {codes}}, nil)
	}
	a := post("4fj2a-77adb k2m7c-pq2zd")
	require.Equal(t, http.StatusOK, a.StatusCode)
	require.Equal(t, `attachment; filename="dispo-recovery-codes.txt"`, a.Header.Get("Content-Disposition"))
	require.Equal(t, "text/plain; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Contains(t, a.body, "Account: owner@a.example\n")
	require.Contains(t, a.body, "\n4fj2a-77adb\nk2m7c-pq2zd\n")
	for _, codes := range []string{"", "<script>", "a  b", "a\nb", "dispo_k3Jx9QmT2aLp"} {
		require.Equal(t, http.StatusUnprocessableEntity, post(codes).StatusCode, codes)
	}
	require.Equal(t, "/profile/second-factor/recovery-codes", b.get(path+"?codes=4fj2a-77adb").Header.Get("Location"))

	b.send("/profile", "/sign-out", nil)
	post("4fj2a-77adb")
	require.Equal(t, http.StatusSeeOther, b.last.StatusCode)
	b.signIn("owner@a.example", password)
	require.NotContains(t, b.follow().body, "4fj2a")
}

// lastEvent returns a log's last record of an event.
func lastEvent(t *testing.T, log *modelstest.Log, event string) map[string]any {
	t.Helper()
	records := log.Records("event", event)
	require.NotEmpty(t, records)
	return records[len(records)-1]
}

// A failed sign-in is logged with the account if there is one, whether it was the
// password or the code that failed, and never with what was typed as a secret. The
// token of a one-time link is not logged with a form that was refused there.
func TestEventsNameTheAccount(t *testing.T) {
	t.Parallel()
	log := &modelstest.Log{}
	s, _, _ := ownerSite(t, dashboard.Config{Log: slog.New(slog.NewJSONHandler(log, nil))})
	owner, b := s.userID(t, "owner@a.example"), s.browser(t)
	for email, c := range map[string]struct{ email, user any }{
		"owner@a.example": {"owner@a.example", owner}, "bo@example.com": {"bo@example.com", nil}, "a password": {"", nil},
	} {
		b.signIn(email, "wrong")
		record := lastEvent(t, log, "sign_in_failed")
		require.Equal(t, c.email, record["email"])
		require.Equal(t, c.user, record["user"])
		require.Equal(t, false, record["limited"])
	}

	s.execute(t, `UPDATE users SET totp_secret = '\x00'`)
	b.signIn("owner@a.example", password)
	b.post("/sign-in/second-factor", url.Values{"code": {"wrong-code"}})
	record := lastEvent(t, log, "sign_in_failed")
	require.Equal(t, owner, record["user"])
	require.NotContains(t, log.String(), "wrong-code")

	s.execute(t, `UPDATE sign_in_failures SET count = 1000`)
	b.signIn("owner@a.example", password)
	require.Equal(t, true, lastEvent(t, log, "sign_in_failed")["limited"])

	b.do("POST", "/password/a-secret-token", url.Values{"password": {"x"}}, nil)
	require.Equal(t, "/password/:token", lastEvent(t, log, "form_refused")["route"])
	require.NotContains(t, log.String(), "a-secret-token")
}
