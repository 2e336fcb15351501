package ratelimit

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// unsafeString returns a string that changes when bytes do.
func unsafeString(bytes []byte) string { return unsafe.String(&bytes[0], len(bytes)) }

// A limit out of range is an error that names its setting.
func TestLimitOutOfRange(t *testing.T) {
	t.Parallel()
	for setting, config := range map[string]Config{
		"DISPO_LIMIT_MINUTE":   {Minute: 0, Hour: 1, Failures: 1},
		"DISPO_LIMIT_HOUR":     {Minute: 1, Hour: -1, Failures: 1},
		"DISPO_LIMIT_FAILURES": {Minute: 1, Hour: 1, Failures: maxLimit + 1},
	} {
		_, err := New(config)
		require.ErrorContains(t, err, setting+" must be from 1 to 1000000000, not ")
	}
}

// Requests are still limited after Close, by memory, because some may be under
// way at a shutdown.
func TestTakeAfterClose(t *testing.T) {
	t.Parallel()
	log := &modelstest.Log{}
	limits := openLimits(t, Config{Minute: 2, RedisURL: startRedis(t).url(), Log: logTo(log)})
	take(limits, "a", 1)
	limits.Close()
	require.EqualValues(t, 0, take(limits, "a", 1).Remaining)
	require.False(t, take(limits, "a", 1).Allowed)
	require.Empty(t, log.String(), "a shutdown is not an outage")
}
