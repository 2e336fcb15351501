package keys

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// AfterRestore revokes the keys that were revoked since the backup, and pauses every other
// one if pause is set, for the operator. It sends no mails. It returns how many keys are
// paused.
func AfterRestore(ctx context.Context, s *models.Store, revoked map[uuid.UUID]bool, pause bool) (paused int, err error) {
	all, err := models.Find[models.APIKey](s.DB().GORM(database.WithOperator(ctx)).Where("revoked_at IS NULL").Order("organization_id, id"))
	if err != nil {
		return 0, err
	}
	for _, key := range all {
		column, action := "paused_at", models.ActionKeyPaused
		if revoked[key.ID] {
			column, action = "revoked_at", models.ActionKeyRevoked
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
			if err := tx.Model(&models.APIKey{}).Where("id = ?", key.ID).Update(column, time.Now()).Error; err != nil {
				return err
			}
			return t.NoteKey(tx, action, key.Subject()+", because a backup was restored", key.ID)
		}); err != nil {
			return paused, err
		}
	}
	return paused, nil
}
