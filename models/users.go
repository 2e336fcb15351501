package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// UserCreate makes a user and the user's membership in the organization. Without
// a password it gives the path of a one-time link, good for a week, which is
// nowhere but in this answer: to set the password, or, for somebody who has an
// account already, to join by signing in, since nobody else can tell that the
// account is theirs. Errors: KindInvalid, KindConflict where the user is a member
// already, or there and a password is given.
func (t Tenant) UserCreate(ctx context.Context, email string, role UserRole, password string) (link string, err error) {
	if email, err = readEmail(email); err != nil {
		return "", err
	}
	if !slices.Contains([]UserRole{Owner, Admin, Member}, role) {
		return "", NewError(KindInvalid, fmt.Sprintf("%q is no role: expected owner, admin or member", role))
	}
	var user User
	err = t.store.db.WithContext(ctx).Where("email = ?", email).Take(&user).Error
	known := err == nil
	if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
		return "", wrap(err)
	}
	switch {
	case known && password != "":
		return "", NewError(KindConflict, fmt.Sprintf("%s is a user already, with a password of their own: leave the password out to add them to this organization", email))
	case known && user.PasswordHash != nil:
		_, token, err := t.MemberInvite(ctx, email, role)
		return "/invitations/" + token, err
	case !known:
		user = User{ID: newID(), Email: email}
	}
	if password != "" {
		hash, err := hashPassword(password, email)
		if err != nil {
			return "", err
		}
		user.PasswordHash = &hash
	}
	err = t.change(ctx, func(tx *gorm.DB) error {
		if !known {
			if err := tx.Create(&user).Error; err != nil {
				return err
			}
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
		if password != "" {
			return nil
		}
		token, row := newPasswordLink(user.ID)
		link = "/password/" + token
		return tx.Create(&row).Error
	})
	return link, err
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
	if err := s.db.WithContext(ctx).Create(&link).Error; err != nil {
		return "", wrap(err)
	}
	return token, s.noteEverywhere(ctx, user.ID, operatorActor, ActionPasswordLink, user.Email)
}

func newPasswordLink(userID uuid.UUID) (token string, link passwordLink) {
	token, hash := newToken()
	return token, passwordLink{TokenHash: hash, UserID: userID, ExpiresAt: time.Now().Add(passwordLinkLife)}
}
