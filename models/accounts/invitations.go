package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/accounts/password"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/secrets"
	"dispo/models/terms"
)

const invitationLife = 7 * 24 * time.Hour

// Invitation is an invitation that nobody has accepted yet.
type Invitation struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	Email          string
	Role           terms.Role
	InvitedBy      *uuid.UUID // nil for the operator
	ExpiresAt      time.Time
	CreatedAt      time.Time `gorm:"default:clock_timestamp()"`
}

// InvitationDetail is an invitation with what people are shown beside it.
type InvitationDetail struct {
	Invitation
	InvitedByEmail *string // nil for the operator
}

// newInvitationRow is an invitation as it is stored. Its hashes are only ever written.
type newInvitationRow struct {
	Invitation
	TokenHash     []byte
	MailTokenHash []byte // of the link in the mail; nil if no mail was sent
}

// TableName is the invitations' table.
func (newInvitationRow) TableName() string { return "invitations" }

// Invite invites somebody to join and returns the token of a one-time link,
// good for a week. If a member invites, the invited person also gets a link by mail, which
// nobody else sees. An earlier invitation of the same address ends. Errors:
// KindInvalid, KindConflict if they are already a member, KindForbidden if the actor may
// not give the role, and KindLimited after too many.
func Invite(ctx context.Context, tenant models.Tenant, email string, role terms.Role) (Invitation, string, error) {
	email, err := models.ReadEmail(email)
	if err != nil {
		return Invitation{}, "", err
	}
	now, err := database.Now(tenant.DB(ctx))
	if err != nil {
		return Invitation{}, "", models.Wrap(err)
	}
	token, hash := newToken()
	row := newInvitationRow{TokenHash: hash, Invitation: Invitation{
		ID:        database.NewID(),
		Email:     email,
		Role:      role,
		InvitedBy: tenant.Actor().UserID,
		ExpiresAt: now.Add(invitationLife),
	}}
	message := mail.Mail{
		OrganizationID: tenant.OrganizationID(),
		ID:             database.NewID(),
		Kind:           mail.Invitation,
		Recipient:      email,
	}
	mailed := len(tenant.Secret()) > 0 && tenant.Actor().UserID != nil // the operator passes the link on
	if mailed {
		row.MailTokenHash = secrets.TokenHash(mail.Token(tenant.Secret(), message.ID))
	}
	err = tenant.Manage(ctx, func(tx *gorm.DB, actor terms.Role) error {
		if !actor.MayGive(role) {
			return models.ErrNotAllowed
		}
		var members int64
		if err := memberDetails(tx).Where("u.email = ?", email).Count(&members).Error; err != nil {
			return err
		}
		if members > 0 {
			return models.NewError(models.KindConflict, "{email} is already a member.", "email", email)
		}
		if err := tx.Where("email = ?", email).Delete(&Invitation{}).Error; err != nil {
			return err
		}
		if err := tx.Create(&row).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return models.NewError(models.KindConflict, "{email} was invited a moment ago.", "email", email)
		} else if err != nil {
			return err
		}
		if mailed {
			if err := count(tx, invitationLimits(email, tenant.OrganizationID())); err != nil {
				return err
			}
			details := mail.Details{
				"inviter":    tenant.Actor().Email,
				"role":       string(role),
				"expires_at": mail.Time(row.ExpiresAt),
			}
			if err := mail.WriteOne(tx, message, details); err != nil {
				return err
			}
		}
		return tenant.Note(tx, models.ActionMemberInvited, fmt.Sprintf("%s: %s", email, role))
	})
	return row.Invitation, token, err
}

// Invitations lists the invitations that nobody has accepted, including expired
// ones, by e-mail.
func Invitations(ctx context.Context, tenant models.Tenant) ([]InvitationDetail, error) {
	db := tenant.DB(ctx)
	return models.Find[InvitationDetail](db.Model(&Invitation{}).Select("invitations.*, u.email AS invited_by_email").
		Joins("LEFT JOIN (?) AS u ON u.id = invitations.invited_by", usersIn(db)).Order("invitations.email"))
}

