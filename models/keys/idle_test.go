package keys_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/keys"
)

const day = 24 * time.Hour

// hoursAgo returns the hours that began that many hours before the current one, in the
// order of time.
func hoursAgo(now time.Time, ago ...int) []time.Time {
	hours := make([]time.Time, len(ago))
	for i, n := range ago {
		hours[i] = now.Truncate(time.Hour).Add(-time.Duration(n) * time.Hour)
	}
	slices.SortFunc(hours, time.Time.Compare)
	return hours
}

// every returns the hours from one number of hours ago to another, a step apart.
func every(step, from, to int) (ago []int) {
	for n := from; n >= to; n -= step {
		ago = append(ago, n)
	}
	return ago
}

// A key is safe to revoke when it was unused for longer than its longest idle time in the
// last 90 days, the one still open left out, at least an hour and at most 35 days. A
// key with fewer than three idle times counts as 35 days.
func TestIdleTimes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		ago    []int // hours with requests
		count  int
		enough time.Duration
	}{
		"one request":                             {[]int{0}, 0, 35 * day},
		"two idle times":                          {[]int{48, 24, 0}, 2, 35 * day},
		"three idle times":                        {[]int{72, 48, 24, 0}, 3, day},
		"every hour":                              {every(1, 2000, 0), 2000, time.Hour},
		"every night":                             {every(24, 24*60, 20), 59, day},
		"every night, for two hours":              {append(every(24, 24*60, 24), every(24, 24*60-1, 23)...), 119, 23 * time.Hour},
		"working days":                            {[]int{24 * 10, 24 * 9, 24 * 8, 24 * 5, 24 * 4, 24}, 5, 3 * day},
		"every week":                              {every(7*24, 24*84, 24), 11, 7 * day},
		"every 30 days":                           {[]int{24 * 89, 24 * 59, 24 * 29}, 2, 35 * day},
		"an idle time of 50 days":                 {append([]int{24 * 60}, every(1, 24*10, 0)...), 241, 35 * day},
		"the open idle time does not count":       {every(1, 24*40, 24*30), 240, time.Hour},
		"an idle time that ended 91 days ago":     {append([]int{24 * 111}, every(24, 24*91, 24)...), 89, day},
		"an idle time that began 91 days ago":     {append([]int{24 * 91}, every(24, 24*80, 24)...), 80, 11 * day},
		"only idle times from before the 90 days": {every(24, 24*100, 24*91), 0, 35 * day},
	} {
		hours := hoursAgo(now, c.ago...)
		idle := keys.IdleTimesOf(hours, hours[len(hours)-1], now)
		require.Equal(t, c.count, idle.Count, name)
		require.Equal(t, c.enough, idle.Enough(), name)
		safe := idle.LastUsed.Add(c.enough)
		require.Equal(t, safe, idle.SafeFrom(), name)
		require.False(t, idle.LongEnough(safe), name)
		require.True(t, idle.LongEnough(safe.Add(time.Second)), name)
	}
	require.True(t, keys.IdleTimesOf(nil, time.Time{}, now).LongEnough(now), "a key that was never used")
	working := keys.IdleTimesOf(hoursAgo(now, 24*10, 24*9, 24*8, 24*5, 24*4, 24*3), now.Add(-3*day), now)
	require.Equal(t, keys.IdleTime{From: hoursAgo(now, 24*8)[0], To: hoursAgo(now, 24*5)[0]}, working.Longest)
}

// A key's idle times come from its own hours, also from the last one before the 90 days,
// and from its last use.
func TestIdleTimesOfKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	busy, _ := w.Key(t, w.a)
	now := time.Now()
	for used, hours := range map[uuid.UUID][]time.Time{
		key.ID:  hoursAgo(now, 24*110, 24*85, 24*82, 24*81, 24*2),
		busy.ID: hoursAgo(now, every(1, 100, 0)...),
	} {
		w.execute(t,
			`INSERT INTO key_usage SELECT organization_id, unnest($2::timestamptz[]), id, 1, 0 FROM api_keys WHERE id = $1`,
			used, hours)
	}
	idle, err := keys.IdleTimesOfKey(t.Context(), w.tenant, key, now)
	require.NoError(t, err)
	require.True(t, idle.LongEnough(now), "a key that was never used")

	used := now.Add(-2 * day)
	key.LastUsedAt = &used
	idle, err = keys.IdleTimesOfKey(t.Context(), w.tenant, key, now)
	require.NoError(t, err)
	require.Equal(t, 4, idle.Count)
	require.Equal(t, 35*day, idle.Enough(), "79 days, until two days ago")
	require.Equal(t, used.Add(35*day), idle.SafeFrom())
	w.execute(t, `DELETE FROM key_usage WHERE key_id = $1 AND hour > now() - interval '3 days'`, key.ID)
	idle, err = keys.IdleTimesOfKey(t.Context(), w.tenant, key, now)
	require.NoError(t, err)
	require.Equal(t, 25*day, idle.Enough(), "the idle time that began before the 90 days")

	key.CreatedAt = now.Truncate(time.Hour).Add(20 * time.Minute)
	w.execute(t, `DELETE FROM key_usage WHERE key_id = $1`, key.ID)
	w.execute(t, `INSERT INTO key_usage SELECT organization_id, $2, id, 1, 0 FROM api_keys WHERE id = $1`, key.ID,
		now.Truncate(time.Hour))
	idle, err = keys.IdleTimesOfKey(t.Context(), w.tenant, key, now)
	require.NoError(t, err)
	require.Equal(t, key.CreatedAt, idle.Since, "in use since it was made, and not since the full hour")
}
