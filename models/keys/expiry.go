package keys

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/tasks"
)

const announceEvery = time.Minute

// Announce writes mails about keys until ctx ends: 30, 7 and 1 days before their last day, from
// 7 in the morning where their organization is, and about those that were used from elsewhere, or leaked and still work.
// Each is written by one instance only.
func Announce(ctx context.Context, s *models.Store, log *slog.Logger) {
	tasks.Every(ctx, announceEvery, log, "cannot write mails about keys: trying again soon",
		func(ctx context.Context) error {
			return errors.Join(AnnounceExpiring(ctx, s), AnnounceElsewhere(ctx, s), AnnounceLeaked(ctx, s))
		})
}

// AnnounceExpiring writes the mails that are due now about keys of all organizations that
// expire soon. A key that was made for 30 days or fewer gets fewer.
func AnnounceExpiring(ctx context.Context, s *models.Store) error {
	due, err := database.Query[struct {
		ID, OrganizationID uuid.UUID
		Days, DaysLeft     int
	}](ctx, s.DB(), `SELECT id, organization_id, days, days_left FROM api_keys_expiring()`)
	if err != nil {
		return models.Wrap(err)
	}
	for _, key := range due {
		t := s.Tenant(key.OrganizationID).As(models.ScheduleActor)
		if err := announceExpiring(ctx, t, key.ID, key.Days, key.DaysLeft); err != nil {
			return err
		}
	}
	return nil
}

// announceExpiring writes the mails about one key, unless another instance has, or the
// key was changed meanwhile.
func announceExpiring(ctx context.Context, t models.Tenant, id uuid.UUID, days, left int) error {
	return t.Write(ctx, func(tx *gorm.DB) error {
		var key Key
		noted := tx.Model(&key).Clauses(clause.Returning{}).
			Where("id = ? AND revoked_at IS NULL AND paused_at IS NULL AND expires_at > now() AND (expiry_notice_days IS NULL OR expiry_notice_days > ?)", id, days).
			Update("expiry_notice_days", days)
		if noted.Error != nil || noted.RowsAffected == 0 {
			return noted.Error
		}
		return mail.WriteToMembers(tx, t.OrganizationID(), mail.KeyExpiring, key.CreatedBy, mail.Details{
			"key":     key.Name,
			"hint":    key.Hint,
			"key_id":  key.ID.String(),
			"ends_at": mail.Time(*key.ExpiresAt),
			"days":    strconv.Itoa(left),
		})
	})
}
