package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"dispo/api/ratelimit"
	"dispo/api/server"
	"dispo/models"
)

// request is what the steps of a request tell each other.
type request struct {
	*server.Exchange
	caller   models.Caller      // whose key it has; zero if the key belongs to nobody
	decision ratelimit.Decision // of the limits
	example  bool               // the caller asked for the error that it gets
	rows     int64              // of the data that is sent
}

func (r *request) setCaller(caller models.Caller) {
	r.caller, r.Organization, r.Key = caller, caller.OrganizationID, caller.KeyID
}

type requestKey struct{}

// requestOf returns the request that observe began.
func requestOf(c *fiber.Ctx) *request { return c.Locals(requestKey{}).(*request) }

// withDeadline returns the context for a request's work in the database.
func (h *handler) withDeadline(r *request) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.Background(), r.Began.Add(h.Timeout))
}
