package accounts

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/accounts/password"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/secrets"
)

const passwordLinkLife = 7 * 24 * time.Hour

// checkPassword checks a user's new password. Errors: KindInvalid.
func (a *Accounts) checkPassword(ctx context.Context, user User, text string) error {
	memberships, err := a.memberships(ctx, user.ID)
	if err != nil {
		return err
	}
	var names []string
	for _, m := range memberships {
		names = append(names, m.Name)
	}
	return password.Check(text, user.Email, names)
}

// hashByLink returns the hash of a password that the holder of a link has chosen. Its
// tries are counted for the link and the network, never against the account, and from
// whatever networks they come, they have one place among those that wait. present
// reads the link again when it is its turn, and returns the present password's hash, if
// there is one. Errors: KindLimited, errLinkUsed, password.ErrSame.
func (a *Accounts) hashByLink(
	ctx context.Context, token, address, text string, present func() (*string, error),
) (string, error) {
	if err := count(a.db(ctx), linkLimits(token, address)); err != nil {
		return "", err
	}
	hash, err := a.passwords.Hash(ctx, password.Origin{Link: linkSubject(token)}, text, present)
	if errors.Is(err, errLinkEnded) {
		return "", errLinkUsed
	}
	return hash, err
}

// passwordLink is a one-time link to set a password, or to sign in after too many
// attempts. Its token is stored nowhere.
type passwordLink struct {
	TokenHash []byte
	Kind      mail.Kind // that such a link comes in: mail.Password, mail.Unlock or mail.LinkProvider
	UserID    uuid.UUID
	BoundTo   []byte // of mail.LinkProvider, see ProviderLink.tag
	ExpiresAt time.Time
}

// createPasswordLink creates a link for a user, good for a week, and returns its token.
func createPasswordLink(tx *gorm.DB, userID uuid.UUID) (token string, err error) {
	now, err := database.Now(tx)
	if err != nil {
		return "", err
	}
	token, hash := newToken()
	link := passwordLink{TokenHash: hash, Kind: mail.Password, UserID: userID, ExpiresAt: now.Add(passwordLinkLife)}
	return token, tx.Create(&link).Error
}

// PasswordLinkCreate returns the token of a new one-time link, good for a week, for
// a user who has lost the password: for the operator. The old password works until
// the link is used. Errors: KindNotFound.
func (a *Accounts) PasswordLinkCreate(ctx context.Context, email string) (token string, err error) {
	err = a.operate(ctx, email, models.ActionPasswordLink, func(tx *gorm.DB, user User) (err error) {
		token, err = createPasswordLink(tx, user.ID)
		return err
	})
	return token, err
}

var (
	errLinkEnded = models.NewError(models.KindNotFound,
		"It was already used, was withdrawn or has expired. Ask for a new one.")
	errLinkUsed = models.NewError(models.KindNotFound,
		"It was used a moment ago, and works only once. If that wasn’t you, ask for a new one.")
)

// PasswordLink returns the user whose password a one-time link sets. Errors:
// KindNotFound for a link that was used, has expired or never existed.
func (a *Accounts) PasswordLink(ctx context.Context, token string) (User, error) {
	return a.linkUser(ctx, mail.Password, token, nil)
}

func (a *Accounts) linkUser(ctx context.Context, kind mail.Kind, token string, boundTo []byte) (User, error) {
	var user User
	err := a.db(ctx).Joins("JOIN (?) AS l ON l.user_id = users.id", a.db(ctx).Model(&passwordLink{})).
		Where("l.token_hash = ? AND l.kind = ? AND l.bound_to IS NOT DISTINCT FROM ? AND l.expires_at > now()",
			secrets.TokenHash(token), kind, boundTo).Take(&user).Error
	return user, models.WrapFound(err, errLinkEnded)
}

// PasswordSet sets the password by a one-time link, which is used up. It ends the user's
// sessions and forgets failed sign-ins. It proves that the address is the user's. If
// nothing proved that before, the account may have been somebody else's, so its second
// factor is turned off. Errors: KindNotFound, also if others use the link at the same
// time and one of them was first; KindInvalid, KindLimited.
func (a *Accounts) PasswordSet(ctx context.Context, token, text, address string) error {
	user, err := a.PasswordLink(ctx, token)
	if err != nil {
		return err
	}
	if err := a.checkPassword(ctx, user, text); err != nil {
		return err
	}
	hash, err := a.hashByLink(ctx, token, address, text, func() (*string, error) {
		user, err := a.PasswordLink(ctx, token)
		return user.PasswordHash, err
	})
	if err != nil {
		return err
	}
	return models.Wrap(a.db(ctx).Transaction(func(tx *gorm.DB) error {
		if err := useLink(tx, token); err != nil {
			return err
		}
		if err := setPassword(tx, user.ID, hash, uuid.Nil); err != nil {
			return err
		}
		if err := releaseAccount(tx, user.Email); err != nil {
			return err
		}
		if user.EmailProvenAt == nil {
			if err := proveAddress(tx, user.ID); err != nil {
				return err
			}
			if err := removeSecondFactor(tx, user.ID, mail.FactorOff, address); err != nil {
				return err
			}
		}
		if err := noteEverywhere(tx, user.ID, user.actor(address), models.ActionPasswordSet, "by one-time link"); err != nil {
			return err
		}
		return mail.WriteToUser(tx, user.ID, mail.PasswordChanged, mail.Details{"address": address, "by_link": "yes"})
	}))
}

