package accounts

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/trustelem/zxcvbn"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"

	"dispo/models"
)

const (
	passwordMinimum  = 12 // characters
	passwordMaximum  = 72 // bytes: bcrypt takes no more
	passwordLinkLife = 7 * 24 * time.Hour
)

// checkPassword reports what is wrong with a new password. Errors: KindInvalid.
func checkPassword(password, email string) error {
	lower := strings.ToLower(password)
	switch {
	case len([]rune(password)) < passwordMinimum:
		return models.NewError(models.KindInvalid, "The password needs at least {least} characters.", "least", passwordMinimum)
	case len(password) > passwordMaximum:
		return models.NewError(models.KindInvalid, "The password is too long. It can have at most {most} bytes.", "most", passwordMaximum)
	case email != "" && (lower == email || lower == strings.Split(email, "@")[0]):
		return models.NewError(models.KindInvalid, "The password cannot be the e-mail address.")
	case tooCommon(lower, email):
		return models.NewError(models.KindInvalid, "This password is too common. Choose another one.")
	}
	return nil
}

// strengthNeeded is zxcvbn's score from 0 to 4 for passwords that withstand 10^8
// guesses or more.
const strengthNeeded = 3

// localWords are words that people here choose for passwords, beside those of
// zxcvbn's lists.
var localWords = []string{"dispo", "adgangskode", "kodeord", "hemmeligt", "velkommen", "fodbold", "danmark", "sommer", "vinter", "koebenhavn", "aarhus"}

// tooCommon reports whether a password is among the first that would be guessed:
// by zxcvbn's lists of common passwords, words and patterns, and by the words of the
// e-mail address.
func tooCommon(password, email string) bool {
	words := strings.FieldsFunc(email, func(r rune) bool { return strings.ContainsRune("@.-_+", r) })
	words = append(append(words, email), localWords...)
	return zxcvbn.PasswordStrength(password, words).Score < strengthNeeded
}

// hashPassword checks a new password and returns its bcrypt hash.
func hashPassword(password, email string) (string, error) {
	if err := checkPassword(password, email); err != nil {
		return "", err
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), models.BcryptCost)
	return string(hash), err
}

// nobodysHash is compared if there is no such account, or one without a password,
// so that the answer takes as long.
var nobodysHash = sync.OnceValue(func() string {
	hash, err := bcrypt.GenerateFromPassword(nil, models.BcryptCost)
	if err != nil {
		panic("no random numbers: " + err.Error())
	}
	return string(hash)
})

// passwordFits compares a password with the user's. It takes as long for a user
// without one, or for none. Errors: KindLimited if its turn did not come in time.
func (a *Accounts) passwordFits(ctx context.Context, user *User, password string, knownDevice bool, network string) (bool, error) {
	done, err := a.queue.wait(ctx, knownDevice, network)
	if err != nil {
		return false, err
	}
	defer done()
	if user == nil || user.PasswordHash == nil {
		_ = bcrypt.CompareHashAndPassword([]byte(nobodysHash()), []byte(password))
		return false, nil
	}
	return bcrypt.CompareHashAndPassword([]byte(*user.PasswordHash), []byte(password)) == nil, nil
}

// passwordLink is a one-time link to set a password. Its token is stored nowhere.
type passwordLink struct {
	TokenHash []byte
	UserID    uuid.UUID
	ExpiresAt time.Time
}

func newPasswordLink(userID uuid.UUID) (token string, link passwordLink) {
	token, hash := newToken()
	return token, passwordLink{TokenHash: hash, UserID: userID, ExpiresAt: time.Now().Add(passwordLinkLife)}
}

// PasswordLinkCreate returns the token of a new one-time link, good for a week, for
// a user who has lost the password: for the operator. The old password works until
// the link is used. Errors: KindNotFound.
func (a *Accounts) PasswordLinkCreate(ctx context.Context, email string) (token string, err error) {
	user, err := a.existing(ctx, email)
	if err != nil {
		return "", err
	}
	token, link := newPasswordLink(user.ID)
	return token, models.Wrap(a.db(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&link).Error; err != nil {
			return err
		}
		return noteEverywhere(tx, user.ID, models.OperatorActor, models.ActionPasswordLink, user.Email)
	}))
}

