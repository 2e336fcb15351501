package accounts

import (
	"context"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/tasks"
)

// renewEvery is how often Renew looks, because another instance may still encrypt under the
// secret before.
const renewEvery = 10 * time.Minute

// Encrypted says how many second factors, recovery codes and secrets of providers are encrypted under the secret
// before the present one, and how many under neither.
type Encrypted struct{ Old, Lost int }

// Renew encrypts second factors, recovery codes and secrets of providers under the present secret that are
// encrypted under the one before it, again and again until ctx ends.
func (a *Accounts) Renew(ctx context.Context, log *slog.Logger) {
	tasks.Every(ctx, renewEvery, log,
		"cannot encrypt second factors under the new secret: trying again in 10 minutes", func(ctx context.Context) error {
			found, err := a.RenewOnce(ctx)
			if found.Old > 0 {
				log.Info("encrypted second factors, recovery codes and secrets of providers under the new secret",
					"count", found.Old)
			}
			return err
		})
}

// Encrypted counts them, and changes nothing.
func (a *Accounts) Encrypted(ctx context.Context) (Encrypted, error) {
	return a.encrypted(ctx, func(*gorm.DB, string, []byte, []byte) error { return nil })
}

// RenewOnce counts them, and encrypts under the present secret what is under the one before
// it. Each value is a transaction of its own, which changes nothing if the value has changed
// meanwhile, so that several instances may do this at once.
func (a *Accounts) RenewOnce(ctx context.Context) (Encrypted, error) {
	return a.encrypted(ctx, func(row *gorm.DB, column string, old, renewed []byte) error {
		return models.Wrap(row.Where(column+" = ?", old).UpdateColumn(column, renewed).Error)
	})
}

// encrypted counts, and passes what is encrypted under the secret before the present one to
// renew, with its row and column.
func (a *Accounts) encrypted(
	ctx context.Context, renew func(row *gorm.DB, column string, old, renewed []byte) error,
) (found Encrypted, err error) {
	look := func(purpose string, value []byte, row *gorm.DB, column string) error {
		renewed, err := a.secret.Renew(purpose, value)
		if err != nil {
			found.Lost++
		}
		if renewed == nil {
			return nil
		}
		found.Old++
		return renew(row, column, value, renewed)
	}
	users, err := models.Find[User](a.db(ctx).Select("id, totp_secret").Where("totp_secret IS NOT NULL"))
	for i := 0; i < len(users) && err == nil; i++ {
		err = look(purposeFactor, users[i].TOTPSecret, a.db(ctx).Model(&User{}).Where("id = ?", users[i].ID), "totp_secret")
	}
	if err != nil {
		return found, err
	}
	codes, err := models.Find[recoveryCode](a.db(ctx))
	for i := 0; i < len(codes) && err == nil; i++ {
		ofUser := a.db(ctx).Model(&recoveryCode{}).Where("user_id = ?", codes[i].UserID)
		err = look(purposeRecovery, codes[i].CodeHash, ofUser, "code_hash")
	}
	if err != nil {
		return found, err
	}
	var providers []Provider
	err = models.Wrap(a.db(ctx).Raw(`SELECT * FROM sign_in_secrets()`).Scan(&providers).Error)
	for i := 0; i < len(providers) && err == nil; i++ {
		id := providers[i].OrganizationID
		row := a.store.Tenant(id).DB(ctx).Model(&Provider{})
		err = look(ProviderPurpose(id), providers[i].ClientSecret, row, "client_secret")
	}
	return found, err
}
