package keys

import (
	"strconv"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/mail"
)

// note records what was done to a key in the audit log, and writes the mails about it. In
// the audit log, more follows the key's name.
func note(tx *gorm.DB, t models.Tenant, action string, key Key, more string) error {
	if err := t.NoteKey(tx, action, key.Subject()+more, key.ID); err != nil {
		return err
	}
	details := mail.Details{
		"key":    key.Name,
		"hint":   key.Hint,
		"key_id": key.ID.String(),
		"at":     mail.Time(tx.NowFunc()),
	}
	if t.Actor() != models.OperatorActor {
		details["actor"] = t.Actor().Email
	}
	var kind mail.Kind
	switch action {
	case models.ActionKeyCreated, models.ActionKeyRotated:
		kind = mail.KeyCreated
	case models.ActionKeyPaused:
		kind = mail.KeyPaused
	case models.ActionRevokeScheduled:
		kind = mail.KeyScheduled
		if key.RevokeAt != nil {
			details["revoke_at"] = mail.Time(*key.RevokeAt)
		} else if key.RevokeAfterIdleDays != nil {
			details["idle_days"] = strconv.Itoa(*key.RevokeAfterIdleDays)
		}
	case models.ActionKeyRevoked:
		kind = mail.KeyRevoked
		if t.Actor() == models.ScheduleActor {
			kind = mail.KeyRevokedOnSchedule
			delete(details, "actor")
		}
	default:
		return nil
	}
	return mail.WriteToMembers(tx, t.OrganizationID(), kind, key.CreatedBy, details)
}
