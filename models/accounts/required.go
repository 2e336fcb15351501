package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// factorWeek is how long users have to set up a second factor.
const factorWeek = 7 * 24 * time.Hour

// RequireSecondFactor says whether everybody needs a second factor. Users who have signed in
// before have a week from the first call with true, and others from when they first sign in.
// It is called before the first request, by every instance alike.
func (a *Accounts) RequireSecondFactor(ctx context.Context, required bool) error {
	a.requireFactor = required
	if !required {
		return models.Wrap(a.db(ctx).Model(&User{}).Where("totp_due_at IS NOT NULL").Update("totp_due_at", nil).Error)
	}
	now, err := database.Now(a.db(ctx))
	if err != nil {
		return models.Wrap(err)
	}
	seen := a.withoutFactor(ctx).Where("browser_language <> ''") // a page has been shown to them
	return models.Wrap(seen.Update("totp_due_at", now.Add(factorWeek)).Error)
}

// FactorRequired reports whether the service requires a second factor of everybody.
func (a *Accounts) FactorRequired() bool { return a.requireFactor }

// factorDue returns from when on a user needs a second factor. The first call begins the week.
func (a *Accounts) factorDue(ctx context.Context, userID uuid.UUID, due *time.Time) (time.Time, error) {
	if due != nil {
		return *due, nil
	}
	now, err := database.Now(a.db(ctx))
	if err != nil {
		return time.Time{}, models.Wrap(err)
	}
	begins := now.Add(factorWeek)
	return begins, models.Wrap(a.withoutFactor(ctx).Where("id = ?", userID).Update("totp_due_at", begins).Error)
}

// withoutFactor selects users without a second factor, whose week has not begun.
func (a *Accounts) withoutFactor(ctx context.Context) *gorm.DB {
	return a.db(ctx).Model(&User{}).Where("totp_secret IS NULL AND totp_due_at IS NULL")
}
