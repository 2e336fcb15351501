package ratelimit

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/ulule/limiter/v3"
)

// inRedis returns what key has used in Redis of the minute and of the hour.
func inRedis(t *testing.T, limits *Limits, key string) (minute, hour int64) {
	t.Helper()
	client := limits.redis.client.Load()
	require.NotNil(t, client, "Redis is away")
	peek := func(name string, window *limiter.Limiter) int64 {
		state, err := client.store.Peek(context.Background(), name+":"+key, window.Rate)
		require.NoError(t, err)
		return state.Limit - state.Remaining
	}
	return peek("minute", limits.minute), peek("hour", limits.hour)
}

// Instances with the same Redis share their limits on requests and on failures.
func TestInstancesShareTheirLimits(t *testing.T) {
	t.Parallel()
	config := Config{Minute: 4, Hour: 10, Failures: 2, RedisURL: startRedis(t).url()}
	one, other := openLimits(t, config), openLimits(t, config)

	require.EqualValues(t, 2, take(one, "a", 2).Remaining)
	require.EqualValues(t, 0, take(other, "a", 2).Remaining)
	require.False(t, take(one, "a", 1).Allowed)
	require.False(t, take(other, "a", 1).Allowed)

	fail(one, "192.0.2.1", 1)
	_, isBlocked := blocked(other, "192.0.2.1")
	require.False(t, isBlocked)
	fail(other, "192.0.2.1", 1)
	_, isBlocked = blocked(one, "192.0.2.1")
	require.True(t, isBlocked)
}

// Of concurrent requests to two instances, exactly as many pass as the limit
// allows, whichever window sets it, and no window counts more than those.
func TestConcurrentRequestsToTwoInstancesPassUpToTheLimit(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	for _, c := range []struct{ minute, hour int64 }{{50, 1000}, {1000, 50}, {50, 50}, {60, 50}} {
		t.Run(fmt.Sprintf("%d a minute, %d an hour", c.minute, c.hour), func(t *testing.T) {
			config := Config{Minute: c.minute, Hour: c.hour, RedisURL: server.url()}
			one, other := openLimits(t, config), openLimits(t, config)
			key := t.Name()

			require.EqualValues(t, 50, takeConcurrently(key, one, other))

			minute, hour := inRedis(t, one, key)
			require.EqualValues(t, 50, minute)
			require.EqualValues(t, 50, hour)
			require.False(t, one.Degraded() || other.Degraded(), "Redis must decide every request")
		})
	}
}

// A request refused by one window takes nothing from the other in Redis either.
func TestRefusalInRedisTakesNothing(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	for name, c := range map[string]struct{ minute, hour int64 }{"minute": {3, 10}, "hour": {10, 3}} {
		config := Config{Minute: c.minute, Hour: c.hour, RedisURL: server.url()}
		limits, other := openLimits(t, config), openLimits(t, config)
		require.True(t, take(limits, name, 3).Allowed)

		require.False(t, take(limits, name, 5).Allowed)
		require.False(t, take(other, name, 1).Allowed)

		minute, hour := inRedis(t, limits, name)
		require.EqualValues(t, 3, minute, name)
		require.EqualValues(t, 3, hour, name)
	}
}

// The figures from Redis are those that memory would return: of the tighter
// window, with a wait no longer than the window.
func TestFiguresFromRedis(t *testing.T) {
	t.Parallel()
	config := Config{Minute: 2, Hour: 2, RedisURL: startRedis(t).url()}
	limits, other := openLimits(t, config), openLimits(t, config)
	decision := take(limits, "a", 1)
	require.Equal(t, `"hour";r=1;t=3600`, headers(decision)["RateLimit"])
	require.InDelta(t, time.Now().Unix()+3601, decision.Reset, 1.5)

	decision = take(limits, "a", 2)
	require.False(t, decision.Allowed)
	require.InDelta(t, 3600, decision.RetryAfter, 1)
	decision = take(other, "a", 1)
	require.False(t, decision.Allowed)
	require.InDelta(t, 3600, decision.RetryAfter, 1)

	limits = openLimits(t, Config{Minute: 2, Hour: 9, RedisURL: startRedis(t).url()})
	require.InDelta(t, 60, take(limits, "a", 3).RetryAfter, 1)
}

// A client that waits exactly RetryAfter is let in by Redis too.
func TestWaitingRetryAfterIsEnoughInRedis(t *testing.T) {
	t.Parallel()
	requireWaitIsEnough(t,
		openLimits(t, Config{Minute: 1, minuteLength: 2 * time.Second, RedisURL: startRedis(t).url()}),
		openLimits(t, Config{Hour: 1, hourLength: 2 * time.Second, RedisURL: startRedis(t).url()}))
}
