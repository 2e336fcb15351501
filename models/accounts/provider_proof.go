package accounts

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/secrets"
)

var errHasPassword = models.NewError(
	models.KindForbidden,
	"Sign in with your password to prove that the account is yours.",
)

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
			UserID: user.ID, ExpiresAt: now.Add(unlockLife)}
		if err := tx.Create(&proof).Error; err != nil {
			return err
		}
		details := mail.Details{"provider": link.Host(), "address": address, "expires_at": mail.Time(proof.ExpiresAt)}
		return mail.WriteOne(tx, message, details)
	})
}

// ProviderProof checks a link that ProviderMail mailed, for the user of a link. Errors:
// KindNotFound for one that was used, has expired, never existed or was another user's.
func (a *Accounts) ProviderProof(ctx context.Context, token string, link ProviderLink) error {
	user, err := a.linkUser(ctx, mail.LinkProvider, token)
	if err == nil && user.ID != link.UserID {
		err = errLinkEnded
	}
	if err == nil && user.PasswordHash != nil {
		err = errHasPassword
	}
	return err
}

// LinkByMail is LinkProvider with the proof of ProviderMail, which is used up. It proves the
// address too. Errors: those of both.
func (a *Accounts) LinkByMail(ctx context.Context, token string, link ProviderLink, address string) error {
	if err := a.ProviderProof(ctx, token, link); err != nil {
		return err
	}
	return a.LinkProvider(ctx, link, address, func(tx *gorm.DB) error {
		if err := useLink(tx, token); err != nil {
			return err
		}
		return tx.Model(&User{}).Where("id = ? AND email_proven_at IS NULL", link.UserID).
			Update("email_proven_at", database.Clock).Error
	})
}

// InvitationAcceptByProvider accepts an invitation for somebody without an account whom the
// organization's provider has named, by the link that nobody else saw. They get no password.
// Errors: KindNotFound, KindForbidden for a link that others saw, an account that exists or another
// address, and those of LinkProvider.
func (a *Accounts) InvitationAcceptByProvider(
	ctx context.Context, token string, link ProviderLink, email, address, userAgent string,
) (SignedIn, error) {
	invitation, err := a.Invitation(ctx, token)
	if err != nil {
		return SignedIn{}, err
	}
	if !invitation.ProvesAddress || invitation.HasAccount || invitation.Email != email ||
		invitation.OrganizationID != link.OrganizationID {
		return SignedIn{}, models.NewError(models.KindForbidden,
			"This link does not prove that the address is yours. Choose a password instead.")
	}
	now, err := database.Now(a.db(ctx))
	if err != nil {
		return SignedIn{}, models.Wrap(err)
	}
	user := User{ID: database.NewID(), Email: invitation.Email, EmailProvenAt: &now}
	link.UserID = user.ID
	tenant := a.store.Tenant(link.OrganizationID).As(user.actor(address))
	err = a.joinAnd(ctx, invitation, user, address, func(tx *gorm.DB) error {
		err := tx.Create(&user).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return errAccountExists
		}
		return err
	}, func(tx *gorm.DB) error { return linkProvider(tx, tenant, user, link) })
	if err != nil {
		return SignedIn{}, err
	}
	return a.SignInByProvider(ctx, link, ByProvider, address, userAgent)
}
