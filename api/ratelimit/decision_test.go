package ratelimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The header values are the contract's, character by character.
func TestHeaderValues(t *testing.T) {
	t.Parallel()
	limiter := openLimits(t, Config{}).Requests
	const now = int64(1_700_000_000_250_000_000)
	minute := usage{used: 1, reset: now + int64(41*time.Second+time.Millisecond)}
	hour := usage{used: 400, reset: now + int64(50*time.Minute)}

	for _, row := range []struct {
		name                                           string
		taking                                         taking
		limit, remaining, reset, rateLimit, retryAfter string
	}{
		{"let through", taking{minute, hour, true},
			"60", "59", "1700000042", `"minute";r=59;t=42`, "0"},
		{"refused by the minute", taking{usage{61, minute.reset}, hour, false},
			"60", "0", "1700000042", `"minute";r=0;t=42`, "42"},
		{"refused by the hour", taking{minute, usage{1001, hour.reset}, false},
			"1000", "0", "1700003001", `"hour";r=0;t=3000`, "3000"},
		{"the last one", taking{usage{60, minute.reset}, usage{1000, hour.reset}, true},
			"1000", "0", "1700003001", `"hour";r=0;t=3000`, "0"},
	} {
		decision := limiter.decide(row.taking, now)
		require.Equal(t, row.limit, string(decision.AppendLimit(nil)), row.name)
		require.Equal(t, row.remaining, string(decision.AppendRemaining(nil)), row.name)
		require.Equal(t, row.reset, string(decision.AppendReset(nil)), row.name)
		require.Equal(t, row.rateLimit, string(decision.AppendRateLimit(nil)), row.name)
		require.Equal(t, row.retryAfter, string(decision.AppendRetryAfter(nil)), row.name)
	}
}

// RateLimit-Policy names both windows with their figures, configured or not.
func TestPolicy(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"minute";q=60;w=60, "hour";q=1000;w=3600`, openLimits(t, Config{}).Requests.Policy())
	require.Equal(t, `"minute";q=5;w=60, "hour";q=7;w=3600`, openLimits(t, Config{Minute: 5, Hour: 7}).Requests.Policy())
}

// A wait is rounded up to whole seconds, is at least one, and at most the
// window's length.
func TestWait(t *testing.T) {
	t.Parallel()
	w := window{length: time.Minute}
	for left, want := range map[time.Duration]int64{
		-time.Second:              1,
		0:                         1,
		time.Nanosecond:           1,
		time.Second:               1,
		time.Second + 1:           2,
		41500 * time.Millisecond:  42,
		time.Minute:               60,
		time.Minute + time.Second: 60,
	} {
		require.Equal(t, want, w.wait(usage{reset: 1000 + int64(left)}, 1000), left.String())
	}
}

// Neither deciding nor writing the headers leaves anything for the garbage
// collector, as long as memory decides.
func TestTakeAllocatesNothing(t *testing.T) {
	limits := openLimits(t, Config{Minute: mostAllowed, Hour: mostAllowed})
	take(limits, "a", 1)
	var buffer [64]byte
	require.Zero(t, testing.AllocsPerRun(100, func() {
		decision := take(limits, "a", 1)
		decision.AppendLimit(buffer[:0])
		decision.AppendRateLimit(buffer[:0])
	}))
}
