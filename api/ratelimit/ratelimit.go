// Package ratelimit counts requests and failed authentications, and tells who
// has had their share.
//
// [Limits.Requests] holds two windows over each organization or key, a minute
// and an hour. [Limits.Failures] holds one over each address, a minute. A
// window is a fixed one: it starts with the first thing counted in it and ends
// its length later, whatever came in between.
//
// Counts are kept with github.com/ulule/limiter: in this process's memory, or,
// where a Redis URL is given, in Redis, shared by all instances. While Redis is
// away each instance limits by its own memory, which has followed the figures
// that Redis gave it, so somebody who has used up a window finds it used up
// still. When Redis answers again its figures count again; what was taken from
// memory in between is not added to them.
//
// The package knows nothing of HTTP but the text of the header values.
package ratelimit

import (
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Config says how much is let through, and where it is counted.
type Config struct {
	// Minute and Hour are the requests that one organization or key may make in
	// a minute and in an hour, Failures the failed authentications that one
	// address may make in a minute. Each is from 1 to 1,000,000,000.
	Minute, Hour, Failures int64
	// RedisURL is redis://[user:password@]host[:port][/database], the same with
	// rediss:// for TLS, or unix://[user:password@]/path/to/socket. Empty means
	// that limits are counted in this process's memory alone. Timeouts and
	// retries given in the URL are not used.
	RedisURL string
	// Log is told when Redis goes away and when it comes back. nil is
	// [slog.Default].
	Log *slog.Logger

	// What a test may shorten; zero is what the service uses.
	minuteLength, hourLength time.Duration
	retryEvery, cleanEvery   time.Duration
}

// mostAllowed keeps every figure well inside the 15 digits of an integer in an
// HTTP structured field (RFC 9651, section 3.3.1).
const mostAllowed = 1_000_000_000

// Limits is the limits of one instance of the service. Its methods, and those
// of its two parts, may be called from any number of goroutines.
type Limits struct {
	// Requests counts authenticated requests.
	Requests *Limiter
	// Failures counts failed authentications.
	Failures *Failures

	shared  *sharedStore // nil where limits are in memory by choice
	locks   *keyLocks
	closing chan struct{}
	cleaned sync.WaitGroup
	close   sync.Once
}

// New makes limits that count until [Limits.Close]. It fails where a figure is
// out of range or the Redis URL is none, naming the setting at fault; never
// because Redis does not answer, which only makes it [Limits.Degraded].
func New(config Config) (*Limits, error) {
	for _, figure := range []struct {
		setting string
		value   int64
	}{
		{"DISPO_LIMIT_MINUTE", config.Minute},
		{"DISPO_LIMIT_HOUR", config.Hour},
		{"DISPO_LIMIT_FAILURES", config.Failures},
	} {
		if figure.value < 1 || figure.value > mostAllowed {
			return nil, fmt.Errorf("%s must be from 1 to %d, not %d", figure.setting, mostAllowed, figure.value)
		}
	}
	if config.Log == nil {
		config.Log = slog.Default()
	}
	minuteLength := orDefault(config.minuteLength, time.Minute)
	hourLength := orDefault(config.hourLength, time.Hour)

	var shared *sharedStore
	if config.RedisURL != "" {
		var err error
		shared, err = openShared(config.RedisURL, config.Log, orDefault(config.retryEvery, time.Second))
		if err != nil {
			return nil, err
		}
	}

	locks := newKeyLocks()
	limits := &Limits{
		Requests: newLimiter(
			newMemoryWindow("minute", config.Minute, minuteLength),
			newMemoryWindow("hour", config.Hour, hourLength),
			locks, shared,
		),
		Failures: &Failures{
			window: newMemoryWindow("failures", config.Failures, minuteLength),
			locks:  locks,
			shared: shared,
		},
		shared:  shared,
		locks:   locks,
		closing: make(chan struct{}),
	}
	limits.cleaned.Go(func() { limits.cleanEvery(orDefault(config.cleanEvery, 30*time.Second)) })
	return limits, nil
}

// Degraded tells whether this instance limits by its own memory because Redis
// does not answer. It is false where no Redis was asked for.
func (l *Limits) Degraded() bool {
	return l.shared != nil && l.shared.connected() == nil
}

// Close ends the connections to Redis and everything that runs beside the
// requests, and returns when it has ended. A second call does nothing.
func (l *Limits) Close() {
	l.close.Do(func() {
		close(l.closing)
		if l.shared != nil {
			l.shared.close()
		}
		l.cleaned.Wait()
	})
}

// cleanEvery forgets the windows that are over, so that memory holds no more
// than what was counted within one window's length and one interval.
func (l *Limits) cleanEvery(interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-l.closing:
			return
		case <-ticker.C:
			l.Requests.minute.clean(l.locks)
			l.Requests.hour.clean(l.locks)
			l.Failures.window.clean(l.locks)
		}
	}
}

func orDefault(length, otherwise time.Duration) time.Duration {
	if length == 0 {
		return otherwise
	}
	return length
}
