package signon_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/modelstest"
	"dispo/models/secrets"
	"dispo/models/signon"
	"dispo/models/terms"
)

const password = "correct horse battery"

// world is an organization with an owner and a provider, which is enabled.
type world struct {
	*modelstest.World
	t        *testing.T
	a        models.Organization
	provider *modelstest.Provider
	signon   *signon.SignOn
	browser  string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: modelstest.NewWorld(t), t: t, provider: modelstest.NewProvider(t), browser: signon.NewBrowser()}
	w.a = w.Organization(t, "a")
	w.User(t, w.a, "owner@a.example", terms.Owner, password)
	public, err := url.Parse("https://dispo.example.com")
	require.NoError(t, err)
	w.signon = signon.New(w.Service.Accounts, w.Service.Store, public, true)
	w.set(w.provider)
	return w
}

// owner is the tenant of the organization a, as its owner.
func (w *world) owner() models.Tenant {
	id := uuid.MustParse(
		modelstest.ValueAt[string](w.t, w.URL, `SELECT id::text FROM users WHERE email = 'owner@a.example'`))
	return w.Service.Tenant(w.a.ID).As(models.Actor{UserID: &id, Email: "owner@a.example", Address: "192.0.2.1"})
}

// set makes a provider that of the organization a, and enables it.
func (w *world) set(p *modelstest.Provider) {
	w.t.Helper()
	require.NoError(w.t, w.signon.Set(w.t.Context(), w.owner(),
		signon.Settings{Issuer: p.URL, ClientID: p.ClientID, ClientSecret: p.ClientSecret}))
	present, err := signon.Get(w.t.Context(), w.owner())
	require.NoError(w.t, err)
	require.NoError(w.t, signon.Tried(w.t.Context(), w.owner(), *present))
	require.NoError(w.t, signon.Enable(w.t.Context(), w.owner(), true))
}

// begin goes to the provider, and returns the address.
func (w *world) begin(purpose signon.Purpose) string {
	w.t.Helper()
	address, _, err := w.signon.Begin(w.t.Context(), w.owner(),
		signon.Start{Purpose: purpose, Browser: w.browser, Next: "/"})
	require.NoError(w.t, err)
	return address
}

// arrive goes to the provider and back.
func (w *world) arrive() (signon.Arrival, error) {
	w.t.Helper()
	return w.back(w.provider.Authorize(w.begin(signon.ToSignIn)))
}

func (w *world) back(query url.Values) (signon.Arrival, error) {
	w.t.Helper()
	return w.signon.Return(w.t.Context(), w.a.ID, signon.Answer{State: query.Get("state"), Code: query.Get("code"),
		Issuer: query.Get("iss"), Error: query.Get("error"), Browser: w.browser})
}

