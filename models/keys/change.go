package keys

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
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
	old, err := Get(ctx, t, id)
	if err != nil {
		return Detail{}, err
	}
	details := ""
	if old.Name != name {
		details = ", called " + old.Name + " before"
	}
	if old.Note != note {
		details += ", note changed"
	}
	if details == "" {
		return old, nil
	}
	return update(ctx, t, id, "true", map[string]any{"name": name, "note": note}, models.ActionKeyChanged, details)
}

// Expire sets when a key expires, or makes that earlier. A revoked key stays as it
// is. Errors: KindInvalid for a time that is not in the future, or later than the key
// expires now; KindNotFound, KindForbidden.
func Expire(ctx context.Context, t models.Tenant, id uuid.UUID, at time.Time) (Detail, error) {
	old, err := Get(ctx, t, id)
	if err == nil {
		err = checkKeyEnd(at)
	}
	switch {
	case err != nil:
		return Detail{}, err
	case old.ExpiresAt != nil && at.After(*old.ExpiresAt):
		return Detail{}, models.NewError(
			models.KindInvalid,
			"A key cannot expire later than it does now. Create a new key instead.",
		)
	}
	values := map[string]any{"expires_at": gorm.Expr("least(expires_at, ?)", at)} // also if another change came first
	return update(
		ctx,
		t,
		id,
		"revoked_at IS NULL",
		values,
		models.ActionKeyChanged,
		", expires at "+at.UTC().Format("2006-01-02 15:04 UTC"),
	)
}

// Pause pauses a key: it is refused until Resume. When Pause returns, this
// instance refuses the key; the others hear of it by the change feed. A key that is
// paused or revoked already stays as it is. Errors: KindNotFound, KindForbidden.
func Pause(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return update(
		ctx,
		t,
		id,
		"revoked_at IS NULL AND paused_at IS NULL",
		map[string]any{"paused_at": time.Now()},
		models.ActionKeyPaused,
		"",
	)
}

// Resume undoes Pause. Every instance accepts the key again within a second. A key that
// is not paused, or is revoked, stays as it is. If a restore paused the key, the days without
// use after which it is revoked begin again. Errors: KindNotFound, KindForbidden.
func Resume(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return update(ctx, t, id, "revoked_at IS NULL AND paused_at IS NOT NULL", map[string]any{
		"paused_at":     nil,
		"restored_from": nil,
		"revoke_scheduled_at": gorm.Expr(
			"CASE WHEN restored_from IS NOT NULL AND revoke_after_idle_days IS NOT NULL THEN now() ELSE revoke_scheduled_at END",
		),
	}, models.ActionKeyResumed, "")
}

// update updates a key that meets the condition, and notes the action with details. A
// key that does not stays as it is.
func update(
	ctx context.Context,
	t models.Tenant,
	id uuid.UUID,
	condition string,
	values map[string]any,
	action, details string,
) (Detail, error) {
	var key Key
	err := t.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		changed := tx.Model(&key).Clauses(clause.Returning{}).Where("id = ? AND "+condition, id).Updates(values)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error // Get reports a key that does not exist
		}
		return note(tx, t, action, key, details)
	})
	if err != nil {
		return Detail{}, err
	}
	// The commit has notified all instances, by the trigger api_key_changed. This one does
	// not wait for that.
	t.Store().DB().Feed.KeyChanged(id)
	return Get(ctx, t, id)
}
