package accounts

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/mail"
	"dispo/models/secrets"
)

const (
	totpPeriod        = 30 // seconds
	totpDigits        = 6
	totpSkew          = 1 // time steps that a clock may be off, either way
	recoveryCodeCount = 10
	setupLife         = 15 * time.Minute
)

// SecondFactorSetup is a new TOTP secret (RFC 6238) that is not in use yet.
type SecondFactorSetup struct {
	URL    string // otpauth://…, for a QR code
	Secret string // base32, to type by hand
	Ticket string // to send back with a first code, within 15 minutes
}

// SecondFactorStart returns a new secret for the user's app.
func (a *Accounts) SecondFactorStart(session Session) (SecondFactorSetup, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: "Dispo", AccountName: session.Email, Period: totpPeriod})
	if err != nil {
		return SecondFactorSetup{}, err
	}
	return a.SecondFactorAgain(session, a.secret.Ticket("setup", session.UserID.String()+" "+key.Secret(), setupLife))
}

// SecondFactorAgain returns the setup that a ticket was made for, to show it once
// more after a wrong code. Errors: KindInvalid for an expired ticket.
func (a *Accounts) SecondFactorAgain(session Session, ticket string) (SecondFactorSetup, error) {
	secret, err := a.setupSecret(session.UserID, ticket)
	if err != nil {
		return SecondFactorSetup{}, err
	}
	link := fmt.Sprintf("otpauth://totp/Dispo:%s?algorithm=SHA1&digits=6&issuer=Dispo&period=%d&secret=%s",
		url.PathEscape(session.Email), totpPeriod, secret)
	return SecondFactorSetup{URL: link, Secret: secret, Ticket: ticket}, nil
}

func (a *Accounts) setupSecret(userID uuid.UUID, ticket string) (string, error) {
	text, err := a.secret.OpenTicket("setup", ticket)
	id, secret, _ := strings.Cut(text, " ")
	if err != nil || id != userID.String() {
		return "", models.NewError(models.KindInvalid, "The setup took too long. Start again.")
	}
	return secret, nil
}

// SecondFactorConfirm turns on the second factor, by a first code that proves that
// the app has the secret, and returns the recovery codes, which cannot be read again
// later. Errors: KindInvalid, and KindConflict if it is on already.
func (a *Accounts) SecondFactorConfirm(
	ctx context.Context, session Session, actor models.Actor, ticket, code string,
) (codes []string, err error) {
	secret, err := a.setupSecret(session.UserID, ticket)
	if err != nil {
		return nil, err
	}
	step, right := codeStep(secret, code, 0)
	if !right {
		return nil, models.NewError(models.KindInvalid,
			"The code is wrong. Check that your phone's clock is right, and enter the newest code.")
	}
	err = a.db(ctx).Transaction(func(tx *gorm.DB) error {
		on := tx.Model(&User{}).Where("id = ? AND totp_secret IS NULL", session.UserID).
			Updates(map[string]any{"totp_secret": a.secret.Encrypt(purposeFactor, []byte(secret)), "totp_step": step})
		if err := concerned(on, models.NewError(models.KindConflict, "Your second factor is already on.")); err != nil {
			return err
		}
		if codes, err = a.newRecoveryCodes(tx, session.UserID); err != nil {
			return err
		}
		if err := noteEverywhere(tx, session.UserID, actor, models.ActionFactorOn, ""); err != nil {
			return err
		}
		return mail.WriteToUser(tx, session.UserID, mail.FactorOn, mail.Details{"address": actor.Address})
	})
	return codes, models.Wrap(err)
}

// FactorStays returns nil if a user may turn off the second factor, and else KindConflict: the
// service or one of the user's organizations requires it, or one that requires its provider has no
// other owner who could come in by password.
func (a *Accounts) FactorStays(ctx context.Context, session Session) error {
	return a.factorStays(a.db(ctx), session, false)
}

// factorStays is FactorStays. With hold, it stays true until the transaction ends.
func (a *Accounts) factorStays(db *gorm.DB, session Session, hold bool) error {
	if a.requireFactor {
		return models.NewError(models.KindConflict, "This service requires a second factor, so you can’t turn yours off.")
	}
	for _, m := range session.Memberships {
		if m.RequireSecondFactor {
			return models.NewError(models.KindConflict, "{organization} requires a second factor, so you can't turn yours off.",
				"organization", m.Name)
		}
	}
	var only bool
	err := db.Raw(`SELECT only_way_in(?, ?)`, session.UserID, hold).Scan(&only).Error
	if err == nil && only {
		err = errNoWayIn
	}
	return models.Wrap(err)
}

// SecondFactorRemove turns off the second factor. Errors: those of FactorStays.
func (a *Accounts) SecondFactorRemove(ctx context.Context, session Session, actor models.Actor) error {
	return models.Wrap(a.db(ctx).Transaction(func(tx *gorm.DB) error {
		if err := a.factorStays(tx, session, true); err != nil {
			return err
		}
		if err := removeSecondFactor(tx, session.UserID, mail.FactorOff, actor.Address); err != nil {
			return err
		}
		return noteEverywhere(tx, session.UserID, actor, models.ActionFactorOff, "")
	}))
}

// removeSecondFactor turns off a user's second factor, if there is one, and writes the mail
// about it. If the service requires one, the user's next visit begins a new week.
func removeSecondFactor(tx *gorm.DB, userID uuid.UUID, kind mail.Kind, address string) error {
	off := tx.Model(&User{}).
		Where("id = ? AND totp_secret IS NOT NULL", userID).
		Updates(map[string]any{"totp_secret": nil, "totp_due_at": nil})
	if off.Error != nil || off.RowsAffected == 0 {
		return off.Error
	}
	if err := tx.Where("user_id = ?", userID).Delete(&recoveryCode{}).Error; err != nil {
		return err
	}
	return mail.WriteToUser(tx, userID, kind, mail.Details{"address": address})
}

