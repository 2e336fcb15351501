package keys

import (
	"strconv"

	"gorm.io/gorm"

	"dispo/models"
)

// note records what was done to a key in the audit log, and writes the mails about it. In
// the audit log, more follows the key's name.
func note(tx *gorm.DB, t models.Tenant, action string, key Key, more string) error {
	if err := t.NoteKey(tx, action, key.Subject()+more, key.ID); err != nil {
		return err
	}
	details := models.MailDetails{
		"key":    key.Name,
		"hint":   key.Hint,
		"key_id": key.ID.String(),
		"at":     models.MailTime(tx.NowFunc()),
	}
	if t.Actor() != models.OperatorActor {
		details["actor"] = t.Actor().Email
	}
	var kind models.MailKind
	switch action {
	case models.ActionKeyCreated, models.ActionKeyRotated:
		kind = models.MailKeyCreated
	case models.ActionKeyPaused:
		kind = models.MailKeyPaused
	case models.ActionRevokeScheduled:
		kind = models.MailKeyScheduled
		if key.RevokeAt != nil {
			details["revoke_at"] = models.MailTime(*key.RevokeAt)
		} else if key.RevokeAfterIdleDays != nil {
			details["idle_days"] = strconv.Itoa(*key.RevokeAfterIdleDays)
		}
	case models.ActionKeyRevoked:
		kind = models.MailKeyRevoked
		if t.Actor() == models.ScheduleActor {
			kind = models.MailKeyRevokedOnSchedule
			delete(details, "actor")
		}
	default:
		return nil
	}
	return models.MailManagers(tx, t.OrganizationID(), kind, key.CreatedBy, details)
}