// RevokeInvitation revokes an invitation. Errors: KindNotFound, KindForbidden.
func RevokeInvitation(ctx context.Context, tenant models.Tenant, id uuid.UUID) error {
	return tenant.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		revoked, err := revokeInvitations(tx.Where("id = ?", id), tx, tenant)
		if err == nil && revoked == 0 {
			err = models.NewError(models.KindNotFound, "This invitation no longer exists.")
		}
		return err
	})
}

// revokeInvitationsBy keeps somebody who may no longer invite from coming back by an
// invitation of their own. It returns how many it revoked.
func revokeInvitationsBy(tx *gorm.DB, tenant models.Tenant, userID uuid.UUID) (int, error) {
	return revokeInvitations(tx.Where("invited_by = ?", userID), tx, tenant)
}

func revokeInvitations(wanted, tx *gorm.DB, tenant models.Tenant) (int, error) {
	var deleted []Invitation
	if err := wanted.Clauses(clause.Returning{}).Delete(&deleted).Error; err != nil {
		return 0, err
	}
	for _, invitation := range deleted {
		if err := tenant.Note(tx, models.ActionInvitationRevoked, invitation.Email); err != nil {
			return 0, err
		}
	}
	return len(deleted), nil
}

// OpenInvitation is an invitation as the holder of its link sees it.
type OpenInvitation struct {
	ID               uuid.UUID
	OrganizationID   uuid.UUID
	OrganizationName string
	TimeZone         string // the organization's
	Email            string
	Role             terms.Role
	InvitedByEmail   string // empty for the operator
	// ProvesAddress means that nobody but the invited person can have got the link: a
	// command printed it, or it was mailed.
	ProvesAddress bool
	ByOperator    bool // a command printed the link
	ExpiresAt     time.Time
	// HasAccount means that the invited person has to sign in to join. The inviter
	// also sees the link, and must not get at an account by it.
	HasAccount bool
}

// Invitation returns the invitation that a link is for. It crosses organizations on
// purpose: the holder of the token may see it. Errors: KindNotFound.
func (a *Accounts) Invitation(ctx context.Context, token string) (OpenInvitation, error) {
	var found OpenInvitation
	// Directly after a parenthesis, GORM would make a list of the hash's bytes.
	err := a.db(ctx).Raw(`SELECT i.id, i.organization_id, i.organization_name, i.time_zone, i.email, i.role, i.expires_at,
			EXISTS (SELECT FROM users WHERE email = i.email) AS has_account,
			coalesce((SELECT email FROM users WHERE id = i.invited_by), '') AS invited_by_email, i.mailed OR i.invited_by IS NULL AS proves_address,
			i.invited_by IS NULL AS by_operator
		FROM invitation_find(wanted => ?) i WHERE i.expires_at > now()`, secrets.TokenHash(token)).Take(&found).Error
	return found, models.WrapFound(err, errLinkEnded)
}

// InvitationAccept accepts an invitation for somebody without an account, who
// chooses a password, and signs them in. A link that nobody else saw proves that the
// address is theirs. Errors:
// KindNotFound, KindInvalid for the password, KindLimited, and KindConflict if there is
// an account by now.
func (a *Accounts) InvitationAccept(ctx context.Context, token, text, address, userAgent string) (SignedIn, error) {
	invitation, err := a.Invitation(ctx, token)
	if err != nil {
		return SignedIn{}, err
	}
	if invitation.HasAccount {
		return SignedIn{}, errAccountExists
	}
	if err := password.Check(text, invitation.Email, []string{invitation.OrganizationName}); err != nil {
		return SignedIn{}, err
	}
	hash, err := a.hashByLink(ctx, token, address, text, func() (*string, error) {
		_, err := a.Invitation(ctx, token)
		return nil, err
	})
	if err != nil {
		return SignedIn{}, err
	}
	user, err := a.newcomer(ctx, invitation, &hash)
	if err != nil {
		return SignedIn{}, err
	}
	if err := a.join(ctx, invitation, user, address, func(*gorm.DB) error { return nil }); err != nil {
		return SignedIn{}, err
	}
	device := newDevice()
	session, err := a.sessionCreate(ctx, user, &invitation.OrganizationID, ByPassword, ProviderLink{}, device, address,
		userAgent)
	return SignedIn{Token: session, Device: a.deviceTicket(user, device)}, err
}

