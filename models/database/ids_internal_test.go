package database

import (
	"bytes"
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
// if its counter is full: that carries into the time.
func TestIDsRise(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_000_000
	full := join(now, 1<<12-1, 1<<62-1)
	for name, ids := range map[string]*IDs{
		"real":           {now: time.Now},
		"still":          {now: clockAt(now)},
		"stepped back":   {now: clockAt(now, now+1, now-1_000_000)},
		"back and forth": {now: clockAt(now, 1_600_000_000_000, now+5, now+4, 1_800_000_000_000, 0)},
		"at zero":        {now: clockAt(0)},
		"ahead":          {last: uuid.MustParse("ffff0000-1234-7abc-8def-0123456789ab"), now: time.Now},
		"nearly full":    {last: join(now, 0x123, 1<<62-1), now: clockAt(now)},
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
	time48, counter12, _ := split((&IDs{last: full, now: clockAt(now)}).Next())
	require.EqualValues(t, now+1, time48)
	require.Zero(t, counter12)
}

// An id starts with 48 bits for the millisecond in which it was created, as RFC 9562
// says. Then the counter starts at random, so that ids cannot be guessed, but in its
// lower half, so that there is room to count up.
func TestFreshIDs(t *testing.T) {
	t.Parallel()
	seen := map[uuid.UUID]bool{}
	for range 1000 {
		id := NewIDs(uuid.Nil)
		id.now = clockAt(1_700_000_000_000)
		fresh := id.Next()
		time48, counter12, _ := split(fresh)
		require.EqualValues(t, 1_700_000_000_000, time48)
		require.Less(t, counter12, uint64(1<<11))
		require.False(t, seen[fresh])
		seen[fresh] = true
	}
}
