package ratelimit

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A request refused by the hour takes nothing from the minute.
func TestRefusalByTheHourTakesNothingFromTheMinute(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 10, Hour: 3})
	require.True(t, take(limits, "a", 3).Allowed)

	require.False(t, take(limits, "a", 5).Allowed)

	minute, hour := used(limits, "a")
	require.EqualValues(t, 3, minute)
	require.EqualValues(t, 3, hour)
}

// A request refused by the minute takes nothing from the hour.
func TestRefusalByTheMinuteTakesNothingFromTheHour(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 3, Hour: 10})
	require.True(t, take(limits, "a", 3).Allowed)

	require.False(t, take(limits, "a", 5).Allowed)

	_, hour := used(limits, "a")
	require.EqualValues(t, 3, hour)
}

// Of concurrent requests, exactly as many pass as the limit allows, whichever
// window sets it, and the other window counts no more than those.
func TestConcurrentRequestsPassUpToTheLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ minute, hour int64 }{{50, 1000}, {1000, 50}, {50, 50}, {60, 50}} {
		t.Run(fmt.Sprintf("%d a minute, %d an hour", c.minute, c.hour), func(t *testing.T) {
			limits := openLimits(t, Config{Minute: c.minute, Hour: c.hour})
			for i := range 200 { // a race shows in few of them
				key := fmt.Sprint("organization ", i)
				require.EqualValues(t, 50, takeConcurrently(key, limits))

				minute, hour := used(limits, key)
				require.EqualValues(t, 50, minute)
				require.EqualValues(t, 50, hour)
			}
		})
	}
}

// takeConcurrently takes 400 requests of key, from 16 goroutines over the given
// instances, and returns how many were allowed.
func takeConcurrently(key string, instances ...*Limits) int64 {
	var allowed atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range 16 {
		all.Go(func() {
			<-start
			for range 25 {
				if take(instances[i%len(instances)], key, 1).Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	close(start)
	all.Wait()
	return allowed.Load()
}

// A request that is given back after its window has ended does not add a request
// to the next window, whether that has begun or not.
func TestGivingBackAfterTheWindow(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"memory": "", "Redis": startRedis(t).url()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := openLimits(t, Config{minuteLength: 2 * time.Second, RedisURL: url})
			ctx := context.Background()
			count := func(key string) int64 {
				minute, _ := used(limits, key)
				return minute
			}
			for key, begun := range map[string]int64{"not begun": 0, "begun": 3} {
				counted, err := limits.minute.Get(ctx, key)
				require.NoError(t, err)
				modelstest.Eventually(t, func() bool { return count(key) == 0 })
				for range begun {
					_, err = limits.minute.Get(ctx, key)
					require.NoError(t, err)
				}

				giveBack(ctx, limits.minute, key, counted)

				require.Equal(t, begun, count(key))
			}

			// Within the window, it is given back.
			_, err := limits.minute.Get(ctx, "a")
			require.NoError(t, err)
			counted, err := limits.minute.Get(ctx, "a")
			require.NoError(t, err)
			giveBack(ctx, limits.minute, "a", counted)
			require.EqualValues(t, 1, count("a"))
			require.False(t, limits.Degraded())
		})
	}
}

// One key's requests take nothing from another's.
func TestKeysAreCountedSeparately(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 2, Hour: 10})
	require.False(t, take(limits, "a", 3).Allowed)

	require.EqualValues(t, 1, take(limits, "b", 1).Remaining)
}

// A key whose bytes are overwritten after the call, as a web server does with its
// buffers, still counts as it was.
func TestKeyIsCopied(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"memory": "", "Redis": startRedis(t).url()} {
		limits := openLimits(t, Config{Minute: 2, Hour: 10, RedisURL: url})
		buffer := []byte("organization-a")
		require.True(t, limits.Take(context.Background(), unsafeString(buffer)).Allowed, name)
		copy(buffer, "organization-b")

		if url != "" {
			limits.Close() // memory has followed, under the right key
		}
		require.EqualValues(t, 0, take(limits, "organization-a", 1).Remaining, name)
		require.EqualValues(t, 1, take(limits, "organization-b", 1).Remaining, name)
	}
}

