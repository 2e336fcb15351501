package signon

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"dispo/models"
	"dispo/models/accounts"
)

const (
	// clockSkew is how much the provider's clock may be off.
	clockSkew = 2 * time.Minute

	// knownFor is how long what a provider publishes about itself is remembered.
	knownFor = 10 * time.Minute

	// failedFor is how long it is remembered that nothing could be read.
	failedFor = 10 * time.Second

	subjectMost = 255 // bytes, as OpenID Connect Core section 2 has it
)

// algorithms are those by which ID tokens may be signed: each with a key that the provider
// publishes.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// Claims are what a provider says about somebody.
type Claims struct {
	Subject       string
	Email         string // in lower case; it proves nothing
	EmailVerified *bool  // nil if the provider does not say
	Name          string
	AuthTime      time.Time // when they signed in there; zero if the provider does not say
	AMR           []string  // how they signed in there
	ACR           string
	IssuedAt      time.Time
}

// Unverified reports whether the provider says that the address is not verified.
func (c Claims) Unverified() bool { return c.EmailVerified != nil && !*c.EmailVerified }

// provider is what a provider publishes about itself.
type provider struct {
	*oidc.Provider
	host      string
	endpoint  oauth2.Endpoint
	announces bool // its answers name it (RFC 9207)
}

// providerFault says what is wrong with a provider, or with what it says: message, for the provider at a
// host.
func providerFault(host, message string) error {
	return models.NewError(models.KindUnauthorized, message, "provider", host)
}

// discover returns what a provider publishes, which is read again if fresh. A failure is remembered
// for its organization, so that a slow provider does not take up all of its turns.
func (s *SignOn) discover(ctx context.Context, of accounts.Provider, fresh bool) (*provider, error) {
	failure := of.OrganizationID.String() + " " + of.Issuer
	if !fresh {
		if known, ok := s.known.Get(of.Issuer); ok {
			return known, nil
		}
		if err, ok := s.failed.Get(failure); ok {
			return nil, err
		}
	}
	found, err := s.published(ctx, of)
	if err != nil {
		s.failed.Add(failure, err)
		return nil, err
	}
	s.failed.Remove(failure)
	s.known.Add(of.Issuer, found)
	return found, nil
}

// published reads what a provider publishes.
func (s *SignOn) published(ctx context.Context, of accounts.Provider) (*provider, error) {
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, s.client), of.Issuer)
	if _, other := errors.AsType[*oidc.IssuerMismatchError](err); other {
		return nil, providerFault(of.Host(), "{provider} publishes another issuer than the one in the settings.")
	}
	if err != nil {
		return nil, s.unreached(of.Host(), err)
	}
	var published struct {
		Announces bool     `json:"authorization_response_iss_parameter_supported"`
		Methods   []string `json:"token_endpoint_auth_methods_supported"`
		Keys      string   `json:"jwks_uri"`
	}
	if err := found.Claims(&published); err != nil {
		return nil, providerFault(of.Host(), "{provider} answered something that is not OpenID Connect.")
	}
	p := &provider{found, of.Host(), found.Endpoint(), published.Announces}
	for _, address := range []string{p.endpoint.AuthURL, p.endpoint.TokenURL, published.Keys} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !s.private) {
			return nil, providerFault(of.Host(), "{provider} publishes an address that is not https.")
		}
	}
	switch {
	case len(published.Methods) == 0 || slices.Contains(published.Methods, "client_secret_basic"):
		p.endpoint.AuthStyle = oauth2.AuthStyleInHeader
	case slices.Contains(published.Methods, "client_secret_post"):
		p.endpoint.AuthStyle = oauth2.AuthStyleInParams
	default:
		return nil, providerFault(of.Host(), "{provider} accepts no client secret.")
	}
	return p, nil
}

