package database

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	mathrand "math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// NewID returns a new UUIDv7 for rows outside the ordered lists: organizations,
// users, keys.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// IDs makes UUIDv7 ids (RFC 9562) for one organization. Each is greater than the
// one before and than the organization's last one, even if the clock stands still
// or steps back. It is not safe for concurrent use: it belongs to the writer that
// holds the organization's row lock.
type IDs struct {
	last uuid.UUID
	now  func() time.Time
}

// NewIDs returns the ids that follow an organization's last one.
func NewIDs(last uuid.UUID) *IDs { return &IDs{last: last, now: time.Now} }

// Next returns the next id. It starts with the current time if that has moved on.
// Otherwise it is the last id plus a random step (the RFC's "monotonic random"
// method, section 6.2); an overflow carries into the time.
func (s *IDs) Next() uuid.UUID {
	var fresh uuid.UUID
	millis := uint64(s.now().UnixMilli())
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], millis<<16)
	if bytes.Compare(stamp[:6], s.last[:6]) > 0 {
		_, _ = rand.Read(fresh[6:])
		copy(fresh[:6], stamp[:6])
		fresh[6] = 0x70 | fresh[6]&0x07 // clear the counter's highest bit, to leave room to count up
		fresh[8] = 0x80 | fresh[8]&0x3f
		s.last = fresh
		return fresh
	}
	time48, counter12, counter62 := split(s.last)
	counter62 += 1 + uint64(mathrand.Uint32())
	if counter62 >= 1<<62 {
		counter62 -= 1 << 62
		counter12++
	}
	if counter12 >= 1<<12 {
		counter12 = 0
		time48++
	}
	s.last = join(time48, counter12, counter62)
	return s.last
}

func split(id uuid.UUID) (time48, counter12, counter62 uint64) {
	high, low := binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:])
	return high >> 16, high & 0xfff, low & (1<<62 - 1)
}

func join(time48, counter12, counter62 uint64) (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], time48<<16|0x7000|counter12)
	binary.BigEndian.PutUint64(id[8:], 1<<63|counter62)
	return id
}
