package accounts

import (
	"context"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"dispo/models"
)

// renewEvery is how often Renew looks, because another instance may still encrypt under the
// secret before.
const renewEvery = 10 * time.Minute

// Encrypted says how many second factors and recovery codes are encrypted under the secret
// before the present one, and how many under neither.
type Encrypted struct{ Old, Lost int }

// Renew encrypts second factors and recovery codes under the present secret that are
// encrypted under the one before it, again and again until ctx ends.
func (a *Accounts) Renew(ctx context.Context, log *slog.Logger) {
	models.Every(ctx, renewEvery, log, "cannot encrypt second factors under the new secret: trying again in 10 minutes", func(ctx context.Context) error {
		found, err := a.Encrypted(ctx, true)
		if found.Old > 0 {
			log.Info("encrypted second factors and recovery codes under the new secret", "count", found.Old)
		}
		return err
	})
}

// Encrypted counts, and encrypts under the present secret what is under the one before it
// if renew is set. Each value is a transaction of its own, which changes nothing if the
// value has changed meanwhile, so that several instances may do this at once.
func (a *Accounts) Encrypted(ctx context.Context, renew bool) (found Encrypted, err error) {
	users, err := models.Find[User](a.db(ctx).Select("id, totp_secret").Where("totp_secret IS NOT NULL"))
	for i := 0; i < len(users) && err == nil; i++ {
		err = a.encrypted(&found, purposeFactor, users[i].TOTPSecret, renew, a.db(ctx).Model(&User{}).Where("id = ?", users[i].ID), "totp_secret")
	}
	if err != nil {
		return found, err
	}
	codes, err := models.Find[recoveryCode](a.db(ctx))
	for i := 0; i < len(codes) && err == nil; i++ {
		err = a.encrypted(&found, purposeRecovery, codes[i].CodeHash, renew, a.db(ctx).Model(&recoveryCode{}).Where("user_id = ?", codes[i].UserID), "code_hash")
	}
	return found, err
}

// encrypted counts one value in found, and renews it in its row if renew is set.
func (a *Accounts) encrypted(found *Encrypted, purpose string, value []byte, renew bool, row *gorm.DB, column string) error {
	renewed, err := a.secret.Renew(purpose, value)
	switch {
	case err != nil:
		found.Lost++
	case renewed != nil:
		found.Old++
	}
	if renewed == nil || !renew {
		return nil
	}
	return models.Wrap(row.Where(column+" = ?", value).UpdateColumn(column, renewed).Error)
}
