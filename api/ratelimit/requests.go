package ratelimit

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/ulule/limiter/v3"
)

// Decision is the answer to one request. Its figures are those of the window
// with fewer requests left or, if both have as few, of the one that resets later.
type Decision struct {
	// Allowed reports whether the request may proceed. Only then was it counted.
	Allowed bool
	// Limit is how many requests the window allows, Remaining how many are left.
	Limit, Remaining int64
	// Reset is when the window ends, in Unix seconds, rounded up.
	Reset int64
	// RetryAfter is how many seconds to wait to be let in after a refusal, else 0.
	// It may be a second too long, but never too short or longer than the window.
	RetryAfter int64

	window, policy string
	wait           int64 // seconds until the window ends
	requests       int64 // what the request counts as
	minute, hour   limiter.Context
}

// Take takes one request of key, the id of an organization or of an API key,
// from the minute and the hour, or from neither if one of them is used up. If
// Redis does not answer within 200 ms, it decides by memory, and so do later
// requests until Redis is back. Cancelling ctx has no effect. limiter copies key.
//
// Until a refused request is given back, the minute may refuse a concurrent one,
// but only one that a window has no room for anyway.
func (l *Limits) Take(ctx context.Context, key string) Decision {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	return l.take(ctx, key, 0, 1)
}

// TakeAs recounts a request, which Take has counted as one, as several, capped at the
// window. If a window has no room for them, the request is refunded.
func (l *Limits) TakeAs(ctx context.Context, key string, requests int64) Decision {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	// Look first: many that are counted and given back would have others refused meanwhile.
	minute, _ := l.minute.Peek(ctx, key)
	hour, _ := l.hour.Peek(ctx, key)
	if minute.Remaining+1 >= most(l.minute, requests) && hour.Remaining+1 >= most(l.hour, requests) {
		return l.take(ctx, key, 1, requests)
	}
	return l.refuse(requests, giveBack(ctx, l.minute, key, minute, 1), giveBack(ctx, l.hour, key, hour, 1))
}

// GiveBack undoes what a decision that allowed a request has counted for key.
func (l *Limits) GiveBack(ctx context.Context, key string, d Decision) Decision {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	minute := giveBack(ctx, l.minute, key, d.minute, d.requests)
	return l.allow(d.requests, minute, giveBack(ctx, l.hour, key, d.hour, d.requests))
}

// take counts a request, of which so many were counted before, as several. It is refunded if
// a window has no room for them.
func (l *Limits) take(ctx context.Context, key string, before, requests int64) Decision {
	minute, _ := l.minute.Increment(ctx, key, most(l.minute, requests)-before)
	if minute.Reached {
		minute = giveBack(ctx, l.minute, key, minute, requests)
		hour, _ := l.hour.Increment(ctx, key, -before)
		return l.refuse(requests, minute, hour)
	}
	hour, _ := l.hour.Increment(ctx, key, most(l.hour, requests)-before)
	if hour.Reached {
		minute, hour = giveBack(ctx, l.minute, key, minute, requests), giveBack(ctx, l.hour, key, hour, requests)
		return l.refuse(requests, minute, hour)
	}
	return l.allow(requests, minute, hour)
}

// most returns how many of the requests a window counts: all, or as many as it allows.
func most(window *limiter.Limiter, requests int64) int64 { return min(requests, window.Rate.Limit) }

// giveBack undoes a count in window, which returned counted. If that window has
// ended since, the next one would allow too many, so they are counted again.
func giveBack(
	ctx context.Context, window *limiter.Limiter, key string, counted limiter.Context, requests int64,
) limiter.Context {
	state, _ := window.Increment(ctx, key, -most(window, requests))
	if state.Reset > counted.Reset+1 { // Redis may report the same end a second later
		state, _ = window.Increment(ctx, key, most(window, requests))
	}
	return state
}

// allow decides for a request. The figures are those of the window with fewer left, or of the
// one that ends later if both have as few.
func (l *Limits) allow(requests int64, minute, hour limiter.Context) Decision {
	if minute.Remaining < hour.Remaining || minute.Remaining == hour.Remaining && minute.Reset > hour.Reset {
		return l.decision("minute", requests, minute, hour, time.Now())
	}
	return l.decision("hour", requests, minute, hour, time.Now())
}

// refuse decides against a request. The figures are those of the window that has no room for
// it, or of the one that ends later if neither has.
func (l *Limits) refuse(requests int64, minute, hour limiter.Context) Decision {
	fits, name := minute.Remaining >= most(l.minute, requests), "minute"
	if hour.Remaining < most(l.hour, requests) && (fits || hour.Reset >= minute.Reset) {
		name = "hour"
	}
	d := l.decision(name, requests, minute, hour, time.Now())
	d.Allowed, d.RetryAfter = false, d.wait
	l.countReached(name)
	return d
}

// decision returns a decision that allows a request, with the figures of the window with that name.
func (l *Limits) decision(name string, requests int64, minute, hour limiter.Context, now time.Time) Decision {
	window, state := l.minute, minute
	if name == "hour" {
		window, state = l.hour, hour
	}
	return Decision{Allowed: true, Limit: state.Limit, Remaining: state.Remaining, Reset: ceilReset(state),
		window: name, policy: l.policy, wait: wait(state, window, now), requests: requests, minute: minute, hour: hour}
}

// UsedUp returns the refusal that the request would have got if its window were used up.
func (d Decision) UsedUp() Decision {
	d.Allowed, d.Remaining, d.RetryAfter = false, 0, d.wait
	return d
}

// SetHeaders calls set with the name and value of each rate limit header.
// RateLimit and RateLimit-Policy follow draft-ietf-httpapi-ratelimit-headers-11.
func (d Decision) SetHeaders(set func(name, value string)) { d.setHeaders(set, time.Now()) }

func (d Decision) setHeaders(set func(name, value string), now time.Time) {
	remaining := strconv.FormatInt(d.Remaining, 10)
	set("X-RateLimit-Limit", strconv.FormatInt(d.Limit, 10))
	set("X-RateLimit-Remaining", remaining)
	set("X-RateLimit-Reset", strconv.FormatInt(d.Reset, 10))
	set("RateLimit", `"`+d.window+`";r=`+remaining+`;t=`+strconv.FormatInt(max(0, min(d.wait, d.Reset-now.Unix())), 10))
	set("RateLimit-Policy", d.policy)
}

// Use is how much of a window is used up.
type Use struct {
	Used, Limit int64
	ResetsAt    time.Time // when the window ends; zero if nothing is counted in it
}

// Peek returns how much of both windows key has used up. It counts nothing.
func (l *Limits) Peek(ctx context.Context, key string) (minute, hour Use) {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	return use(ctx, l.minute, key), use(ctx, l.hour, key)
}

func use(ctx context.Context, window *limiter.Limiter, key string) Use {
	state, _ := window.Peek(ctx, key)
	use := Use{Used: state.Limit - state.Remaining, Limit: state.Limit}
	if use.Used > 0 {
		use.ResetsAt = time.Unix(ceilReset(state), 0)
	}
	return use
}

// ceilReset rounds up: limiter has rounded Reset down to the second.
func ceilReset(state limiter.Context) int64 { return state.Reset + 1 }

// wait returns the seconds until a window ends, at most the window's length.
func wait(state limiter.Context, window *limiter.Limiter, now time.Time) int64 {
	return max(1, min(ceilReset(state)-now.Unix(), seconds(window)))
}

func seconds(window *limiter.Limiter) int64 { return int64(math.Ceil(window.Rate.Period.Seconds())) }
