package dashboard_test

import (
	"encoding/base32"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/signon"
	"dispo/models/terms"
)

// providedSite is a site where kari is an owner of a and b, and a has a provider, which names her.
type providedSite struct {
	*site
	t        *testing.T
	a, b     models.Organization
	provider *modelstest.Provider
}

func newProvidedSite(t *testing.T) *providedSite {
	t.Helper()
	s := &providedSite{site: newSite(t), t: t, provider: modelstest.NewProvider(t)}
	s.a, s.b = s.Organization(t, "a", "10000001"), s.Organization(t, "b", "10000002")
	s.user(t, s.a, "kari@example.com", terms.Owner)
	s.join(t, s.b, "kari@example.com", terms.Owner)
	s.provider.Email = "kari@example.com"
	s.enable(s.a, s.provider)
	return s
}

// owner is a tenant with kari as the actor.
func (s *providedSite) owner(o models.Organization) models.Tenant {
	id := uuid.MustParse(s.userID(s.t, "kari@example.com"))
	return s.Service.Tenant(o.ID).As(models.Actor{UserID: &id, Email: "kari@example.com", Address: "192.0.2.1"})
}

// enable makes a provider an organization's, tried and on.
func (s *providedSite) enable(o models.Organization, p *modelstest.Provider) {
	s.t.Helper()
	public, err := url.Parse(s.url)
	require.NoError(s.t, err)
	on := signon.New(s.Service.Accounts, s.Service.Store, public, true)
	settings := signon.Settings{Issuer: p.URL, ClientID: p.ClientID, ClientSecret: p.ClientSecret}
	require.NoError(s.t, on.Set(s.t.Context(), s.owner(o), settings))
	present, err := signon.Get(s.t.Context(), s.owner(o))
	require.NoError(s.t, err)
	require.NoError(s.t, signon.Tried(s.t.Context(), s.owner(o), *present))
	require.NoError(s.t, signon.Enable(s.t.Context(), s.owner(o), true))
}

// goes lets a browser go to the provider from a page that leads there, and come back.
func (s *providedSite) goes(b *browser, from string) *answer {
	s.t.Helper()
	page := b.get(from)
	require.Equal(s.t, http.StatusOK, page.StatusCode, page.text())
	address := page.attr("main a.primary", "href")
	require.True(s.t, strings.HasPrefix(address, s.provider.URL), address)
	require.Contains(s.t, page.text(), strings.TrimPrefix(s.provider.URL, "http://"))
	return b.get("/sign-in/return/" + s.a.ID.String() + "?" + s.provider.Authorize(address).Encode())
}

// linked returns a browser in which the provider has signed kari in, whose account is linked.
func (s *providedSite) linked(t *testing.T) *browser {
	t.Helper()
	b := s.browser(t)
	s.goes(b, "/sign-in/a")
	link := b.follow()
	require.Contains(t, link.text(), "kari@example.com")
	signIn := link.attr("main a.primary", "href")
	b.get(signIn)
	b.submit("/sign-in", url.Values{"email": {"kari@example.com"}, "password": {password}})
	b.follow()
	done := b.submit("/sign-in/return/"+s.a.ID.String()+"/link", nil)
	require.Equal(t, http.StatusSeeOther, done.StatusCode, done.text())
	require.Equal(t, http.StatusOK, b.follow().StatusCode)
	require.Equal(
		t,
		1,
		modelstest.ValueAt[int](t, s.URL,
			`SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE email = 'kari@example.com'`),
		"only the provider's is left",
	)
	return b
}

