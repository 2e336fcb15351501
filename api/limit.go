package api

import (
	"context"

	"github.com/gofiber/fiber/v2"
)

// limit counts the request, and refuses it if the caller's organization, or key, has
// used up a limit. Every answer from here on carries the limits' headers.
func (h *handler) limit(c *fiber.Ctx) error {
	counted := caller(c).OrganizationID
	if h.LimitByKey {
		counted = caller(c).KeyID
	}
	decision := h.Limits.Take(context.Background(), counted.String())
	decision.SetHeaders(c.Set)
	if !decision.Allowed {
		return &failure{status: fiber.StatusTooManyRequests, code: codeRateLimit, retryAfter: decision.RetryAfter,
			message: "Too many requests: wait for the number of seconds in retryAfter."}
	}
	return c.Next()
}
