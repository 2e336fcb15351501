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

// eachStore runs a test with the limits in memory and in Redis.
func eachStore(t *testing.T, test func(t *testing.T, redisURL string)) {
	t.Parallel()
	for name, url := range map[string]string{"memory": "", "Redis": startRedis(t).url()} {
		t.Run(name, func(t *testing.T) { test(t, url) })
	}
}

// A request refused by one window takes nothing from the other.
func TestRefusalTakesNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		for key, c := range map[string]struct{ minute, hour int64 }{"minute": {3, 10}, "hour": {10, 3}} {
			limits := openLimits(t, Config{Minute: c.minute, Hour: c.hour, RedisURL: url})
			require.True(t, take(limits, key, 3).Allowed)
			require.False(t, take(limits, key, 5).Allowed)
			minute, hour := used(limits, key)
			require.EqualValues(t, 3, minute, key)
			require.EqualValues(t, 3, hour, key)
		}
	})
}

// A request may count as several. A window that is smaller counts them as all of it. If a
// window has no room for them, nothing is counted, not the request itself either, and the
// client is told to wait for that window. What is given back was never counted.
func TestRequestThatCountsAsSeveral(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		for name, c := range map[string]struct {
			minute, hour, before   int64
			allowed                bool
			minuteUsed, hourUsed   int64
			limit, remaining, wait int64
		}{
			"room":             {60, 1000, 5, true, 25, 25, 60, 35, 0},
			"room for no more": {60, 1000, 40, true, 60, 60, 60, 0, 0},
			"a full minute":    {60, 1000, 41, false, 41, 41, 60, 19, 60},
			"a full hour":      {60, 50, 31, false, 31, 31, 50, 19, 3600},
			"a short minute":   {10, 1000, 0, true, 10, 20, 10, 0, 0},
			"short windows":    {10, 15, 0, true, 10, 15, 15, 0, 0},
			"a used one":       {10, 1000, 1, false, 1, 1, 10, 9, 60},
			"a shorter hour":   {60, 5, 0, true, 20, 5, 5, 0, 0},
		} {
			limits := openLimits(t, Config{Minute: c.minute, Hour: c.hour, RedisURL: url})
			take(limits, name, int(c.before))
			one := take(limits, name, 1)
			d := limits.TakeAs(t.Context(), name, 20)
			require.Equal(t, []any{c.allowed, c.limit, c.remaining}, []any{d.Allowed, d.Limit, d.Remaining}, name)
			require.InDelta(t, c.wait, d.RetryAfter, float64(c.wait)/2, name)
			minute, hour := used(limits, name)
			require.Equal(t, []int64{c.minuteUsed, c.hourUsed}, []int64{minute, hour}, name)
			if d.Allowed {
				require.Equal(t, one.Remaining+1, limits.GiveBack(t.Context(), name, d).Remaining, name)
				minute, hour = used(limits, name)
				require.Equal(t, []int64{c.before, c.before}, []int64{minute, hour}, name)
			}
		}
	})
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
		minute, hour := used(limits, "key")
		require.Equal(t, []int64{45, 45}, []int64{minute, hour})
	})
}

// Of concurrent requests, with Redis to two instances, exactly as many pass as the limit
// allows, whichever window sets it, and no window counts more than those.
func TestConcurrentRequestsPassUpToTheLimit(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		for _, c := range []struct{ minute, hour int64 }{{50, 1000}, {1000, 50}, {50, 50}, {60, 50}} {
			config := Config{Minute: c.minute, Hour: c.hour, RedisURL: url}
			instances, keys := []*Limits{openLimits(t, config)}, 200 // a race shows in few of them
			if url != "" {
				instances, keys = append(instances, openLimits(t, config)), 1
			}
			for i := range keys {
				key := fmt.Sprint(c, i)
				require.EqualValues(t, 50, takeConcurrently(key, instances...))
				minute, hour := used(instances[0], key)
				require.EqualValues(t, 50, minute)
				require.EqualValues(t, 50, hour)
			}
			for _, limits := range instances {
				require.False(t, limits.Degraded(), "Redis must decide every request")
			}
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

			giveBack(ctx, limits.minute, key, counted, 1)

			require.Equal(t, begun, count(key))
		}

		// Within the window, it is given back.
		_, err := limits.minute.Get(ctx, "a")
		require.NoError(t, err)
		counted, err := limits.minute.Get(ctx, "a")
		require.NoError(t, err)
		giveBack(ctx, limits.minute, "a", counted, 1)
		require.EqualValues(t, 1, count("a"))
		require.False(t, limits.Degraded())
	})
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

// The figures are those of the window with fewer requests left after this one or, if both
// have as few, of the one that resets later. A refused client is told to wait for that.
func TestFigures(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		for i, row := range []struct {
			minute, hour, limit, reset int64
			window                     string
		}{
			{4, 6, 4, 61, "minute"},
			{6, 4, 4, 3601, "hour"},
			{4, 4, 4, 3601, "hour"},
		} {
			config := Config{Minute: row.minute, Hour: row.hour, RedisURL: url}
			limits, key := openLimits(t, config), fmt.Sprint(i)
			now, first := time.Now().Unix(), take(limits, key, 1)
			require.Equal(t, row.limit, first.Limit)
			require.Equal(t, row.limit-1, first.Remaining)
			require.InDelta(t, now+row.reset, first.Reset, 1.5)
			require.Zero(t, first.RetryAfter)
			require.Contains(t, headers(first, time.Now())["RateLimit"], `"`+row.window+`";r=3;t=`)
			refused := take(limits, key, 4)
			require.False(t, refused.Allowed)
			require.Zero(t, refused.Remaining)
			require.InDelta(t, row.reset, refused.RetryAfter, 2)
			require.LessOrEqual(t, refused.RetryAfter, row.reset-1, "no longer than the window")
		}
		// The hour may also be the one that ends first.
		require.InDelta(t, 60, take(openLimits(t, Config{Minute: 2, Hour: 2, hourLength: 10 * time.Second, RedisURL: url}), "early", 3).RetryAfter, 1)
	})
}

// A client that waits exactly RetryAfter is let in, and RetryAfter is never
// longer than the window, here 2 s.
func TestWaitingRetryAfterIsEnough(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		t.Parallel()
		requireWaitIsEnough(t,
			openLimits(t, Config{Minute: 1, minuteLength: 2 * time.Second, RedisURL: url}),
			openLimits(t, Config{Hour: 1, hourLength: 2 * time.Second, RedisURL: url}))
	})
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
				key := fmt.Sprintf("client %d of %p", phase, l)
				time.Sleep(time.Duration(phase%8) * time.Second / 8)
				began := time.Now()
				assert.True(t, take(l, key, 1).Allowed, key)
				time.Sleep(time.Duration(phase/8) * time.Second / 2)
				refused := take(l, key, 1)
				if refused.Allowed { // the machine was so slow that the window has ended
					assert.GreaterOrEqual(t, time.Since(began), 2*time.Second, key)
					return
				}
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
