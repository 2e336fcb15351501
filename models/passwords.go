package models

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"
)

// commonPasswords are those of 12 characters and more that are tried first by
// whoever guesses.
var commonPasswords = []string{
	"123456789012", "1234567890123", "12345678901234", "123456789012345", "1234567890123456", "password1234", "password12345",
	"password123456", "passwordpassword", "qwertyuiop12", "qwertyuiop123", "qwertyuiopas", "qwertyuiopasdf", "qwertyuiop[]",
	"1q2w3e4r5t6y", "1q2w3e4r5t6y7u", "1q2w3e4r5t6y7u8i", "1qaz2wsx3edc", "1qaz2wsx3edc4rfv", "qazwsxedcrfv", "zaq12wsxcde3",
	"abcdefghijkl", "abcdefghijklm", "abcdefghijklmnop", "abcdefghijklmnopqrstuvwxyz", "abcd1234abcd", "iloveyou1234", "iloveyouforever",
	"letmein12345", "welcome12345", "welcome123456", "admin1234567", "administrator", "administrator1", "changeme1234", "changemeplease",
	"111111111111", "000000000000", "121212121212", "123123123123", "123412341234", "112233445566", "123321123321", "987654321098",
	"asdfghjkl123", "asdfghjkl;'", "asdfasdfasdf", "qweasdzxc123", "qwertyqwerty", "qwerty123456", "zxcvbnm12345", "monkey123456",
	"dragon123456", "football1234", "baseball1234", "superman1234", "sunshine1234", "princess1234", "trustno1trustno1", "correcthorsebatterystaple",
	"hemmeligt123", "adgangskode1", "adgangskode12", "adgangskode123", "kodeord12345", "velkommen123", "velkommen1234", "fodbold12345", "danmark12345", "sommer2024!!", "sommer2025!!", "sommer2026!!",
}

// checkPassword tells what is wrong with a password, or nothing. Errors:
// KindInvalid.
func checkPassword(password, email string) error {
	lower := strings.ToLower(password)
	switch {
	case len([]rune(password)) < passwordMinimum:
		return NewError(KindInvalid, fmt.Sprintf("The password needs at least %d characters.", passwordMinimum))
	case len(password) > passwordMaximum:
		return NewError(KindInvalid, fmt.Sprintf("The password can have at most %d bytes.", passwordMaximum))
	case oneOf(lower, commonPasswords) || strings.Trim(lower, string([]rune(lower)[:1])) == "":
		return NewError(KindInvalid, "That password is among the first that are guessed: choose another one.")
	case email != "" && (lower == email || lower == strings.Split(email, "@")[0]):
		return NewError(KindInvalid, "The password can't be the e-mail address.")
	}
	return nil
}

func oneOf(text string, all []string) bool {
	for _, one := range all {
		if text == one {
			return true
		}
	}
	return false
}

// hashPassword checks a new password and gives its bcrypt hash.
func hashPassword(password, email string) (string, error) {
	if err := checkPassword(password, email); err != nil {
		return "", err
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcryptCost)
	return string(hash), err
}

// PasswordLink tells whose password a one-time link sets. Errors: KindNotFound
// for one that was used, has ended or never was.
func (s *Store) PasswordLink(ctx context.Context, token string) (User, error) {
	var user User
	err := s.db.WithContext(ctx).Joins(`JOIN password_links l ON l.user_id = users.id`).
		Where(`l.token_hash = ? AND l.expires_at > now()`, tokenHash(token)).Take(&user).Error
	if err := wrap(err); err != nil {
		if ErrorKind(err) == KindNotFound {
			return User{}, errLinkEnded
		}
		return User{}, err
	}
	return user, nil
}

var errLinkEnded = NewError(KindNotFound, "This link was used already, or has ended. Ask for a new one.")

// PasswordSet sets the password by a one-time link, which is used up, and ends
// the user's sessions. Errors: KindNotFound, KindInvalid.
func (s *Store) PasswordSet(ctx context.Context, token, password, address string) error {
	user, err := s.PasswordLink(ctx, token)
	if err != nil {
		return err
	}
	hash, err := hashPassword(password, user.Email)
	if err != nil {
		return err
	}
	err = wrap(s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		used := tx.Exec(`DELETE FROM password_links WHERE token_hash = ? AND expires_at > now()`, tokenHash(token))
		if used.Error != nil {
			return used.Error
		}
		if used.RowsAffected == 0 {
			return errLinkEnded
		}
		return setPassword(tx, user.ID, hash, nil)
	}))
	if err != nil {
		return err
	}
	return s.noteEverywhere(ctx, user.ID, Actor{UserID: &user.ID, Email: user.Email, Address: address}, ActionPasswordSet, "by one-time link")
}

// setPassword stores a new password, and ends the user's sessions but one, and
// all links by which it could be set again.
func setPassword(tx *gorm.DB, userID uuid.UUID, hash string, but *uuid.UUID) error {
	if err := tx.Exec(`UPDATE users SET password_hash = ?, updated_at = now() WHERE id = ?`, hash, userID).Error; err != nil {
		return err
	}
	if err := tx.Exec(`DELETE FROM password_links WHERE user_id = ?`, userID).Error; err != nil {
		return err
	}
	kept := uuid.Nil
	if but != nil {
		kept = *but
	}
	return tx.Exec(`DELETE FROM sessions WHERE user_id = ? AND id <> ?`, userID, kept).Error
}

// PasswordChange changes the user's own password, and ends their other sessions.
// Errors: ErrPasswordWrong for the old one, KindInvalid for the new one, KindLimited.
func (s *Store) PasswordChange(ctx context.Context, user Session, actor Actor, old, fresh string) error {
	if err := s.ownPassword(ctx, user.UserID, old); err != nil {
		return err
	}
	hash, err := hashPassword(fresh, user.Email)
	if err != nil {
		return err
	}
	tenant := s.Tenant(user.OrganizationID).As(actor)
	return tenant.change(ctx, func(tx *gorm.DB) error {
		if err := setPassword(tx, user.UserID, hash, &user.ID); err != nil {
			return err
		}
		return tenant.note(tx, ActionPasswordSet, "")
	})
}

// ErrPasswordWrong says that somebody signed in gave another password than theirs.
var ErrPasswordWrong = NewError(KindInvalid, "That is not your password.")

func (s *Store) ownPassword(ctx context.Context, userID uuid.UUID, password string) error {
	var user User
	if err := s.db.WithContext(ctx).Where("id = ?", userID).Take(&user).Error; err != nil {
		return wrap(err)
	}
	guess := guess{account: "password " + user.Email}
	if err := s.reserve(ctx, guess); err != nil {
		return err
	}
	hash := nobodysHash()
	if user.PasswordHash != nil {
		hash = *user.PasswordHash
	}
	right, err := s.keys.compare(ctx, hash, password)
	if err != nil {
		return err
	}
	if !right {
		return ErrPasswordWrong
	}
	return s.release(ctx, guess)
}