// A session that a provider opened opens what belongs to the organization, and nothing of the
// account: each route says so, and the default is no. It sees no other organization.
func TestProviderWall(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	b := s.linked(t)
	token := b.token()
	// What these begin with is the organization's, or nobody's.
	ours := []string{
		"/companies",
		"/transactions",
		"/days",
		"/deliveries",
		"/search",
		"/settings/api-keys",
		"/settings/members",
		"/settings/organization",
		"/settings/audit-log",
		"/docs",
	}
	exactly := []string{
		"/",
		"/settings",
		"/settings/sign-in",
		"/settings/sign-in/require",
		"/sign-out",
		"/kept-form",
		"/confirm/provider",
		"/sign-in/:slug",
		"/sign-in/return/:id",
	}
	opened := 0
	for _, route := range dashboard.RouteTable() {
		if route.ForProvided {
			opened++
			known := false
			for _, path := range ours {
				known = known || route.Path == path || strings.HasPrefix(route.Path, path+"/") ||
					strings.HasPrefix(route.Path, path+".")
			}
			for _, path := range exactly {
				known = known || route.Path == path
			}
			require.True(t, known, "%s %s is open to providers", route.Method, route.Path)
			continue
		}
		path := strings.NewReplacer(":id", s.a.ID.String(), ":token", "x").Replace(route.Path)
		var got *answer
		if route.Method == http.MethodGet {
			got = b.get(path)
		} else {
			got = b.do(route.Method, path, with(route.Path, token), nil)
		}
		if route.Access == dashboard.Anyone {
			require.NotContains(t, got.text(), "kari@example.com", path)
		} else {
			require.Equal(t, http.StatusForbidden, got.StatusCode, path)
		}
	}
	require.Greater(t, opened, 60)
	for _, path := range []string{"/", "/companies", "/settings/members", "/settings/sign-in", "/settings/api-keys", "/docs"} {
		page := b.get(path)
		require.Equal(t, http.StatusOK, page.StatusCode, path)
		require.NotContains(t, page.text(), "Organization b", path)
	}
	require.Equal(t, http.StatusNotFound, b.get("/?organization="+s.b.ID.String()).StatusCode)
	require.Equal(
		t,
		12,
		modelstest.ValueAt[int](t, s.URL,
			`SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int FROM sessions`),
	)

	// It ends with the membership, and with the provider.
	require.NoError(t, signon.Enable(t.Context(), s.owner(s.a), false))
	require.Equal(t, "/sign-in?next=%2F", b.get("/").Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, b.get("/sign-in/a").StatusCode)
	require.Equal(t, b.get("/sign-in/nobody").text("main"), b.get("/sign-in/a").text("main"))
	require.NoError(t, signon.Enable(t.Context(), s.owner(s.a), true))
	require.Equal(t, "/", s.goes(b, "/sign-in/a").Header.Get("Location"))
	require.Contains(t, b.get("/").text(), "Organization a")
	s.execute(t, `DELETE FROM memberships WHERE organization_id = $1`, s.a.ID)
	require.Equal(t, "/sign-in?next=%2F", b.get("/").Header.Get("Location"))
}