// unreached says why a call of the provider failed.
func (s *SignOn) unreached(host string, err error) error {
	var timeout net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return providerFault(host, "{provider} took longer than 10 seconds. Try again later.")
	case strings.Contains(err.Error(), errTooLong.Error()): // the library does not wrap it
		return providerFault(host, "{provider} answered with more than 1 MB.")
	case errors.Is(err, errRedirected):
		return providerFault(host, "{provider} redirected the call, which is refused: the settings need its final address.")
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return providerFault(host, "{provider} cannot be reached. Try again later.")
	}
	return providerFault(host, "{provider} answered something that is not OpenID Connect.")
}

func (s *SignOn) config(of accounts.Provider, p *provider) (oauth2.Config, error) {
	secret, err := s.store.Secret().Decrypt(accounts.ProviderPurpose(of.OrganizationID), of.ClientSecret)
	if err != nil {
		return oauth2.Config{}, providerFault(of.Host(),
			"The client secret of {provider} was stored under another server secret: an owner has to enter it again.")
	}
	return oauth2.Config{
		ClientID:     of.ClientID,
		ClientSecret: string(secret),
		Endpoint:     p.endpoint,
		RedirectURL:  s.ReturnURL(of.OrganizationID),
		Scopes:       []string{oidc.ScopeOpenID, oidc.ScopeEmail, oidc.ScopeProfile},
	}, nil
}

