package keys

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/tasks"
)

const (
	idleDaysMax = 365

	// scheduleEvery and scheduleDelay together stay well below the minute within which
	// a due key is revoked. The delay lets every instance write the key's last use first.
	scheduleEvery   = 20 * time.Second
	scheduleDelay   = 15 * time.Second
	scheduleTimeout = 15 * time.Second
)

// RevokeAt schedules a key to be revoked at a time, instead of what was scheduled
// before. A revoked key stays as it is. Errors: KindInvalid for a time that is not in the
// future or more than 100 years away, KindNotFound, KindForbidden.
func RevokeAt(ctx context.Context, t models.Tenant, id uuid.UUID, at time.Time) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		if err := checkKeyEnd(at, key.Now); err != nil {
			return edit{}, err
		}
		return key.schedule(columns{"revoke_at": at, "revoke_after_idle_days": nil}, ", at "+minuteText(at)), nil
	})
}

// RevokeAfterIdle schedules a key to be revoked once it has not been used for so
// many times 24 hours, counted from its last use or from now, whichever is later. It
// replaces what was scheduled before. A revoked key stays as it is. Errors: KindInvalid
// for days outside 1 to 365, KindNotFound, KindForbidden.
func RevokeAfterIdle(ctx context.Context, t models.Tenant, id uuid.UUID, days int) (Detail, error) {
	if days < 1 || days > idleDaysMax {
		return Detail{}, models.NewError(
			models.KindInvalid, "The number of days must be from 1 to {most}.", "most", idleDaysMax)
	}
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		set := columns{"revoke_at": nil, "revoke_after_idle_days": days}
		return key.schedule(set, ", when unused for "+daysText(days)), nil
	})
}

func (k lockedKey) schedule(set columns, details string) edit {
	if k.RevokedAt != nil {
		return edit{}
	}
	set["revoke_scheduled_at"] = database.Clock
	return edit{set, models.ActionRevokeScheduled, details}
}

// Unschedule cancels a scheduled revocation. Errors:
// KindNotFound, KindForbidden.
func Unschedule(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		if key.RevokedAt != nil || key.RevokeScheduledAt == nil {
			return edit{}, nil
		}
		set := columns{"revoke_at": nil, "revoke_after_idle_days": nil, "revoke_scheduled_at": nil}
		return edit{set, models.ActionRevokeUnscheduled, ""}, nil
	})
}

// RevokeOnSchedule revokes keys when their scheduled time comes, until ctx ends. Each is
// revoked by one instance only, within a minute of its time.
func RevokeOnSchedule(ctx context.Context, s *models.Store, log *slog.Logger) {
	const failed = "cannot revoke the keys that are due: trying again soon"
	tasks.Every(ctx, scheduleEvery, log, failed, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, scheduleTimeout)
		defer cancel()
		now, err := database.Now(s.DB().GORM(ctx))
		if err != nil {
			return models.Wrap(err)
		}
		return RevokeDue(ctx, s, now.Add(-scheduleDelay))
	})
}

// RevokeDue revokes the keys of all organizations whose scheduled time came before the
// given time.
func RevokeDue(ctx context.Context, s *models.Store, before time.Time) error {
	revoke := func(ctx context.Context, t models.Tenant, id uuid.UUID) error { return revokeDue(ctx, t, id, before) }
	return eachDue(ctx, s, revoke, `SELECT id, organization_id FROM api_keys_due($1)`, before)
}

// eachDue calls do, as the schedule, with each key that a query of all organizations returns. It
// goes on after an error.
func eachDue(
	ctx context.Context, s *models.Store, do func(context.Context, models.Tenant, uuid.UUID) error,
	query string, arguments ...any,
) error {
	due, err := database.Query[struct{ ID, OrganizationID uuid.UUID }](ctx, s.DB(), query, arguments...)
	if err != nil {
		return models.Wrap(err)
	}
	for _, key := range due {
		err = errors.Join(err, do(ctx, s.Tenant(key.OrganizationID).As(models.ScheduleActor), key.ID))
	}
	return err
}

// revokeDue revokes a key if it is still due. PostgreSQL checks the condition again
// when another instance, or a use of the key, has changed the row meanwhile.
func revokeDue(ctx context.Context, t models.Tenant, id uuid.UUID, before time.Time) error {
	var key Key
	err := t.Write(ctx, func(tx *gorm.DB) error {
		revoked := tx.Model(&key).Clauses(clause.Returning{}).
			Where("id = ? AND revoked_at IS NULL AND api_key_revokes_at(api_keys) <= ?", id, before).
			Update("revoked_at", database.Clock)
		if revoked.Error != nil || revoked.RowsAffected == 0 {
			return revoked.Error
		}
		details := ", by schedule"
		if key.RevokeAfterIdleDays != nil {
			details += ": unused for " + daysText(*key.RevokeAfterIdleDays)
		}
		return note(tx, t, models.ActionKeyRevoked, key, details)
	})
	if err == nil {
		t.Store().DB().Feed.KeyChanged(id)
	}
	return err
}

func daysText(days int) string {
	if days == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", days)
}
