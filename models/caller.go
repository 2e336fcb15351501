package models

import (
	"time"

	"github.com/google/uuid"
)

// Caller is whoever a verified key stands for.
type Caller struct {
	OrganizationID uuid.UUID
	KeyID          uuid.UUID
	ExpiresAt      time.Time // when the key expires; zero means never
	Replaced       bool      // whether the key has a successor that would be accepted now
}

// ExpirySoonDays is how many days before its expiry people and programs are warned of
// a key.
const ExpirySoonDays = 14

// ExpiresSoon reports whether the caller's key is about to expire.
func (c Caller) ExpiresSoon(now time.Time) bool {
	return !c.ExpiresAt.IsZero() && c.ExpiresAt.Before(now.AddDate(0, 0, ExpirySoonDays))
}
