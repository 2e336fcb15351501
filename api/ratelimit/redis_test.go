package ratelimit

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"

	"dispo/models/modelstest"
)

const (
	away  = "Redis does not answer"
	again = "Redis answers again"
)

// used returns what key has used in Redis of the minute and of the hour.
func used(t *testing.T, limits *Limits, key string) []int64 {
	t.Helper()
	require.False(t, limits.Degraded())
	minute, hour := limits.Peek(ctx, key)
	return []int64{minute.Used, hour.Used}
}

// What counts by address alone counts on all instances together.
func TestTakeFromIsShared(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	one, other := openLimits(t, Config{RedisURL: server.url()}), openLimits(t, Config{RedisURL: server.url()})
	from := netip.MustParseAddr("192.0.2.1")
	for _, limits := range []*Limits{one, other, one} {
		_, allowed := limits.TakeFrom(ctx, from, "report", 3)
		require.True(t, allowed)
	}
	retryAfter, allowed := other.TakeFrom(ctx, from, "report", 3)
	require.False(t, allowed)
	require.Positive(t, retryAfter)
	_, allowed = other.TakeFrom(ctx, from, "mcp", 3)
	require.True(t, allowed)
	_, allowed = other.TakeFrom(ctx, netip.MustParseAddr("192.0.2.2"), "report", 3)
	require.True(t, allowed)
}

// If Redis is away when the service starts, the service connects to it later, in the
// background. When Redis goes away, memory continues, with what this instance has counted in
// the same window. When it is back, limits are shared again. Each is logged once. After Close,
// requests under way are limited by memory, and nothing is logged, because a shutdown is not
// an outage.
func TestRedisGoesAndComesBack(t *testing.T) {
	t.Parallel()
	server, log := startRedis(t), &modelstest.Log{}
	server.kill()
	config := Config{
		Minute:     10,
		Hour:       100,
		Failures:   3,
		RedisURL:   server.url(),
		Log:        logTo(log),
		redisRetry: 50 * time.Millisecond,
	}
	limits := openLimits(t, config)
	require.True(t, limits.Degraded())
	require.EqualValues(t, 9, take(limits, "early", 1).Remaining)
	server.start()
	modelstest.Eventually(t, func() bool { return count(log, again) == 1 })

	config.Log = nil
	other := openLimits(t, config)
	take(other, "a", 4)
	time.Sleep(1100 * time.Millisecond) // memory must end the window when Redis would
	last := take(limits, "a", 2)
	require.EqualValues(t, 4, last.Remaining)
	require.False(t, fail(limits, "192.0.2.1", 2))
	require.False(t, limits.Degraded())

	server.kill()
	first := take(limits, "a", 1)
	require.EqualValues(t, 7, first.Remaining, "what this instance took still counts")
	require.Equal(t, last.Reset, first.Reset)
	require.EqualValues(t, 0, take(limits, "a", 7).Remaining)
	require.True(t, limits.Degraded())
	require.False(t, take(limits, "a", 20).Allowed, "not waved through")
	require.True(t, take(limits, "b", 10).Allowed, "not refused")
	require.False(t, blocked(limits, "192.0.2.1"))
	require.True(t, fail(limits, "192.0.2.1", 1))
	require.Equal(t, 2, count(log, away), log.String())

	server.start()
	modelstest.Eventually(t, func() bool { return count(log, again) == 2 && !other.Degraded() })
	require.False(t, limits.Degraded())
	take(other, "c", 4)
	require.EqualValues(t, 5, take(limits, "c", 1).Remaining, "shared again")
	limits.Close()
	require.EqualValues(t, 8, take(limits, "c", 1).Remaining)
	require.False(t, take(limits, "c", 9).Allowed)
	require.Equal(t, []int{2, 2}, []int{count(log, away), count(log, again)}, log.String())
}

// However often Redis comes and goes within a window, and whether it keeps its figures or
// loses them, an instance lets through twice the limit at most: once by its memory, and once
// by Redis, which forgives what memory counted.
func TestTwiceTheLimitAtMost(t *testing.T) {
	t.Parallel()
	for name, redis := range map[string]struct{ end, begin func(*redisServer) }{
		"kept": {func(s *redisServer) { s.set("min-replicas-to-write", "1") }, func(s *redisServer) { s.set("min-replicas-to-write", "0") }},
		"lost": {(*redisServer).kill, (*redisServer).start},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := startRedis(t)
			redis.end(server)
			limits := openLimits(t, Config{Minute: 10, Failures: 5, RedisURL: server.url(),
				minuteLength: time.Hour, redisRetry: 10 * time.Millisecond})
			var passed, failed int
			use := func() {
				for range 15 {
					if d := take(limits, "a", 1); d.Allowed {
						passed++
					} else {
						require.Zero(t, d.Remaining)
						require.Positive(t, d.RetryAfter)
					}
					if !blocked(limits, "192.0.2.1") {
						fail(limits, "192.0.2.1", 1)
						failed++
					}
				}
			}
			use()
			require.Equal(t, []int{10, 5}, []int{passed, failed}, "by memory")
			for range 8 {
				redis.begin(server)
				modelstest.Eventually(t, func() bool { return !limits.Degraded() })
				use()
				require.Equal(t, []int{20, 10}, []int{passed, failed}, "what memory counted is forgiven, once")
				redis.end(server)
				use()
				require.Equal(t, []int{20, 10}, []int{passed, failed})
				require.True(t, limits.Degraded())
			}
		})
	}
}

