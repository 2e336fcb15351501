package ratelimit

import (
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/ulule/limiter/v3"

	"dispo/models/modelstest"
)

// eachStore runs a test with the limits in memory and in Redis.
func eachStore(t *testing.T, test func(t *testing.T, redisURL string)) {
	t.Parallel()
	for name, url := range map[string]string{"memory": "", "Redis": startRedis(t).url()} {
		t.Run(name, func(t *testing.T) { test(t, url) })
	}
}

// The figures are those of the window with fewer requests left after this one or, if both
// have as few, of the one that resets later. A request refused by one window takes nothing
// from the other, and its client is told to wait for that window, or for the later one of two.
//
// A request may count as several. A window that is smaller counts them as all of it. If a
// window has no room for them, nothing is counted, not the request itself either. What is
// given back was never counted. Peek returns what is used up, and counts nothing.
func TestWindows(t *testing.T) {
	const minute, hour = "minute", "hour"
	eachStore(t, func(t *testing.T, url string) {
		for name, c := range map[string]struct {
			minute, hour, before, counts int64 // before it, so many requests were made
			allowed                      bool
			minuteUsed, hourUsed         int64
			window                       string
			limit, remaining             int64
		}{
			"the minute has fewer":   {4, 6, 0, 1, true, 1, 1, minute, 4, 3},
			"the hour has fewer":     {6, 4, 0, 1, true, 1, 1, hour, 4, 3},
			"both have as few":       {4, 4, 0, 1, true, 1, 1, hour, 4, 3},
			"refused by the minute":  {3, 10, 8, 1, false, 3, 3, minute, 3, 0},
			"refused by the hour":    {10, 3, 8, 1, false, 3, 3, hour, 3, 0},
			"refused by both":        {4, 4, 5, 1, false, 4, 4, hour, 4, 0},
			"room for several":       {60, 1000, 5, 20, true, 25, 25, minute, 60, 35},
			"room for no more":       {60, 1000, 40, 20, true, 60, 60, minute, 60, 0},
			"several, a full minute": {60, 1000, 41, 20, false, 41, 41, minute, 60, 19},
			"several, a full hour":   {60, 50, 31, 20, false, 31, 31, hour, 50, 19},
			"a short minute":         {10, 1000, 0, 20, true, 10, 20, minute, 10, 0},
			"short windows":          {10, 15, 0, 20, true, 10, 15, hour, 15, 0},
			"a used one":             {10, 1000, 1, 20, false, 1, 1, minute, 10, 9},
			"a shorter hour":         {60, 5, 0, 20, true, 20, 5, hour, 5, 0},
		} {
			limits := openLimits(t, Config{Minute: c.minute, Hour: c.hour, RedisURL: url})
			began := time.Now()
			requireUsed := func(wanted ...int64) {
				t.Helper()
				minute, hour := limits.Peek(t.Context(), name)
				require.Equal(t, wanted, []int64{minute.Used, hour.Used}, name)
			}
			requireUsed(0, 0)
			take(limits, name, int(c.before))
			d := limits.Take(t.Context(), name)
			left := d.Remaining + 1
			if c.counts > 1 {
				d = limits.TakeAs(t.Context(), name, c.counts)
			}
			require.Equal(t, []any{c.allowed, c.limit, c.remaining}, []any{d.Allowed, d.Limit, d.Remaining}, name)
			require.Contains(t, headers(d, time.Now())["RateLimit"], fmt.Sprintf(`"%s";r=%d;t=`, c.window, c.remaining))
			length := map[string]int64{minute: 60, hour: 3600}[c.window]
			require.GreaterOrEqual(t, d.Reset, began.Unix()+length-1, name)
			require.LessOrEqual(t, d.Reset, time.Now().Unix()+length+1, name)
			require.Equal(t, c.allowed, d.RetryAfter == 0, name)
			require.LessOrEqual(t, d.RetryAfter, length, "no longer than the window")
			require.GreaterOrEqual(t, time.Now().Unix()+d.RetryAfter+1, map[bool]int64{false: d.Reset}[c.allowed],
				"no shorter than what is left of it")
			requireUsed(c.minuteUsed, c.hourUsed)
			minuteUsed, hourUsed := limits.Peek(t.Context(), name)
			require.InDelta(t, began.Unix()+60, minuteUsed.ResetsAt.Unix(), 1+time.Since(began).Seconds()+1)
			require.InDelta(t, began.Unix()+3600, hourUsed.ResetsAt.Unix(), 1+time.Since(began).Seconds()+1)
			if c.allowed {
				require.Equal(t, left, limits.GiveBack(t.Context(), name, d).Remaining, name)
				requireUsed(c.before, c.before)
			}
		}
		// The hour may also be the one that ends first.
		early := take(openLimits(t, Config{Minute: 2, Hour: 2, hourLength: 10 * time.Second, RedisURL: url}), "early", 3)
		require.Greater(t, early.RetryAfter, int64(10))
	})
}