var errAccountExists = models.NewError(models.KindConflict,
	"An account with this e-mail address already exists. Sign in to join.")

// InvitationJoin accepts an invitation for a signed-in user, whose session goes on
// in that organization. Errors: KindNotFound, and KindForbidden if it is for
// somebody else, or for somebody who has not proved the address: the account may belong
// to whoever saw the link of its first invitation.
func (a *Accounts) InvitationJoin(ctx context.Context, token string, session Session, address string) error {
	invitation, err := a.Invitation(ctx, token)
	if err != nil {
		return err
	}
	if session.ByProvider() {
		return models.ErrNotAllowed
	}
	if invitation.Email != session.Email {
		return models.NewError(models.KindForbidden, "This invitation is for {email}.", "email", invitation.Email)
	}
	user, err := a.user(ctx, session.UserID)
	if err != nil {
		return err
	}
	// Somebody else may know the password of such an account, so a mailed link is not enough.
	if user.EmailProvenAt == nil && !invitation.ByOperator {
		return models.NewError(
			models.KindForbidden,
			"We haven’t verified yet that {email} is your address. Choose “Forgot your password?” on the sign-in page. "+
				"Setting a new password verifies the address. Then open this invitation again.",
			"email",
			user.Email,
		)
	}
	return a.join(ctx, invitation, user, address, func(tx *gorm.DB) error {
		if err := proveAddress(tx, user.ID); err != nil {
			return err
		}
		return tx.Model(&sessionRow{}).Where("id = ?", session.ID).Update("organization_id", invitation.OrganizationID).Error
	})
}

// newcomer returns the account of somebody who accepts an invitation, which is not stored yet.
func (a *Accounts) newcomer(ctx context.Context, invitation OpenInvitation, hash *string) (User, error) {
	user := User{ID: database.NewID(), Email: invitation.Email, PasswordHash: hash}
	if !invitation.ProvesAddress {
		return user, nil
	}
	now, err := database.Now(a.db(ctx))
	user.EmailProvenAt = &now
	return user, models.Wrap(err)
}

// join uses up the invitation and makes the user a member, who is stored first if there was no
// such account. then runs last, in the same transaction. Errors: KindNotFound, and KindConflict if
// there is an account by now.
func (a *Accounts) join(
	ctx context.Context, invitation OpenInvitation, user User, address string, then func(tx *gorm.DB) error,
) error {
	tenant := a.store.Tenant(invitation.OrganizationID).As(user.actor(address))
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		if err := concerned(tx.Where("id = ?", invitation.ID).Delete(&Invitation{}), errLinkUsed); err != nil {
			return err
		}
		if !invitation.HasAccount {
			if err := tx.Create(&user).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
				return errAccountExists
			} else if err != nil {
				return err
			}
		}
		details := mail.Details{"member": user.Email, "role": string(invitation.Role)}
		if err := tellOwners(tx, tenant, mail.MemberJoined, nil, details); err != nil {
			return err
		}
		member := models.Member{UserID: user.ID, Role: invitation.Role}
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&member).Error; err != nil {
			return err
		}
		if err := tenant.Note(tx, models.ActionMemberJoined, string(invitation.Role)); err != nil {
			return err
		}
		return then(tx)
	})
}