// In no window that clients are told of does more than twice the limit pass, although Redis
// loses its data, so that its windows end later than those that memory began with. If Redis
// keeps its data, outages move no end. A slow machine sees less of this, and never fails.
func TestOutagesAcrossWindows(t *testing.T) {
	t.Parallel()
	for name, redis := range map[string]struct{ end, begin func(*redisServer) }{
		"kept": {func(s *redisServer) { s.set("min-replicas-to-write", "1") }, func(s *redisServer) { s.set("min-replicas-to-write", "0") }},
		"lost": {(*redisServer).kill, (*redisServer).start},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := startRedis(t)
			limits := openLimits(t, Config{Minute: 10, RedisURL: server.url(),
				minuteLength: 6 * time.Second, redisRetry: 10 * time.Millisecond})
			type answer struct {
				Decision
				at time.Time
			}
			var answers []answer
			began := time.Now()
			useAt := func(after time.Duration) {
				time.Sleep(time.Until(began.Add(after)))
				for range 15 {
					d := take(limits, "a", 1)
					answers = append(answers, answer{d, time.Now()})
				}
			}
			back := func() {
				redis.begin(server)
				modelstest.Eventually(t, func() bool { return !limits.Degraded() })
			}
			useAt(0)
			redis.end(server)
			useAt(2 * time.Second)
			time.Sleep(time.Until(began.Add(3400 * time.Millisecond)))
			back()
			useAt(3400 * time.Millisecond)
			redis.end(server)
			useAt(7200 * time.Millisecond) // the first window has ended, the second has not
			back()
			useAt(7200 * time.Millisecond)
			for i, told := range answers {
				end, passed := time.Unix(told.Reset-1, 0), 0 // Reset is rounded up
				for _, later := range answers[i:] {
					if later.Allowed && later.at.Before(end) {
						passed++
					}
				}
				require.LessOrEqual(t, passed, 20, "until %s", end)
				if name == "kept" && told.at.Before(time.Unix(answers[0].Reset-1, 0)) {
					require.InDelta(t, answers[0].Reset, told.Reset, 1)
				}
			}
		})
	}
}

// Memory takes its count into a window that Redis began in the midst of memory's, and forgets it
// in the next one, unless it has let through more than the limit.
func TestMemoryFollowsRedis(t *testing.T) {
	t.Parallel()
	end := time.Now().Add(time.Minute).Unix()
	for name, c := range map[string]struct{ before, later, left, moved int64 }{
		"the same":                      {5, 0, 14, 0},
		"the same, a second later":      {5, 1, 14, 0},
		"begun in its midst":            {5, 30, 14, 30},
		"begun in its midst, with more": {12, 30, 7, 30},
		"the next":                      {5, 60, 19, 60},
		"the next, after more":          {12, 60, 7, 0},
		"refused":                       {20, 30, 0, 0},
	} {
		store := &redisStore{Store: memory.NewStore()}
		rate := limiter.Rate{Limit: 10, Period: time.Minute}
		store.follow(ctx, "a", c.before, rate, limiter.Context{Reset: end})
		own := store.follow(ctx, "a", 1, rate, limiter.Context{Reset: end + c.later})
		require.Equal(t, []int64{c.left, end + c.moved}, []int64{own.Remaining, own.Reset}, name)
	}
}

// The connections that requests need are open before the first request: a Redis that accepts
// no more of them changes nothing. Neither is a cancelled request taken for an outage; it is
// counted. If Redis then goes away before a refused request is given back, memory gains none.
func TestWhatIsNoOutage(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	limits := openLimits(t, Config{Minute: 50, RedisURL: server.url()})
	server.set("maxclients", "1")
	require.EqualValues(t, 50, takeConcurrently("key", limits))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.True(t, limits.Take(cancelled, "a").Allowed)
	require.Equal(t, []int64{1, 1}, used(t, limits, "a"))

	// Redis goes away before a refused request is given back.
	require.EqualValues(t, 0, take(limits, "a", 49).Remaining)
	refused, err := limits.minute.Get(ctx, "a")
	require.NoError(t, err)
	require.True(t, refused.Reached)
	server.kill()
	giveBack(ctx, limits.minute, "a", refused, 1)
	require.True(t, limits.Degraded())
	require.False(t, take(limits, "a", 1).Allowed)
}

