package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"dispo/api/ratelimit"
)

// limit counts the request, and refuses it where the caller's organization, or
// key, has had its share. Every answer from here on tells how much is left.
func (h *handler) limit(c *fiber.Ctx) error {
	counted := caller(c).OrganizationID
	if h.LimitByKey {
		counted = caller(c).KeyID
	}
	decision := h.Limits.Requests.Take(context.Background(), counted.String())

	var text [64]byte
	header := &c.Response().Header
	header.SetBytesV(ratelimit.HeaderLimit, decision.AppendLimit(text[:0]))
	header.SetBytesV(ratelimit.HeaderRemaining, decision.AppendRemaining(text[:0]))
	header.SetBytesV(ratelimit.HeaderReset, decision.AppendReset(text[:0]))
	header.SetBytesV(ratelimit.HeaderRateLimit, decision.AppendRateLimit(text[:0]))
	header.Set(ratelimit.HeaderPolicy, h.Limits.Requests.Policy())
	if !decision.Allowed {
		return &failure{status: fiber.StatusTooManyRequests, code: codeRateLimit, retryAfter: decision.RetryAfter,
			message: "Too many requests: wait for the seconds in retryAfter."}
	}
	return c.Next()
}