// What a hostile provider gets by claiming anybody's sub or email: nothing outside its own
// organization, and nobody's account there without that account's proof.
func TestHostileProvider(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	s.user(t, s.b, "ola@example.com", terms.Owner) // not a member of a
	s.linked(t)
	modelstest.Invite(t, s.owner(s.a), "new@example.com", terms.Admin)
	for name, claims := range map[string]struct {
		sub    string
		claims map[string]any
		gets   string
	}{
		"the sub of somebody who is linked":  {"subject-1", map[string]any{"email": "ola@example.com"}, "a session in a as kari"},
		"the address of a member":            {"other", map[string]any{"email": "kari@example.com", "email_verified": true}, "asked for the proof"},
		"the address of another's member":    {"other", map[string]any{"email": "ola@example.com", "email_verified": true}, "is not a member"},
		"an unverified address":              {"other", map[string]any{"email": "kari@example.com", "email_verified": false}, "is not verified"},
		"an unverified address, as text":     {"other", map[string]any{"email": "kari@example.com", "email_verified": "false"}, "is not verified"},
		"no address":                         {"other", map[string]any{"email": nil}, "sent no e-mail address"},
		"two addresses":                      {"other", map[string]any{"email": []string{"kari@example.com"}}, "sent no e-mail address"},
		"the address of somebody invited":    {"other", map[string]any{"email": "new@example.com"}, "Open the link in the invitation"},
		"the id of an account as sub":        {s.userID(t, "kari@example.com"), map[string]any{"email": "x@example.com"}, "is not a member"},
		"a role and a strong sign-in":        {"other", map[string]any{"email": "kari@example.com", "amr": []string{"mfa"}, "acr": "3", "role": "owner"}, "asked for the proof"},
		"an address in another organization": {"other", map[string]any{"email": "KARI@example.com", "organization": s.b.ID}, "asked for the proof"},
	} {
		s.provider.Change(func(p *modelstest.Provider) { p.Subject, p.Claims = claims.sub, claims.claims })
		b := s.browser(t)
		got := s.goes(b, "/sign-in/a")
		if got.StatusCode == http.StatusSeeOther {
			got = b.follow()
		}
		switch claims.gets {
		case "a session in a as kari":
			require.Contains(t, got.text(), "Organization a", name)
			require.NotContains(t, got.text(), "Organization b", name)
		case "asked for the proof":
			require.Contains(t, got.text(), "Show once that this account is yours", name)
			require.Equal(t, "/sign-in?next="+url.QueryEscape("/sign-in/return/"+s.a.ID.String()+"/link"),
				got.attr("main a.primary", "href"), name)
			require.Equal(t, http.StatusSeeOther, b.get("/profile").StatusCode, name)
		default:
			require.Contains(t, got.text(), claims.gets, name)
		}
		// Somebody else's password session in that browser does not help.
		if claims.gets == "asked for the proof" {
			b.signIn("ola@example.com", password)
			refused := b.do(http.MethodPost, "/sign-in/return/"+s.a.ID.String()+"/link", url.Values{"form_token": {b.token()}},
				nil)
			require.Equal(t, http.StatusForbidden, refused.StatusCode, name)
		}
	}
	require.Equal(t, 1, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM sign_in_links`))
	// Nothing that came back is on a page, and another organization's return address refuses it.
	b := s.browser(t)
	query := s.provider.Authorize(b.get("/sign-in/a").attr("main a.primary", "href"))
	page := b.get("/sign-in/return/" + s.b.ID.String() + "?" + query.Encode())
	require.Equal(t, http.StatusForbidden, page.StatusCode)
	require.NotContains(t, page.body, query.Get("state"))
	require.NotContains(t, page.body, query.Get("code"))
	require.Equal(t, http.StatusForbidden,
		s.browser(t).get("/sign-in/return/"+s.a.ID.String()+"?"+query.Encode()).StatusCode, "another browser")
}

// The log says why a sign-in by a provider failed, without e-mail addresses.
func TestProviderFailureIsLogged(t *testing.T) {
	t.Parallel()
	s, log := newProvidedSite(t), &modelstest.Log{}
	s.user(t, s.a, "ola@example.com", terms.Owner)
	logged := serve(t, s.World, dashboard.Config{Log: slog.New(slog.NewJSONHandler(log, nil))})
	b := s.browser(t)
	s.goes(b, "/sign-in/a")
	b = b.at(logged)
	b.signIn("ola@example.com", password)
	form := url.Values{"form_token": {b.token()}}
	refused := b.do(http.MethodPost, "/sign-in/return/"+s.a.ID.String()+"/link", form, nil)
	require.Equal(t, http.StatusForbidden, refused.StatusCode)
	require.Contains(t, refused.text(), "named kari@example.com")
	event := lastEvent(t, log, models.EventSignInFailed)
	require.Equal(t, "{provider} named {email}, but you are signed in as {user}.", event["reason"])
	require.NotContains(t, log.String(), "example.com")
}

// An account without a password is proved by a mailed link, once, in the same browser, and for the
// person at the provider for whom it was mailed.
func TestProviderLinkByMail(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	s.execute(t, `UPDATE users SET password_hash = NULL WHERE email = 'kari@example.com'`)
	b := s.browser(t)
	s.goes(b, "/sign-in/a")
	require.Contains(t, b.follow().text(), "this server sends no e-mail")
	mailed := serve(t, s.World, dashboard.Config{Mail: true})
	s.execute(t, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	b = b.at(mailed)
	b.get("/sign-in/return/" + s.a.ID.String() + "/link")
	b.submit("/sign-in/return/"+s.a.ID.String()+"/mail", nil)
	require.Contains(t, b.follow().text(), "We sent you the link.")
	token := s.mailToken(mail.LinkProvider)
	path := "/sign-in/return/" + s.a.ID.String() + "/link/" + token
	require.Equal(t, http.StatusForbidden, mailed.browser(t).get(path).StatusCode, "another browser")
	require.Equal(t, http.StatusNotFound, b.get(path+"x").StatusCode)
	s.provider.Change(func(p *modelstest.Provider) { p.Subject = "somebody else" })
	other := s.browser(t)
	s.goes(other, "/sign-in/a")
	other = other.at(mailed)
	require.Equal(t, http.StatusNotFound, other.get(path).StatusCode)
	form := url.Values{"form_token": {other.token()}}
	require.Equal(t, http.StatusNotFound, other.do(http.MethodPost, path, form, nil).StatusCode)
	require.Equal(t, "/", b.post(path, nil).Header.Get("Location"))
	require.Contains(t, b.follow().text(), "Organization a")
	require.NotEqual(t, http.StatusOK, b.get(path).StatusCode)
	require.Equal(t, 1, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM mails WHERE kind = 'provider_linked'`))
}