// An organization's own figures hold at once, over the counts of before, and so do the
// service's when the own ones are gone. Memory counts the same, whatever the figures are when
// Redis goes away.
func TestOwnFigures(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		limits := openLimits(t, Config{Minute: 60, Hour: 1000, RedisURL: url})
		take(limits, "a", 10)
		require.Same(t, limits, limits.With(0, 0))
		for _, c := range []struct {
			minute, hour int64
			allowed      bool
			remaining    int64
			policy       string
		}{
			{100, 0, true, 89, `"minute";q=100;w=60, "hour";q=1000;w=3600`},
			{0, 13, true, 1, `"minute";q=60;w=60, "hour";q=13;w=3600`},
			{4, 2000, false, 0, `"minute";q=4;w=60, "hour";q=2000;w=3600`},
			{0, 0, true, 47, `"minute";q=60;w=60, "hour";q=1000;w=3600`},
		} {
			d := limits.With(c.minute, c.hour).Take(ctx, "a")
			require.Equal(t, []any{c.allowed, c.remaining, c.policy},
				[]any{d.Allowed, d.Remaining, headers(d, time.Now())["RateLimit-Policy"]}, c)
		}
		require.True(t, limits.With(5, 0).TakeAs(ctx, "b", 20).Allowed, "as all of a smaller window")
		minute, hour := limits.With(5, 0).Peek(ctx, "b")
		require.Equal(t, []int64{4, 5, 19, 1000}, []int64{minute.Used, minute.Limit, hour.Used, hour.Limit})
		limits.With(4, 4).Take(ctx, "a")
		limits.Close()
		require.EqualValues(t, 46, take(limits, "a", 1).Remaining)
	})
}

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
	require.Equal(t, map[string]string{
		"X-RateLimit-Limit":     "60",
		"X-RateLimit-Remaining": "59",
		"X-RateLimit-Reset":     "1700000042",
		"RateLimit":             `"minute";r=59;t=42`,
		"RateLimit-Policy":      `"minute";q=61;w=60, "hour";q=1001;w=3600`,
	}, headers(limits.decision("minute", 1, minute, hour, now), now))
}

// A request that counts as several and is refused takes no room from others meanwhile.
func TestRefusedRequestsLeaveRoom(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		limits := openLimits(t, Config{Minute: 60, Hour: 1000, RedisURL: url})
		take(limits, "key", 45)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 200 {
					assert.True(t, take(limits, "key", 1).Allowed)
					assert.False(t, limits.TakeAs(t.Context(), "key", 20).Allowed)
				}
			})
		}
		all.Wait()
		minute, hour := limits.Peek(t.Context(), "key")
		require.Equal(t, []int64{45, 45}, []int64{minute.Used, hour.Used})
	})
}

// Of concurrent requests, with Redis to two instances, exactly as many pass as the limit
// allows, whichever window sets it, and no window counts more than those. Failures are
// shared too, and counted apart from requests, even if a key looks like an address.
func TestConcurrentRequestsPassUpToTheLimit(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		for i, c := range []struct{ minute, hour int64 }{{50, 1000}, {1000, 50}, {50, 50}, {60, 50}} {
			config := Config{Minute: c.minute, Hour: c.hour, Failures: 2, RedisURL: url}
			instances, keys := []*Limits{openLimits(t, config)}, 200 // a race shows in few of them
			if url != "" {
				instances, keys = append(instances, openLimits(t, config)), 1
			}
			first, last := instances[0], instances[len(instances)-1]
			address := fmt.Sprint("192.0.2.", i)
			require.False(t, fail(first, address, 1) || blocked(last, address))
			require.True(t, fail(last, address, 1) && blocked(first, address))
			for n := range keys {
				key := fmt.Sprint(c, n)
				if n == 0 {
					key = address
				}
				require.EqualValues(t, 50, takeConcurrently(key, instances...))
				minute, hour := first.Peek(t.Context(), key)
				require.Equal(t, []int64{50, 50}, []int64{minute.Used, hour.Used})
			}
			require.False(t, first.Degraded() || last.Degraded(), "Redis must decide every request")
		}
	})
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
	eachStore(t, func(t *testing.T, url string) {
		t.Parallel()
		limits := openLimits(t, Config{minuteLength: 2 * time.Second, RedisURL: url})
		count := func(key string) int64 {
			minute, _ := limits.Peek(t.Context(), key)
			return minute.Used
		}
		for key, begun := range map[string]int64{"not begun": 0, "begun": 3} {
			counted := take(limits, key, 1)
			modelstest.Eventually(t, func() bool { return count(key) == 0 })
			take(limits, key, int(begun))
			limits.GiveBack(t.Context(), key, counted)
			require.Equal(t, begun, count(key))
		}
		require.False(t, limits.Degraded())
	})
}

