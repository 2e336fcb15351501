package keys

import (
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// Caller is whoever a verified key stands for.
type Caller struct {
	OrganizationID uuid.UUID
	KeyID          uuid.UUID
	Sandbox        bool      // whether the organization is a sandbox
	ExpiresAt      time.Time // when the key expires; zero means never
	Replaced       bool      // whether the key has a successor that would be accepted now
	models.Limits            // of the organization
}

// expirySoonDays is how many days before its expiry people and programs are warned of
// a key.
const expirySoonDays = 14

// ExpirySoon returns the time before which a key that expires is about to.
func ExpirySoon(now time.Time) time.Time { return now.AddDate(0, 0, expirySoonDays) }

// ExpiresSoon reports whether the caller's key is about to expire.
func (c Caller) ExpiresSoon(now time.Time) bool {
	return !c.ExpiresAt.IsZero() && c.ExpiresAt.Before(ExpirySoon(now))
}
