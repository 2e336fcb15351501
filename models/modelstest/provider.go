package modelstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

// Provider is an identity provider on this machine that says what a test wants it to.
type Provider struct {
	*httptest.Server
	ClientID, ClientSecret string

	// A test changes these between calls.
	Subject, Email string
	Claims         map[string]any                  // over the good ones; nil removes one
	Sign           func(claims []byte) string      // nil for the published key
	Metadata       map[string]any                  // over what is published about the provider
	Token          http.HandlerFunc                // instead of the answer with tokens
	Serve          func(http.Handler) http.Handler // around everything

	t     testing.TB
	mu    sync.Mutex
	key   jose.JSONWebKey
	codes map[string]url.Values // the requests that codes were made for
}

// NewProvider starts a provider, until the test ends.
func NewProvider(t testing.TB) *Provider {
	p := &Provider{ClientID: "dispo", ClientSecret: "a secret of the client", Subject: "subject-1", t: t,
		codes: map[string]url.Values{}, Serve: func(h http.Handler) http.Handler { return h }}
	p.RotateKey()
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", p.configuration)
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		p.reply(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{p.key.Public()}})
	})
	mux.HandleFunc("/token", p.token)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		around := p.Serve
		p.mu.Unlock()
		around(mux).ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// Change changes the provider between calls.
func (p *Provider) Change(change func(*Provider)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// RotateKey replaces the key that the provider publishes and signs with.
func (p *Provider) RotateKey() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(p.t, err)
	p.key = jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: "ES256", Use: "sig"}
}

// Key returns the key that the provider signs with.
func (p *Provider) Key() jose.JSONWebKey { return p.key }

func (p *Provider) reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func (p *Provider) configuration(w http.ResponseWriter, _ *http.Request) {
	body := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"ES256"},
		"token_endpoint_auth_methods_supported":          []string{"client_secret_basic"},
		"authorization_response_iss_parameter_supported": true,
	}
	maps.Copy(body, p.Metadata)
	p.reply(w, body)
}

// Authorize signs the provider's person in at the address that a browser was sent to, and returns
// the query with which the browser comes back.
func (p *Provider) Authorize(address string) url.Values {
	to, err := url.Parse(address)
	require.NoError(p.t, err)
	query := to.Query()
	require.Equal(p.t, "code", query.Get("response_type"))
	require.Equal(p.t, "S256", query.Get("code_challenge_method"))
	require.Equal(p.t, p.ClientID, query.Get("client_id"))
	code := rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.codes[code] = query
	return url.Values{"state": {query.Get("state")}, "code": {code}, "iss": {p.URL}}
}

// token redeems a code once, for the client that has the verifier.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Token != nil {
		p.Token(w, r)
		return
	}
	refuse := func(code string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": code})
	}
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	if id, _ = url.QueryUnescape(id); id != p.ClientID {
		refuse("invalid_client")
		return
	}
	if secret, _ = url.QueryUnescape(secret); secret != p.ClientSecret {
		refuse("invalid_client")
		return
	}
	asked, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || base64.RawURLEncoding.EncodeToString(challenge[:]) != asked.Get("code_challenge") ||
		r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
		refuse("invalid_grant")
		return
	}
	now := time.Now()
	claims := map[string]any{
		"iss": p.URL, "aud": p.ClientID, "sub": p.Subject, "nonce": asked.Get("nonce"),
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "email": p.Email,
	}
	if asked.Has("max_age") {
		claims["auth_time"] = now.Unix()
	}
	for name, value := range p.Claims {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	text, err := json.Marshal(claims)
	require.NoError(p.t, err)
	sign := p.Sign
	if sign == nil {
		sign = func(claims []byte) string { return SignWith(p.t, jose.ES256, p.key, claims) }
	}
	p.reply(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "id_token": sign(text)})
}

// SignWith signs claims as an ID token.
func SignWith(t testing.TB, algorithm jose.SignatureAlgorithm, key any, claims []byte) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, nil)
	require.NoError(t, err)
	signed, err := signer.Sign(claims)
	require.NoError(t, err)
	text, err := signed.CompactSerialize()
	require.NoError(t, err)
	return text
}
