package keys

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/mail"
	"dispo/models/terms"
)

// Key is a key without its secret: nothing in it helps to use or guess one.
type Key struct {
	OrganizationID uuid.UUID
	Sandbox        bool // whether the organization is a sandbox, and the key begins as its keys do
	ID             uuid.UUID
	Name           string
	Note           string
	LookupID       string     // the public part of the key
	Hint           string     // the last four characters of the key
	CreatedBy      *uuid.UUID // nil for the operator
	SuccessorOf    *uuid.UUID // the key that this one replaces
	CreatedAt      time.Time  `gorm:"default:clock_timestamp()"`
	ExpiresAt      *time.Time
	RevokedAt      *time.Time
	PausedAt       *time.Time
	RestoredFrom   *time.Time // when the backup was made, if the restore of one paused the key
	// The key is revoked by schedule: at RevokeAt, or when it has not been used for
	// RevokeAfterIdleDays. At most one is set. RevokeScheduledAt is when that was decided.
	RevokeAt            *time.Time
	RevokeAfterIdleDays *int
	RevokeScheduledAt   *time.Time
	LastUsedAt          *time.Time
	LastUsedAddress     *string
	LastUsedUserAgent   *string
	TestedAt            *time.Time // when the test command that pages offer last worked
	Networks            Networks   // that the key may be used from
	// The latest request from elsewhere.
	ElsewhereAt      *time.Time
	ElsewhereAddress *string
	LeakedAt         *time.Time // when the key was first reported as leaked
	LeakMailedAt     *time.Time // when the last mail about that was written
}

// State returns the key's state now. Revoked outweighs expired,
// and expired outweighs paused.
func (k Key) State() terms.KeyState {
	switch {
	case k.RevokedAt != nil:
		return terms.KeyRevoked
	case k.ExpiresAt != nil && !time.Now().Before(*k.ExpiresAt):
		return terms.KeyExpired
	case k.PausedAt != nil:
		return terms.KeyPaused
	}
	return terms.KeyActive
}

// TableName is the keys' table.
func (Key) TableName() string { return "api_keys" }

// Subject names the key in the audit log.
func (k Key) Subject() string { return k.Name + " (" + k.Masked() + ")" }

// Masked returns the beginning and the end of the key's text.
func (k Key) Masked() string { return Prefix(k.Sandbox) + "…" + k.Hint }

// Drop makes every instance drop what it remembers of the organization's keys.
func Drop(tx *gorm.DB) error {
	return tx.Model(&Key{}).Pluck("pg_notify('dispo', 'key ' || id)", &[]string{}).Error
}

// Detail is a key with what people are shown beside it.
type Detail struct {
	Key
	CreatedByEmail *string    // of CreatedBy, or models.DeletedUser
	SuccessorID    *uuid.UUID // the newest key that replaces this one and would be accepted now, or else the newest paused one
	RevokesAt      *time.Time // when it is revoked by schedule, if it is not used again; nil if that is not scheduled
}

const keyDetailColumns = `api_keys.*, api_key_revokes_at(api_keys) AS revokes_at, CASE WHEN created_by IS NOT NULL THEN coalesce((SELECT u.email FROM users u WHERE u.id = created_by), '` + models.DeletedUser + `') END AS created_by_email,
	(SELECT s.id FROM api_keys s WHERE s.successor_of = api_keys.id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
	ORDER BY paused_at IS NOT NULL, s.id DESC LIMIT 1) AS successor_id`

// keyAccepted is the condition on a key that would be accepted now.
const keyAccepted = `revoked_at IS NULL AND paused_at IS NULL AND (expires_at IS NULL OR expires_at > now())`

// ErrNotFound means that the organization has no such key.
var ErrNotFound = models.NewError(models.KindNotFound, "There is no such key.")

// Get returns one of the organization's keys. Errors: KindNotFound.
func Get(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	var key Detail
	err := t.DB(ctx).Model(&Key{}).Select(keyDetailColumns).Where("id = ?", id).Take(&key).Error
	return key, models.WrapFound(err, ErrNotFound)
}

// List lists the organization's keys, the newest first, including revoked and
// expired ones.
func List(ctx context.Context, t models.Tenant) ([]Detail, error) {
	return models.Find[Detail](t.DB(ctx).Model(&Key{}).Select(keyDetailColumns).Order("id DESC"))
}

// searched is how many of the newest keys Search looks at.
const searched = 1_000

// Search returns the organization's keys whose name contains the text, or which end with
// it: the newest, at most as many as limit. Of a long text, the end is compared.
func Search(ctx context.Context, t models.Tenant, text string, limit int) ([]Key, error) {
	end := []rune(text)
	end = end[max(0, len(end)-HintLength):]
	found, err := models.Find[Key](t.DB(ctx).Order("id DESC").Limit(searched))
	text = i18n.Fold(text)
	found = slices.DeleteFunc(found, func(key Key) bool {
		return !strings.Contains(i18n.Fold(key.Name), text) && !strings.HasSuffix(key.Hint, string(end))
	})
	return found[:min(len(found), limit)], err
}

// Expiring lists the keys that would be accepted now, expire before a time, and have
// no successor that would be accepted, the first to expire first.
func Expiring(ctx context.Context, t models.Tenant, before time.Time) ([]Key, error) {
	return models.Find[Key](t.DB(ctx).Where(keyAccepted+" AND expires_at < ?", before).
		Where("NOT EXISTS (SELECT FROM api_keys s WHERE s.organization_id = api_keys.organization_id AND s.successor_of = api_keys.id AND " + keyAccepted + ")").
		Order("expires_at, id"))
}

// TenantOf returns the tenant that a key belongs to, for the operator, who names a
// key by its id alone. Errors: KindNotFound.
func TenantOf(ctx context.Context, s *models.Store, id uuid.UUID) (models.Tenant, error) {
	var key Key
	err := s.DB().GORM(database.WithOperator(ctx)).Where("id = ?", id).Take(&key).Error
	return s.Tenant(key.OrganizationID), models.WrapFound(err, ErrNotFound)
}

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
			details["ends_at"] = mail.Time(*key.RevokeAt)
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