// Each thing that is wrong with a provider, or with what it says, is refused with one sentence
// that names it. Nothing of what it sent is in the error.
func TestWhatProvidersGetWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := modelstest.NewProvider(t)
	now := time.Now()
	claim := func(name string, value any) func(*modelstest.Provider) {
		return func(p *modelstest.Provider) { p.Claims = map[string]any{name: value} }
	}
	sign := func(sign func(p *modelstest.Provider, claims []byte) string) func(*modelstest.Provider) {
		return func(p *modelstest.Provider) { p.Sign = func(claims []byte) string { return sign(p, claims) } }
	}
	const unaccepted, clock = "signed the ID token in a way that is not accepted", "is wrong by more than 2 minutes"
	for name, wrong := range map[string]struct {
		change func(*modelstest.Provider)
		says   string
	}{
		"no signature": {sign(func(_ *modelstest.Provider, claims []byte) string {
			return "eyJhbGciOiJub25lIn0." + base64URL(claims) + "."
		}), unaccepted},
		"signed with the client secret": {sign(func(p *modelstest.Provider, claims []byte) string {
			return modelstest.SignWith(t, jose.HS256, []byte(strings.Repeat(p.ClientSecret, 2)), claims)
		}), unaccepted},
		"another key": {sign(func(_ *modelstest.Provider, claims []byte) string {
			return modelstest.SignWith(t, jose.ES256, other.Key(), claims)
		}), "with a key that it does not publish"},
		"no token":            {sign(func(*modelstest.Provider, []byte) string { return "" }), "sent no ID token"},
		"another issuer":      {claim("iss", other.URL), "of another issuer"},
		"another audience":    {claim("aud", "somebody"), "for another client"},
		"two audiences":       {claim("aud", []string{"dispo", "somebody"}), "for another client"},
		"another party":       {claim("azp", "somebody"), "for another client"},
		"no nonce":            {claim("nonce", nil), "without the nonce"},
		"another nonce":       {claim("nonce", "x"), "of another sign-in"},
		"no subject":          {claim("sub", nil), "a subject that cannot be used"},
		"long subject":        {claim("sub", strings.Repeat("x", 256)), "a subject that cannot be used"},
		"NUL in the subject":  {claim("sub", "x\x00"), "a subject that cannot be used"},
		"expired":             {claim("exp", now.Add(-3*time.Minute).Unix()), "has expired"},
		"from the future":     {claim("iat", now.Add(4*time.Minute).Unix()), clock},
		"not yet":             {claim("nbf", now.Add(4*time.Minute).Unix()), clock},
		"wrong client secret": {func(p *modelstest.Provider) { p.ClientSecret = "another" }, "refused the client ID or the client secret"},
		"a redirect": {func(p *modelstest.Provider) {
			p.Token = func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, other.URL+"/token", http.StatusTemporaryRedirect)
			}
		}, "redirected the call"},
		"a long answer": {func(p *modelstest.Provider) {
			p.Token = func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat(" ", 2<<20)) }
		}, "not OpenID Connect"},
		"an error": {func(p *modelstest.Provider) {
			p.Token = func(w http.ResponseWriter, r *http.Request) {
				http.Error(w, r.PostFormValue("code"), http.StatusInternalServerError)
			}
		}, "refused to name you"},
		"away": {func(p *modelstest.Provider) {
			p.Token = func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
		}, "cannot be reached"},
	} {
		query := w.provider.Authorize(w.begin(signon.ToSignIn))
		w.provider.Change(wrong.change)
		_, err := w.back(query)
		require.ErrorContains(t, err, wrong.says, name)
		require.NotContains(t, err.Error(), query.Get("code"), name)
		require.NotContains(t, err.Error(), query.Get("state"), name)
		w.provider.Change(func(p *modelstest.Provider) {
			p.Claims, p.Sign, p.Token, p.ClientSecret = nil, nil, nil, "a secret of the client"
		})
	}
	arrival, err := w.arrive()
	require.NoError(t, err)
	require.Equal(t, "subject-1", arrival.Claims.Subject)
	// Clocks may be off by two minutes.
	w.provider.Change(func(p *modelstest.Provider) {
		p.Claims = map[string]any{"exp": now.Add(-time.Minute).Unix(), "nbf": now.Add(time.Minute).Unix()}
	})
	_, err = w.arrive()
	require.NoError(t, err)
	// A new key is fetched when it is first met.
	w.provider.Change(func(p *modelstest.Provider) { p.Claims = nil; p.RotateKey() })
	_, err = w.arrive()
	require.NoError(t, err)
}

// A state is accepted once, within 10 minutes, in the browser that began, for the organization,
// issuer and client that it began with. An answer has to name the issuer if that is announced.
func TestStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const refused = "was not started in this browser"
	query := w.provider.Authorize(w.begin(signon.ToSignIn))
	with := func(name, value string) url.Values {
		changed := url.Values{}
		for key := range query {
			changed.Set(key, query.Get(key))
		}
		changed.Set(name, value)
		return changed
	}
	answer := func(query url.Values, browser string, organization uuid.UUID) error {
		return modelstest.ErrorOf(w.signon.Return(t.Context(), organization, signon.Answer{State: query.Get("state"),
			Code: query.Get("code"), Issuer: query.Get("iss"), Browser: browser}))
	}
	require.ErrorContains(t, answer(query, signon.NewBrowser(), w.a.ID), refused)
	require.ErrorContains(t, answer(query, "", w.a.ID), refused)
	require.ErrorContains(t, answer(with("state", ""), w.browser, w.a.ID), refused)
	require.ErrorContains(t, answer(with("state", "x"+query.Get("state")[1:]), w.browser, w.a.ID), refused)
	b := w.Organization(t, "b")
	require.ErrorContains(t, answer(query, w.browser, b.ID), refused)
	require.NoError(t, answer(query, w.browser, w.a.ID))
	require.ErrorContains(t, answer(query, w.browser, w.a.ID), refused)
	require.ErrorContains(t, answer(with("code", "x"), w.browser, w.a.ID), refused)

	for _, issuer := range []string{"", "https://other.example"} {
		query = w.provider.Authorize(w.begin(signon.ToSignIn))
		require.ErrorContains(t, answer(with("iss", issuer), w.browser, w.a.ID), "does not come from")
	}
	// The code of another state, as an attacker would exchange it, has another verifier.
	query = w.provider.Authorize(w.begin(signon.ToSignIn))
	theirs := w.provider.Authorize(w.begin(signon.ToSignIn))
	require.ErrorContains(t, answer(with("code", theirs.Get("code")), w.browser, w.a.ID), "refused the code")

	query = w.provider.Authorize(w.begin(signon.ToSignIn))
	w.set(modelstest.NewProvider(t))
	require.ErrorContains(t, answer(query, w.browser, w.a.ID), refused)
}