// redeem exchanges a code for an ID token, and returns the token's claims if it is good.
func (s *SignOn) redeem(
	ctx context.Context, of accounts.Provider, p *provider, code, verifier, nonce string,
) (Claims, error) {
	config, err := s.config(of, p)
	if err != nil {
		return Claims{}, err
	}
	tokens, err := config.Exchange(oidc.ClientContext(ctx, s.client), code, oauth2.VerifierOption(verifier))
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		switch refused.ErrorCode {
		case "invalid_grant":
			return Claims{}, providerFault(p.host,
				"{provider} refused the code: it was used already or has expired. Sign in again.")
		case "invalid_client", "unauthorized_client":
			return Claims{}, providerFault(p.host, "{provider} refused the client ID or the client secret.")
		}
		return Claims{}, providerFault(p.host, "{provider} refused to name you. Sign in again.")
	}
	if err != nil {
		return Claims{}, s.unreached(p.host, err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	if raw == "" {
		return Claims{}, providerFault(p.host, "{provider} sent no ID token.")
	}
	now := time.Now()
	token, err := p.Verifier(&oidc.Config{
		ClientID:             of.ClientID,
		SupportedSigningAlgs: algorithms,
		Now:                  func() time.Time { return now.Add(-clockSkew) },
	}).Verify(ctx, raw)
	if err != nil {
		return Claims{}, s.unverified(ctx, of, p.host, raw, err)
	}
	claims, err := read(token, of, p.host, nonce, now)
	if err != nil || claims.Email != "" || p.UserInfoEndpoint() == "" {
		return claims, err
	}
	// Some providers name the address there alone.
	info, err := p.UserInfo(oidc.ClientContext(ctx, s.client), oauth2.StaticTokenSource(tokens))
	var said address
	if err == nil && info.Subject == claims.Subject && info.Claims(&said) == nil {
		claims.Email, claims.EmailVerified = said.read()
	}
	return claims, nil
}

// address is an e-mail address among claims.
type address struct {
	Email    any `json:"email"`
	Verified any `json:"email_verified"` // some providers send a text
}

// read returns the address in lower case, and whether it is verified, if that is said.
func (a address) read() (email string, verified *bool) {
	email, err := models.ReadEmail(text(a.Email))
	if err != nil || len(email) > models.EmailLength {
		email = ""
	}
	switch said := a.Verified.(type) {
	case bool:
		verified = &said
	case string:
		yes := said == "true"
		verified = &yes
	}
	return email, verified
}

// read checks what the library does not, and returns the claims.
func read(token *oidc.IDToken, of accounts.Provider, host, nonce string, now time.Time) (Claims, error) {
	var claims struct {
		address
		Name      any      `json:"name"`
		AuthTime  *float64 `json:"auth_time"`
		NotBefore *float64 `json:"nbf"`
		AMR       any      `json:"amr"`
		ACR       any      `json:"acr"`
		Party     string   `json:"azp"`
	}
	if err := token.Claims(&claims); err != nil {
		return Claims{}, providerFault(host, "{provider} sent claims that cannot be read.")
	}
	latest := now.Add(clockSkew)
	switch {
	case token.Nonce == "":
		return Claims{}, providerFault(host, "{provider} sent an ID token without the nonce.")
	case token.Nonce != nonce:
		return Claims{}, providerFault(host, "{provider} sent the ID token of another sign-in.")
	case token.IssuedAt.After(latest), claims.NotBefore != nil && seconds(*claims.NotBefore).After(latest):
		return Claims{}, providerFault(host, "The clock of {provider} or of this service is wrong by more than 2 minutes.")
	case claims.Party != "" && claims.Party != of.ClientID, claims.Party == "" && len(token.Audience) > 1:
		return Claims{}, providerFault(host, "{provider} sent an ID token for another client.")
	case token.Subject == "" || len(token.Subject) > subjectMost || models.Storable(token.Subject, subjectMost) != token.Subject:
		return Claims{}, providerFault(host, "{provider} sent a subject that cannot be used.")
	}
	found := Claims{Subject: token.Subject, Name: text(claims.Name), ACR: text(claims.ACR), IssuedAt: token.IssuedAt}
	found.Email, found.EmailVerified = claims.read()
	if claims.AuthTime != nil {
		found.AuthTime = seconds(*claims.AuthTime)
	}
	if methods, ok := claims.AMR.([]any); ok {
		for _, method := range methods[:min(len(methods), 10)] {
			found.AMR = append(found.AMR, text(method))
		}
	}
	return found, nil
}

func seconds(unix float64) time.Time { return time.Unix(int64(unix), 0) }

// text returns a claim as text that can be stored and shown.
func text(claim any) string {
	value, _ := claim.(string)
	return models.Storable(value, subjectMost)
}

// unverified says why an ID token is not good. What it reads of the token is not proved, and only
// chooses the sentence.
func (s *SignOn) unverified(ctx context.Context, of accounts.Provider, host, raw string, err error) error {
	if _, expired := errors.AsType[*oidc.TokenExpiredError](err); expired {
		return providerFault(host,
			"{provider} sent an ID token that has expired: its clock or the one of this service may be wrong.")
	}
	parts := strings.Split(raw, ".")
	var header struct {
		Algorithm string `json:"alg"`
	}
	var claims struct {
		Issuer string `json:"iss"`
	}
	decode(parts[0], &header)
	if !slices.Contains(algorithms, header.Algorithm) {
		return providerFault(host, "{provider} signed the ID token in a way that is not accepted.")
	}
	if len(parts) > 1 {
		decode(parts[1], &claims)
	}
	switch {
	case ctx.Err() != nil, strings.Contains(err.Error(), "fetching keys"):
		return s.unreached(host, cmp.Or(ctx.Err(), err))
	case strings.Contains(err.Error(), "nbf"):
		return providerFault(host, "The clock of {provider} or of this service is wrong by more than 2 minutes.")
	case strings.Contains(err.Error(), "verify signature"):
		return providerFault(host, "{provider} signed the ID token with a key that it does not publish.")
	case claims.Issuer != of.Issuer:
		return providerFault(host, "{provider} sent an ID token of another issuer.")
	}
	return providerFault(host, "{provider} sent an ID token for another client.")
}

func decode(part string, into any) {
	if raw, err := base64.RawURLEncoding.DecodeString(part); err == nil {
		_ = json.Unmarshal(raw, into) // what cannot be read is left empty
	}
}