// A client that waits exactly RetryAfter is let in, and RetryAfter is never longer than the
// window, here 2 s. Clients start at eight points of a second, because figures are rounded
// to seconds, and are refused at once or half a second into the window.
func TestWaitingRetryAfterIsEnough(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		t.Parallel()
		var clients sync.WaitGroup
		for _, config := range []Config{{Minute: 1, minuteLength: 2 * time.Second}, {Hour: 1, hourLength: 2 * time.Second}} {
			config.RedisURL = url
			limits := openLimits(t, config)
			for phase := range 16 {
				clients.Go(func() {
					key := fmt.Sprintf("client %d of %p", phase, limits)
					time.Sleep(time.Duration(phase%8) * time.Second / 8)
					began := time.Now()
					assert.True(t, take(limits, key, 1).Allowed, key)
					time.Sleep(time.Duration(phase/8) * time.Second / 2)
					refused := take(limits, key, 1)
					if refused.Allowed { // the machine was so slow that the window has ended
						assert.GreaterOrEqual(t, time.Since(began), 2*time.Second, key)
						return
					}
					assert.GreaterOrEqual(t, refused.RetryAfter, int64(1), key)
					assert.LessOrEqual(t, refused.RetryAfter, int64(2), key)
					time.Sleep(time.Duration(refused.RetryAfter) * time.Second)
					assert.True(t, take(limits, key, 1).Allowed, key)
					assert.False(t, limits.Degraded())
				})
			}
		}
		clients.Wait()
	})
}

// fail counts n failed authentications from address, and reports whether it is blocked then.
func fail(limits *Limits, address string, n int) bool {
	for range n {
		limits.AddFailure(ctx, parsed(address))
	}
	return blocked(limits, address)
}

func blocked(limits *Limits, address string) bool {
	_, blocked := limits.Blocked(ctx, parsed(address))
	return blocked
}

// parsed returns an address, the invalid one for an empty text.
func parsed(text string) netip.Addr {
	address, _ := netip.ParseAddr(text)
	return address
}

// An address may fail as often as configured, and is then blocked, alone, until it has
// waited retryAfter. Asking whether it is blocked counts nothing against it.
func TestFailuresBlockTheirAddress(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{minuteLength: 3 * time.Second})
	for range 10 {
		require.False(t, fail(limits, "192.0.2.1", 1) || blocked(limits, "192.0.2.1"))
	}
	require.False(t, fail(limits, "192.0.2.1", 19))
	require.True(t, fail(limits, "192.0.2.1", 1))
	require.False(t, blocked(limits, "192.0.2.2"))
	retryAfter, _ := limits.Blocked(ctx, parsed("192.0.2.1"))
	require.LessOrEqual(t, retryAfter, int64(3))
	time.Sleep(time.Duration(retryAfter) * time.Second)
	require.False(t, blocked(limits, "192.0.2.1"))
}

// IPv6 is counted by its first 64 bits, IPv4 by the whole address in either
// notation. An invalid address does not escape the limit.
func TestAddressesThatCountAsOne(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		failed, asked string
		same          bool
	}{
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"::ffff:192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"::ffff:192.0.2.1", "::ffff:192.0.2.2", false},
		{"fe80::1%eth0", "fe80::1%eth1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"", "", true},
	} {
		limits := openLimits(t, Config{Failures: 1})
		require.True(t, fail(limits, row.failed, 1))
		require.Equal(t, row.same, blocked(limits, row.asked), "%s and %s", row.failed, row.asked)
	}
}
