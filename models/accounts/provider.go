package accounts

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/terms"
)

// Provider is the identity provider by which an organization's members sign in. Package signon
// speaks with it.
type Provider struct {
	OrganizationID uuid.UUID
	Issuer         string
	ClientID       string
	ClientSecret   []byte     // encrypted for ProviderPurpose
	TriedAt        *time.Time // when an owner last tried it as it is; nil for not yet
	Enabled        bool       // members can sign in by it
	// Required means that members cannot sign in by password, except owners who also have a
	// second factor.
	Required            bool
	SecondFactorTrusted bool // its word is enough where a second factor is required
}

// TableName is the providers' table.
func (Provider) TableName() string { return "sign_in_providers" }

// Host is the provider's host, as people are shown it.
func (p Provider) Host() string {
	issuer, err := url.Parse(p.Issuer)
	if err != nil {
		return p.Issuer
	}
	return issuer.Host
}

// ProviderPurpose is the purpose of the server's secret for the secret of an organization's
// provider, so that it opens for no other organization.
func ProviderPurpose(organizationID uuid.UUID) string {
	return "sign-in provider " + organizationID.String()
}

// ProviderLink says which account of an organization somebody at its provider has.
type ProviderLink struct {
	OrganizationID   uuid.UUID
	Issuer, ClientID string
	Subject          string // the provider's name for the person
	UserID           uuid.UUID
	NamedAt          time.Time `gorm:"-"` // when the provider last named them, by its clock
}

// TableName is the links' table.
func (ProviderLink) TableName() string { return "sign_in_links" }

// Host is the provider's host, as people are shown it.
func (l ProviderLink) Host() string { return Provider{Issuer: l.Issuer}.Host() }

// SignInByProvider signs in a user whom the organization's provider has named: by a session of
// that organization alone, or by a challenge if a code of the user's second factor is needed and
// not given yet, as ByProviderAndCode says. Errors: KindForbidden for a disabled user or one who is no longer a member.
func (a *Accounts) SignInByProvider(
	ctx context.Context, link ProviderLink, by OpenedBy, address, userAgent string,
) (SignedIn, error) {
	user, err := a.user(ctx, link.UserID)
	if err != nil {
		return SignedIn{}, err
	}
	if user.DisabledAt != nil {
		return SignedIn{}, errDisabled
	}
	memberships, err := a.memberships(ctx, user.ID)
	if err != nil {
		return SignedIn{}, err
	}
	for _, m := range memberships {
		required := m.RequireSecondFactor || a.requireFactor
		if m.OrganizationID == link.OrganizationID && required && !m.ProviderTrusted && user.TOTPSecret != nil &&
			by == ByProviderAlone {
			named, err := json.Marshal(link)
			text := user.ID.String() + " " + a.passwordTag(user) + " " + string(named)
			return SignedIn{Challenge: a.secret.Ticket("provider challenge", text, challengeLife)}, err
		}
	}
	return a.signedInByProvider(ctx, user, link, by, address, userAgent)
}

func (a *Accounts) signedInByProvider(
	ctx context.Context, user User, link ProviderLink, by OpenedBy, address, userAgent string,
) (SignedIn, error) {
	token, err := a.sessionCreate(ctx, user, &link.OrganizationID, by, link, "", address, userAgent)
	return SignedIn{Token: token}, err
}

var errProviderChanged = models.NewError(
	models.KindConflict, "The single sign-on was changed meanwhile. Start again.")

// useProviderLink notes that a user comes by the provider, and returns the provider's host.
// Errors: KindConflict if the link is gone, or the provider is another one or off by now.
func useProviderLink(tx *gorm.DB, link ProviderLink) (host string, err error) {
	if err := holdProvider(tx, link); err != nil {
		return "", err
	}
	return link.Host(), concerned(tx.Model(&ProviderLink{}).
		Where("user_id = ? AND issuer = ? AND client_id = ? AND subject = ?",
			link.UserID, link.Issuer, link.ClientID, link.Subject).
		Update("used_at", database.Clock), errProviderChanged)
}

// holdProvider keeps the provider of a link as it is until the transaction ends. Errors:
// KindConflict if it is another one or off by now.
func holdProvider(tx *gorm.DB, link ProviderLink) error {
	var found []Provider
	return concerned(tx.Clauses(clause.Locking{Strength: "SHARE"}).
		Where("enabled AND issuer = ? AND client_id = ?", link.Issuer, link.ClientID).
		Find(&found), errProviderChanged)
}

