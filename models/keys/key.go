package keys

import (
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

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
	CreatedAt      time.Time
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
