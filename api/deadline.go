package api

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// requestDeadline bounds the work for one request, to deadlineStep: while the
// database is away, the caller is told so within 5 seconds.
const (
	requestDeadline = 4 * time.Second
	deadlineStep    = 100 * time.Millisecond
)

// deadlines gives requests a context that ends at their deadline. All that come
// within deadlineStep share one: a timer for each would cost as much as finding out
// whose key it is.
type deadlines struct {
	current atomic.Pointer[sharedDeadline]
}

type sharedDeadline struct {
	context.Context
	from, until time.Time // when those came who share it
}

// of gives the context of a request.
func (d *deadlines) of(c *fiber.Ctx) context.Context { return d.at(c.Context().Time()) }

func (d *deadlines) at(came time.Time) context.Context {
	current := d.current.Load()
	if current != nil && !came.Before(current.from) && came.Before(current.until) {
		return current
	}
	shared := &sharedDeadline{from: came, until: came.Add(deadlineStep)}
	var cancel context.CancelFunc
	shared.Context, cancel = context.WithDeadline(context.Background(), shared.until.Add(requestDeadline))
	context.AfterFunc(shared.Context, cancel) // there is nothing left to cancel: no request ends the others' context
	if current == nil || came.After(current.from) {
		d.current.Store(shared)
	}
	return shared
}
