package ratelimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/ulule/limiter/v3"
)

// headers returns the headers that decision sets at a time.
func headers(decision Decision, now time.Time) map[string]string {
	all := map[string]string{}
	decision.setHeaders(func(name, value string) { all[name] = value }, now)
	return all
}

// The header values are the contract's, character by character.
func TestHeaderValues(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Minute: 61, Hour: 1001})
	now := time.UnixMilli(1_700_000_000_250)
	// The minute ends 41.001 s from now, the hour 50 minutes from now.
	minute := limiter.Context{Limit: 60, Remaining: 59, Reset: 1_700_000_041}
	hour := limiter.Context{Limit: 1000, Remaining: 600, Reset: 1_700_003_000}
	left := func(state limiter.Context, remaining int64) limiter.Context {
		state.Remaining = remaining
		return state
	}

	for _, row := range []struct {
		name                               string
		allowed                            bool
		minute, hour                       limiter.Context
		limit, remaining, reset, rateLimit string
		retryAfter                         int64
	}{
		{"allowed", true, minute, hour,
			"60", "59", "1700000042", `"minute";r=59;t=42`, 0},
		{"refused by the minute", false, left(minute, 0), hour,
			"60", "0", "1700000042", `"minute";r=0;t=42`, 42},
		{"refused by the hour", false, minute, left(hour, 0),
			"1000", "0", "1700003001", `"hour";r=0;t=3001`, 3001},
		{"the last one", true, left(minute, 0), left(hour, 0),
			"1000", "0", "1700003001", `"hour";r=0;t=3001`, 0},
	} {
		decision := limits.decide(1, row.allowed, row.minute, row.hour, now)
		require.Equal(t, map[string]string{
			"X-RateLimit-Limit":     row.limit,
			"X-RateLimit-Remaining": row.remaining,
			"X-RateLimit-Reset":     row.reset,
			"RateLimit":             row.rateLimit,
			"RateLimit-Policy":      `"minute";q=61;w=60, "hour";q=1001;w=3600`,
		}, headers(decision, now), row.name)
		require.Equal(t, row.retryAfter, decision.RetryAfter, row.name)
	}
}

// The wait is enough for every end that limiter may have rounded down, at most
// one second more than necessary, at least 1, and at most the window's length.
func TestWait(t *testing.T) {
	t.Parallel()
	window := &limiter.Limiter{Rate: limiter.Rate{Period: time.Minute}}
	now := time.Unix(1000, 250e6)
	for left, want := range map[time.Duration]int64{
		-5 * time.Second:          1,
		0:                         1,
		time.Nanosecond:           1,
		750*time.Millisecond - 1:  1,
		750 * time.Millisecond:    2,
		time.Second:               2,
		41500 * time.Millisecond:  42,
		41750 * time.Millisecond:  43,
		time.Minute:               60,
		time.Minute + time.Second: 60,
	} {
		state := limiter.Context{Reset: now.Add(left).Unix()}
		require.Equal(t, want, wait(state, window, now), left.String())
	}
}
