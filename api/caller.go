package api

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/utils"
	"github.com/google/uuid"

	"dispo/api/ratelimit"
	"dispo/models"
	"dispo/models/keys"
)

type callerKey struct{}

// authenticate identifies the caller by the key in X-API-Key.
func (h *handler) authenticate(c *fiber.Ctx) (err error) {
	keys := c.Request().Header.PeekAll("X-API-Key")
	if len(keys) > 1 {
		return models.NewError(models.KindInvalid, "The X-API-Key header may appear only once: send one key.")
	}
	text := ""
	if len(keys) == 1 {
		text = utils.UnsafeString(keys[0])
	}
	caller, remembered := h.Keys.Remembered(text)
	if !remembered {
		caller, err = h.verify(c, text)
	}
	if caller.KeyID != uuid.Nil {
		c.Locals(callerKey{}, caller) // also for a revoked, expired or paused key: its request is recorded
	}
	if err != nil {
		if !caller.ExpiresAt.IsZero() {
			c.Set(headerKeyExpires, instant(caller.ExpiresAt))
		}
		h.noteRefusal(c, text, caller, err)
		return err
	}
	setKeyHeaders(c, caller)
	// Shared caches must not give this answer to other callers.
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	c.Set(fiber.HeaderVary, "X-API-Key, Accept-Encoding")
	return c.Next()
}

const (
	headerKeyExpires = "X-API-Key-Expires"
	headerKeyNotice  = "X-API-Key-Notice"
)

// setKeyHeaders tells the caller of the key.
func setKeyHeaders(c *fiber.Ctx, caller models.Caller) {
	if !caller.ExpiresAt.IsZero() {
		c.Set(headerKeyExpires, instant(caller.ExpiresAt))
	}
	if notice := keyNotice(caller); notice != "" {
		c.Set(headerKeyNotice, notice)
	}
}

// forgetCaller removes the headers that only an answer to an accepted key has.
func forgetCaller(c *fiber.Ctx) {
	forget := func(name, _ string) { c.Response().Header.Del(name) }
	ratelimit.Decision{}.SetHeaders(forget)
	forget(headerKeyNotice, "")
}

// keyNotice says what the caller should know of its key, empty for nothing.
func keyNotice(caller models.Caller) string {
	soon := caller.ExpiresSoon(time.Now())
	switch {
	case caller.Replaced && soon:
		return "replaced, expires-soon"
	case caller.Replaced:
		return "replaced"
	case soon:
		return "expires-soon"
	}
	return ""
}

// verify checks a key that is not remembered. Failures are counted by address. After
// too many, an address gets 429 for them, and bcrypt no longer runs for it. A key that
// matches its fingerprint is still accepted there, so that one bad client behind a
// shared address locks nobody out.
func (h *handler) verify(c *fiber.Ctx, text string) (caller models.Caller, err error) {
	ctx, cancel := requestContext(c)
	defer cancel()
	address := h.TrustedProxies.ClientAddress(c)
	network := ratelimit.Network(address)
	key, err := models.ParseKey(text)
	if err == nil {
		caller, err = h.Keys.Recognize(ctx, key, network)
	}
	unproven := errors.Is(err, keys.ErrUnproven)
	if unproven || models.ErrorKind(err) == models.KindUnauthorized {
		if retryAfter, blocked := h.Limits.Blocked(ctx, address); blocked {
			return models.Caller{}, &failure{status: fiber.StatusTooManyRequests, code: codeRateLimit, retryAfter: retryAfter,
				message: "Too many requests with a bad API key came from this address: wait, and check that the key is right."}
		}
	}
	if unproven {
		caller, err = h.Keys.Verify(ctx, key, network)
	}
	if models.ErrorKind(err) == models.KindUnauthorized {
		h.Limits.AddFailure(ctx, address)
	}
	return caller, err
}

// noteRefusal logs that a key was refused, or not looked at because too many from its
// address were refused. A request without a key is no such event.
func (h *handler) noteRefusal(c *fiber.Ctx, text string, caller models.Caller, err error) {
	status := asFailure(err).status
	if text == "" || status >= 500 {
		return
	}
	attributes := []any{"status", status, "error", err, "request_id", responseID(c)}
	if caller.KeyID != uuid.Nil {
		attributes = append(attributes, "organization", caller.OrganizationID, "key", caller.KeyID)
	}
	models.LogEvent(h.Log, models.EventKeyRefused, h.TrustedProxies.ClientAddress(c).String(), attributes...)
}

// caller returns the caller that authenticate identified.
func caller(c *fiber.Ctx) models.Caller { return c.Locals(callerKey{}).(models.Caller) }

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
		return errTooMany(decision)
	}
	if caller(c).Sandbox {
		return example(c, decision)
	}
	return c.Next()
}

func errTooMany(decision ratelimit.Decision) error {
	return &failure{status: fiber.StatusTooManyRequests, code: codeRateLimit, retryAfter: decision.RetryAfter,
		message: "Too many requests: wait for the number of seconds in retryAfter."}
}
