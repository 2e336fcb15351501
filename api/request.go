package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
)

// requestDeadline bounds the work for one request. While the database is away,
// callers get their 503 within 5 seconds.
const requestDeadline = 4 * time.Second

// requestContext returns the context of a request that needs the database. It ends
// at the request's deadline.
func requestContext(c *fiber.Ctx) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.Background(), c.Context().Time().Add(requestDeadline))
}
