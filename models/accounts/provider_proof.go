package accounts

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/secrets"
)

var errHasPassword = models.NewError(models.KindForbidden,
	"Sign in with your password to prove that the account is yours.")

// ProviderMail mails the user of a link, who has no password, a link that proves that the account
// is theirs. It works once, for 15 minutes. Errors: KindForbidden for a user with a password,
// KindLimited.
func (a *Accounts) ProviderMail(ctx context.Context, link ProviderLink, address string) error {
	user, err := a.user(ctx, link.UserID)
	if err != nil {
		return err
	}
	if user.PasswordHash != nil {
		return errHasPassword
	}
	tenant := a.store.Tenant(link.OrganizationID).As(user.actor(address))
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		if err := count(tx, forgottenLimits(mail.LinkProvider, user.Email, address)); err != nil {
			return err
		}
		now, err := database.Now(tx)
		if err != nil {
			return err
		}
		message := mail.Mail{OrganizationID: tenant.OrganizationID(), ID: database.NewID(), Kind: mail.LinkProvider,
			Recipient: user.Email, UserID: &user.ID}
		proof := passwordLink{TokenHash: secrets.TokenHash(mail.Token(a.secret, message.ID)), Kind: mail.LinkProvider,
			UserID: user.ID, BoundTo: link.tag(), ExpiresAt: now.Add(unlockLife)}
		if err := tx.Create(&proof).Error; err != nil {
			return err
		}
		details := mail.Details{"provider": link.Host(), "address": address, "expires_at": mail.Time(proof.ExpiresAt)}
		return mail.WriteOne(tx, message, details)
	})
}

// ProviderProof checks a link that ProviderMail mailed, for the same user and the same person at the
// same provider. Errors: KindNotFound for one that was used, has expired, never existed or was
// another's.
func (a *Accounts) ProviderProof(ctx context.Context, token string, link ProviderLink) error {
	user, err := a.linkUser(ctx, mail.LinkProvider, token, link.tag())
	if err == nil && user.PasswordHash != nil {
		err = errHasPassword
	}
	return err
}

// tag identifies whose link it is, and to whom at which provider.
func (l ProviderLink) tag() []byte {
	return secrets.TokenHash(strings.Join(
		[]string{l.OrganizationID.String(), l.UserID.String(), l.Issuer, l.ClientID, l.Subject}, "\n"))
}

// ByProvider reports whether somebody without an account can accept the invitation as the person
// whom the organization's provider has named with an address: the link has to be one that nobody
// else saw.
func (i OpenInvitation) ByProvider(link ProviderLink, email string) bool {
	return i.ProvesAddress && !i.HasAccount && strings.EqualFold(i.Email, email) &&
		i.OrganizationID == link.OrganizationID
}

// InvitationAcceptByProvider accepts an invitation so. They get no password. Errors: KindForbidden
// unless ByProvider, and those of InvitationAccept and LinkProvider.
func (a *Accounts) InvitationAcceptByProvider(
	ctx context.Context, invitation OpenInvitation, link ProviderLink, email, address, userAgent string,
) (SignedIn, error) {
	if !invitation.ByProvider(link, email) {
		return SignedIn{}, models.NewError(models.KindForbidden,
			"This link does not prove that the address is yours. Choose a password instead.")
	}
	user, err := a.newcomer(ctx, invitation, nil)
	if err != nil {
		return SignedIn{}, err
	}
	link.UserID = user.ID
	tenant := a.store.Tenant(link.OrganizationID).As(user.actor(address))
	err = a.join(ctx, invitation, user, address, func(tx *gorm.DB) error { return linkProvider(tx, tenant, user, link) })
	if err != nil {
		return SignedIn{}, err
	}
	return a.SignInByProvider(ctx, link, ByProviderAlone, address, userAgent)
}
