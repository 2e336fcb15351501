package people

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"dispo/models"
)

const challengeLife = 5 * time.Minute

// SignIn is an attempt to sign in.
type SignIn struct {
	Email, Password    string
	Address, UserAgent string
}

// SignedIn is the result of an accepted password: the token of a session, or, for a
// user with a second factor, a challenge to send back with a code within 5 minutes.
type SignedIn struct {
	Token     string
	Challenge string
}

var errSignIn = models.NewError(models.KindUnauthorized, "The e-mail address or the password is wrong.")

// failureTime is the least that a failed attempt takes, so that its time does not
// reveal whether the account exists.
const failureTime = 400 * time.Millisecond

// SignIn checks e-mail and password. Errors: KindUnauthorized, the same and as late
// whether the account exists or not, and KindLimited after too many failures.
func (p *People) SignIn(ctx context.Context, wanted SignIn) (signedIn SignedIn, err error) {
	defer delayError(ctx, time.Now().Add(failureTime), &err)
	email := strings.ToLower(strings.TrimSpace(wanted.Email))
	if len(email) > emailLength || !utf8.ValidString(email) || strings.ContainsFunc(email, unicode.IsControl) {
		email = "" // nobody's
	}
	attempt := attempt{account: "account " + email, address: wanted.Address}
	if err := p.reserve(ctx, attempt); err != nil {
		return SignedIn{}, err
	}
	user, err := p.userByEmail(ctx, email)
	if err != nil {
		return SignedIn{}, err
	}
	right, err := p.passwordFits(ctx, user, wanted.Password)
	if err != nil {
		return SignedIn{}, err
	}
	if !right {
		return SignedIn{}, p.failed(ctx, user, wanted.Address, errSignIn)
	}
	if user.TOTPSecret != nil {
		return SignedIn{Challenge: p.secret.Ticket("challenge", user.ID.String(), challengeLife)}, p.release(ctx, attempt)
	}
	token, err := p.signedIn(ctx, *user, wanted.Address, wanted.UserAgent, attempt)
	return SignedIn{Token: token}, err
}

// SignInCode completes a sign-in by a code of the second factor, or by a recovery
// code, which is used up. Errors: KindUnauthorized for a wrong code, KindInvalid
// for an expired challenge, KindLimited.
func (p *People) SignInCode(ctx context.Context, challenge, code, address, userAgent string) (token string, err error) {
	text, err := p.secret.OpenTicket("challenge", challenge)
	if err != nil {
		return "", models.NewError(models.KindInvalid, "The sign-in took too long: start again.")
	}
	userID, err := uuid.Parse(text)
	if err != nil {
		return "", err
	}
	user, err := p.user(ctx, userID)
	if err != nil {
		return "", err
	}
	attempt := attempt{account: "code " + user.Email, address: address}
	if err := p.reserve(ctx, attempt); err != nil {
		return "", err
	}
	right, err := p.codeFits(ctx, user, address, code)
	if err != nil {
		return "", err
	}
	if !right {
		return "", p.failed(ctx, &user, address, models.NewError(models.KindUnauthorized, "That code is wrong or was already used."))
	}
	return p.signedIn(ctx, user, address, userAgent, attempt)
}

// delayError holds back an error until a time. Success returns at once.
func delayError(ctx context.Context, until time.Time, err *error) {
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

func (p *People) signedIn(ctx context.Context, user User, address, userAgent string, attempt attempt) (string, error) {
	if err := p.release(ctx, attempt); err != nil {
		return "", err
	}
	return p.sessionCreate(ctx, user, nil, address, userAgent)
}

// failed notes a failed sign-in, if the account exists, and returns the error to
// answer with.
func (p *People) failed(ctx context.Context, user *User, address string, answer error) error {
	if user == nil {
		return answer
	}
	if err := p.noteEverywhere(ctx, user.ID, user.actor(address), models.ActionSignInFailed, ""); err != nil {
		return err
	}
	return answer
}
