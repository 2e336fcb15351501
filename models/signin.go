package models

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"
)

const challengeLife = 5 * time.Minute

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

// nobodysHash is compared where there is no such account, or one without a
// password, so that the answer takes as long.
var nobodysHash = sync.OnceValue(func() string {
	hash, err := bcrypt.GenerateFromPassword(nil, bcryptCost)
	if err != nil {
		panic("the system gives no random numbers: " + err.Error())
	}
	return string(hash)
})

var errSignIn = NewError(KindUnauthorized, "The e-mail or the password is not right.")

// failureTime is the least that a failed attempt takes, so that its time does not
// tell whether the account exists.
const failureTime = 400 * time.Millisecond

// SignIn checks e-mail and password. Errors: KindUnauthorized, the same and as
// late whether the account exists or not, and KindLimited where there were too
// many failures.
func (s *Store) SignIn(ctx context.Context, attempt SignIn) (signedIn SignedIn, err error) {
	defer wait(ctx, time.Now().Add(failureTime), &err)
	email := strings.ToLower(strings.TrimSpace(attempt.Email))
	if len(email) > emailLength || !utf8.ValidString(email) || strings.ContainsFunc(email, unicode.IsControl) {
		email = "" // nobody's
	}
	guess := guess{account: "account " + email, address: attempt.Address}
	if err := s.reserve(ctx, guess); err != nil {
		return SignedIn{}, err
	}
	var user User
	err = s.db.WithContext(ctx).Where("email = ?", email).Take(&user).Error
	if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
		return SignedIn{}, wrap(err)
	}
	hash := nobodysHash()
	if user.PasswordHash != nil {
		hash = *user.PasswordHash
	}
	right, err := s.keys.compare(ctx, hash, attempt.Password)
	if err != nil {
		return SignedIn{}, err
	}
	if !right || user.PasswordHash == nil {
		return SignedIn{}, s.failed(ctx, user, attempt.Address, errSignIn)
	}
	if user.TOTPSecret != nil {
		return SignedIn{Challenge: s.ticket("challenge", user.ID.String(), challengeLife)}, s.release(ctx, guess)
	}
	token, err := s.signedIn(ctx, user, attempt.Address, attempt.UserAgent, guess)
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
	guess := guess{account: "code " + user.Email, address: address}
	if err := s.reserve(ctx, guess); err != nil {
		return "", err
	}
	right, err := s.codeFits(ctx, user, address, code)
	if err != nil {
		return "", err
	}
	if !right {
		return "", s.failed(ctx, user, address, NewError(KindUnauthorized, "That code is not right, or was used already."))
	}
	return s.signedIn(ctx, user, address, userAgent, guess)
}

// wait holds an error back until a time; an answer that is none goes at once.
func wait(ctx context.Context, until time.Time, err *error) {
	if *err == nil {
		return
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (s *Store) signedIn(ctx context.Context, user User, address, userAgent string, guess guess) (string, error) {
	if err := s.release(ctx, guess); err != nil {
		return "", err
	}
	return s.sessionCreate(ctx, user, nil, address, userAgent)
}

// failed notes a failure of an account that there is, and gives the error to
// answer with.
func (s *Store) failed(ctx context.Context, user User, address string, answer error) error {
	if user.ID != uuid.Nil {
		if err := s.noteEverywhere(ctx, user.ID, Actor{UserID: &user.ID, Email: user.Email, Address: address}, ActionSignInFailed, ""); err != nil {
			return err
		}
	}
	return answer
}

// noteEverywhere notes what concerns a user, and no organization above another,
// in the audit logs of all of theirs.
func (s *Store) noteEverywhere(ctx context.Context, userID uuid.UUID, actor Actor, action, subject string) error {
	memberships, err := s.memberships(ctx, userID)
	for _, m := range memberships {
		tenant := s.Tenant(m.OrganizationID).As(actor)
		if err == nil {
			err = tenant.change(ctx, func(tx *gorm.DB) error { return tenant.note(tx, action, subject) })
		}
	}
	return err
}

// compare is bcrypt's, of which only so many run at once.
func (k *Keyring) compare(ctx context.Context, hash, password string) (bool, error) {
	select {
	case k.passwords <- struct{}{}:
		defer func() { <-k.passwords }()
	case <-ctx.Done():
		return false, wrap(ctx.Err())
	}
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil, nil
}