// recoveryCode is an unused recovery code. A code is short, so its hash is encrypted with
// the server's secret.
type recoveryCode struct {
	UserID   uuid.UUID
	CodeHash []byte
}

// purposeRecovery and purposeFactor are the purposes of the server's secret.
const (
	purposeRecovery = "recovery"
	purposeFactor   = "totp"
)

// RecoveryCodesLeft counts the user's unused recovery codes.
func (a *Accounts) RecoveryCodesLeft(ctx context.Context, userID uuid.UUID) (int, error) {
	var left int64
	err := a.db(ctx).Model(&recoveryCode{}).Where("user_id = ?", userID).Count(&left).Error
	return int(left), models.Wrap(err)
}

// RecoveryUse says whether a recovery code was used up, and how many are left.
type RecoveryUse struct {
	Used bool
	Left int
}

// recoveryUse says whether the code that was accepted is a recovery code.
func (a *Accounts) recoveryUse(ctx context.Context, userID uuid.UUID, code string) (RecoveryUse, error) {
	if len(plainCode(code)) == totpDigits {
		return RecoveryUse{}, nil
	}
	left, err := a.RecoveryCodesLeft(ctx, userID)
	return RecoveryUse{Used: true, Left: left}, err
}

// RecoveryCodesCreate replaces the user's recovery codes.
func (a *Accounts) RecoveryCodesCreate(
	ctx context.Context, session Session, actor models.Actor,
) (codes []string, err error) {
	err = a.db(ctx).Transaction(func(tx *gorm.DB) error {
		if codes, err = a.newRecoveryCodes(tx, session.UserID); err != nil {
			return err
		}
		return noteEverywhere(tx, session.UserID, actor, models.ActionRecoveryCreated, "")
	})
	return codes, models.Wrap(err)
}

// newRecoveryCodes replaces the stored codes and returns the new ones.
func (a *Accounts) newRecoveryCodes(tx *gorm.DB, userID uuid.UUID) ([]string, error) {
	if err := tx.Where("user_id = ?", userID).Delete(&recoveryCode{}).Error; err != nil {
		return nil, err
	}
	codes := make([]string, recoveryCodeCount)
	rows := make([]recoveryCode, recoveryCodeCount)
	for i := range codes {
		codes[i] = randomCode()
		rows[i] = recoveryCode{
			UserID:   userID,
			CodeHash: a.secret.Encrypt(purposeRecovery, secrets.TokenHash(plainCode(codes[i]))),
		}
	}
	return codes, tx.Create(&rows).Error
}

// codeFits accepts a code once. A TOTP code's time step must be later than the last
// one's, and a recovery code is used up.
func (a *Accounts) codeFits(ctx context.Context, user User, address, code string) (bool, error) {
	if code = plainCode(code); len(code) != totpDigits {
		return a.recoveryCodeFits(ctx, user, address, code)
	}
	secret, err := a.secret.Decrypt(purposeFactor, user.TOTPSecret)
	if err != nil {
		return false, models.NewError(models.KindInvalid,
			"Your second factor can no longer be checked. Sign in with a recovery code, and set up a second factor again.")
	}
	step, right := codeStep(string(secret), code, user.TOTPStep)
	if !right {
		return false, nil
	}
	taken := a.db(ctx).Model(&User{}).Where("id = ? AND totp_step < ?", user.ID, step).UpdateColumn("totp_step", step)
	return taken.RowsAffected == 1, models.Wrap(taken.Error)
}

func (a *Accounts) recoveryCodeFits(ctx context.Context, user User, address, code string) (fits bool, err error) {
	err = a.db(ctx).Transaction(func(tx *gorm.DB) error {
		unused, err := models.Find[recoveryCode](
			tx.Where("user_id = ?", user.ID).Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}))
		i := slices.IndexFunc(unused, func(c recoveryCode) bool {
			hash, err := a.secret.Decrypt(purposeRecovery, c.CodeHash)
			return err == nil && hmac.Equal(hash, secrets.TokenHash(code))
		})
		if fits = i >= 0; !fits {
			return err
		}
		if err := tx.Where("user_id = ? AND code_hash = ?", user.ID, unused[i].CodeHash).
			Delete(&recoveryCode{}).Error; err != nil {
			return err
		}
		if err := noteEverywhere(tx, user.ID, user.actor(address), models.ActionRecoveryUsed, ""); err != nil {
			return err
		}
		return mail.WriteToUser(tx, user.ID, mail.RecoveryUsed, mail.Details{"address": address})
	})
	return fits && err == nil, models.Wrap(err)
}

// codeStep returns the time step after the last one that a code is for.
func codeStep(secret, code string, last int64) (step int64, right bool) {
	code = plainCode(code)
	now := time.Now().Unix() / totpPeriod
	for step := now - totpSkew; step <= now+totpSkew; step++ {
		expected, err := totp.GenerateCode(secret, time.Unix(step*totpPeriod, 0))
		if err == nil && expected == code && step > last {
			return step, true
		}
	}
	return 0, false
}

// codeForm is the form of codes and recovery codes, as plainCode returns them.
var codeForm = regexp.MustCompile(`^([0-9]{6}|[a-z2-7]{10})$`)

// randomCode returns 10 random characters of base32 in two groups.
func randomCode() string {
	text := strings.ToLower(rand.Text())
	return text[:5] + "-" + text[5:10]
}

// plainCode returns a code without what people put between its characters.
func plainCode(code string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(code)))
}
