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
)

// A request refused by the hour takes nothing from the minute.
func TestRefusedByTheHourTakesNothingFromTheMinute(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 10, Hour: 3})
	require.True(t, take(limits, "a", 3).Allowed)

	require.False(t, take(limits, "a", 5).Allowed)

	minute, hour := stands(limits, "a")
	require.EqualValues(t, 3, minute)
	require.EqualValues(t, 3, hour)
}

// A request refused by the minute takes nothing from the hour.
func TestRefusedByTheMinuteTakesNothingFromTheHour(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 3, Hour: 10})
	require.True(t, take(limits, "a", 3).Allowed)

	require.False(t, take(limits, "a", 5).Allowed)

	_, hour := stands(limits, "a")
	require.EqualValues(t, 3, hour)
}

// Requests that come all at once are let through up to the limit exactly,
// whichever window sets it, and count in the other window no more than that.
func TestConcurrentTakesAdmitExactlyTheLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ minute, hour int64 }{{50, 1000}, {1000, 50}, {50, 50}, {60, 50}} {
		t.Run(fmt.Sprintf("%d a minute, %d an hour", c.minute, c.hour), func(t *testing.T) {
			limits := openLimits(t, Config{Minute: c.minute, Hour: c.hour})
			for i := range 200 { // a mistake here shows in few of them
				key := fmt.Sprint("organization ", i)
				require.EqualValues(t, 50, takeAtOnce(key, limits))

				minute, hour := stands(limits, key)
				require.EqualValues(t, 50, min(minute, c.minute))
				require.EqualValues(t, 50, hour)
			}
		})
	}
}

// takeAtOnce takes 400 requests of key, spread over 16 goroutines and the given
// instances, and tells how many were let through.
func takeAtOnce(key string, instances ...*Limits) int64 {
	var admitted atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range 16 {
		all.Go(func() {
			<-start
			for range 25 {
				if take(instances[i%len(instances)], key, 1).Allowed {
					admitted.Add(1)
				}
			}
		})
	}
	close(start)
	all.Wait()
	return admitted.Load()
}

// One key's requests take nothing from another's.
func TestKeysAreCountedApart(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 2, Hour: 10})
	require.False(t, take(limits, "a", 3).Allowed)

	require.EqualValues(t, 1, take(limits, "b", 1).Remaining)
}

// A key whose bytes are overwritten after the call, as a web server does with
// its buffers, is still counted as what it was.
func TestKeyIsCopied(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 2, Hour: 10})
	buffer := []byte("organization-a")
	require.True(t, limits.Requests.Take(context.Background(), unsafeString(buffer)).Allowed)
	copy(buffer, "organization-b")

	require.EqualValues(t, 0, take(limits, "organization-a", 1).Remaining)
	require.EqualValues(t, 1, take(limits, "organization-b", 1).Remaining)
}

// The figures told are those of the window with the fewest requests left, after
// the request they answer.
func TestFiguresAreOfTheTightestWindow(t *testing.T) {
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

// Where both windows have as few requests left, the figures are of the one that
// resets later; so a client refused by both is told to wait for the later one.
func TestTieGoesToTheLaterReset(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 2, Hour: 2})

	require.Equal(t, `"hour";r=1;t=3600`, string(take(limits, "a", 1).AppendRateLimit(nil)))

	decision := take(limits, "a", 2)
	require.False(t, decision.Allowed)
	require.Zero(t, decision.Remaining)
	require.InDelta(t, 3600, decision.RetryAfter, 1)

	// The hour may also be the one that ends first.
	limits = openLimits(t, Config{Minute: 2, Hour: 2, hourLength: 10 * time.Second})
	require.InDelta(t, 60, take(limits, "a", 3).RetryAfter, 1)
}

// Where one window is used up and the other is not, a client is told to wait
// for the one that is.
func TestRetryAfterIsOfTheWindowThatRefuses(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 60, take(openLimits(t, Config{Minute: 2, Hour: 9}), "a", 3).RetryAfter, 1)
	require.InDelta(t, 3600, take(openLimits(t, Config{Minute: 9, Hour: 2}), "a", 3).RetryAfter, 1)
}

// A client that waits exactly RetryAfter is let in, and RetryAfter is never
// longer than the window: here with windows of 2 s.
func TestWaitingExactlyRetryAfterIsEnough(t *testing.T) {
	t.Parallel()
	requireWaitIsEnough(t,
		openLimits(t, Config{Minute: 1, minuteLength: 2 * time.Second}),
		openLimits(t, Config{Hour: 1, hourLength: 2 * time.Second}))
}

// requireWaitIsEnough asks for limits of one request in 2 s. Clients begin at
// eight points of a second, because that is what figures are rounded to, and
// are refused at once or half a second into the window.
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

// X-RateLimit-Reset is no earlier than the window's end, and less than a second
// later.
func TestResetIsRoundedUp(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{})
	before := time.Now().Add(time.Minute)
	reset := time.Unix(take(limits, "a", 1).Reset, 0)
	after := time.Now().Add(time.Minute)

	require.False(t, reset.Before(before), "%s is before %s", reset, before)
	require.True(t, reset.Before(after.Add(time.Second)))
}
