package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"
)

// Guessing is slowed by account and by address: so many failures within the
// window, and further attempts wait until it has passed.
const (
	failuresWindow     = 15 * time.Minute
	failuresPerAccount = 10
	failuresPerAddress = 50
	challengeLife      = 5 * time.Minute
)

// SignIn is an attempt to sign in.
type SignIn struct {
	Email, Password    string
	Address, UserAgent string
}

// SignedIn is what came of it: a session's token, or, for a user with a second
// factor, a challenge to bring back with a code within 5 minutes.
type SignedIn struct {
	Token     string
	Challenge string
}

// nobody's hash is compared where there is no such account, or one without a
// password, so that the answer takes as long.
const nobodysHash = "$2a$10$7EqJtq98hPqEX7fNZaFWoOhi5yZ1Kz1h9Yy1ZQbqkqEtC0c9lD8Y2"

var errSignIn = NewError(KindUnauthorized, "The e-mail or the password is not right.")

// SignIn checks e-mail and password. Errors: KindUnauthorized, the same whether
// the account exists or not, and KindLimited where there were too many failures.
func (s *Store) SignIn(ctx context.Context, attempt SignIn) (SignedIn, error) {
	email := strings.ToLower(strings.TrimSpace(attempt.Email))
	subjects := []string{"account " + email, "address " + attempt.Address}
	if err := s.guessing(ctx, subjects); err != nil {
		return SignedIn{}, err
	}
	var user User
	err := s.db.WithContext(ctx).Where("email = ?", email).Take(&user).Error
	if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
		return SignedIn{}, wrap(err)
	}
	hash := nobodysHash
	if user.PasswordHash != nil {
		hash = *user.PasswordHash
	}
	right, err := s.keys.compare(ctx, hash, attempt.Password)
	if err != nil {
		return SignedIn{}, err
	}
	if !right || user.PasswordHash == nil {
		return SignedIn{}, s.guessed(ctx, user, attempt.Address, subjects, errSignIn)
	}
	if user.TOTPSecret != nil {
		return SignedIn{Challenge: s.ticket("challenge", user.ID.String(), challengeLife)}, nil
	}
	token, err := s.signedIn(ctx, user, attempt.Address, attempt.UserAgent, subjects)
	return SignedIn{Token: token}, err
}

// SignInCode ends a sign-in by a code of the second factor, or a recovery code,
// which is used up. Errors: KindUnauthorized for a wrong code, KindInvalid for a
// challenge that has ended, KindLimited.
func (s *Store) SignInCode(ctx context.Context, challenge, code, address, userAgent string) (token string, err error) {
	text, err := s.openTicket("challenge", challenge)
	if err != nil {
		return "", NewError(KindInvalid, "The sign-in took too long: start again.")
	}
	userID, err := uuid.Parse(text)
	if err != nil {
		return "", err
	}
	var user User
	if err := s.db.WithContext(ctx).Where("id = ?", userID).Take(&user).Error; err != nil {
		return "", wrap(err)
	}
	subjects := []string{"code " + user.Email, "address " + address}
	if err := s.guessing(ctx, subjects); err != nil {
		return "", err
	}
	right, err := s.codeFits(ctx, user, address, code)
	if err != nil {
		return "", err
	}
	if !right {
		return "", s.guessed(ctx, user, address, subjects, NewError(KindUnauthorized, "That code is not right, or was used already."))
	}
	return s.signedIn(ctx, user, address, userAgent, subjects)
}

func (s *Store) signedIn(ctx context.Context, user User, address, userAgent string, subjects []string) (string, error) {
	if err := s.db.WithContext(ctx).Exec(`DELETE FROM sign_in_failures WHERE subject = ?`, subjects[0]).Error; err != nil {
		return "", wrap(err)
	}
	return s.sessionCreate(ctx, user, nil, address, userAgent)
}

// guessing refuses an attempt where one of the subjects had too many failures.
func (s *Store) guessing(ctx context.Context, subjects []string) error {
	var wait float64
	err := s.db.WithContext(ctx).Raw(`SELECT coalesce(max(extract(epoch FROM expires_at - now())), 0) FROM sign_in_failures
		WHERE subject IN ? AND expires_at > now() AND count >= CASE WHEN subject LIKE 'address %' THEN ?::int ELSE ?::int END`,
		subjects, failuresPerAddress, failuresPerAccount).Scan(&wait).Error
	if err != nil {
		return wrap(err)
	}
	if wait > 0 {
		minutes := int(wait/60) + 1
		return NewError(KindLimited, fmt.Sprintf("There were too many attempts to sign in. Wait %d minutes, then try again.", minutes))
	}
	return nil
}

// guessed counts a failure, and gives the error to answer with.
func (s *Store) guessed(ctx context.Context, user User, address string, subjects []string, answer error) error {
	for _, subject := range subjects {
		err := s.db.WithContext(ctx).Exec(`INSERT INTO sign_in_failures VALUES (?, 1, now() + make_interval(secs => ?))
			ON CONFLICT (subject) DO UPDATE SET
				count = CASE WHEN sign_in_failures.expires_at > now() THEN sign_in_failures.count + 1 ELSE 1 END,
				expires_at = CASE WHEN sign_in_failures.expires_at > now() THEN sign_in_failures.expires_at ELSE excluded.expires_at END`,
			subject, failuresWindow.Seconds()).Error
		if err != nil {
			return wrap(err)
		}
	}
	if user.ID != uuid.Nil {
		if err := s.noteEverywhere(ctx, user, address, ActionSignInFailed); err != nil {
			return err
		}
	}
	return answer
}

// noteEverywhere notes what a user did who works in no organization yet in the
// audit logs of all of theirs.
func (s *Store) noteEverywhere(ctx context.Context, user User, address, action string) error {
	memberships, err := s.memberships(ctx, user.ID)
	for _, m := range memberships {
		tenant := s.Tenant(m.OrganizationID).As(Actor{UserID: &user.ID, Email: user.Email, Address: address})
		if err == nil {
			err = tenant.change(ctx, func(tx *gorm.DB) error { return tenant.note(tx, action, "") })
		}
	}
	return err
}

// compare is bcrypt's, of which only so many run at once.
func (k *Keyring) compare(ctx context.Context, hash, password string) (bool, error) {
	select {
	case k.bcrypts <- struct{}{}:
		defer func() { <-k.bcrypts }()
	case <-ctx.Done():
		return false, wrap(ctx.Err())
	}
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil, nil
}