// The figures are those of the window with fewer requests left after this one.
func TestFiguresAreOfTheTighterWindow(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 4, Hour: 6})
	now := time.Now().Unix()

	decision := take(limits, "a", 1)
	require.Equal(t, int64(4), decision.Limit)
	require.Equal(t, int64(3), decision.Remaining)
	require.InDelta(t, now+61, decision.Reset, 1.5)
	require.Zero(t, decision.RetryAfter)

	limits = openLimits(t, Config{Minute: 6, Hour: 4})
	decision = take(limits, "a", 1)
	require.Equal(t, int64(4), decision.Limit)
	require.Equal(t, int64(3), decision.Remaining)
	require.InDelta(t, now+3601, decision.Reset, 1.5)
}

// If both windows have as few requests left, the figures are of the one that
// resets later. A client refused by both is told to wait for the later one.
func TestTieGoesToTheLaterReset(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 2, Hour: 2})

	require.Equal(t, `"hour";r=1;t=3600`, headers(take(limits, "a", 1))["RateLimit"])

	decision := take(limits, "a", 2)
	require.False(t, decision.Allowed)
	require.Zero(t, decision.Remaining)
	require.InDelta(t, 3600, decision.RetryAfter, 1)

	// The hour may also be the one that ends first.
	limits = openLimits(t, Config{Minute: 2, Hour: 2, hourLength: 10 * time.Second})
	require.InDelta(t, 60, take(limits, "a", 3).RetryAfter, 1)
}

// If only one window is used up, a client is told to wait for that one.
func TestRetryAfterIsOfTheWindowThatRefuses(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 60, take(openLimits(t, Config{Minute: 2, Hour: 9}), "a", 3).RetryAfter, 1)
	require.InDelta(t, 3600, take(openLimits(t, Config{Minute: 9, Hour: 2}), "a", 3).RetryAfter, 1)
}

// A client that waits exactly RetryAfter is let in, and RetryAfter is never
// longer than the window, here 2 s.
func TestWaitingRetryAfterIsEnough(t *testing.T) {
	t.Parallel()
	requireWaitIsEnough(t,
		openLimits(t, Config{Minute: 1, minuteLength: 2 * time.Second}),
		openLimits(t, Config{Hour: 1, hourLength: 2 * time.Second}))
}

// requireWaitIsEnough needs limits of one request in 2 s. Its clients start at
// eight points of a second, because figures are rounded to seconds, and are
// refused at once or half a second into the window.
func requireWaitIsEnough(t *testing.T, limits ...*Limits) {
	t.Helper()
	var clients sync.WaitGroup
	for _, l := range limits {
		for phase := range 16 {
			clients.Go(func() {
				key := fmt.Sprint("client ", phase)
				time.Sleep(time.Duration(phase%8) * time.Second / 8)
				assert.True(t, take(l, key, 1).Allowed, key)
				time.Sleep(time.Duration(phase/8) * time.Second / 2)
				refused := take(l, key, 1)
				assert.False(t, refused.Allowed, key)
				assert.GreaterOrEqual(t, refused.RetryAfter, int64(1), key)
				assert.LessOrEqual(t, refused.RetryAfter, int64(2), key)

				time.Sleep(time.Duration(refused.RetryAfter) * time.Second)
				assert.True(t, take(l, key, 1).Allowed, key)
			})
		}
	}
	clients.Wait()
	for _, l := range limits {
		require.False(t, l.Degraded())
	}
}

// Reset is no earlier than the window's end, and at most a second later.
func TestResetIsRoundedUp(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{})
	before := time.Now().Add(time.Minute)
	reset := time.Unix(take(limits, "a", 1).Reset, 0)
	after := time.Now().Add(time.Minute)

	require.False(t, reset.Before(before), "%s is before %s", reset, before)
	require.False(t, reset.After(after.Add(time.Second)))
}

// Peek returns what is used up, never more than the limit, and counts nothing.
func TestPeek(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"memory": "", "Redis": startRedis(t).url()} {
		limits := openLimits(t, Config{Minute: 2, Hour: 9, RedisURL: url})
		for range 3 {
			minute, hour := limits.Peek(context.Background(), "a")
			require.Equal(t, Use{Limit: 2}, minute, name)
			require.Equal(t, Use{Limit: 9}, hour, name)
		}

		take(limits, "a", 4)

		minute, hour := limits.Peek(context.Background(), "a")
		require.EqualValues(t, 2, minute.Used, name)
		require.EqualValues(t, 2, hour.Used, name)
		require.WithinDuration(t, time.Now().Add(time.Minute), minute.Reset, 1500*time.Millisecond, name)
		require.WithinDuration(t, time.Now().Add(time.Hour), hour.Reset, 1500*time.Millisecond, name)
	}
}