// An invitation's own mailed link, and no other, lets somebody in without a password whom the
// provider names.
func TestProviderInvitation(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	s.execute(t, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	_, seen := modelstest.Invite(t, s.owner(s.a), "new@example.com", terms.Viewer)
	s.provider.Change(func(p *modelstest.Provider) { p.Subject, p.Email = "new", "new@example.com" })
	b := s.browser(t)
	s.goes(b, "/sign-in/a")
	require.Contains(t, b.follow().text(), "Open the link in the invitation")
	require.Zero(t, b.get("/invitations/"+seen).count("[name=by_provider]"), "the inviter saw this link")
	form := url.Values{"form_token": {b.token()}, "by_provider": {"yes"}}
	require.Equal(t, http.StatusUnprocessableEntity, b.do(http.MethodPost, "/invitations/"+seen, form, nil).StatusCode)
	path := "/invitations/" + s.mailToken(mail.Invitation)
	require.Equal(t, 1, b.get(path).count("[name=by_provider]"))
	require.Equal(t, "/", b.do(http.MethodPost, path, form, nil).Header.Get("Location"))
	require.Contains(t, b.follow().text(), "Organization a")
	require.Equal(t, "/", s.goes(s.browser(t), "/sign-in/a").Header.Get("Location"))
}

// What does harm is asked for again: the provider has to say that the user has just signed in
// there. Its return acts on nothing, and shows the form again as it was typed. Else the account's
// own password proves the act alone.
func TestProviderConfirms(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	b := s.linked(t)
	keys := func() int { return modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM api_keys`) }
	ask := func() *answer {
		t.Helper()
		asked := b.post("/settings/api-keys/new", url.Values{"name": {"Nightly job"}, "expires": {"never"}})
		require.Equal(t, http.StatusForbidden, asked.StatusCode)
		require.Contains(t, asked.text(), "This needs proof that it is you.")
		require.Equal(t, "/confirm/provider", asked.attr("main a.primary", "href"))
		return asked
	}
	ask()
	// The provider does not say when.
	s.provider.Change(func(p *modelstest.Provider) { p.Claims = map[string]any{"auth_time": nil} })
	require.Equal(t, "/kept-form", s.goes(b, "/confirm/provider").Header.Get("Location"))
	require.Contains(t, b.follow().text(), "does not say that you signed in just now")
	s.provider.Change(func(p *modelstest.Provider) {
		p.Claims = map[string]any{"auth_time": time.Now().Add(-time.Hour).Unix()}
	})
	ask()
	s.goes(b, "/confirm/provider")
	require.Contains(t, b.follow().text(), "does not say that you signed in just now")
	// They signed in there just before they came here.
	s.provider.Change(func(p *modelstest.Provider) {
		p.Claims = map[string]any{"auth_time": time.Now().Add(-time.Minute).Unix()}
	})
	ask()
	s.goes(b, "/confirm/provider")
	require.Contains(t, b.follow().text(), "does not say that you signed in just now")
	// Somebody else signs in there.
	s.provider.Change(func(p *modelstest.Provider) { p.Claims, p.Subject = nil, "other" })
	ask()
	require.Equal(t, http.StatusForbidden, s.goes(b, "/confirm/provider").StatusCode)
	s.provider.Change(func(p *modelstest.Provider) { p.Subject = "subject-1" })
	require.Zero(t, keys())
	// The password counts once.
	ask()
	require.Equal(t, http.StatusOK, b.submit("/settings/api-keys/new", url.Values{"confirmation": {password}}).StatusCode)
	require.Equal(t, 1, keys())
	ask()
	// The provider confirms.
	s.provider.Change(func(p *modelstest.Provider) {
		p.Claims = map[string]any{"auth_time": time.Now().Add(time.Second).Unix()}
	})
	page := b.get("/confirm/provider")
	address, err := url.Parse(page.attr("main a.primary", "href"))
	require.NoError(t, err)
	require.Equal(t, "login", address.Query().Get("prompt"))
	require.Equal(t, "0", address.Query().Get("max_age"))
	require.Equal(t, "/kept-form", s.goes(b, "/confirm/provider").Header.Get("Location"))
	kept := b.follow()
	require.Equal(t, 1, keys(), "the return acts on nothing")
	require.Contains(t, kept.text(), "Nightly job")
	require.Equal(t, http.StatusOK, b.submit("/settings/api-keys/new", nil).StatusCode)
	require.Equal(t, 2, keys())
}

// Once the provider is required, members come in by it alone, except owners with a password and a
// second factor, of whom one has to stay. The operator can switch it off.
func TestProviderRequired(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	s.user(t, s.a, "ola@example.com", terms.Owner)
	s.join(t, s.b, "ola@example.com", terms.Owner)
	ola := s.signedIn(t, "ola@example.com")
	b := s.linked(t)
	require.Contains(t, ola.get("/settings/sign-in").text(), "sign in by it yourself")
	s.confirmed(t, "0")
	refused := b.send("/settings/sign-in", "/settings/sign-in/require", nil)
	require.Equal(t, http.StatusConflict, refused.StatusCode)
	require.Contains(t, refused.text(), "one owner needs a password and a second factor")
	secret := s.factor(t, "kari@example.com")
	b.send("/settings/sign-in", "/settings/sign-in/require", nil)
	require.Equal(t, http.StatusOK, b.follow().StatusCode)

	closed := ola.get("/companies")
	require.Equal(t, http.StatusForbidden, closed.StatusCode)
	require.Equal(t, "/sign-in/a", closed.attr("main a.primary", "href"))
	require.Equal(t, http.StatusOK, ola.get("/profile").StatusCode, "the account is theirs")
	ola.submitSwitch(s.b)
	require.Equal(t, http.StatusOK, ola.get("/companies").StatusCode)
	again := ola.submitSwitch(s.a)
	require.Equal(t, http.StatusForbidden, again.StatusCode)
	require.Contains(t, again.text(), "Sign in at /sign-in/a.")
	require.Contains(t, s.signedIn(t, "ola@example.com").get("/").text(), "Organization b",
		"a new session begins elsewhere")

	// kari still comes in by password, and has to be able to.
	kari := s.browser(t)
	kari.signIn("kari@example.com", password)
	kari.follow()
	code, err := totp.GenerateCode(secret, time.Now())
	require.NoError(t, err)
	kari.submit("/sign-in/second-factor", url.Values{"code": {code}})
	require.Equal(t, http.StatusOK, kari.follow().StatusCode)
	require.Equal(t, http.StatusOK, kari.get("/companies").StatusCode)
	require.Equal(t, http.StatusConflict,
		kari.send("/profile/second-factor/remove", "/profile/second-factor/remove", nil).StatusCode)
	member := "/settings/members/" + s.userID(t, "kari@example.com")
	token := url.Values{"form_token": {kari.token()}, "role": {"viewer"}}
	require.Equal(t, http.StatusConflict, kari.do(http.MethodPost, member+"/role", token, nil).StatusCode)
	token.Del("role")
	require.Equal(t, http.StatusConflict, kari.do(http.MethodPost, member+"/remove", token, nil).StatusCode)

	s.execute(t, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	require.NoError(t, signon.Off(t.Context(), s.Operator.Tenant(s.a.ID)))
	ola.submitSwitch(s.a)
	require.Equal(t, http.StatusOK, ola.get("/companies").StatusCode)
	require.Equal(t, 2, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM mails WHERE kind = 'provider_off'`))
	require.Error(t, signon.Off(t.Context(), s.Operator.Tenant(s.a.ID)))
}

