package api

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/utils"
	"github.com/google/uuid"

	"dispo/api/ratelimit"
	"dispo/models"
	"dispo/models/keys"
)

const (
	headerKey        = "X-API-Key"
	headerKeyExpires = "X-API-Key-Expires"
	headerKeyNotice  = "X-API-Key-Notice"
)

// authenticate identifies the caller by the key in X-API-Key.
func (h *handler) authenticate(c *fiber.Ctx) (err error) {
	sent := c.Request().Header.PeekAll(headerKey)
	if len(sent) > 1 {
		return models.NewError(models.KindInvalid, "The X-API-Key header may appear only once: send one key.")
	}
	text := ""
	if len(sent) == 1 {
		text = utils.UnsafeString(sent[0])
	}
	caller, remembered := h.Keys.Remembered(text, requestOf(c).Address)
	if !remembered {
		caller, err = h.verify(c, text)
	}
	requestOf(c).setCaller(caller) // also of a key that is known and refused: its request is recorded
	if err != nil {
		if !caller.ExpiresAt.IsZero() {
			c.Set(headerKeyExpires, instant(caller.ExpiresAt))
		}
		h.logRefusal(c, text, caller, err)
		return err
	}
	setKeyHeaders(c, caller)
	// Shared caches must not give this response to other callers.
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	c.Set(fiber.HeaderVary, "X-API-Key, Accept-Encoding")
	return c.Next()
}

// verify checks a key that is not remembered. Failures are counted by address. After
// too many, an address gets 429 for them, and bcrypt no longer runs for it. A key that
// matches its fingerprint is still accepted there, so that one bad client behind a
// shared address locks nobody out.
func (h *handler) verify(c *fiber.Ctx, text string) (caller keys.Caller, err error) {
	ctx, cancel := h.withDeadline(requestOf(c))
	defer cancel()
	address := requestOf(c).Address
	key, err := keys.Parse(text)
	if err == nil {
		caller, err = h.Keys.Recognize(ctx, key, address)
	}
	unproven := errors.Is(err, keys.ErrUnproven)
	if unproven || countsAsFailure(err) {
		if retryAfter, blocked := h.Limits.Blocked(ctx, address); blocked {
			return keys.Caller{}, &failure{status: fiber.StatusTooManyRequests, Code: codeRateLimit, RetryAfter: retryAfter,
				Message: "Too many requests with a bad API key came from this address: wait, and check that the key is right."}
		}
	}
	if unproven {
		caller, err = h.Keys.Verify(ctx, key, address)
	}
	if countsAsFailure(err) {
		h.Limits.AddFailure(ctx, address)
	}
	if models.ErrorKind(err) == models.KindUnauthorized {
		h.Keys.CountRefused()
	}
	return caller, err
}

// countsAsFailure reports whether an attempt is counted by address. A good key from the wrong place is not.
func countsAsFailure(err error) bool {
	return models.ErrorKind(err) == models.KindUnauthorized && !keys.Elsewhere(err)
}

// stillAccepted checks the key again, because it may have been revoked or paused, or its
// organization suspended, while the request waited. That is no failure of the caller's,
// so it is not counted by address.
func (h *handler) stillAccepted(c *fiber.Ctx) error {
	ctx, cancel := h.withDeadline(requestOf(c))
	defer cancel()
	caller, err := h.checkAgain(ctx, c.Get(headerKey), requestOf(c).Address)
	if models.ErrorKind(err) == models.KindUnauthorized {
		dropCallerHeaders(c)
	}
	if err == nil {
		setKeyHeaders(c, caller)
	}
	return err
}

// checkAgain checks a key that was accepted before.
func (h *handler) checkAgain(ctx context.Context, text string, from netip.Addr) (keys.Caller, error) {
	if caller, remembered := h.Keys.Remembered(text, from); remembered {
		return caller, nil
	}
	key, err := keys.Parse(text)
	if err != nil {
		return keys.Caller{}, err
	}
	return h.Keys.Verify(ctx, key, from)
}

// logRefusal logs that a key was refused, or not looked at because too many from its
// address were refused. It logs nothing for a request without a key.
func (h *handler) logRefusal(c *fiber.Ctx, text string, caller keys.Caller, err error) {
	status := asFailure(err).status
	if text == "" || status >= 500 {
		return
	}
	attributes := append(requestOf(c).Exchange.Attributes(), "status", status, "error", err)
	if caller.KeyID != uuid.Nil {
		attributes = append(attributes, "key", caller.KeyID)
	}
	models.LogEvent(h.Log, models.EventKeyRefused, requestOf(c).Address.String(), attributes...)
}

// setKeyHeaders tells the caller when its key expires, and whether it was replaced.
func setKeyHeaders(c *fiber.Ctx, caller keys.Caller) {
	if !caller.ExpiresAt.IsZero() {
		c.Set(headerKeyExpires, instant(caller.ExpiresAt))
	}
	var notices []string
	if caller.Replaced {
		notices = append(notices, "replaced")
	}
	if caller.ExpiresSoon(time.Now()) {
		notices = append(notices, "expires-soon")
	}
	setIfAny(c, headerKeyNotice, strings.Join(notices, ", "))
}

// dropCallerHeaders removes the headers that only a response to an accepted key has.
func dropCallerHeaders(c *fiber.Ctx) {
	drop := func(name, _ string) { c.Response().Header.Del(name) }
	ratelimit.Decision{}.SetHeaders(drop)
	drop(headerKeyNotice, "")
}

// limit counts the request, and refuses it if the caller's organization, or key, has
// used up a limit. Every response from here on carries the limits' headers.
func (h *handler) limit(c *fiber.Ctx) error {
	r := requestOf(c)
	r.decision = h.limits(r).Take(context.Background(), h.counted(r))
	r.decision.SetHeaders(c.Set)
	if !r.decision.Allowed {
		return errTooMany(r.decision)
	}
	return c.Next()
}

// limits returns the limits that hold for a request.
func (h *handler) limits(r *request) *ratelimit.Limits {
	return h.Limits.With(r.caller.LimitMinute, r.caller.LimitHour)
}

// counted returns the id that a request is counted under: its key's or its organization's.
func (h *handler) counted(r *request) string {
	if h.LimitByKey {
		return r.caller.KeyID.String()
	}
	return r.caller.OrganizationID.String()
}

func errTooMany(decision ratelimit.Decision) error {
	return &failure{status: fiber.StatusTooManyRequests, Code: codeRateLimit, RetryAfter: decision.RetryAfter,
		Message: "Too many requests: wait for the number of seconds in retryAfter."}
}
