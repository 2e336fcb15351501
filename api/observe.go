package api

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/utils"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/keys"
)

const headerRequestID = "X-Request-Id"

// observe wraps every request: it sets the request id, answers errors and panics,
// records the use of the key, and logs.
func (h *handler) observe(c *fiber.Ctx) error {
	r := &request{id: setCommonHeaders(c), started: c.Context().Time()}
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
	if r.caller.KeyID != uuid.Nil {
		h.Usage.Record(r.caller, keys.Request{
			Status: status, Reason: reason, Method: c.Method(), Path: c.Path(), Query: utils.UnsafeString(c.Request().URI().QueryString()),
			Prefers: len(c.Request().Header.PeekAll(headerPrefer)) > 0, Address: h.TrustedProxies.ClientAddress(c).String(), UserAgent: c.Get(fiber.HeaderUserAgent), Rows: r.rows,
		})
	}
	if h.Observe != nil && !r.example { // an example must not set off an alarm
		h.Observe(c.Route().Path, status, time.Since(r.started))
	}
	if h.Log.Enabled(context.Background(), slog.LevelDebug) {
		h.Log.Debug("request", append(r.attributes(c), "status", status, "duration", time.Since(r.started))...)
	}
	return nil
}

// attributes returns what the log says of a request.
func (r *request) attributes(c *fiber.Ctx) []any {
	organization := ""
	if r.caller.KeyID != uuid.Nil {
		organization = r.caller.OrganizationID.String()
	}
	return []any{"request_id", r.id, "organization", organization, "method", c.Method(), "path", c.Path()}
}

// setCommonHeaders sets the headers of every response, and returns the request's id.
func setCommonHeaders(c *fiber.Ctx) string {
	c.Response().Header.DisableNormalizing() // X-RateLimit-Limit, as the contract spells it
	id := requestID(c)
	c.Set(headerRequestID, id)
	// If a browser shows a response, it runs and loads nothing.
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	return id
}

var (
	bootID        = strconv.FormatUint(rand.Uint64(), 36)
	requestNumber atomic.Uint64
)

// requestID returns the caller's own X-Request-Id if that is short and plain, and not
// a key, so that both sides' logs agree, else a new one.
func requestID(c *fiber.Ctx) string {
	given := c.Get(headerRequestID)
	if given != "" && len(given) <= 64 && strings.Trim(given, idCharacters) == "" && !models.HasKey(given) {
		return strings.Clone(given)
	}
	return bootID + "-" + strconv.FormatUint(requestNumber.Add(1), 36)
}

const idCharacters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