// With another issuer or client, a provider is another one: it lets nobody in that the one before
// did, until an owner has tried and enabled it. Only owners change it.
func TestAnotherProvider(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	arrival, err := w.arrive()
	require.NoError(t, err)
	require.Zero(t, arrival.Link.UserID)
	link := arrival.Link
	link.UserID = *w.owner().Actor().UserID
	session := w.signedIn("owner@a.example")
	pending := signon.Pending{Link: arrival.Link, Email: "owner@a.example"}
	_, err = w.signon.LinkBySession(t.Context(), pending, session, "192.0.2.1")
	require.NoError(t, err)
	arrival, err = w.arrive()
	require.NoError(t, err)
	link.NamedAt = arrival.Link.NamedAt
	require.Equal(t, link, arrival.Link)

	settings := signon.Settings{Issuer: w.provider.URL, ClientID: "another", ClientSecret: "x"}
	require.NoError(t, w.signon.Set(t.Context(), w.owner(), settings))
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM sign_in_links`))
	_, _, err = w.signon.Begin(t.Context(), w.owner(), signon.Start{Purpose: signon.ToSignIn, Browser: w.browser})
	require.ErrorContains(t, err, "has no single sign-on")
	require.ErrorContains(t, signon.Enable(t.Context(), w.owner(), true), "Try it first.")
	_, err = w.Service.Accounts.SignInByProvider(t.Context(), link, accounts.ByProviderAlone, "192.0.2.1", "x")
	require.ErrorContains(t, err, "was changed meanwhile")
	settings.ClientID, settings.ClientSecret = "third", ""
	require.ErrorContains(t, w.signon.Set(t.Context(), w.owner(), settings), "Enter the client secret.")

	w.User(t, w.a, "admin@a.example", terms.Admin, password)
	admin := w.session(w.signIn("admin@a.example"))
	tenant := w.Service.Tenant(w.a.ID).As(models.Actor{UserID: &admin.UserID, Email: admin.Email})
	for _, err := range []error{w.signon.Set(t.Context(), tenant, settings), signon.Remove(t.Context(), tenant),
		signon.Enable(t.Context(), tenant, false), signon.Trust(t.Context(), tenant, true),
		signon.Tried(t.Context(), tenant, accounts.Provider{})} {
		require.ErrorIs(t, err, models.ErrNotAllowed)
	}
	for _, issuer := range []string{"", "x", "ftp://x", "https://x?y=1", "https://x#y", "https://u:p@x", "https://"} {
		require.Error(t,
			w.signon.Set(t.Context(), w.owner(), signon.Settings{Issuer: issuer, ClientID: "x", ClientSecret: "x"}), issuer)
	}
}

// A new client secret has to be tried before it counts, and cannot come while the provider is
// required. What was tried is what was there when the trial began.
func TestNewClientSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tried, err := signon.Get(t.Context(), w.owner())
	require.NoError(t, err)
	settings := signon.Settings{Issuer: w.provider.URL, ClientID: w.provider.ClientID, ClientSecret: "new"}
	require.NoError(t, w.signon.Set(t.Context(), w.owner(), settings))
	_, _, err = w.signon.Begin(t.Context(), w.owner(), signon.Start{Purpose: signon.ToSignIn, Browser: w.browser})
	require.ErrorContains(t, err, "has no single sign-on")
	require.ErrorContains(t, signon.Tried(t.Context(), w.owner(), *tried), "changed meanwhile")
	require.ErrorContains(t, signon.Enable(t.Context(), w.owner(), true), "Try it first.")
	modelstest.ExecuteAt(t, w.URL, `UPDATE sign_in_providers SET enabled = true, required = true`)
	require.ErrorContains(t, w.signon.Set(t.Context(), w.owner(), settings), "Stop requiring")
}

// signIn signs a user in by password, and returns the token.
func (w *world) signIn(email string) string {
	w.t.Helper()
	signedIn, err := w.Service.Accounts.SignIn(w.t.Context(),
		accounts.SignIn{Email: email, Password: password, Address: "192.0.2.1"})
	require.NoError(w.t, err)
	return signedIn.Token
}

func (w *world) session(token string) accounts.Session {
	w.t.Helper()
	session, err := w.Service.Accounts.Session(w.t.Context(), token)
	require.NoError(w.t, err)
	return session
}

func (w *world) signedIn(email string) accounts.Session {
	w.t.Helper()
	return w.session(w.signIn(email))
}

// What a provider publishes has to name the issuer exactly, and addresses and a way to send the
// client secret that can be used. A trial reads it again.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	try := func(change func(*modelstest.Provider)) (string, error) {
		w.provider.Change(change)
		address, _, err := w.signon.Begin(t.Context(), w.owner(), signon.Start{Purpose: signon.ToTry, Browser: w.browser})
		return address, err
	}
	publish := func(name string, value any) func(*modelstest.Provider) {
		return func(p *modelstest.Provider) { p.Metadata = map[string]any{name: value} }
	}
	answer := func(status int, body string) func(*modelstest.Provider) {
		return func(p *modelstest.Provider) {
			p.Serve = func(http.Handler) http.Handler {
				return http.HandlerFunc(
					func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); _, _ = io.WriteString(w, body) })
			}
		}
	}
	plain := func(p *modelstest.Provider) {
		p.Metadata, p.Serve = nil, func(h http.Handler) http.Handler { return h }
	}
	const methods = "token_endpoint_auth_methods_supported"
	for name, wrong := range map[string]struct {
		change func(*modelstest.Provider)
		says   string
	}{
		"issuer":         {publish("issuer", w.provider.URL+"/"), "another issuer"},
		"no address":     {publish("authorization_endpoint", ""), "an address that is not https"},
		"a bad address":  {publish("token_endpoint", "ftp://x/"), "an address that is not https"},
		"keys elsewhere": {publish("jwks_uri", "data:,"), "an address that is not https"},
		"no secret":      {publish(methods, []string{"private_key_jwt", "none"}), "accepts no client secret"},
		"an error":       {answer(500, "x"), "not OpenID Connect"},
		"no JSON":        {answer(200, "x"), "not OpenID Connect"},
		"too long":       {answer(200, strings.Repeat(" ", 2<<20)), "more than 1 MB"},
	} {
		_, err := try(wrong.change)
		require.ErrorContains(t, err, wrong.says, name)
		_, err = try(plain)
		require.NoError(t, err, name)
	}
	for _, how := range [][]string{nil, {"client_secret_basic"}, {"client_secret_post"}, {"none", "client_secret_post", "client_secret_basic"}} {
		address, err := try(publish(methods, how))
		require.NoError(t, err)
		require.NoError(t, modelstest.ErrorOf(w.back(w.provider.Authorize(address))), how)
	}
	// A browser can also come back to an instance that has not asked the provider yet.
	query := w.provider.Authorize(w.begin(signon.ToSignIn))
	public, err := url.Parse("https://dispo.example.com")
	require.NoError(t, err)
	w.signon = signon.New(w.Service.Accounts, w.Service.Store, public, true)
	require.NoError(t, modelstest.ErrorOf(w.back(query)))
}

// A provider that does not answer is given up after 10 seconds, whatever it was asked, and that is
// remembered: then nobody waits for it. Meanwhile, one network's browsers take up half of the
// organization's turns at most.
func TestSlowProvider(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	reached, end := make(chan bool, 100), make(chan struct{})
	t.Cleanup(func() { close(end) })
	slow := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached <- true; <-end })
	}
	public, err := url.Parse("https://dispo.example.com")
	require.NoError(t, err)
	w.signon = signon.New(w.Service.Accounts, w.Service.Store, public, true) // it has not read anything yet
	owner := w.owner()
	begin := func(address string) error {
		start := signon.Start{Purpose: signon.ToSignIn, Browser: w.browser, Address: netip.MustParseAddr(address)}
		_, _, err := w.signon.Begin(t.Context(), owner, start)
		return err
	}
	w.provider.Change(func(p *modelstest.Provider) { p.Serve = slow })
	results := make(chan error, 25)
	for range 24 {
		go func() { results <- begin("192.0.2.1") }()
	}
	for range 4 {
		modelstest.Receive(t, reached)
	}
	go func() { results <- begin("192.0.2.2") }()
	modelstest.Receive(t, reached)
	late := 0
	for range 25 {
		if err := modelstest.Receive(t, results); strings.Contains(err.Error(), "took longer than 10 seconds") {
			late++
		}
	}
	require.GreaterOrEqual(t, late, 5)
	require.ErrorContains(t, begin("192.0.2.1"), "took longer than 10 seconds")
	require.Empty(t, reached, "nobody waits for it")
	// A trial asks again, and what it reads counts.
	w.provider.Change(func(p *modelstest.Provider) { p.Serve = func(h http.Handler) http.Handler { return h } })
	w.begin(signon.ToTry)
	require.NoError(t, begin("192.0.2.1"))
}

// All calls of a sign-in together take 10 seconds at most.
func TestSlowCallsTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	query := w.provider.Authorize(w.begin(signon.ToSignIn))
	public, err := url.Parse("https://dispo.example.com")
	require.NoError(t, err)
	w.signon = signon.New(w.Service.Accounts, w.Service.Store, public, true) // it reads everything again
	w.provider.Change(func(p *modelstest.Provider) {
		p.Serve = func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				select {
				case <-r.Context().Done():
				case <-time.After(4 * time.Second):
				}
				h.ServeHTTP(w, r)
			})
		}
	})
	require.ErrorContains(t, modelstest.ErrorOf(w.back(query)), "took longer than 10 seconds")
}

// The client secret is stored encrypted, for its organization alone, and under a new server secret
// again.
func TestClientSecretIsEncrypted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stored := modelstest.ValueAt[[]byte](t, w.URL, `SELECT client_secret FROM sign_in_providers`)
	require.NotContains(t, string(stored), w.provider.ClientSecret)
	secret := w.Service.Store.Secret()
	text, err := secret.Decrypt(accounts.ProviderPurpose(w.a.ID), stored)
	require.NoError(t, err)
	require.Equal(t, w.provider.ClientSecret, string(text))
	_, err = secret.Decrypt(accounts.ProviderPurpose(uuid.New()), stored)
	require.Error(t, err)
	// Under a new server secret it stays, and Renew encrypts it again.
	fresh := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service},
		secrets.Secret{[]byte("a new secret, thirty-two bytes long"), secret[0]})
	found, err := fresh.Accounts.RenewOnce(t.Context())
	require.NoError(t, err)
	require.Equal(t, accounts.Encrypted{Old: 1}, found)
	stored = modelstest.ValueAt[[]byte](t, w.URL, `SELECT client_secret FROM sign_in_providers`)
	_, err = secret.Decrypt(accounts.ProviderPurpose(w.a.ID), stored)
	require.Error(t, err)
	entries, err := json.Marshal(modelstest.AuditLog(t, w.owner(), models.AuditFilter{}))
	require.NoError(t, err)
	require.NotContains(t, string(entries), w.provider.ClientSecret)
}

// Without DISPO_OIDC_PRIVATE, only https and public addresses are called, whatever name they have.
func TestPrivateAddressesAreNotCalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	public, err := url.Parse("https://dispo.example.com")
	require.NoError(t, err)
	guarded := signon.New(w.Service.Accounts, w.Service.Store, public, false)
	require.ErrorContains(t,
		guarded.Set(t.Context(), w.owner(), signon.Settings{Issuer: "http://x", ClientID: "x", ClientSecret: "x"}), "https")
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]",
		"[fd00::1]", "192.0.2.1", "0.0.0.0", "100.64.0.1", "[2002:7f00:1::]"} {
		require.NoError(t,
			guarded.Set(t.Context(), w.owner(), signon.Settings{Issuer: "https://" + host, ClientID: "x", ClientSecret: "x"}))
		_, _, err := guarded.Begin(t.Context(), w.owner(), signon.Start{Purpose: signon.ToTry, Browser: w.browser})
		require.ErrorContains(t, err, "cannot be reached", host)
	}
}

func base64URL(text []byte) string { return base64.RawURLEncoding.EncodeToString(text) }
