package keys

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/terms"
)

// Describe sets a key's name and note. If they are the key's already, it notes
// nothing. Errors: KindInvalid for a bad name or note, KindNotFound, KindForbidden.
func Describe(ctx context.Context, t models.Tenant, id uuid.UUID, name, note string) (Detail, error) {
	name, note = strings.TrimSpace(name), strings.TrimSpace(strings.ReplaceAll(note, "\r\n", "\n"))
	if err := CheckName(name); err != nil {
		return Detail{}, err
	}
	if err := CheckNote(note); err != nil {
		return Detail{}, err
	}
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		details := ""
		if key.Name != name {
			details = ", called " + key.Name + " before"
		}
		if key.Note != note {
			details += ", note changed"
		}
		if details == "" {
			return edit{}, nil
		}
		return edit{columns{"name": name, "note": note}, models.ActionKeyChanged, details}, nil
	})
}

// Expire sets when a key expires, or makes that earlier. A revoked key stays as it
// is. Errors: KindInvalid for a time that is not in the future, or later than the key
// expires now; KindNotFound, KindForbidden.
func Expire(ctx context.Context, t models.Tenant, id uuid.UUID, at time.Time) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		if err := checkKeyEnd(at, key.Now); err != nil {
			return edit{}, err
		}
		if key.ExpiresAt != nil && at.After(*key.ExpiresAt) {
			return edit{}, models.NewError(models.KindInvalid,
				"A key cannot expire later than it does now. Create a new key instead.")
		}
		if key.RevokedAt != nil {
			return edit{}, nil
		}
		return edit{columns{"expires_at": at}, models.ActionKeyChanged, ", expires at " + minuteText(at)}, nil
	})
}

// Pause pauses a key: it is refused until Resume. When Pause returns, this
// instance refuses the key; the others hear of it by the change feed. A key that is
// paused or revoked already stays as it is. Errors: KindNotFound, KindForbidden.
func Pause(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		if key.RevokedAt != nil || key.PausedAt != nil {
			return edit{}, nil
		}
		return edit{columns{"paused_at": database.Clock}, models.ActionKeyPaused, ""}, nil
	})
}

// Resume undoes Pause. Every instance accepts the key again within a second. A key that
// is not paused, or is revoked, stays as it is. If a restore paused the key, the days without
// use after which it is revoked begin again. Errors: KindNotFound, KindForbidden.
func Resume(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		if key.RevokedAt != nil || key.PausedAt == nil {
			return edit{}, nil
		}
		set := columns{"paused_at": nil, "restored_from": nil}
		if key.RestoredFrom != nil && key.RevokeAfterIdleDays != nil {
			set["revoke_scheduled_at"] = database.Clock
		}
		return edit{set, models.ActionKeyResumed, ""}, nil
	})
}

// Revoke revokes a key for good. When it returns, this instance refuses the key;
// the others hear of it by the change feed. A key that is already revoked stays as
// it is. Errors: KindNotFound, KindForbidden.
func Revoke(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) { return key.revoke(), nil })
}

// ErrUsed means that a key has been used.
var ErrUsed = models.NewError(models.KindConflict, "The key has been used.")

// RevokeUnused revokes a key of which no use is stored. Storing a use can take a few
// seconds. Errors: KindNotFound, KindForbidden, ErrUsed.
func RevokeUnused(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		if key.RevokedAt == nil && key.LastUsedAt != nil {
			return edit{}, ErrUsed
		}
		return key.revoke(), nil
	})
}

// columns are values to store, by the names of their columns.
type columns = map[string]any

// edit is what a change does to a key, and the action that it notes. Without columns, the key
// stays as it is.
type edit struct {
	columns columns
	action  string
	details string // follow the key's name in the audit log
}

// lockedKey is a key that no other transaction changes meanwhile.
type lockedKey struct {
	Key
	Now time.Time
}

func (k lockedKey) revoke() edit {
	if k.RevokedAt != nil {
		return edit{}
	}
	return edit{columns{"revoked_at": database.Clock}, models.ActionKeyRevoked, ""}
}

// change locks a key, asks decide how to change it, and notes that.
func change(ctx context.Context, t models.Tenant, id uuid.UUID, decide func(lockedKey) (edit, error)) (Detail, error) {
	err := t.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		key, err := lock(tx, id)
		if err != nil {
			return err
		}
		edit, err := decide(key)
		if err != nil || edit.columns == nil {
			return err
		}
		changed := tx.Model(&key.Key).Clauses(clause.Returning{}).Where("id = ?", id).Updates(edit.columns)
		if changed.Error != nil {
			return changed.Error
		}
		return note(tx, t, edit.action, key.Key, edit.details)
	})
	if err != nil {
		return Detail{}, err
	}
	// The commit has notified all instances, by the trigger api_key_changed. This one does
	// not wait for that.
	t.Store().DB().Feed.KeyChanged(id)
	return Get(ctx, t, id)
}

// lock locks a key against other changes, and then reads the time: the lock may have been waited for.
// What refers to the key, such as its uses, can still be stored.
func lock(tx *gorm.DB, id uuid.UUID) (key lockedKey, err error) {
	err = tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("id = ?", id).Take(&key.Key).Error
	if err != nil {
		return key, models.WrapFound(err, ErrNotFound)
	}
	key.Now, err = database.Now(tx)
	return key, err
}

func minuteText(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
