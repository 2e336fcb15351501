package accounts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/accounts/password"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/mail"
	"dispo/models/terms"
)

// User is a person who signs in.
type User struct {
	ID           uuid.UUID
	Email        string // in lower case
	PasswordHash *string
	TOTPSecret   []byte `gorm:"column:totp_secret"` // encrypted; nil without a second factor
	TOTPStep     int64  `gorm:"column:totp_step"`   // the last time step that a code was accepted for
	// TOTPDueAt is from when on the user needs a second factor, if the service requires one;
	// nil if the week to set it up has not begun.
	TOTPDueAt *time.Time `gorm:"column:totp_due_at"`
	// EmailProvenAt is when the user proved that the address is theirs, by a link that
	// only the operator has seen. Until then, the account may be somebody else's who
	// was invited under this address and got hold of the inviter's link.
	EmailProvenAt *time.Time
	DisabledAt    *time.Time // nil means enabled
	// Language is the one that the user chose; empty means the browser's.
	Language i18n.Language
	// BrowserLanguage is what the browser preferred when it last asked for a page.
	BrowserLanguage i18n.Language
	CreatedAt       time.Time `gorm:"default:clock_timestamp()"`
}

func (u User) actor(address string) models.Actor {
	return models.Actor{UserID: &u.ID, Email: u.Email, Address: address}
}

// userByEmail returns the user with that address, or nil.
func (a *Accounts) userByEmail(ctx context.Context, email string) (*User, error) {
	var user User
	err := a.db(ctx).Where("email = ?", email).Take(&user).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &user, models.Wrap(err)
}

func (a *Accounts) user(ctx context.Context, id uuid.UUID) (User, error) {
	var user User
	err := a.db(ctx).Where("id = ?", id).Take(&user).Error
	return user, models.Wrap(err)
}

// UserCreate creates a user and the user's membership in the organization. Without
// a password it returns the path of a one-time link, good for a week, which is
// shown nowhere else. Its user sets a password by it, or, with an account already,
// signs in to join: nobody else can tell that the account is theirs. Errors:
// KindInvalid, and KindConflict if the user is already a member, or exists and a
// password is given.
func (a *Accounts) UserCreate(
	ctx context.Context, tenant models.Tenant, email string, role terms.Role, text string,
) (link string, err error) {
	if email, err = models.ReadEmail(email); err != nil {
		return "", err
	}
	if !slices.Contains(terms.Roles, role) {
		return "", models.NewError(models.KindInvalid, fmt.Sprintf("%q is not a role: expected owner, admin or viewer", role))
	}
	known, err := a.userByEmail(ctx, email)
	if err != nil {
		return "", err
	}
	switch {
	case known != nil && text != "":
		return "", models.NewError(models.KindConflict,
			fmt.Sprintf("%s already has an account: leave out the password to add them to this organization", email))
	case known != nil && known.PasswordHash != nil:
		_, token, err := Invite(ctx, tenant, email, role)
		return "/invitations/" + token, err
	}
	user := User{ID: database.NewID(), Email: email}
	if known != nil {
		user = *known
	}
	if text != "" {
		hash, err := a.firstHash(ctx, tenant, email, text)
		if err != nil {
			return "", err
		}
		now, err := database.Now(a.db(ctx))
		if err != nil {
			return "", models.Wrap(err)
		}
		user.PasswordHash, user.EmailProvenAt = &hash, &now
	}
	err = tenant.Write(ctx, func(tx *gorm.DB) error {
		if known == nil {
			if err := tx.Create(&user).Error; err != nil {
				return err
			}
		}
		details := mail.Details{"member": email, "role": string(role)}
		if err := tellOwners(tx, tenant, mail.MemberJoined, nil, details); err != nil {
			return err
		}
		if err := tx.Create(&models.Member{UserID: user.ID, Role: role}).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return models.NewError(models.KindConflict, fmt.Sprintf("%s is already a member of this organization", email))
		} else if err != nil {
			return err
		}
		if err := tenant.Note(tx, models.ActionUserCreated, fmt.Sprintf("%s: %s", email, role)); err != nil {
			return err
		}
		if text != "" {
			return nil
		}
		token, err := createPasswordLink(tx, user.ID)
		link = "/password/" + token
		return err
	})
	return link, err
}

// firstHash checks and hashes the password of a user who joins the organization.
func (a *Accounts) firstHash(ctx context.Context, tenant models.Tenant, email, text string) (string, error) {
	var organization models.Organization
	if err := tenant.DB(ctx).
		Select("name").
		Where("id = ?", tenant.OrganizationID()).
		Take(&organization).Error; err != nil {
		return "", models.Wrap(err)
	}
	if err := password.Check(text, email, []string{organization.Name}); err != nil {
		return "", err
	}
	return a.passwords.Hash(ctx, password.Origin{Account: email}, text, func() (*string, error) { return nil, nil })
}
