package database

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// NewID returns a new UUIDv7 for rows outside the ordered lists: organizations,
// users, keys.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// IDs makes UUIDv7 ids (RFC 9562) for one organization. Each is greater than the
// one before and than the organization's last one, even if the clock stands still
// or steps back. It is not safe for concurrent use: it belongs to the writer whose turn
// it is.
type IDs struct {
	last uuid.UUID
	now  func() time.Time
}

// NewIDs returns the ids that follow an organization's last one.
func NewIDs(last uuid.UUID) *IDs { return &IDs{last: last, now: time.Now} }

// Next returns the next id. It starts with the current time if that has moved on.
// Otherwise it is the last id plus a random step (the RFC's "monotonic random" method,
// section 6.2), or an id of the next millisecond if there is no room for the step.
func (s *IDs) Next() uuid.UUID {
	millis, last := uint64(s.now().UnixMilli()), binary.BigEndian.Uint64(s.last[:8])>>16
	if millis <= last {
		low := binary.BigEndian.Uint64(s.last[8:]) + 1 + uint64(rand.Uint32())
		if low>>62 == 0b10 { // the RFC's variant
			binary.BigEndian.PutUint64(s.last[8:], low)
			return s.last
		}
		millis = last + 1
	}
	s.last = uuid.New() // random
	random := binary.BigEndian.Uint64(s.last[:8]) & 0xfff
	binary.BigEndian.PutUint64(s.last[:8], millis<<16|0x7000|random)
	return s.last
}