var errLinkEnded = models.NewError(models.KindNotFound, "It was already used, was withdrawn or has expired. Ask for a new one.")

// PasswordLink returns the user whose password a one-time link sets. Errors:
// KindNotFound for a link that was used, has expired or never existed.
func (a *Accounts) PasswordLink(ctx context.Context, token string) (User, error) {
	var user User
	err := a.db(ctx).Joins("JOIN password_links l ON l.user_id = users.id").
		Where("l.token_hash = ? AND l.expires_at > now()", models.TokenHash(token)).Take(&user).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return User{}, errLinkEnded
	}
	return user, models.Wrap(err)
}

// PasswordSet sets the password by a one-time link, of the operator's or by mail, which is used up,
// ends the user's sessions, and forgets failed sign-ins. It proves that the address is
// the user's. If nothing proved that before, the account may have been somebody else's,
// so its second factor is turned off. Errors: KindNotFound, KindInvalid.
func (a *Accounts) PasswordSet(ctx context.Context, token, password, address string) error {
	user, err := a.PasswordLink(ctx, token)
	if err != nil {
		return err
	}
	hash, err := newPasswordHash(user, password)
	if err != nil {
		return err
	}
	return models.Wrap(a.db(ctx).Transaction(func(tx *gorm.DB) error {
		used := tx.Where("token_hash = ? AND expires_at > now()", models.TokenHash(token)).Delete(&passwordLink{})
		if used.Error != nil {
			return used.Error
		}
		if used.RowsAffected == 0 {
			return errLinkEnded
		}
		if err := setPassword(tx, user.ID, hash, uuid.Nil); err != nil {
			return err
		}
		if err := releaseAccount(tx, user.Email); err != nil {
			return err
		}
		if user.EmailProvenAt == nil {
			if err := tx.Model(&User{}).Where("id = ?", user.ID).Update("email_proven_at", tx.NowFunc()).Error; err != nil {
				return err
			}
			if err := removeSecondFactor(tx, user.ID); err != nil {
				return err
			}
		}
		return noteEverywhere(tx, user.ID, user.actor(address), models.ActionPasswordSet, "by one-time link")
	}))
}

// newPasswordHash checks and hashes a new password of a user who may have one already.
// Errors: KindInvalid, also for the password that the user has.
func newPasswordHash(user User, password string) (string, error) {
	if user.PasswordHash != nil && bcrypt.CompareHashAndPassword([]byte(*user.PasswordHash), []byte(password)) == nil {
		return "", models.NewError(models.KindInvalid, "This is already your password. Choose another one.")
	}
	return hashPassword(password, user.Email)
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
func (a *Accounts) PasswordChange(ctx context.Context, session Session, actor models.Actor, ticket, old, fresh string) (string, error) {
	user, err := a.confirmPassword(ctx, session.UserID, old)
	if err != nil {
		return "", err
	}
	hash, err := newPasswordHash(user, fresh)
	if err != nil {
		return "", err
	}
	device := cmp.Or(a.knownDevice(&user, ticket), newDevice())
	user.PasswordHash = &hash
	tenant := a.tenant(session, actor)
	return a.deviceTicket(user, device), tenant.Change(ctx, func(tx *gorm.DB) error {
		if err := setPassword(tx, session.UserID, hash, session.ID); err != nil {
			return err
		}
		return tenant.Note(tx, models.ActionPasswordSet, "")
	})
}

// ErrPasswordWrong means that a signed-in user gave a wrong password.
var ErrPasswordWrong = models.NewError(models.KindInvalid, "The password is wrong.")

// confirmPassword checks a signed-in user's password. Errors: ErrPasswordWrong,
// KindLimited.
func (a *Accounts) confirmPassword(ctx context.Context, userID uuid.UUID, password string) (User, error) {
	user, err := a.user(ctx, userID)
	if err != nil {
		return User{}, err
	}
	attempt := confirmAttempt(user.Email)
	if err := a.reserve(ctx, attempt); err != nil {
		return User{}, err
	}
	right, err := a.passwordFits(ctx, &user, password, true, "")
	if err != nil {
		return User{}, err
	}
	if !right {
		return User{}, ErrPasswordWrong
	}
	return user, a.release(ctx, attempt)
}