// Where a second factor is required, the provider's word does not replace it, unless the owners
// say so.
func TestProviderAndSecondFactor(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	b := s.linked(t)
	s.provider.Change(
		func(p *modelstest.Provider) { p.Claims = map[string]any{"amr": []string{"mfa", "hwk"}, "acr": "phr"} })
	require.NoError(t, organizations.RequireSecondFactor(t.Context(), s.owner(s.a), true))
	owed := b.get("/companies")
	require.Equal(t, http.StatusForbidden, owed.StatusCode)
	require.Contains(t, owed.text(), "To set one up, sign in with your password instead")
	require.Equal(t, http.StatusForbidden, b.get("/profile/second-factor").StatusCode)

	secret := s.factor(t, "kari@example.com")
	require.Contains(t, b.get("/companies").text(), "You will be asked for a code")
	asked := s.goes(b, "/sign-in/a")
	require.Contains(t, asked.Header.Get("Location"), "/sign-in/second-factor")
	b.follow()
	require.Equal(t, http.StatusUnauthorized,
		b.submit("/sign-in/second-factor", url.Values{"code": {"000000"}}).StatusCode)
	code, err := totp.GenerateCode(secret, time.Now())
	require.NoError(t, err)
	b.submit("/sign-in/second-factor", url.Values{"code": {code}})
	require.Equal(t, http.StatusOK, b.follow().StatusCode)
	require.Equal(t, http.StatusOK, b.get("/companies").StatusCode)

	require.NoError(t, signon.Trust(t.Context(), s.owner(s.a), true))
	b = s.browser(t)
	require.Equal(t, "/", s.goes(b, "/sign-in/a").Header.Get("Location"))
	require.Equal(t, http.StatusOK, b.get("/companies").StatusCode)
}

