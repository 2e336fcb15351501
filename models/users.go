package models

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
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
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != strings.TrimSpace(email) {
		return "", NewError(KindInvalid, fmt.Sprintf("%q is no e-mail address", email))
	}
	email = strings.ToLower(address.Address)
	if !slices.Contains([]UserRole{Owner, Admin, Member}, role) {
		return "", NewError(KindInvalid, fmt.Sprintf("%q is no role: expected owner, admin or member", role))
	}
	var hash *string
	if password != "" {
		if hash, err = hashPassword(password); err != nil {
			return "", err
		}
	}
	err = t.store.db.WithContext(t.bind(ctx)).Transaction(func(tx *gorm.DB) error {
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
		if user.PasswordHash != nil {
			return nil
		}
		var link passwordLink
		token, link = newPasswordLink(user.ID)
		return tx.Create(&link).Error
	})
	return token, wrap(err)
}

func hashPassword(password string) (*string, error) {
	if len([]rune(password)) < passwordMinimum || len(password) > passwordMaximum {
		return nil, NewError(KindInvalid, fmt.Sprintf("a password has at least %d characters, and at most %d bytes", passwordMinimum, passwordMaximum))
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcryptCost)
	if err != nil {
		return nil, err
	}
	text := string(hash)
	return &text, nil
}

func newPasswordLink(userID uuid.UUID) (token string, link passwordLink) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: it ends the program where the system gives no random numbers
	token = base64.RawURLEncoding.EncodeToString(random[:])
	hash := sha256.Sum256([]byte(token))
	return token, passwordLink{TokenHash: hash[:], UserID: userID, ExpiresAt: time.Now().Add(passwordLinkLife)}
}