// proveAddress notes that the user has proved the e-mail address, unless they had before.
func proveAddress(tx *gorm.DB, userID uuid.UUID) error {
	return tx.Model(&User{}).Where("id = ? AND email_proven_at IS NULL", userID).
		Update("email_proven_at", database.Clock).Error
}

// useLink deletes a link. Errors: errLinkUsed if somebody else was first.
func useLink(tx *gorm.DB, token string) error {
	return concerned(tx.Where("token_hash = ? AND expires_at > now()", secrets.TokenHash(token)).Delete(&passwordLink{}),
		errLinkUsed)
}

// setPassword stores a new password, and ends the user's sessions but the kept one
// and all links by which the password could be set again.
func setPassword(tx *gorm.DB, userID uuid.UUID, hash string, keptSession uuid.UUID) error {
	if err := tx.Model(&User{}).Where("id = ?", userID).Update("password_hash", hash).Error; err != nil {
		return err
	}
	if err := tx.Where("user_id = ?", userID).Delete(&passwordLink{}).Error; err != nil {
		return err
	}
	return tx.Where("user_id = ? AND id <> ?", userID, keptSession).Delete(&sessionRow{}).Error
}

// PasswordChange changes the user's own password, and ends their other sessions. It
// returns what the browser keeps, instead of what it kept before, to stay a known device.
// Errors: ErrPasswordWrong for the old one, KindInvalid for the new one, KindLimited.
func (a *Accounts) PasswordChange(
	ctx context.Context, session Session, actor models.Actor, ticket, old, fresh string,
) (string, error) {
	user, err := a.confirmPassword(ctx, session, old)
	if err != nil {
		return "", err
	}
	if err := a.checkPassword(ctx, user, fresh); err != nil {
		return "", err
	}
	hash, err := a.passwords.Hash(ctx, password.Origin{Account: user.Email}, fresh,
		func() (*string, error) { return user.PasswordHash, nil })
	if err != nil {
		return "", err
	}
	device := cmp.Or(a.knownDevice(&user, ticket), newDevice())
	user.PasswordHash = &hash
	tenant := a.tenant(session, actor)
	return a.deviceTicket(user, device), tenant.Write(ctx, func(tx *gorm.DB) error {
		if err := setPassword(tx, session.UserID, hash, session.ID); err != nil {
			return err
		}
		if err := tenant.Note(tx, models.ActionPasswordSet, ""); err != nil {
			return err
		}
		return mail.WriteToUser(tx, session.UserID, mail.PasswordChanged, mail.Details{"address": actor.Address})
	})
}

// ErrPasswordWrong means that a signed-in user gave a wrong password.
var ErrPasswordWrong = models.NewError(models.KindInvalid, "The password is wrong.")

// Confirm notes that a signed-in user has proved again who they are, by the password
// or, with a second factor, a code, which may be a recovery code. It counts for 15 minutes, or
// for this act alone if a provider opened the session.
// Errors: KindInvalid if the text is neither, KindLimited.
func (a *Accounts) Confirm(
	ctx context.Context, session Session, actor models.Actor, text string,
) (recovery RecoveryUse, err error) {
	fits, err := a.confirmCode(ctx, session, actor, text)
	if fits && err == nil {
		recovery, err = a.recoveryUse(ctx, session.UserID, text)
	} else if err == nil {
		_, err = a.confirmPassword(ctx, session, text)
		if session.SecondFactor && errors.Is(err, ErrPasswordWrong) {
			err = models.NewError(models.KindInvalid,
				"The password or code is wrong, or the code was already used. Each code works once: wait for your app’s next one.")
		}
	}
	if err != nil || session.ByProvider() {
		return recovery, err
	}
	return recovery, models.Wrap(
		a.db(ctx).Model(&sessionRow{}).Where("id = ?", session.ID).Update("confirmed_at", gorm.Expr("now()")).Error)
}

// confirmPassword checks a signed-in user's password. Errors: ErrPasswordWrong,
// KindLimited.
func (a *Accounts) confirmPassword(ctx context.Context, session Session, text string) (User, error) {
	user, err := a.user(ctx, session.UserID)
	if err != nil {
		return User{}, err
	}
	what := "password"
	if session.ByProvider() {
		what += " by " + providedBy(session.OrganizationID)
	}
	attempt := confirmAttempt(user.Email, what)
	if err := a.reserve(ctx, attempt); err != nil {
		return User{}, err
	}
	right, err := a.passwords.Matches(ctx, password.Origin{Account: user.Email}, user.PasswordHash, text)
	if err != nil {
		return User{}, err
	}
	if !right {
		return User{}, ErrPasswordWrong
	}
	return user, a.release(ctx, attempt)
}

// confirmCode reports whether text is a code of the user's second factor. What has
// another form is not counted as a guess.
func (a *Accounts) confirmCode(ctx context.Context, session Session, actor models.Actor, text string) (bool, error) {
	if !session.SecondFactor || !codeForm.MatchString(plainCode(text)) {
		return false, nil
	}
	user, err := a.user(ctx, session.UserID)
	if err != nil {
		return false, err
	}
	device := "session " + session.ID.String()
	if session.ByProvider() {
		device = providedBy(session.OrganizationID)
	}
	attempt := codeAttempt(user.Email, device, actor.Address, text)
	if err := a.reserve(ctx, attempt); err != nil {
		return false, err
	}
	fits, err := a.codeFits(ctx, user, actor.Address, text)
	if err != nil || !fits {
		return false, err
	}
	return true, a.release(ctx, attempt)
}