// An owner sets the provider, tries it, and only then turns it on. The client secret is shown
// nowhere.
func TestProviderSettings(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	require.NoError(t, signon.Remove(t.Context(), s.owner(s.a)))
	b := s.signedIn(t, "kari@example.com")
	b.get("/settings/sign-in")
	require.Contains(t, b.last.body, s.url+"/sign-in/return/"+s.a.ID.String())
	bad := b.submit("/settings/sign-in", url.Values{"issuer": {"x"}, "client_id": {"dispo"}, "client_secret": {"s"}})
	require.Equal(t, http.StatusUnprocessableEntity, bad.StatusCode)
	b.submit("/settings/sign-in",
		url.Values{"issuer": {s.provider.URL}, "client_id": {"dispo"}, "client_secret": {s.provider.ClientSecret}})
	page := b.follow()
	require.NotContains(t, page.body, s.provider.ClientSecret)
	require.NotContains(t, page.text(), "Turn on")
	require.Equal(t, http.StatusNotFound, s.browser(t).get("/sign-in/a").StatusCode, "it does not count yet")
	tried := s.goes(b, "/settings/sign-in/try")
	require.Equal(t, http.StatusOK, tried.StatusCode, tried.text())
	require.Contains(t, tried.text(), "subject-1")
	require.Contains(t, tried.text(), "kari@example.com")
	b.send("/settings/sign-in", "/settings/sign-in/enable", nil)
	require.Contains(t, b.follow().text(), s.url+"/sign-in/a")
	require.Equal(t, http.StatusOK, s.browser(t).get("/sign-in/a").StatusCode)
	viewer := s.member(t, s.a, "viewer@example.com", terms.Viewer)
	require.NotContains(t, viewer.get("/settings/sign-in").body, "client_secret")
	admin := s.member(t, s.a, "admin@example.com", terms.Admin)
	form := url.Values{"form_token": {admin.token()}, "on": {"no"}}
	for _, path := range []string{"enable", "trust"} {
		require.Equal(t, http.StatusForbidden, admin.do(http.MethodPost, "/settings/sign-in/"+path, form, nil).StatusCode,
			path)
	}
	form.Del("on")
	refused := admin.do(http.MethodPost, "/settings/sign-in/remove", form, nil)
	require.Equal(t, http.StatusForbidden, refused.StatusCode)
	for _, path := range []string{"try", "remove"} {
		require.Equal(t, http.StatusForbidden, admin.get("/settings/sign-in/"+path).StatusCode, path)
	}
}

