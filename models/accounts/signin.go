package accounts

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts/password"
)

const challengeLife = 5 * time.Minute

// SignIn is an attempt to sign in.
type SignIn struct {
	Email, Password    string
	Device             string // what the browser kept of an earlier sign-in, or empty
	Address, UserAgent string
}

// SignedIn is the result of an accepted password: the token of a session and what the
// browser keeps to be known the next time; or, for a user with a second factor, a
// challenge to send back with a code within 5 minutes.
type SignedIn struct {
	Token     string
	Device    string
	Challenge string
	Recovery  RecoveryUse
}

var (
	errSignIn   = models.NewError(models.KindUnauthorized, "The e-mail address or the password is wrong.")
	errDisabled = models.NewError(models.KindForbidden, "Your account is disabled. Ask the operator of this service.")
)

// failureTime is the least that a failed attempt takes, so that its time does not
// reveal whether the account exists.
const failureTime = 400 * time.Millisecond

// SignIn checks e-mail and password. Errors: KindUnauthorized, the same and as late
// whether the account exists or not; KindLimited after too many failures, or while too
// many others sign in; KindForbidden for a right password of somebody who may not sign
// in.
func (a *Accounts) SignIn(ctx context.Context, wanted SignIn) (signedIn SignedIn, err error) {
	defer delayError(ctx, time.Now().Add(failureTime), &err)
	email := strings.ToLower(strings.TrimSpace(wanted.Email))
	if len(email) > models.EmailLength || !utf8.ValidString(email) ||
		strings.ContainsFunc(email, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		email = "" // nobody's
	}
	email = models.MaskKeys(email) // because it is stored with the count of failures
	user, err := a.userByEmail(ctx, email)
	if err != nil {
		return SignedIn{}, err
	}
	device := a.knownDevice(user, wanted.Device)
	attempt := signInAttempt(email, device, wanted.Address)
	err = a.reserve(ctx, attempt)
	if device != "" && models.ErrorKind(err) == models.KindLimited { // it guesses, so it counts like any other
		device = ""
		attempt = signInAttempt(email, device, wanted.Address)
		err = a.reserve(ctx, attempt)
	}
	if err != nil {
		return SignedIn{}, err
	}
	from := stranger(wanted.Address)
	if device != "" {
		from = password.Origin{Account: email}
	}
	var hash *string
	if user != nil {
		hash = user.PasswordHash
	}
	right, err := a.passwords.Matches(ctx, from, hash, wanted.Password)
	if err != nil {
		return SignedIn{}, err
	}
	if !right {
		return SignedIn{}, a.failed(ctx, user, ProviderLink{}, wanted.Address, errSignIn)
	}
	if err := a.release(ctx, attempt); err != nil {
		return SignedIn{}, err
	}
	if user.DisabledAt != nil {
		return SignedIn{}, errDisabled
	}
	if user.TOTPSecret != nil {
		return SignedIn{
			Challenge: a.secret.Ticket("challenge", user.ID.String()+" "+a.passwordTag(*user)+" "+device, challengeLife),
		}, nil
	}
	return a.signedIn(ctx, *user, device, wanted.Address, wanted.UserAgent)
}

// SignInCode completes a sign-in by a code of the second factor, or by a recovery
// code, which is used up. Errors: KindUnauthorized for a wrong code, KindInvalid
// for an expired challenge, KindLimited, KindForbidden.
func (a *Accounts) SignInCode(ctx context.Context, challenge, code, address, userAgent string) (SignedIn, error) {
	user, device, link, err := a.openChallenge(ctx, challenge)
	if err != nil {
		return SignedIn{}, err
	}
	if user.DisabledAt != nil {
		return SignedIn{}, errDisabled
	}
	attempt := codeAttempt(user.Email, device, address, code)
	if err := a.reserve(ctx, attempt); err != nil {
		return SignedIn{}, err
	}
	right, err := a.codeFits(ctx, user, address, code)
	if err != nil {
		return SignedIn{}, err
	}
	if !right {
		return SignedIn{}, a.failed(ctx, &user, link, address,
			models.NewError(models.KindUnauthorized, "The code is wrong or was already used."))
	}
	if err := a.release(ctx, attempt); err != nil {
		return SignedIn{}, err
	}
	var signedIn SignedIn
	if link.OrganizationID == uuid.Nil {
		signedIn, err = a.signedIn(ctx, user, device, address, userAgent)
	} else {
		signedIn, err = a.signedInByProvider(ctx, user, link, ByProviderAndCode, address, userAgent)
	}
	if err == nil {
		signedIn.Recovery, err = a.recoveryUse(ctx, user.ID, code)
	}
	return signedIn, err
}

// openChallenge returns whose sign-in a challenge is for, and the device if it is known, or the
// link by which an organization's provider has named the user. Errors: KindInvalid if it has expired, or the
// password has changed since.
func (a *Accounts) openChallenge(
	ctx context.Context, challenge string,
) (user User, device string, link ProviderLink, err error) {
	errEnded := models.NewError(models.KindInvalid, "The sign-in took too long. Start again.")
	text, err := a.secret.OpenTicket("challenge", challenge)
	provided, providedErr := a.secret.OpenTicket("provider challenge", challenge)
	if err != nil && providedErr != nil {
		return User{}, "", ProviderLink{}, errEnded
	}
	id, rest, _ := strings.Cut(text+provided, " ")
	tag, device, _ := strings.Cut(rest, " ")
	if providedErr == nil {
		if err = json.Unmarshal([]byte(device), &link); err != nil {
			return User{}, "", ProviderLink{}, err
		}
		device = providedBy(link.OrganizationID)
	}
	userID, err := uuid.Parse(id)
	if err != nil {
		return User{}, "", ProviderLink{}, errEnded
	}
	if user, err = a.user(ctx, userID); err == nil && !a.passwordTagged(user, tag) {
		err = errEnded
	}
	return user, device, link, err
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

// signedIn starts the session of a user who has passed every check. device is empty
// for a new device.
func (a *Accounts) signedIn(ctx context.Context, user User, device, address, userAgent string) (SignedIn, error) {
	if strings.HasPrefix(device, unlocked) { // it has not signed in before
		device = ""
	}
	token, err := a.sessionCreate(ctx, user, nil, ByPassword, ProviderLink{}, device, address, userAgent)
	return SignedIn{Token: token, Device: a.deviceTicket(user, cmp.Or(device, newDevice()))}, err
}

// SignInError is the error of a sign-in that failed although the account exists. Its
// text does not say so.
type SignInError struct {
	UserID uuid.UUID
	answer error
}

func (e *SignInError) Error() string { return e.answer.Error() }

func (e *SignInError) Unwrap() error { return e.answer }

// failed notes a failed sign-in, if the account exists, and returns the error to answer with. By
// the link of a provider, it concerns that organization alone.
func (a *Accounts) failed(ctx context.Context, user *User, link ProviderLink, address string, answer error) error {
	if user == nil {
		return answer
	}
	var err error
	actor := user.actor(address)
	if link.OrganizationID != uuid.Nil {
		err = a.store.Tenant(link.OrganizationID).As(actor).NoteAlone(ctx, models.ActionSignInFailed, "")
	} else {
		err = noteEverywhere(a.db(ctx), user.ID, actor, models.ActionSignInFailed, "")
	}
	if err != nil {
		return models.Wrap(err)
	}
	return &SignInError{UserID: user.ID, answer: answer}
}
