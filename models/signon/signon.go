// Package signon lets members sign in at their organization's own identity provider, by OpenID
// Connect. A provider vouches for its organization alone: it says who somebody is there, and an
// account is proved by the account itself before the two are linked.
package signon

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/oauth2"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/fairqueue"
	"dispo/models/secrets"
)

// SignOn speaks with the identity providers of organizations. It is safe for concurrent use.
type SignOn struct {
	store    *models.Store
	accounts *accounts.Accounts
	public   *url.URL // how browsers reach the service
	private  bool
	client   *http.Client
	known    *expirable.LRU[string, *provider] // by issuer
	failed   *expirable.LRU[string, error]     // by organization and issuer: why nothing could be read
	// Calls have turns by organization, so that one slow provider keeps no other waiting, and before
	// by network too, so that nobody keeps all of an organization's members waiting.
	calls, networks *fairqueue.Queue[string]
}

// New returns what speaks with the providers of the store's organizations. With private, their
// addresses may be private and without TLS.
func New(users *accounts.Accounts, store *models.Store, public *url.URL, private bool) *SignOn {
	return &SignOn{
		store: store, accounts: users, public: public, private: private, client: newClient(private),
		known:    expirable.NewLRU[string, *provider](knownMost, nil, knownFor),
		failed:   expirable.NewLRU[string, error](knownMost, nil, failedFor),
		calls:    fairqueue.New(fairqueue.Limits[string]{PerSubject: 8, Waiting: 40}),
		networks: fairqueue.New(fairqueue.Limits[string]{PerSubject: 4, Waiting: 20}),
	}
}

const (
	knownMost = 1000 // providers that are remembered

	// startLife is how long somebody may take at the provider.
	startLife = 10 * time.Minute

	nextMost = 500 // bytes of the path to go on at
)

// ReturnURL is where the organization's provider sends browsers back to.
func (s *SignOn) ReturnURL(organizationID uuid.UUID) string {
	return s.public.JoinPath("sign-in", "return", organizationID.String()).String()
}

// Purpose says what somebody goes to the provider for.
type Purpose string

// What somebody goes to a provider for.
const (
	ToSignIn  Purpose = "sign in"
	ToTry     Purpose = "try"     // an owner tries the settings
	ToConfirm Purpose = "confirm" // a user confirms that it is them
)

// Start is somebody's way to the provider.
type Start struct {
	Purpose Purpose
	Session uuid.UUID  // whose user tries or confirms; Nil to sign in
	Browser string     `json:"-"` // a random text that only this browser has
	Address netip.Addr `json:"-"` // where it comes from
	Next    string     // the path to go on at
}

// state is what comes back from the provider with the browser. It is encrypted, so the
// provider learns nothing from it.
type state struct {
	Start
	Organization uuid.UUID
	Provider     []byte // tagOf
	BrowserHash  []byte
	Began        time.Time
}

const purposeState = "sign-in state"

// tagOf identifies the issuer and client that a sign-in was started with.
func tagOf(p accounts.Provider) []byte { return secrets.TokenHash(p.Issuer + "\n" + p.ClientID) }

// NewBrowser returns a text for Start.Browser.
func NewBrowser() string { return rand.Text() }

// Find returns the tenant with that slug that has a provider. Errors: KindNotFound if it has
// none, also if there is no such organization.
func (s *SignOn) Find(ctx context.Context, slug string) (models.Tenant, error) {
	var found []struct{ ID uuid.UUID }
	err := s.store.DB().
		GORM(ctx).
		Raw(`SELECT o AS id FROM sign_in_organization(?) o WHERE o IS NOT NULL`, slug).
		Scan(&found).Error
	if err == nil && len(found) == 0 {
		return models.Tenant{}, errNone
	}
	if err != nil {
		return models.Tenant{}, models.Wrap(err)
	}
	return s.store.Tenant(found[0].ID), nil
}

