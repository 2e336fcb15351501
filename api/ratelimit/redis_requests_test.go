package ratelimit

import (
	"context"
	"testing"

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
