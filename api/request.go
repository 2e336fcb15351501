package api

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/utils"
	"github.com/google/uuid"

	"dispo/api/ratelimit"
	"dispo/api/server"
	"dispo/models"
	"dispo/models/keys"
)

// request is what the steps of a request tell each other.
type request struct {
	*server.Exchange
	caller   keys.Caller        // whose key it has; zero if the key belongs to nobody
	decision ratelimit.Decision // of the limits
	example  bool               // the caller asked for the error that it gets
	rows     int64              // of the data that is sent
	bulk     bool               // all of it at once, not a page
	link     string             // that a call of a tool has read; empty for other requests
	failed   error              // why a call of a tool must be refused
}

func (r *request) setCaller(caller keys.Caller) {
	r.caller, r.Organization, r.Key = caller, caller.OrganizationID, caller.KeyID
}

type requestKey struct{}

// requestOf returns the request that observe began.
func requestOf(c *fiber.Ctx) *request { return c.Locals(requestKey{}).(*request) }

// observe wraps every request: it sets the request id, answers errors and panics,
// records the use of the key, and logs.
func (h *handler) observe(c *fiber.Ctx) error {
	r := &request{Exchange: h.begin(c)}
	c.Locals(requestKey{}, r)

	reason := ""
	if err := models.Recovered(c.Next); err != nil {
		reason = keys.Reason(err)
		failure := asFailure(err)
		if failure.status >= 500 && !r.example {
			h.Log.Error("request failed", append(r.attributes(c), "error", err, "status", failure.status)...)
		}
		if err := failure.respond(c, h.DocsURL); err != nil {
			return err
		}
	}
	status := c.Response().StatusCode()
	if r.Key != uuid.Nil {
		path, query, read := strings.Cut(r.link, "?")
		if !read {
			path, query = c.Path(), utils.UnsafeString(c.Request().URI().QueryString())
		}
		h.Usage.Record(r.caller, keys.Request{
			Status:    status,
			Reason:    reason,
			Method:    c.Method(),
			Path:      path,
			Query:     query,
			Prefers:   len(c.Request().Header.PeekAll(headerPrefer)) > 0,
			Address:   r.Address.String(),
			UserAgent: c.Get(fiber.HeaderUserAgent),
			Rows:      r.rows,
			Bulk:      r.bulk,
		})
	}
	r.NotMeasured = r.NotMeasured || r.example // an example must not set off an alarm
	r.End(c)
	if h.Log.Enabled(context.Background(), slog.LevelDebug) {
		h.Log.Debug("request", append(r.attributes(c), "status", status, "duration", time.Since(r.Began))...)
	}
	return nil
}

// attributes returns what the log says of a request.
func (r *request) attributes(c *fiber.Ctx) []any {
	return append(r.Exchange.Attributes(), "method", c.Method(), "path", c.Path())
}

// begin begins a request's exchange, and sets the headers of every response.
func (h *handler) begin(c *fiber.Ctx) *server.Exchange {
	c.Response().Header.DisableNormalizing() // X-RateLimit-Limit, as the contract spells it
	// If a browser shows a response, it runs and loads nothing.
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	return h.Observer.Begin(c)
}

// withDeadline returns the context for a request's work in the database.
func (h *handler) withDeadline(r *request) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.Background(), r.Began.Add(h.Timeout))
}