// Before a provider and all links to it are removed, a page asks, and says which provider it is.
func TestRemovingTheProviderIsAskedAbout(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	b := s.signedIn(t, "kari@example.com")
	page := b.get("/settings/sign-in")
	require.Zero(t, page.count("form[action='/settings/sign-in/remove']"))
	question := b.get(page.attr("main a[href$=remove]", "href"))
	require.Contains(t, question.text("main"), strings.TrimPrefix(s.provider.URL, "http://"))
	require.Equal(t, http.StatusSeeOther, b.submit("/settings/sign-in/remove", nil).StatusCode)
	require.Contains(t, b.follow().text("main"), "Single sign-on removed.")
	require.Equal(t, http.StatusSeeOther, b.get("/settings/sign-in/remove").StatusCode, "nothing is left to remove")
}

// No organization can have a slug that means something else below /sign-in.
func TestReservedSlugs(t *testing.T) {
	t.Parallel()
	var found []string
	for _, route := range dashboard.RouteTable() {
		if rest, ok := strings.CutPrefix(route.Path, "/sign-in/"); ok && !strings.HasPrefix(rest, ":") {
			word, _, _ := strings.Cut(rest, "/")
			found = append(found, word)
		}
	}
	for _, word := range found {
		require.Contains(t, organizations.ReservedSlugs, word)
	}
	w := modelstest.NewWorld(t)
	for _, slug := range organizations.ReservedSlugs {
		require.Contains(t, found, slug)
		require.ErrorContains(t, modelstest.ErrorOf(organizations.Create(t.Context(), w.Operator.Store, "X", slug)),
			"is reserved")
	}
}

// factor gives a user a second factor, and returns its secret.
func (s *providedSite) factor(t *testing.T, email string) string {
	t.Helper()
	secret := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString([]byte("12345678901234567890"))
	s.execute(t, `UPDATE users SET totp_secret = $1 WHERE email = $2`,
		s.Service.Store.Secret().Encrypt("totp", []byte(secret)), email)
	return secret
}

// mailToken returns the token of the link in the only mail of a kind.
func (s *providedSite) mailToken(kind mail.Kind) string {
	s.t.Helper()
	id := modelstest.ValueAt[uuid.UUID](s.t, s.URL, `SELECT id FROM mails WHERE kind = $1`, string(kind))
	return mail.Token(s.Service.Store.Secret(), id)
}

