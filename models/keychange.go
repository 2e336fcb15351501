package models

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// KeyDescribe sets a key's name and note. If they are the key's already, it notes
// nothing. Errors: KindInvalid for a bad name or note, KindNotFound, KindForbidden.
func (t Tenant) KeyDescribe(ctx context.Context, id uuid.UUID, name, note string) (KeyDetail, error) {
	name, note = strings.TrimSpace(name), strings.TrimSpace(strings.ReplaceAll(note, "\r\n", "\n"))
	if err := CheckKeyName(name); err != nil {
		return KeyDetail{}, err
	}
	if err := CheckKeyNote(note); err != nil {
		return KeyDetail{}, err
	}
	old, err := t.Key(ctx, id)
	if err != nil {
		return KeyDetail{}, err
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
	return t.keyChange(ctx, id, "true", map[string]any{"name": name, "note": note}, ActionKeyChanged, details)
}

// KeyExpire sets when a key expires, or makes that earlier. A revoked key stays as it
// is. Errors: KindInvalid for a time that is not in the future, or later than the key
// expires now; KindNotFound, KindForbidden.
func (t Tenant) KeyExpire(ctx context.Context, id uuid.UUID, at time.Time) (KeyDetail, error) {
	old, err := t.Key(ctx, id)
	if err == nil {
		err = checkKeyEnd(at)
	}
	switch {
	case err != nil:
		return KeyDetail{}, err
	case old.ExpiresAt != nil && at.After(*old.ExpiresAt):
		return KeyDetail{}, NewError(KindInvalid, "A key cannot expire later than it does now. Create a new key instead.")
	}
	values := map[string]any{"expires_at": gorm.Expr("least(expires_at, ?)", at)} // also if another change came first
	return t.keyChange(ctx, id, "revoked_at IS NULL", values, ActionKeyChanged, ", expires at "+at.UTC().Format("2006-01-02 15:04 UTC"))
}

// KeyPause pauses a key: it is refused until KeyResume. When KeyPause returns, this
// instance refuses the key; the others hear of it by the change feed. A key that is
// paused or revoked already stays as it is. Errors: KindNotFound, KindForbidden.
func (t Tenant) KeyPause(ctx context.Context, id uuid.UUID) (KeyDetail, error) {
	now := time.Now()
	return t.keySet(ctx, id, "revoked_at IS NULL AND paused_at IS NULL", "paused_at", &now, ActionKeyPaused)
}

// KeyResume ends KeyPause as fast as it took effect. A key that is not paused, or is
// revoked, stays as it is. Errors: KindNotFound, KindForbidden.
func (t Tenant) KeyResume(ctx context.Context, id uuid.UUID) (KeyDetail, error) {
	return t.keySet(ctx, id, "revoked_at IS NULL AND paused_at IS NOT NULL", "paused_at", nil, ActionKeyResumed)
}

// keySet sets a time of a key that meets the condition, and notes the action.
func (t Tenant) keySet(ctx context.Context, id uuid.UUID, condition, column string, value *time.Time, action string) (KeyDetail, error) {
	return t.keyChange(ctx, id, condition, map[string]any{column: value}, action, "")
}

// keyChange changes a key that meets the condition, and notes the action with details. A
// key that does not stays as it is.
func (t Tenant) keyChange(ctx context.Context, id uuid.UUID, condition string, values map[string]any, action, details string) (KeyDetail, error) {
	var key APIKey
	err := t.Manage(ctx, func(tx *gorm.DB, _ Role) error {
		changed := tx.Model(&key).Clauses(clause.Returning{}).Where("id = ? AND "+condition, id).Updates(values)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		return t.noteKey(tx, action, key, details)
	})
	if err != nil {
		return KeyDetail{}, err
	}
	t.store.db.Feed.KeyChanged(id)
	return t.Key(ctx, id)
}
