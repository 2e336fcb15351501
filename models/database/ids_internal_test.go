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

// requireRising takes that many ids, and requires that each is a UUIDv7 of the RFC's
// variant and greater than the one before.
func requireRising(t *testing.T, ids *IDs, count int) {
	t.Helper()
	last := ids.last
	for range count {
		id := ids.Next()
		if bytes.Compare(id[:], last[:]) <= 0 || id.Version() != 7 || id.Variant() != uuid.RFC4122 {
			require.Failf(t, "not a rising UUIDv7", "%s after %s", id, last)
		}
		last = id
	}
}

func millisOf(id uuid.UUID) int64 {
	time48, _, _ := split(id)
	return int64(time48)
}

// Ids are UUIDv7 and strictly rising, whether the clock moves on, stands still, or
// steps back and forth.
func TestIDsRiseWhateverTheClockDoes(t *testing.T) {
	t.Parallel()
	for name, clock := range map[string]func() time.Time{
		"real":           time.Now,
		"still":          clockAt(1_700_000_000_000),
		"stepped back":   clockAt(1_700_000_000_000, 1_700_000_000_001, 1_699_000_000_000),
		"back and forth": clockAt(1_700_000_000_000, 1_600_000_000_000, 1_700_000_000_005, 1_700_000_000_004, 1_800_000_000_000, 0),
		"at zero":        clockAt(0),
	} {
		t.Run(name, func(t *testing.T) {
			requireRising(t, &IDs{now: clock}, 100_000)
		})
	}
}

// An id starts with 48 bits for the millisecond in which it was created, as RFC 9562
// says.
func TestIDCarriesTheTime(t *testing.T) {
	t.Parallel()
	ids := &IDs{now: clockAt(1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_123)}
	require.EqualValues(t, 1_700_000_000_000, millisOf(ids.Next()))
	require.EqualValues(t, 1_700_000_000_000, millisOf(ids.Next()))
	require.EqualValues(t, 1_700_000_000_123, millisOf(ids.Next()))
}

// A sequence continues from the last id, even if that is ahead of the clock because
// the clock of the organization's last writer was fast.
func TestIDsContinueFromTheLast(t *testing.T) {
	t.Parallel()
	ahead := uuid.MustParse("ffff0000-1234-7abc-8def-0123456789ab")
	requireRising(t, &IDs{last: ahead, now: time.Now}, 1000)
}

// An overflow of the counter carries into its upper part, and then into the time. The
// ids still rise and are still UUIDv7.
func TestIDCounterOverflow(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_000_000
	lowerFull := join(now, 0x123, 1<<62-1)
	ids := &IDs{last: lowerFull, now: clockAt(now)}
	id := ids.Next()
	time48, counter12, _ := split(id)
	require.EqualValues(t, now, time48)
	require.EqualValues(t, 0x124, counter12)
	require.Positive(t, bytes.Compare(id[:], lowerFull[:]))
	requireRising(t, ids, 1000)

	allFull := join(now, 1<<12-1, 1<<62-1)
	ids = &IDs{last: allFull, now: clockAt(now)}
	id = ids.Next()
	time48, counter12, _ = split(id)
	require.EqualValues(t, now+1, time48)
	require.Zero(t, counter12)
	require.Positive(t, bytes.Compare(id[:], allFull[:]))
	requireRising(t, ids, 1000)

	// It makes no difference when the clock catches up with the carried time.
	ids.now = clockAt(now + 1)
	requireRising(t, ids, 1000)
}

// In a new millisecond the counter starts at random, so that ids cannot be guessed,
// but in its lower half, so that there is room to count up.
func TestFreshIDsAreRandomWithRoomAbove(t *testing.T) {
	t.Parallel()
	seen := map[uuid.UUID]bool{}
	for range 1000 {
		id := (&IDs{now: clockAt(1_700_000_000_000)}).Next()
		require.False(t, seen[id])
		seen[id] = true
		_, counter12, _ := split(id)
		require.Less(t, counter12, uint64(1<<11))
	}
}
