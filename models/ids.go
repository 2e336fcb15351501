package models

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	mathrand "math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// newID makes a UUIDv7 for what no list is ordered by: organizations, users, keys.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// idSequence makes UUIDv7 ids (RFC 9562) for one organization, each greater than
// the one before and than the one it was started at, also where the clock stands
// still or steps back. Not safe for concurrent use: it belongs to the writer that
// holds the organization's row.
type idSequence struct {
	last uuid.UUID
	now  func() time.Time
}

// next: the time where that has moved on, else the last id and a bit more (the
// RFC's "monotonic random" method; an overflow carries into the time).
func (s *idSequence) next() uuid.UUID {
	var fresh uuid.UUID
	millis := uint64(s.now().UnixMilli())
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], millis<<16)
	if bytes.Compare(stamp[:6], s.last[:6]) > 0 {
		_, _ = rand.Read(fresh[6:])
		copy(fresh[:6], stamp[:6])
		fresh[6] = 0x70 | fresh[6]&0x07 // the counter's highest bit clear: room to count up
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
