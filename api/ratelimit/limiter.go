package ratelimit

import (
	"context"
	"strconv"
	"time"
)

// Limiter limits the requests made under a key, an organization's or an API
// key's id, in two windows at once.
type Limiter struct {
	minute, hour *memoryWindow
	locks        *keyLocks
	shared       *sharedStore // nil where limits are in memory by choice
	policy       string
}

// taking is what came of taking one request from both windows.
type taking struct {
	minute, hour usage
	allowed      bool
}

func newLimiter(minute, hour *memoryWindow, locks *keyLocks, shared *sharedStore) *Limiter {
	var policy []byte
	for i, w := range []*memoryWindow{minute, hour} {
		if i > 0 {
			policy = append(policy, ", "...)
		}
		policy = appendName(policy, w.name)
		policy = append(policy, ";q="...)
		policy = strconv.AppendInt(policy, w.limit, 10)
		policy = append(policy, ";w="...)
		policy = strconv.AppendInt(policy, ceilSeconds(int64(w.length)), 10)
	}
	return &Limiter{minute: minute, hour: hour, locks: locks, shared: shared, policy: string(policy)}
}

// Policy is the value of the RateLimit-Policy header, the same for every
// answer: `"minute";q=60;w=60, "hour";q=1000;w=3600`, q the requests allowed
// and w the seconds in which they are (draft-ietf-httpapi-ratelimit-headers-11).
func (l *Limiter) Policy() string { return l.policy }

// Take takes one request of key from both windows, or, where one of them has
// none left, from neither. It always decides, and needs no error: where Redis
// does not answer it decides by memory, after 200 ms at most and only for the
// requests that were under way when Redis went. That ctx is cancelled changes
// nothing. key is not kept.
func (l *Limiter) Take(ctx context.Context, key string) Decision {
	if c := l.shared.connected(); c != nil {
		taken, err := l.takeShared(ctx, c, key)
		if err == nil {
			return l.decide(taken, time.Now().UnixNano())
		}
		l.shared.lost(c, err)
	}
	now := time.Now().UnixNano()
	return l.decide(l.takeOwn(key, now), now)
}

// takeOwn takes from memory. The lock makes it one step, so nothing is ever
// taken that would have to be given back.
func (l *Limiter) takeOwn(key string, now int64) taking {
	lock := l.locks.of(key)
	lock.Lock()
	defer lock.Unlock()

	hour := l.hour.peek(key, now)
	if l.hour.exhausted(hour) {
		return taking{minute: l.minute.peek(key, now), hour: hour}
	}
	minute := l.minute.add(key, now)
	if minute.used > l.minute.limit {
		return taking{minute: minute, hour: hour}
	}
	return taking{minute: minute, hour: l.hour.add(key, now), allowed: true}
}

// takeShared takes from Redis, and lets memory follow.
func (l *Limiter) takeShared(ctx context.Context, c *connection, key string) (taking, error) {
	lock := l.locks.of(key)
	now := time.Now().UnixNano()
	lock.Lock()
	full := l.minute.exhausted(l.minute.peek(key, now)) || l.hour.exhausted(l.hour.peek(key, now))
	lock.Unlock()

	taken, err := c.take(ctx, key, &l.minute.window, &l.hour.window, full)
	if err != nil {
		return taking{}, err
	}
	lock.Lock()
	defer lock.Unlock()
	l.minute.follow(key, taken.minute)
	l.hour.follow(key, taken.hour)
	return taken, nil
}

// decide turns a taking into the figures that the caller is told: those of the
// window with the fewest requests left, or, where both have as few, of the one
// that resets later. now is Unix nanoseconds.
func (l *Limiter) decide(t taking, now int64) Decision {
	w, u := &l.minute.window, t.minute
	left, leftInHour := l.minute.remaining(t.minute), l.hour.remaining(t.hour)
	if leftInHour < left || leftInHour == left && t.hour.reset > t.minute.reset {
		w, u, left = &l.hour.window, t.hour, leftInHour
	}
	decision := Decision{
		Allowed:   t.allowed,
		Limit:     w.limit,
		Remaining: left,
		Reset:     ceilSeconds(u.reset),
		window:    w.name,
		wait:      w.wait(u, now),
	}
	if !t.allowed {
		decision.RetryAfter = decision.wait
	}
	return decision
}

// Use is how much of a window is used up.
type Use struct {
	Used, Limit int64
	// Reset is when the window ends; zero where nothing is counted in it.
	Reset time.Time
}

// Peek tells how much of both windows key has used up, and counts nothing. Where
// limits are shared, it is what this instance has heard last.
func (l *Limiter) Peek(key string) (minute, hour Use) {
	now := time.Now().UnixNano()
	lock := l.locks.of(key)
	lock.Lock()
	defer lock.Unlock()
	return l.minute.use(key, now), l.hour.use(key, now)
}

func (w *memoryWindow) use(key string, now int64) Use {
	stands := w.peek(key, now)
	use := Use{Used: min(stands.used, w.limit), Limit: w.limit}
	if stands.used > 0 {
		use.Reset = time.Unix(0, stands.reset)
	}
	return use
}
