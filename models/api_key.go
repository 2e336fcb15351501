package models

import (
	"time"

	"github.com/google/uuid"

	"dispo/models/terms"
)

// APIKey is a key without its secret: nothing in it helps to use or guess one.
type APIKey struct {
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
func (k APIKey) State() terms.KeyState {
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

// Subject names the key in the audit log.
func (k APIKey) Subject() string { return k.Name + " (" + k.Masked() + ")" }

// Masked returns the beginning and the end of the key's text.
func (k APIKey) Masked() string { return KeyPrefix(k.Sandbox) + "…" + k.Hint }
