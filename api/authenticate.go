package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
)

type callerKey struct{}

// authenticate finds out who calls, by the key in X-API-Key.
func (h *handler) authenticate(c *fiber.Ctx) (err error) {
	text := c.Get("X-API-Key")
	caller, remembered := h.Store.Keys().Remembered(text)
	if !remembered {
		caller, err = h.verify(c, text)
	}
	if caller.KeyID != uuid.Nil {
		c.Locals(callerKey{}, caller) // also where the key is revoked or has expired: its use is noted
	}
	if err != nil {
		return err
	}
	// The answer is this caller's alone, whatever stands between.
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	c.Set(fiber.HeaderVary, "X-API-Key")
	return c.Next()
}

// verify finds out whose key it is, where that is not remembered. Failures are
// counted by address; from an address that had too many, only a key that this
// instance has verified before is looked at, so that one bad client behind a shared
// address locks nobody out.
func (h *handler) verify(c *fiber.Ctx, text string) (caller models.Caller, err error) {
	ctx, address := h.deadlines.of(c), h.TrustedProxies.ClientAddress(c)
	key, err := models.ParseKey(text)
	if err != nil || !h.Store.Keys().Known(key) {
		if retryAfter, blocked := h.Limits.Blocked(ctx, address); blocked {
			return caller, &failure{status: fiber.StatusTooManyRequests, code: codeRateLimit, retryAfter: retryAfter,
				message: "Too many requests with a bad API key came from this address: wait, and see that the key is right."}
		}
	}
	if err == nil {
		caller, err = h.Store.Keys().Verify(ctx, key)
	}
	if models.ErrorKind(err) == models.KindUnauthorized {
		h.Limits.AddFailure(ctx, address)
	}
	return caller, err
}

// caller is whom authenticate found.
func caller(c *fiber.Ctx) models.Caller { return c.Locals(callerKey{}).(models.Caller) }
