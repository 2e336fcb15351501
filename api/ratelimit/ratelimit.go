// Package ratelimit limits requests and failed authentications with
// github.com/ulule/limiter.
//
// Requests are limited for each organization or API key, by the minute and by
// the hour; failed authentications for each address, by the minute. A window is
// fixed: it starts with the first thing counted in it and ends its length later.
// Each window is a [limiter.Limiter], over limiter's memory store or, if a Redis
// URL is given, over its Redis store, which all instances share.
//
// While Redis is away, each instance limits by its own memory, which counts all that the
// instance lets through. When Redis is back, its figures apply again, without what memory
// counted in between. Twice the limit is the most that an instance lets through in a window,
// however often Redis comes and goes, and whether it keeps its figures or loses them.
package ratelimit

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"

	"dispo/models"
)

// Config holds the limits and says where they are counted.
type Config struct {
	// Minute and Hour limit the requests of one organization or key, Failures the
	// failed authentications from one address in a minute: 1 to 1,000,000,000.
	Minute, Hour, Failures int64
	// RedisURL is redis://[user:password@]host[:port][/database], the same with
	// rediss:// for TLS, or unix://[user:password@]/path/to/socket. If it is
	// empty, limits are counted in memory. Timeouts and retries in it are ignored.
	RedisURL string
	// Patience is how long a request waits for Redis in all; 0 means 200 ms.
	Patience time.Duration
	// Log reports when Redis goes away and when it is back; nil is [slog.Default].
	Log *slog.Logger

	// Tests change these; zero means the service's own value.
	minuteLength, hourLength, cleanEvery, redisRetry time.Duration
}

// maxLimit keeps every figure within the 15 digits of an integer in an HTTP
// structured field (RFC 9651, section 3.3.1).
const maxLimit = 1_000_000_000

// Limits holds the limits of one instance of the service. It is safe for
// concurrent use.
type Limits struct {
	minute, hour, failures *limiter.Limiter // their stores return no errors
	addresses              *limiter.Limiter // of TakeFrom, which says how many
	policy                 string           // policy(minute, hour)
	redis                  *redisConn       // nil if no Redis is configured
	others                 *sync.Map        // what With has made, by its figures
	reached                *[4]atomic.Int64 // how often each of windowNames had no room
}

// New returns limits, which the caller must close. It fails if a limit is out of
// range or the Redis URL is invalid, and its error names the setting. It does
// not fail if Redis does not answer: the limits are then [Limits.Degraded].
func New(config Config) (*Limits, error) {
	for setting, limit := range map[string]int64{"DISPO_LIMIT_MINUTE": config.Minute, "DISPO_LIMIT_HOUR": config.Hour, "DISPO_LIMIT_FAILURES": config.Failures} {
		if limit < 1 || limit > maxLimit {
			return nil, fmt.Errorf("%s must be from 1 to %d, not %d", setting, maxLimit, limit)
		}
	}
	redis, err := openRedis(config)
	if err != nil {
		return nil, err
	}
	// The store's cleaner, which ends when the store is garbage collected, may delete
	// a counter just as its next window starts and lose one count: rare enough.
	options := limiter.StoreOptions{CleanUpInterval: cmp.Or(config.cleanEvery, 30*time.Second)}
	window := func(name string, limit int64, length time.Duration) *limiter.Limiter {
		store := memory.NewStoreWithOptions(options)
		if redis != nil {
			store = &redisStore{Store: store, conn: redis, window: name}
		}
		return limiter.New(store, limiter.Rate{Limit: limit, Period: length})
	}
	minute := window("minute", config.Minute, cmp.Or(config.minuteLength, time.Minute))
	hour := window("hour", config.Hour, cmp.Or(config.hourLength, time.Hour))
	failures := window("failures", config.Failures, minute.Rate.Period)
	return &Limits{
		minute:    minute,
		hour:      hour,
		failures:  failures,
		addresses: window("addresses", maxLimit, minute.Rate.Period),
		policy:    policy(minute, hour),
		redis:     redis,
		others:    &sync.Map{},
		reached:   &[4]atomic.Int64{},
	}, nil
}

var windowNames = [...]string{"minute", "hour", "failures", "addresses"}

// Reached calls f with the name of each window and how often this instance refused
// something because of it.
func (l *Limits) Reached(f func(window string, times float64)) {
	for i, name := range windowNames {
		f(name, float64(l.reached[i].Load()))
	}
}

func (l *Limits) countReached(window string) { l.reached[slices.Index(windowNames[:], window)].Add(1) }

// policy returns the RateLimit-Policy header.
func policy(minute, hour *limiter.Limiter) string {
	return fmt.Sprintf(`"minute";q=%d;w=%d, "hour";q=%d;w=%d`,
		minute.Rate.Limit, seconds(minute), hour.Rate.Limit, seconds(hour))
}

// With returns limits with other figures, over the same counts; 0 leaves a figure as it is.
func (l *Limits) With(minute, hour int64) *Limits {
	if minute == 0 && hour == 0 {
		return l
	}
	if made, ok := l.others.Load([2]int64{minute, hour}); ok {
		return made.(*Limits)
	}
	other, otherMinute, otherHour := *l, *l.minute, *l.hour
	otherMinute.Rate.Limit, otherHour.Rate.Limit = cmp.Or(minute, l.minute.Rate.Limit), cmp.Or(hour, l.hour.Rate.Limit)
	other.minute, other.hour, other.policy = &otherMinute, &otherHour, policy(&otherMinute, &otherHour)
	made, _ := l.others.LoadOrStore([2]int64{minute, hour}, &other)
	return made.(*Limits)
}

// Degraded reports whether this instance limits by its own memory because Redis
// does not answer. It is always false if no Redis is configured.
func (l *Limits) Degraded() bool { return l.redis != nil && l.redis.client.Load() == nil }

// Close ends the connections to Redis. Later requests are limited by memory.
// Calls after the first do nothing.
func (l *Limits) Close() {
	if l.redis != nil {
		l.redis.stop()
		l.redis.renewing.Wait()
	}
}

// Blocked reports whether address has used up its failures and, if so, after how
// many seconds it may try again. It counts nothing: concurrent attempts may all
// pass, and count when they fail.
//
// Addresses of one [models.CallerNetwork] count as one, and so do all invalid addresses.
func (l *Limits) Blocked(ctx context.Context, address netip.Addr) (retryAfter int64, blocked bool) {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	state, _ := l.failures.Peek(ctx, models.CallerNetwork(address))
	if state.Remaining > 0 {
		return 0, false
	}
	l.countReached("failures")
	return wait(state, l.failures, time.Now()), true
}

// AddFailure counts one failed authentication from address.
func (l *Limits) AddFailure(ctx context.Context, address netip.Addr) {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	_, _ = l.failures.Get(ctx, models.CallerNetwork(address))
}

// TakeFrom counts something from an address that is counted for no organization, at most so
// often in a minute. Else it returns after how many seconds there is room for it.
func (l *Limits) TakeFrom(
	ctx context.Context, address netip.Addr, what string, most int64,
) (retryAfter int64, allowed bool) {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	window := *l.addresses
	window.Rate.Limit = most
	state, _ := window.Get(ctx, what+" "+models.CallerNetwork(address))
	if state.Reached {
		l.countReached("addresses")
		return wait(state, &window, time.Now()), false
	}
	return 0, true
}
