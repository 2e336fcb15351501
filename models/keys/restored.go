package keys

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// AfterRestore revokes the keys that were revoked since the backup, which was made at a time,
// and pauses every other one if pause is set, for the operator. It marks the keys that it
// pauses. For all others, the days without use after which they are revoked begin again. It
// sends no mails. It returns how many keys are paused.
func AfterRestore(
	ctx context.Context, s *models.Store, from time.Time, revoked map[uuid.UUID]bool, pause bool,
) (paused int, err error) {
	db := s.DB().GORM(database.WithOperator(ctx))
	all, err := models.Find[Key](db.Where("revoked_at IS NULL").Order("organization_id, id"))
	if err != nil {
		return 0, err
	}
	for _, key := range all {
		change, action := map[string]any{"paused_at": database.Clock, "restored_from": from}, models.ActionKeyPaused
		if revoked[key.ID] {
			change, action = map[string]any{"revoked_at": database.Clock}, models.ActionKeyRevoked
		} else if key.PausedAt != nil {
			paused++
			continue
		} else if pause {
			paused++
		} else {
			continue
		}
		t := s.Tenant(key.OrganizationID)
		if err := t.Write(ctx, func(tx *gorm.DB) error {
			if err := tx.Model(&Key{}).Where("id = ?", key.ID).Updates(change).Error; err != nil {
				return err
			}
			return t.NoteKey(tx, action, key.Subject()+", because a backup was restored", key.ID)
		}); err != nil {
			return paused, err
		}
	}
	return paused, models.Wrap(
		db.Model(&Key{}).Where("revoke_after_idle_days IS NOT NULL AND restored_from IS NULL").
			Update("revoke_scheduled_at", database.Clock).Error,
	)
}

// Restored lists the keys that restores have paused, those from the oldest backup first, for
// the operator. They are those of one organization, or of all if it is nil.
func Restored(ctx context.Context, s *models.Store, only *models.Organization) ([]Key, error) {
	found := s.DB().
		GORM(database.WithOperator(ctx)).
		Where("restored_from IS NOT NULL AND paused_at IS NOT NULL AND revoked_at IS NULL")
	if only != nil {
		found = found.Where("organization_id = ?", only.ID)
	}
	return models.Find[Key](found.Order("restored_from, id"))
}
