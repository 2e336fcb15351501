package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// UserRole is what a user may do in an organization.
type UserRole string

const (
	Owner  UserRole = "owner"
	Admin  UserRole = "admin"
	Member UserRole = "member"
)

// User is a person who signs in.
type User struct {
	ID           uuid.UUID
	Email        string // in lower case
	PasswordHash *string
	TOTPSecret   []byte `gorm:"column:totp_secret"` // encrypted; nil: no second factor
	TOTPStep     int64  `gorm:"column:totp_step"`
	CreatedAt    time.Time
}

type membership struct {
	OrganizationID uuid.UUID
	UserID         uuid.UUID
	Role           UserRole
}

type passwordLink struct {
	TokenHash []byte
	UserID    uuid.UUID
	ExpiresAt time.Time
}

const (
	passwordMinimum  = 12 // characters
	passwordMaximum  = 72 // bytes: bcrypt takes no more
	passwordLinkLife = 7 * 24 * time.Hour
)

// UserCreate makes a user and the user's membership in the organization; a user
// who is there already only gets the membership, and keeps the password. Without
// a password it gives the token of a one-time link to set it, good for a week;
// the token is nowhere but in this answer. Errors: KindInvalid, KindConflict
// where the user is a member already.
func (t Tenant) UserCreate(ctx context.Context, email string, role UserRole, password string) (token string, err error) {
	if email, err = readEmail(email); err != nil {
		return "", err
	}
	var hash *string
	if password != "" {
		text, err := hashPassword(password, email)
		if err != nil {
			return "", err
		}
		hash = &text
	}
	err = t.change(ctx, func(tx *gorm.DB) error {
		var user User
		err := tx.Where("email = ?", email).Take(&user).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			user = User{ID: newID(), Email: email, PasswordHash: hash}
			err = tx.Create(&user).Error
		} else if err == nil && password != "" {
			return NewError(KindConflict, fmt.Sprintf("%s is a user already, with a password of their own: leave the password out to add them to this organization", email))
		}
		if err != nil {
			return err
		}
		member := membership{OrganizationID: t.organizationID, UserID: user.ID, Role: role}
		if err := tx.Create(&member).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return NewError(KindConflict, fmt.Sprintf("%s is a member of this organization already", email))
		} else if err != nil {
			return err
		}
		if err := t.note(tx, ActionUserCreated, fmt.Sprintf("%s: %s", email, role)); err != nil {
			return err
		}
		if user.PasswordHash != nil {
			return nil
		}
		var link passwordLink
		token, link = newPasswordLink(user.ID)
		return tx.Create(&link).Error
	})
	return token, err
}

// PasswordLinkCreate makes a new one-time link for a user who has lost the
// password, good for a week: for the operator. The password stays until it is
// used. Errors: KindNotFound.
func (s *Store) PasswordLinkCreate(ctx context.Context, email string) (token string, err error) {
	if email, err = readEmail(email); err != nil {
		return "", err
	}
	var user User
	if err := wrap(s.db.WithContext(ctx).Where("email = ?", email).Take(&user).Error); err != nil {
		if ErrorKind(err) == KindNotFound {
			return "", NewError(KindNotFound, fmt.Sprintf("there is no user %s: `dispo user create` makes one", email))
		}
		return "", err
	}
	token, link := newPasswordLink(user.ID)
	return token, wrap(s.db.WithContext(ctx).Create(&link).Error)
}

func newPasswordLink(userID uuid.UUID) (token string, link passwordLink) {
	token, hash := newToken()
	return token, passwordLink{TokenHash: hash, UserID: userID, ExpiresAt: time.Now().Add(passwordLinkLife)}
}