// LinkProvider lets somebody at the organization's provider in as a user, who has proved that
// the account is theirs: by a session, or by the token of ProviderMail, which is used up and proves
// the address too. It replaces the user's link of before, and the one of that person at the
// provider, and ends the sessions by them. The user gets a mail. Errors: KindConflict if the
// provider is another one by now, KindForbidden if the user is no member; those of ProviderProof.
func (a *Accounts) LinkProvider(ctx context.Context, link ProviderLink, token, address string) error {
	user, err := a.user(ctx, link.UserID)
	if err == nil && token != "" {
		err = a.ProviderProof(ctx, token, link)
	}
	if err != nil {
		return err
	}
	tenant := a.store.Tenant(link.OrganizationID).As(user.actor(address))
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		if token != "" {
			if err := useLink(tx, token); err != nil {
				return err
			}
			if err := proveAddress(tx, user.ID); err != nil {
				return err
			}
		}
		return linkProvider(tx, tenant, user, link)
	})
}

func linkProvider(tx *gorm.DB, tenant models.Tenant, user User, link ProviderLink) error {
	if err := holdProvider(tx, link); err != nil {
		return err
	}
	var member int64
	if err := tx.Model(&models.Member{}).Where("user_id = ?", user.ID).Count(&member).Error; err != nil {
		return err
	}
	if member == 0 {
		return models.NewError(models.KindForbidden, "You are not a member of this organization.")
	}
	var replaced []ProviderLink
	err := tx.Clauses(clause.Returning{}).Where("user_id = ? OR subject = ?", user.ID, link.Subject).
		Delete(&replaced).Error
	if err != nil {
		return err
	}
	for _, of := range replaced {
		if err := EndProviderSessions(tx.Where("user_id = ?", of.UserID), link.OrganizationID); err != nil {
			return err
		}
	}
	if err := tx.Create(&link).Error; err != nil {
		return err
	}
	if err := tenant.Note(tx, models.ActionProviderLinked, link.Host()); err != nil {
		return err
	}
	details := mail.Details{"address": tenant.Actor().Address, "provider": link.Host()}
	return mail.WriteToUser(tx, user.ID, mail.ProviderLinked, details)
}

// ConfirmByProvider notes that the provider has signed the session's user in again at a time of
// its clock, and reports whether that is later than the last. It counts as Confirm does.
func (a *Accounts) ConfirmByProvider(ctx context.Context, session Session, at time.Time) (bool, error) {
	confirmed := a.db(ctx).Model(&sessionRow{}).Where("id = ? AND provider_at < ?", session.ID, at).
		Updates(map[string]any{"confirmed_at": gorm.Expr("now()"), "provider_at": at})
	return confirmed.RowsAffected > 0, models.Wrap(confirmed.Error)
}

// EndProviderSessions ends the sessions that the organization's provider opened, in the
// transaction of what makes it another provider or switches it off.
func EndProviderSessions(tx *gorm.DB, organizationID uuid.UUID) error {
	return tx.Where("organization_id = ? AND opened_by <> ?", organizationID, ByPassword).Delete(&sessionRow{}).Error
}

// errNoWayIn refuses what would leave nobody who can come in past a required provider.
var errNoWayIn = models.NewError(models.KindConflict,
	"While single sign-on is required, one owner needs a password and a second factor, to come in if the provider fails.")

// CheckWayIn refuses a change after which nobody could come into an organization past its required
// provider, in the change's transaction, which has locked the members. Errors: KindConflict.
func CheckWayIn(tx *gorm.DB) error {
	var required int64
	if err := tx.Model(&Provider{}).Where("required").Count(&required).Error; err != nil || required == 0 {
		return err
	}
	members, err := models.Find[MemberDetail](memberDetails(tx))
	if err != nil || slices.ContainsFunc(members, MemberDetail.wayIn) {
		return err
	}
	return errNoWayIn
}

// wayIn reports whether the member can come in past a required provider.
func (m MemberDetail) wayIn() bool {
	return m.Role == terms.Owner && m.HasPassword && m.SecondFactor && !m.Disabled
}
