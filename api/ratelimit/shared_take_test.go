package ratelimit

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// inRedis tells where key stands in Redis, in the minute and in the hour.
func inRedis(t *testing.T, limits *Limits, key string) (minute, hour usage) {
	t.Helper()
	c := limits.shared.connected()
	require.NotNil(t, c)
	minute, err := c.peek(context.Background(), &limits.Requests.minute.window, key)
	require.NoError(t, err)
	hour, err = c.peek(context.Background(), &limits.Requests.hour.window, key)
	require.NoError(t, err)
	return minute, hour
}

// Instances with the same Redis count together, requests and failures.
func TestInstancesShareTheirLimits(t *testing.T) {
	t.Parallel()
	config := Config{Minute: 4, Hour: 10, Failures: 2, RedisURL: startRedis(t).url()}
	one, other := openLimits(t, config), openLimits(t, config)

	require.EqualValues(t, 2, take(one, "a", 2).Remaining)
	require.EqualValues(t, 0, take(other, "a", 2).Remaining)
	require.False(t, take(one, "a", 1).Allowed)
	require.False(t, take(other, "a", 1).Allowed)

	fail(one, "192.0.2.1", 1)
	_, is := blocked(other, "192.0.2.1")
	require.False(t, is)
	fail(other, "192.0.2.1", 1)
	_, is = blocked(one, "192.0.2.1")
	require.True(t, is)
}

// Requests that come to two instances all at once are let through up to the
// limit exactly, whichever window sets it, and what was refused is given back.
func TestConcurrentTakesOverInstancesAdmitExactlyTheLimit(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	for _, c := range []struct{ minute, hour int64 }{{50, 1000}, {1000, 50}, {50, 50}, {60, 50}} {
		t.Run(fmt.Sprintf("%d a minute, %d an hour", c.minute, c.hour), func(t *testing.T) {
			config := Config{Minute: c.minute, Hour: c.hour, RedisURL: server.url()}
			one, other := openLimits(t, config), openLimits(t, config)
			key := t.Name()

			require.EqualValues(t, 50, takeAtOnce(key, one, other))

			minute, hour := inRedis(t, one, key)
			require.EqualValues(t, 50, minute.used)
			require.EqualValues(t, 50, hour.used)
			require.False(t, one.Degraded() || other.Degraded(), "Redis was not asked for all of it")
		})
	}
}

// A request refused by one window takes nothing from the other in Redis either,
// whether memory knew beforehand that it would be refused or not.
func TestRefusedInRedisTakesNothing(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	for name, c := range map[string]struct{ minute, hour int64 }{"minute": {3, 10}, "hour": {10, 3}} {
		config := Config{Minute: c.minute, Hour: c.hour, RedisURL: server.url()}
		limits, unaware := openLimits(t, config), openLimits(t, config)
		require.True(t, take(limits, name, 3).Allowed)

		require.False(t, take(limits, name, 5).Allowed)
		require.False(t, take(unaware, name, 1).Allowed)

		minute, hour := inRedis(t, limits, name)
		require.EqualValues(t, 3, minute.used, name)
		require.EqualValues(t, 3, hour.used, name)
	}
}

// The figures from Redis are those that memory would give: of the tightest
// window, with a wait no longer than the window.
func TestFiguresFromRedis(t *testing.T) {
	t.Parallel()
	config := Config{Minute: 2, Hour: 2, RedisURL: startRedis(t).url()}
	limits, unaware := openLimits(t, config), openLimits(t, config)
	decision := take(limits, "a", 1)
	require.Equal(t, `"hour";r=1;t=3600`, string(decision.AppendRateLimit(nil)))
	require.InDelta(t, time.Now().Unix()+3601, decision.Reset, 1.5)

	decision = take(limits, "a", 2)
	require.False(t, decision.Allowed)
	require.InDelta(t, 3600, decision.RetryAfter, 1)
	decision = take(unaware, "a", 1)
	require.False(t, decision.Allowed)
	require.InDelta(t, 3600, decision.RetryAfter, 1)

	limits = openLimits(t, Config{Minute: 2, Hour: 9, RedisURL: startRedis(t).url()})
	require.InDelta(t, 60, take(limits, "a", 3).RetryAfter, 1)
}

// A client that waits exactly RetryAfter is let in by Redis too.
func TestWaitingExactlyRetryAfterIsEnoughInRedis(t *testing.T) {
	t.Parallel()
	requireWaitIsEnough(t,
		openLimits(t, Config{Minute: 1, minuteLength: 2 * time.Second, RedisURL: startRedis(t).url()}),
		openLimits(t, Config{Hour: 1, hourLength: 2 * time.Second, RedisURL: startRedis(t).url()}))
}

// What is given back after its window has ended does not make the next window
// larger, whether that has begun or not.
func TestGivingBackTooLate(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{minuteLength: 2 * time.Second, RedisURL: startRedis(t).url()})
	c, w := limits.shared.connected(), &limits.Requests.minute.window
	ctx := context.Background()
	for _, begun := range []int64{0, 3} {
		taken, err := c.add(ctx, w, "a")
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			minute, _ := inRedis(t, limits, "a")
			return minute.used == 0
		}, 5*time.Second, time.Millisecond)
		for range begun {
			_, err = c.add(ctx, w, "a")
			require.NoError(t, err)
		}

		require.NoError(t, c.giveBack(ctx, w, "a", taken))

		minute, _ := inRedis(t, limits, "a")
		require.Equal(t, begun, minute.used)
		require.NoError(t, limits.shared.connected().client.FlushAll(ctx).Err())
	}

	// Within its window it is given back.
	taken, err := c.add(ctx, w, "a")
	require.NoError(t, err)
	_, err = c.add(ctx, w, "a")
	require.NoError(t, err)
	require.NoError(t, c.giveBack(ctx, w, "a", taken))
	minute, _ := inRedis(t, limits, "a")
	require.EqualValues(t, 1, minute.used)
}
