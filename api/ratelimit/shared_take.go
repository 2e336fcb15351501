package ratelimit

import (
	"context"
	"time"

	"github.com/ulule/limiter/v3"
)

// take takes one request of key from both windows, or from neither where one
// has none left. Other instances take at the same time and nothing locks them
// out, so it counts first and gives back what turns out to be too much. Nobody
// is let through or refused wrongly by that: a count is above the limit for a
// moment only where the whole limit has been handed out, or where the other
// window is used up and would refuse just as well.
//
// full says that memory has seen one of the windows used up: then Redis is
// asked before anything is counted, so that a client which keeps on asking
// disturbs nobody's figures.
func (c *connection) take(ctx context.Context, key string, minute, hour *window, full bool) (taking, error) {
	ctx, cancel := patient(ctx)
	defer cancel()

	var taken taking
	var err error
	if full {
		if taken.minute, err = c.peek(ctx, minute, key); err != nil {
			return taking{}, err
		}
		if taken.hour, err = c.peek(ctx, hour, key); err != nil {
			return taking{}, err
		}
		if minute.exhausted(taken.minute) || hour.exhausted(taken.hour) {
			return taken, nil
		}
	}

	if taken.minute, err = c.add(ctx, minute, key); err != nil {
		return taking{}, err
	}
	if taken.minute.used > minute.limit {
		if err = c.giveBack(ctx, minute, key, taken.minute); err != nil {
			return taking{}, err
		}
		taken.hour, err = c.peek(ctx, hour, key)
		return taken, err
	}

	if taken.hour, err = c.add(ctx, hour, key); err != nil {
		return taking{}, err
	}
	if taken.hour.used > hour.limit {
		if err = c.giveBack(ctx, hour, key, taken.hour); err != nil {
			return taking{}, err
		}
		err = c.giveBack(ctx, minute, key, taken.minute)
		taken.minute.used--
		return taken, err
	}
	taken.allowed = true
	return taken, nil
}

// peek tells where key stands in w.
func (c *connection) peek(ctx context.Context, w *window, key string) (usage, error) {
	answer, err := c.store.Peek(ctx, sharedKey(w, key), rate(w))
	return usageOf(answer), err
}

// add counts one under key in w.
func (c *connection) add(ctx context.Context, w *window, key string) (usage, error) {
	answer, err := c.store.Get(ctx, sharedKey(w, key), rate(w))
	return usageOf(answer), err
}

// giveBack undoes what was taken. If the window ended since then, the count
// goes to the next one, which it would make larger by one: so it is counted
// again.
func (c *connection) giveBack(ctx context.Context, w *window, key string, taken usage) error {
	answer, err := c.store.Increment(ctx, sharedKey(w, key), -1, rate(w))
	if err != nil {
		return err
	}
	// A window's reset may be told a second apart by two answers, but the next
	// window's is a whole length away.
	if usageOf(answer).reset-taken.reset > int64(w.length)/2 {
		_, err = c.add(ctx, w, key)
	}
	return err
}

// sharedKey is the key in Redis, without the store's prefix.
func sharedKey(w *window, key string) string { return w.name + ":" + key }

// rate is the window as limiter has it. Redis ends a key only after its last
// millisecond has passed, so the window is one shorter there: a client that
// waits for its whole length is let in.
func rate(w *window) limiter.Rate {
	return limiter.Rate{Limit: w.limit, Period: w.length - time.Millisecond}
}

// usageOf reads limiter's answer. It tells the reset floored to the second,
// and of a count above the limit only that it is above.
func usageOf(answer limiter.Context) usage {
	used := answer.Limit - answer.Remaining
	if answer.Reached {
		used = answer.Limit + 1
	}
	return usage{used: used, reset: (answer.Reset + 1) * int64(time.Second)}
}
