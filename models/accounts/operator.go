package accounts

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
)

// UserDisable keeps a user from signing in, and ends the user's sessions and links.
// Keys that the user made go on working. For the operator. Errors: KindNotFound.
func (a *Accounts) UserDisable(ctx context.Context, email string) error {
	return a.operate(ctx, email, models.ActionUserDisabled, func(tx *gorm.DB, user User) error {
		if err := tx.Model(&User{}).
			Where("id = ? AND disabled_at IS NULL", user.ID).
			Update("disabled_at", database.Clock).
			Error; err != nil {
			return err
		}
		if err := tx.Where("user_id = ?", user.ID).Delete(&passwordLink{}).Error; err != nil {
			return err
		}
		return endSessions(tx, user)
	})
}

// UserEnable lets a disabled user sign in again. For the operator. Errors: KindNotFound.
func (a *Accounts) UserEnable(ctx context.Context, email string) error {
	return a.operate(ctx, email, models.ActionUserEnabled, func(tx *gorm.DB, user User) error {
		return tx.Model(&User{}).Where("id = ?", user.ID).Update("disabled_at", nil).Error
	})
}

// UserEndSessions signs a user out everywhere. For the operator. Errors: KindNotFound.
func (a *Accounts) UserEndSessions(ctx context.Context, email string) error {
	return a.operate(ctx, email, models.ActionSessionEnded, endSessions)
}

// UserResetSecondFactor turns off a user's second factor, whose codes are lost or belong
// to somebody else, and ends the user's sessions. For the operator. Errors: KindNotFound.
func (a *Accounts) UserResetSecondFactor(ctx context.Context, email string) error {
	return a.operate(ctx, email, models.ActionFactorOff, func(tx *gorm.DB, user User) error {
		if err := removeSecondFactor(tx, user.ID, mail.FactorReset, ""); err != nil {
			return err
		}
		return endSessions(tx, user)
	})
}

// operate changes a user by the operator's command, and notes it in the audit log of
// each of the user's organizations. Errors: KindInvalid, KindNotFound.
func (a *Accounts) operate(ctx context.Context, email, action string, change func(tx *gorm.DB, user User) error) error {
	user, err := a.knownUser(ctx, email)
	if err != nil {
		return err
	}
	return models.Wrap(a.db(ctx).Transaction(func(tx *gorm.DB) error {
		if err := change(tx, user); err != nil {
			return err
		}
		return noteEverywhere(tx, user.ID, models.OperatorActor, action, user.Email)
	}))
}

// knownUser finds a user for the operator. Errors: KindInvalid, KindNotFound.
func (a *Accounts) knownUser(ctx context.Context, email string) (User, error) {
	email, err := models.ReadEmail(email)
	if err != nil {
		return User{}, err
	}
	user, err := a.userByEmail(ctx, email)
	if err == nil && user == nil {
		err = models.NewError(models.KindNotFound,
			fmt.Sprintf("there is no user %s: create one with `dispo user create`", email))
	}
	if err != nil {
		return User{}, err
	}
	return *user, nil
}

// EndEverything ends every user's sessions, links and invitations, over the operator's
// connections. Mails with such a link that wait are dropped.
func EndEverything(ctx context.Context, s *models.Store) error {
	return models.Wrap(s.DB().GORM(database.WithOperator(ctx)).Transaction(func(tx *gorm.DB) error {
		for _, row := range []any{&sessionRow{}, &passwordLink{}, &passwordRequest{}, &Invitation{}} {
			if err := tx.Where("true").Delete(row).Error; err != nil {
				return err
			}
		}
		return tx.Where("sent_at IS NULL AND kind IN ?", []mail.Kind{mail.Invitation, mail.Password, mail.Unlock, mail.LinkProvider}).
			Delete(&mail.Mail{}).
			Error
	}))
}

func endSessions(tx *gorm.DB, user User) error {
	return tx.Where("user_id = ?", user.ID).Delete(&sessionRow{}).Error
}
