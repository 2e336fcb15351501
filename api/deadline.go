package api

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// requestDeadline bounds the work for one request: while the database is away,
// the caller is told so within 5 seconds. It may be longer by deadlineStep.
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
	until time.Time // who comes later gets another one
}

func (d *deadlines) of(c *fiber.Ctx) context.Context {
	came := c.Context().Time()
	if shared := d.current.Load(); shared != nil && came.Before(shared.until) {
		return shared
	}
	shared := &sharedDeadline{until: came.Add(deadlineStep)}
	var cancel context.CancelFunc
	shared.Context, cancel = context.WithDeadline(context.Background(), shared.until.Add(requestDeadline))
	context.AfterFunc(shared.Context, cancel)
	d.current.Store(shared)
	return shared
}
