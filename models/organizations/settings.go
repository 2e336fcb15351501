package organizations

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/models/terms"
)

// Change changes the organization's settings, and notes what has changed.
// Errors: KindInvalid, KindForbidden.
func Change(ctx context.Context, t models.Tenant, to models.OrganizationSettings) error {
	name, timeZone := strings.TrimSpace(to.Name), to.TimeZone
	if err := checkName(name); err != nil {
		return err
	}
	if err := CheckZone(ctx, t, timeZone); err != nil {
		return err
	}
	address, err := ReadNotificationAddress(to.NotificationAddress)
	if err != nil {
		return err
	}
	expectedBy, err := ReadExpectedBy(to.ExpectedBy)
	if err != nil {
		return err
	}
	return t.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		var before models.Organization
		if err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Take(&before).Error; err != nil {
			return err
		}
		var changes []string
		if before.Name != name {
			changes = append(changes, fmt.Sprintf("name from %s to %s", before.Name, name))
		}
		if before.TimeZone != timeZone {
			changes = append(changes, fmt.Sprintf("time zone from %s to %s", before.TimeZone, timeZone))
		}
		since := any(before.ExpectedSince)
		if before.ExpectedBy != expectedBy {
			changes = append(changes,
				fmt.Sprintf("delivery time from %s to %s", cmp.Or(before.ExpectedBy, "none"), cmp.Or(expectedBy, "none")))
		}
		if before.ExpectedBy != expectedBy || before.TimeZone != timeZone {
			since = database.Clock // a time that has passed is not late all at once
		}
		if before.NotificationAddress != address {
			changes = append(
				changes,
				fmt.Sprintf("notification address from %s to %s", cmp.Or(before.NotificationAddress, "none"),
					cmp.Or(address, "none")),
			)
		}
		if len(changes) == 0 {
			return nil
		}
		err := tx.Model(&models.Organization{}).Updates(map[string]any{
			"name": name, "time_zone": timeZone, "notification_address": address,
			"expected_by": expectedBy, "expected_since": since,
		}).Error
		if err != nil {
			return err
		}
		return t.Note(tx, models.ActionOrganizationEdit, strings.Join(changes, ", "))
	})
}

// ReadExpectedBy returns a time of day as HH:MM, or "" for empty text. Errors: KindInvalid.
func ReadExpectedBy(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	at, err := time.Parse("15:04", strings.Replace(text, ".", ":", 1))
	if err != nil {
		return "", models.NewError(models.KindInvalid, "{text} is not a time of day. Type one such as 10:00.", "text",
			strconv.Quote(text))
	}
	return at.Format("15:04"), nil
}

// ReadNotificationAddress returns an e-mail address in lower case, or "" for none.
// Errors: KindInvalid.
func ReadNotificationAddress(text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	return models.ReadEmail(text)
}

// CheckZone refuses a time zone that i18n.Location or the database does not know. Errors: KindInvalid.
func CheckZone(ctx context.Context, t models.Tenant, name string) error {
	if _, ok := i18n.Location(name); !ok {
		return models.NewError(models.KindInvalid, "{name} is not a time zone: choose one such as Europe/Copenhagen.", "name",
			strconv.Quote(name))
	}
	var known string
	if err := t.DB(ctx).Raw(`SELECT known_zone(?)`, name).Scan(&known).Error; err != nil || known == name {
		return models.Wrap(err)
	}
	return models.NewError(models.KindInvalid,
		"The database does not know the time zone {name}: choose another one with the same time.", "name", name)
}

// Suspend suspends the organization: every instance refuses its keys within a second,
// and its members cannot work in it. A suspended one stays as it is.
func Suspend(ctx context.Context, t models.Tenant) error {
	return suspend(ctx, t, "suspended_at IS NULL", map[string]any{"suspended_at": database.Clock}, models.ActionSuspended)
}

// Resume ends a suspension. Without one, it does nothing.
func Resume(ctx context.Context, t models.Tenant) error {
	return suspend(ctx, t, "suspended_at IS NOT NULL AND deletion_started_at IS NULL", map[string]any{"suspended_at": nil},
		models.ActionResumed)
}

// StartDeletion suspends the organization for good, because its rows are about to be
// deleted. It does nothing if they are already, or if there is no such organization.
func StartDeletion(ctx context.Context, t models.Tenant) error {
	return suspend(
		ctx,
		t,
		"deletion_started_at IS NULL",
		map[string]any{
			"suspended_at":        gorm.Expr("coalesce(suspended_at, clock_timestamp())"),
			"deletion_started_at": database.Clock,
		},
		models.ActionSuspended,
	)
}

func suspend(ctx context.Context, t models.Tenant, from string, to map[string]any, action string) error {
	return t.Write(ctx, func(tx *gorm.DB) error {
		changed := tx.Model(&models.Organization{}).Where(from).Updates(to)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		if err := keys.Drop(tx); err != nil {
			return err
		}
		return t.Note(tx, action, "")
	})
}

// Limit changes the organization's own limits, and returns them. Every instance knows them
// within a second. What was counted before still counts.
func Limit(ctx context.Context, t models.Tenant, change func(*models.Limits)) (own models.Limits, err error) {
	err = t.Write(ctx, func(tx *gorm.DB) error {
		var organization models.Organization
		if err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Take(&organization).Error; err != nil {
			return err
		}
		own = organization.Limits
		if change(&own); own == organization.Limits {
			return nil
		}
		if err := tx.Model(&models.Organization{}).
			Updates(map[string]any{"limit_minute": own.LimitMinute, "limit_hour": own.LimitHour}).Error; err != nil {
			return err
		}
		if err := keys.Drop(tx); err != nil {
			return err
		}
		return t.Note(tx, models.ActionLimited, own.Describe())
	})
	return own, err
}

// TellOfLeaks sets whether keys that are reported as leaked are only told of, instead of revoked.
// Errors: KindForbidden, unless the actor is an owner.
func TellOfLeaks(ctx context.Context, t models.Tenant, only bool) error {
	return t.Manage(ctx, func(tx *gorm.DB, actor terms.Role) error {
		if actor != terms.Owner {
			return models.ErrNotAllowed
		}
		changed := tx.Model(&models.Organization{}).Where("tell_of_leaks <> ?", only).Update("tell_of_leaks", only)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		if only {
			return t.Note(tx, models.ActionOrganizationEdit, "leaked keys are only told of, and not revoked")
		}
		return t.Note(tx, models.ActionOrganizationEdit, "leaked keys are revoked")
	})
}

// RequireSecondFactor sets whether the organization's members need a second factor.
// Errors: KindForbidden, unless the actor is an owner.
func RequireSecondFactor(ctx context.Context, t models.Tenant, required bool) error {
	action := models.ActionFactorOptional
	if required {
		action = models.ActionFactorRequired
	}
	return t.Manage(ctx, func(tx *gorm.DB, actor terms.Role) error {
		if actor != terms.Owner {
			return models.ErrNotAllowed
		}
		changed := tx.Model(&models.Organization{}).Where("require_second_factor <> ?", required).
			Update("require_second_factor", required)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		return t.Note(tx, action, "")
	})
}
