package models

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

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
