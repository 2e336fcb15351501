package models

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// clockAt is a clock that tells these milliseconds one after the other, and then
// the last one for ever.
func clockAt(millis ...int64) func() time.Time {
	return func() time.Time {
		now := millis[0]
		if len(millis) > 1 {
			millis = millis[1:]
		}
		return time.UnixMilli(now)
	}
}

// requireRising takes so many ids, and requires that each is a UUIDv7 of the
// RFC's variant and greater than the one before.
func requireRising(t *testing.T, ids *idSequence, count int) {
	t.Helper()
	last := ids.last
	for range count {
		id := ids.next()
		if bytes.Compare(id[:], last[:]) <= 0 || id.Version() != 7 || id.Variant() != uuid.RFC4122 {
			require.Failf(t, "no rising UUIDv7", "%s after %s", id, last)
		}
		last = id
	}
}

func millisOf(id uuid.UUID) int64 {
	time48, _, _ := split(id)
	return int64(time48)
}

// Ids are UUIDv7 and strictly rising, whatever the clock does: goes on, stands
// still, steps back and forth.
func TestIDsRiseWhateverTheClockDoes(t *testing.T) {
	t.Parallel()
	for name, clock := range map[string]func() time.Time{
		"real":         time.Now,
		"still":        clockAt(1_700_000_000_000),
		"stepped back": clockAt(1_700_000_000_000, 1_700_000_000_001, 1_699_000_000_000),
		"to and fro":   clockAt(1_700_000_000_000, 1_600_000_000_000, 1_700_000_000_005, 1_700_000_000_004, 1_800_000_000_000, 0),
		"at zero":      clockAt(0),
	} {
		t.Run(name, func(t *testing.T) {
			requireRising(t, &idSequence{now: clock}, 100_000)
		})
	}
}

// An id carries the millisecond it was made in, as RFC 9562 has it, in 48 bits at
// its start.
func TestIDCarriesTheTime(t *testing.T) {
	t.Parallel()
	ids := &idSequence{now: clockAt(1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_123)}
	require.EqualValues(t, 1_700_000_000_000, millisOf(ids.next()))
	require.EqualValues(t, 1_700_000_000_000, millisOf(ids.next()))
	require.EqualValues(t, 1_700_000_000_123, millisOf(ids.next()))
}

// A sequence goes on from the id it was started at, also where that lies ahead of
// the clock: an organization whose last writer's clock ran fast.
func TestIDsGoOnFromTheLast(t *testing.T) {
	t.Parallel()
	ahead := uuid.MustParse("ffff0000-1234-7abc-8def-0123456789ab")
	requireRising(t, &idSequence{last: ahead, now: time.Now}, 1000)
}

// Where the counter overflows it carries, first into its upper part and then into
// the time, and what comes is still rising and of the form of a UUIDv7.
func TestIDCounterOverflow(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_000_000
	lowerFull := join(now, 0x123, 1<<62-1)
	ids := &idSequence{last: lowerFull, now: clockAt(now)}
	id := ids.next()
	time48, counter12, _ := split(id)
	require.EqualValues(t, now, time48)
	require.EqualValues(t, 0x124, counter12)
	require.Positive(t, bytes.Compare(id[:], lowerFull[:]))
	requireRising(t, ids, 1000)

	allFull := join(now, 1<<12-1, 1<<62-1)
	ids = &idSequence{last: allFull, now: clockAt(now)}
	id = ids.next()
	time48, counter12, _ = split(id)
	require.EqualValues(t, now+1, time48)
	require.Zero(t, counter12)
	require.Positive(t, bytes.Compare(id[:], allFull[:]))
	requireRising(t, ids, 1000)

	// The clock that catches up with the carried time changes nothing.
	ids.now = clockAt(now + 1)
	requireRising(t, ids, 1000)
}

// A fresh millisecond starts at random, so that ids can't be guessed, but in the
// counter's lower half, so that there is room to count up.
func TestFreshIDsAreRandomWithRoomAbove(t *testing.T) {
	t.Parallel()
	seen := map[uuid.UUID]bool{}
	for range 1000 {
		id := (&idSequence{now: clockAt(1_700_000_000_000)}).next()
		require.False(t, seen[id])
		seen[id] = true
		_, counter12, _ := split(id)
		require.Less(t, counter12, uint64(1<<11))
	}
}
