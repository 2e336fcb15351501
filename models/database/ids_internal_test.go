package database

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// clockAt returns a clock that shows these milliseconds one after the other, and then
// the last one forever.
func clockAt(millis ...int64) func() time.Time {
	return func() time.Time {
		now := millis[0]
		if len(millis) > 1 {
			millis = millis[1:]
		}
		return time.UnixMilli(now)
	}
}

// Ids are UUIDv7 and strictly rising, whether the clock moves on, stands still, or steps
// back and forth. They continue from the last id, also if that is ahead of the clock, or
// if its counter is full: then the next one is of the next millisecond.
func TestIDsRise(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_000_000
	full := uuid.MustParse("018bcfe5-6800-7fff-bfff-ffffffffffff") // of now
	for name, ids := range map[string]*IDs{
		"real":           {now: time.Now},
		"still":          {now: clockAt(now)},
		"stepped back":   {now: clockAt(now, now+1, now-1_000_000)},
		"back and forth": {now: clockAt(now, 1_600_000_000_000, now+5, now+4, 1_800_000_000_000, 0)},
		"at zero":        {now: clockAt(0)},
		"ahead":          {last: uuid.MustParse("ffff0000-1234-7abc-8def-0123456789ab"), now: time.Now},
		"full":           {last: full, now: clockAt(now)},
		"caught up":      {last: full, now: clockAt(now, now, now+1)},
	} {
		last := ids.last
		for range 50_000 {
			id := ids.Next()
			if bytes.Compare(id[:], last[:]) <= 0 || id.Version() != 7 || id.Variant() != uuid.RFC4122 {
				require.Failf(t, "not a rising UUIDv7", "%s: %s after %s", name, id, last)
			}
			last = id
		}
	}
	require.EqualValues(t, now+1, millisOf((&IDs{last: full, now: clockAt(now)}).Next()))
}

func millisOf(id uuid.UUID) uint64 { return binary.BigEndian.Uint64(id[:8]) >> 16 }

// An id starts with 48 bits for the millisecond in which it was created, as RFC 9562
// says. The rest is random, so that ids cannot be guessed.
func TestFreshIDs(t *testing.T) {
	t.Parallel()
	seen := map[uuid.UUID]bool{}
	for range 1000 {
		id := NewIDs(uuid.Nil)
		id.now = clockAt(1_700_000_000_000)
		fresh := id.Next()
		require.EqualValues(t, 1_700_000_000_000, millisOf(fresh))
		require.False(t, seen[fresh])
		seen[fresh] = true
	}
}