// submitSwitch switches to another organization.
func (b *browser) submitSwitch(to models.Organization) *answer {
	b.t.Helper()
	return b.do(http.MethodPost, "/organization",
		url.Values{"form_token": {b.token()}, "organization": {to.ID.String()}}, nil)
}

// Wrong tries where a hostile provider let somebody in keep the account's user from nothing
// elsewhere, and are in that organization's audit log alone; and a challenge opens no session once the provider is off.
func TestHostileProviderTries(t *testing.T) {
	t.Parallel()
	s := newProvidedSite(t)
	s.linked(t)
	session := func(token string) accounts.Session {
		found, err := s.Service.Accounts.Session(t.Context(), token)
		require.NoError(t, err)
		return found
	}
	link := accounts.ProviderLink{OrganizationID: s.a.ID, Issuer: s.provider.URL, ClientID: s.provider.ClientID,
		Subject: "subject-1", UserID: uuid.MustParse(s.userID(t, "kari@example.com"))}
	enter := func() accounts.SignedIn {
		entered, err := s.Service.Accounts.SignInByProvider(t.Context(), link, accounts.ByProviderAlone, "192.0.2.9", "x")
		require.NoError(t, err)
		return entered
	}
	provided := session(enter().Token)
	secret := s.factor(t, "kari@example.com")
	require.NoError(t, organizations.RequireSecondFactor(t.Context(), s.owner(s.a), true))
	challenge := enter().Challenge
	for range 11 {
		_, err := s.Service.Accounts.SignInCode(t.Context(), challenge, "000000", "192.0.2.9", "x")
		require.Error(t, err)
		_, err = s.Service.Accounts.Confirm(t.Context(), provided, models.Actor{Address: "192.0.2.9"}, "wrong password")
		require.Error(t, err)
	}
	failed := models.AuditFilter{Action: models.ActionSignInFailed}
	require.NotEmpty(t, modelstest.AuditLog(t, s.owner(s.a), failed))
	require.Empty(t, modelstest.AuditLog(t, s.owner(s.b), failed))
	wanted := accounts.SignIn{Email: "kari@example.com", Password: password, Address: "192.0.2.1"}
	asked, err := s.Service.Accounts.SignIn(t.Context(), wanted)
	require.NoError(t, err)
	code, err := totp.GenerateCode(secret, time.Now())
	require.NoError(t, err)
	signedIn, err := s.Service.Accounts.SignInCode(t.Context(), asked.Challenge, code, "192.0.2.1", "x")
	require.NoError(t, err)
	kari := session(signedIn.Token)
	require.NoError(t, modelstest.ErrorOf(
		s.Service.Accounts.Confirm(t.Context(), kari, models.Actor{Address: "192.0.2.1"}, password)))

	s.execute(t, `DELETE FROM sign_in_failures`)
	require.NoError(t, signon.Enable(t.Context(), s.owner(s.a), false))
	code, err = totp.GenerateCode(secret, time.Now().Add(30*time.Second))
	require.NoError(t, err)
	require.ErrorContains(t, modelstest.ErrorOf(
		s.Service.Accounts.SignInCode(t.Context(), challenge, code, "192.0.2.9", "x")), "changed meanwhile")

	// Another person's link in the place of this one ends the sessions by it.
	require.NoError(t, signon.Enable(t.Context(), s.owner(s.a), true))
	require.NoError(t, organizations.RequireSecondFactor(t.Context(), s.owner(s.a), false))
	before := enter().Token
	link.Subject = "subject-2"
	require.NoError(t, s.Service.Accounts.LinkProvider(t.Context(), link, "", "192.0.2.1"))
	require.Error(t, modelstest.ErrorOf(s.Service.Accounts.Session(t.Context(), before)))
	session(signedIn.Token)
}