// Begin returns the provider's address to send the browser to, and its host. Only a trial may
// begin before the provider is enabled, and it reads again what the provider publishes. Errors:
// KindNotFound, KindUnauthorized for what is wrong with the provider, KindLimited.
func (s *SignOn) Begin(ctx context.Context, tenant models.Tenant, start Start) (address, host string, err error) {
	of, err := Get(ctx, tenant)
	if err != nil {
		return "", "", err
	}
	if of == nil || !of.Enabled && start.Purpose != ToTry {
		return "", "", errNone
	}
	ctx, leave, err := s.enter(ctx, tenant, start.Address)
	if err != nil {
		return "", "", err
	}
	defer leave()
	p, err := s.discover(ctx, *of, start.Purpose == ToTry)
	if err != nil {
		return "", "", err
	}
	config, err := s.config(*of, p)
	if err != nil {
		return "", "", err
	}
	if len(start.Next) > nextMost {
		start.Next = "/"
	}
	began := state{start, tenant.OrganizationID(), tagOf(*of), secrets.TokenHash(start.Browser), time.Now()}
	text, err := json.Marshal(began)
	if err != nil {
		return "", "", err
	}
	sealed := base64.RawURLEncoding.EncodeToString(s.store.Secret().Encrypt(purposeState, text))
	options := []oauth2.AuthCodeOption{
		oidc.Nonce(s.nonce(sealed, start.Browser)), oauth2.S256ChallengeOption(s.verifier(sealed, start.Browser)),
	}
	if start.Purpose == ToConfirm {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	to, err := url.Parse(config.AuthCodeURL(sealed, options...))
	if err != nil {
		return "", "", providerFault(of.Host(), "{provider} answered something that is not OpenID Connect.")
	}
	return to.String(), to.Host, nil
}

// enter waits for the turn of the organization, and of a network there, to call its provider. The
// turn ends after 10 seconds.
func (s *SignOn) enter(ctx context.Context, tenant models.Tenant, from netip.Addr) (context.Context, func(), error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	organization := tenant.OrganizationID().String()
	leaveNetwork, ok := s.networks.Enter(ctx, organization+" "+models.CallerNetwork(from))
	leave := leaveNetwork
	if ok {
		if leave, ok = s.calls.Enter(ctx, organization); !ok {
			leaveNetwork()
		}
	}
	if !ok {
		cancel()
		return nil, nil, models.NewError(models.KindLimited, "Too many people sign in at once. Try again in a few seconds.")
	}
	return ctx, func() { leave(); leaveNetwork(); cancel() }, nil
}

// nonce and verifier are made from the state and what only the browser has, so they need not be
// kept, and a state of another browser has others.
func (s *SignOn) nonce(sealed, browser string) string {
	return s.store.Secret().Sign("sign-in nonce", sealed+" "+browser)
}

func (s *SignOn) verifier(sealed, browser string) string {
	return s.store.Secret().Sign("sign-in verifier", sealed+" "+browser)
}

// Answer is what a browser brings back from the provider.
type Answer struct {
	State, Code, Issuer string
	Error               string // the provider's, if it refused
	Browser             string // the text of Start.Browser
	Address             netip.Addr
}

// Arrival is somebody who came back from the provider.
type Arrival struct {
	Start
	Began  time.Time
	Host   string // of the issuer
	Claims Claims
	Link   accounts.ProviderLink // with the account that is linked to them here, or uuid.Nil
	Tried  accounts.Provider     // that they came back from, if they tried it
}

// Fresh reports whether the provider says that they have signed in there since they began.
func (a Arrival) Fresh() bool {
	return a.Claims.AuthTime.After(a.Began.Add(-clockSkew)) && a.Claims.AuthTime.Before(time.Now().Add(clockSkew))
}

var errStart = models.NewError(models.KindForbidden,
	"This sign-in was not started in this browser, took longer than 10 minutes, or was used already. Start again.")

// Return checks what a browser brings back to an organization. A state is accepted once, and only
// in the browser that began, for the organization, issuer and client that it began with. Errors:
// KindForbidden if that is not so, KindUnauthorized for what is wrong with the provider or what it
// says.
func (s *SignOn) Return(ctx context.Context, organizationID uuid.UUID, answer Answer) (Arrival, error) {
	tenant := s.store.Tenant(organizationID)
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(answer.State)
	if err != nil {
		return Arrival{}, errStart
	}
	text, err := s.store.Secret().Decrypt(purposeState, sealed)
	if err != nil {
		return Arrival{}, errStart
	}
	var began state
	if err := json.Unmarshal(text, &began); err != nil {
		return Arrival{}, err
	}
	if began.Organization != organizationID || time.Since(began.Began) > startLife ||
		!hmac.Equal(began.BrowserHash, secrets.TokenHash(answer.Browser)) {
		return Arrival{}, errStart
	}
	of, err := Get(ctx, tenant)
	if err != nil {
		return Arrival{}, err
	}
	if of == nil || !hmac.Equal(tagOf(*of), began.Provider) || !of.Enabled && began.Purpose != ToTry {
		return Arrival{}, errStart
	}
	if err := use(ctx, tenant, answer.State, began.Began); err != nil {
		return Arrival{}, err
	}
	claims, err := s.claims(ctx, tenant, *of, answer)
	if err != nil {
		return Arrival{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience) // the provider may have used the time up
	defer cancel()
	if began.Purpose == ToTry {
		// Whoever tries has the session that began, which the caller has checked.
		return Arrival{Start: began.Start, Began: began.Began, Host: of.Host(), Claims: claims, Tried: *of}, nil
	}
	link := accounts.ProviderLink{
		OrganizationID: organizationID, Issuer: of.Issuer, ClientID: of.ClientID, Subject: claims.Subject,
	}
	known, err := models.Find[accounts.ProviderLink](tenant.DB(ctx).
		Where("issuer = ? AND client_id = ? AND subject = ?", link.Issuer, link.ClientID, link.Subject))
	if len(known) > 0 {
		link = known[0]
	}
	link.NamedAt = claims.IssuedAt
	return Arrival{Start: began.Start, Began: began.Began, Host: of.Host(), Claims: claims, Link: link}, err
}

// use accepts a state once.
func use(ctx context.Context, tenant models.Tenant, text string, began time.Time) error {
	used := &State{StateHash: secrets.TokenHash(text), ExpiresAt: began.Add(startLife + time.Hour)}
	err := tenant.Write(ctx, func(tx *gorm.DB) error { return tx.Create(used).Error })
	if models.ErrorKind(err) == models.KindConflict {
		return errStart
	}
	return err
}

// claims calls the provider, and returns what it says about whoever came back with its answer.
func (s *SignOn) claims(
	ctx context.Context, tenant models.Tenant, of accounts.Provider, answer Answer,
) (Claims, error) {
	ctx, leave, err := s.enter(ctx, tenant, answer.Address)
	if err != nil {
		return Claims{}, err
	}
	defer leave()
	p, err := s.discover(ctx, of, false)
	if err != nil {
		return Claims{}, err
	}
	switch {
	case answer.Issuer != of.Issuer && (p.announces || answer.Issuer != ""):
		return Claims{}, providerFault(p.host, "The answer does not come from {provider}.")
	case answer.Error == "access_denied":
		return Claims{}, providerFault(p.host, "You or {provider} refused the sign-in.")
	case answer.Error != "" || answer.Code == "":
		return Claims{}, providerFault(p.host,
			"{provider} refused the sign-in. Ask an owner of the organization to check its settings there.")
	}
	return s.redeem(ctx, of, p, answer.Code, s.verifier(answer.State, answer.Browser),
		s.nonce(answer.State, answer.Browser))
}

// State is a state that was used.
type State struct {
	OrganizationID uuid.UUID
	StateHash      []byte
	ExpiresAt      time.Time
}

// TableName is the table of used states.
func (State) TableName() string { return "sign_in_states" }

// Tried notes that an owner has tried the provider as it is. Errors: KindForbidden unless the
// actor is an owner, and KindConflict if it was changed meanwhile, also if only its secret was.
func Tried(ctx context.Context, tenant models.Tenant, tried accounts.Provider) error {
	return change(ctx, tenant, func(tx *gorm.DB, present *accounts.Provider) error {
		if present == nil {
			return errNone
		}
		if present.Issuer != tried.Issuer || present.ClientID != tried.ClientID ||
			!bytes.Equal(present.ClientSecret, tried.ClientSecret) {
			return models.NewError(models.KindConflict, "The single sign-on was changed meanwhile. Start again.")
		}
		if err := tx.Model(&accounts.Provider{}).Where("true").Update("tried_at", database.Clock).Error; err != nil {
			return err
		}
		return tenant.Note(tx, models.ActionProviderTried, present.Host())
	})
}
