package accounts

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
)

const (
	renewEvery = 10 * time.Minute // an instance may still encrypt under the secret before
	renewBatch = 200              // users
)

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
	var users []User
	for after := uuid.Nil; ; after = users[len(users)-1].ID {
		users, err = models.Find[User](a.db(ctx).Select("id, totp_secret").Where("totp_secret IS NOT NULL AND id > ?", after).Order("id").Limit(renewBatch))
		if err != nil || len(users) == 0 {
			return found, err
		}
		for _, user := range users {
			codes, err := models.Find[recoveryCode](a.db(ctx).Where("user_id = ?", user.ID))
			if err != nil {
				return found, err
			}
			err = a.encrypted(&found, purposeFactor, user.TOTPSecret, renew, a.db(ctx).Model(&User{}).Where("id = ?", user.ID), "totp_secret")
			for i := 0; i < len(codes) && err == nil; i++ {
				err = a.encrypted(&found, purposeRecovery, codes[i].CodeHash, renew, a.db(ctx).Model(&recoveryCode{}).Where("user_id = ?", user.ID), "code_hash")
			}
			if err != nil {
				return found, err
			}
		}
	}
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
