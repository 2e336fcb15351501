package api

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/keys"
)

const headerRequestID = "X-Request-Id"

// observe wraps every request: it sets the request id, answers errors and panics,
// records the use of the key, and logs.
func (h *handler) observe(c *fiber.Ctx) error {
	setCommonHeaders(c)

	err := c.Next()
	if stack, ok := c.Locals(stackKey{}).([]byte); ok {
		err = fmt.Errorf("panic: %w\n%s", err, stack)
	}
	if err != nil {
		answer := asFailure(err)
		if answer.status >= 500 && !isExample(c) {
			h.Log.Error("request failed", "error", err, "status", answer.status, "request_id", responseID(c),
				"organization", organizationOf(c), "method", c.Method(), "path", c.Path())
		}
		if err := answer.respond(c, h.DocsURL); err != nil {
			return err
		}
	}
	if caller, ok := c.Locals(callerKey{}).(models.Caller); ok {
		h.Usage.Record(caller, keys.Request{
			Status: c.Response().StatusCode(), Method: c.Method(), Path: c.Path(),
			Address: h.TrustedProxies.ClientAddress(c).String(), UserAgent: c.Get(fiber.HeaderUserAgent),
		})
	}
	if h.Observe != nil && !isExample(c) { // nobody is to be woken by an example
		h.Observe(c.Route().Path, c.Response().StatusCode(), time.Since(startOf(c)))
	}
	if h.Log.Enabled(context.Background(), slog.LevelDebug) {
		h.Log.Debug("request", "status", c.Response().StatusCode(), "request_id", responseID(c),
			"organization", organizationOf(c), "method", c.Method(), "path", c.Path(), "duration", time.Since(startOf(c)))
	}
	return nil
}

// setCommonHeaders sets the headers of every answer.
func setCommonHeaders(c *fiber.Ctx) {
	c.Response().Header.DisableNormalizing() // X-RateLimit-Limit, as the contract spells it
	c.Set(headerRequestID, requestID(c))
	// If a browser shows an answer, it runs and loads nothing.
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
}

// stackKey is the key of a panic's stack in the request's locals.
type stackKey struct{}

// keepStack keeps the stack of a panic for the log.
func keepStack(c *fiber.Ctx, _ any) { c.Locals(stackKey{}, debug.Stack()) }

var (
	bootID        = strconv.FormatUint(rand.Uint64(), 36)
	requestNumber atomic.Uint64
)

// requestID returns the caller's own X-Request-Id if that is short and plain, and not
// a key, so that both sides' logs agree, else a new one.
func requestID(c *fiber.Ctx) string {
	if given := c.Get(headerRequestID); plainID(given) && !models.HasKey(given) {
		return given // observe sets it in the response at once, which copies it
	}
	return bootID + "-" + strconv.FormatUint(requestNumber.Add(1), 36)
}

func plainID(id string) bool {
	for i := range len(id) {
		b := id[i]
		if (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') && b != '-' && b != '_' {
			return false
		}
	}
	return len(id) >= 1 && len(id) <= 64
}

func responseID(c *fiber.Ctx) string { return c.GetRespHeader(headerRequestID) }

func organizationOf(c *fiber.Ctx) string {
	if caller, ok := c.Locals(callerKey{}).(models.Caller); ok {
		return caller.OrganizationID.String()
	}
	return ""
}
