package signon

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
)

// Pending is somebody whom a provider has named, but who is not linked to an account here yet.
// Their browser keeps it, encrypted. Its address only chooses which member or invitation
// is meant: it proves nothing.
type Pending struct {
	Link  accounts.ProviderLink // without a user
	Email string
	Next  string // the path to go on at
	Until time.Time
}

// Host is the provider's host.
func (p Pending) Host() string { return p.Link.Host() }

const (
	purposePending = "sign-in pending"

	// PendingLife is how long somebody may take to prove which account is theirs.
	PendingLife = 30 * time.Minute
)

// Keep returns what the browser of somebody without a link keeps. Errors: KindUnauthorized if the
// provider did not name an address, or one that is not verified.
func (s *SignOn) Keep(a Arrival) (string, error) {
	switch {
	case a.Claims.Unverified():
		return "", providerFault(a.Host, "{provider} says that your e-mail address is not verified. Verify it there first.")
	case a.Claims.Email == "":
		return "", providerFault(a.Host,
			"{provider} sent no e-mail address. Ask an owner of the organization to let it send the claim email.")
	}
	kept, err := json.Marshal(Pending{a.Link, a.Claims.Email, a.Next, time.Now().Add(PendingLife)})
	return base64.RawURLEncoding.EncodeToString(s.store.Secret().Encrypt(purposePending, kept)), err
}

// Kept returns what Keep returned for the organization. Errors: KindForbidden if it is another
// browser's or has expired.
func (s *SignOn) Kept(text string, organizationID uuid.UUID) (p Pending, err error) {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return p, errStart
	}
	kept, err := s.store.Secret().Decrypt(purposePending, sealed)
	if err != nil || json.Unmarshal(kept, &p) != nil || p.Link.OrganizationID != organizationID ||
		time.Now().After(p.Until) {
		return Pending{}, errStart
	}
	return p, nil
}

// Meant is the account that somebody pending says is theirs.
type Meant struct {
	UserID      uuid.UUID // Nil if nobody with that address is a member
	HasPassword bool
	Invited     bool // an invitation waits for the address
}

// Meant finds the member or the invitation with the address of somebody pending.
func (s *SignOn) Meant(ctx context.Context, p Pending) (meant Meant, err error) {
	tenant := s.store.Tenant(p.Link.OrganizationID)
	members, err := accounts.Members(ctx, tenant)
	for _, member := range members {
		if strings.EqualFold(member.Email, p.Email) {
			meant.UserID, meant.HasPassword = member.UserID, member.HasPassword
		}
	}
	if err != nil || meant.UserID != uuid.Nil {
		return meant, err
	}
	var invited int64
	err = tenant.DB(ctx).
		Model(&accounts.Invitation{}).
		Where("email = ? AND expires_at > now()", p.Email).
		Count(&invited).Error
	meant.Invited = invited > 0
	return meant, models.Wrap(err)
}

// LinkBySession links somebody pending to the user of a session by password, which proves that the
// account is theirs. Errors: KindForbidden if the user is not the one who is meant, or has not just
// given the password or a code again; those of accounts.LinkProvider.
func (s *SignOn) LinkBySession(
	ctx context.Context, p Pending, session accounts.Session, address string,
) (accounts.ProviderLink, error) {
	if session.ByProvider() || !session.Confirmed() || !strings.EqualFold(session.Email, p.Email) {
		return accounts.ProviderLink{}, models.NewError(models.KindForbidden,
			"{provider} named {email}, but you are signed in as {user}.", "provider", p.Host(), "email", p.Email,
			"user", session.Email)
	}
	link := p.Link
	link.UserID = session.UserID
	return link, s.accounts.LinkProvider(ctx, link, "", address)
}