// A Redis that keeps its connections but does not answer delays the requests that
// are waiting for it, for a moment, and none after them.
func TestSilentRedisDelaysOnlyRequestsUnderWay(t *testing.T) {
	t.Parallel()
	server, log := startRedis(t), &modelstest.Log{}
	limits := openLimits(t,
		Config{Minute: 1e6, Hour: 1e6, RedisURL: server.url(), Patience: redisPatience, Log: logTo(log)})
	take(limits, "a", 1)

	require.NoError(t, server.process.Process.Signal(syscall.SIGSTOP))
	require.True(t, take(limits, "a", 1).Allowed)
	require.True(t, limits.Degraded())
	const requests = 20_000
	start := time.Now()
	require.True(t, take(limits, "a", requests).Allowed)
	require.Less(t, time.Since(start), requests*redisPatience/10, "each request waits for Redis")
	require.Equal(t, 1, count(log, away), log.String())
	require.True(t, openLimits(t, Config{RedisURL: server.url(), Patience: redisPatience}).Degraded(),
		"the start waits for Redis")

	require.NoError(t, server.process.Process.Signal(syscall.SIGCONT))
	modelstest.Eventually(t, func() bool { return !limits.Degraded() })
}

// A Redis that answers but cannot write counts as away until it can, and that is logged
// once, however often it is tried.
func TestRedisThatCannotWriteIsAway(t *testing.T) {
	t.Parallel()
	server, log := startRedis(t, "--min-replicas-to-write", "1"), &modelstest.Log{}
	limits := openLimits(t, Config{RedisURL: server.url(), Log: logTo(log), redisRetry: 10 * time.Millisecond})
	require.Contains(t, log.String(), "NOREPLICAS")
	commands := func() (n int) {
		_, err := fmt.Sscanf(strings.Split(server.client().Info(ctx, "stats").Val(), "total_commands_processed:")[1],
			"%d", &n)
		require.NoError(t, err)
		return n
	}
	tried := commands()
	modelstest.Eventually(t, func() bool { return commands() > tried+100 })
	require.True(t, limits.Degraded())
	require.Equal(t, []int{1, 0}, []int{count(log, away), count(log, again)})
	server.set("min-replicas-to-write", "0")
	modelstest.Eventually(t, func() bool { return !limits.Degraded() })
}

// A setting that is out of range or malformed is an error that names it. It quotes nothing of
// a Redis URL, because the password may be anywhere in it.
func TestInvalidSettings(t *testing.T) {
	t.Parallel()
	for setting, change := range map[string]func(*Config){
		"DISPO_LIMIT_MINUTE":   func(c *Config) { c.Minute = 0 },
		"DISPO_LIMIT_HOUR":     func(c *Config) { c.Hour = -1 },
		"DISPO_LIMIT_FAILURES": func(c *Config) { c.Failures = maxLimit + 1 },
	} {
		config := Config{Minute: 1, Hour: 1, Failures: 1}
		change(&config)
		_, err := New(config)
		require.ErrorContains(t, err, setting+" must be from 1 to 1000000000, not ")
	}
	for _, url := range []string{"redis://:se%cret@host", "redis://host:secret/0", "secret@host:6379", "localhost:6379",
		"http://:secret@host", "redis://host/secret", "redis://host?unknown=secret", "unix://:secret@"} {
		_, err := New(Config{Minute: 1, Hour: 1, Failures: 1, RedisURL: url})
		require.ErrorContains(t, err, "REDIS_URL", url)
		require.NotRegexp(t, "cret|%", err.Error())
	}
}

// A Redis with a password works, and one that refuses the password counts as away. The
// password is not logged, even where the server quotes it in its error.
func TestRedisPassword(t *testing.T) {
	t.Parallel()
	server := startRedis(t, "--requirepass", "open sesame")
	require.False(t, openLimits(t, Config{RedisURL: "unix://:open%20sesame@" + server.socket()}).Degraded())
	quoting := startRedis(t, "--rename-command", "HELLO", "", "--rename-command", "AUTH", "")
	for socket, reason := range map[string]string{server.socket(): "WRONGPASS", quoting.socket(): "args beginning with: '"} {
		log := &modelstest.Log{}
		require.True(t, openLimits(t, Config{RedisURL: "unix://:sesame@" + socket, Log: logTo(log)}).Degraded())
		require.Contains(t, log.String(), reason, "the server's error is logged")
		require.NotContains(t, log.String(), "sesame")
	}
}
