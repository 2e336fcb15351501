package api

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
)

const (
	waitMaximum     = 60 // seconds
	waitForDatabase = 250 * time.Millisecond
)

// preferredWait returns how many seconds the caller is ready to wait for a change:
// Prefer: wait=N (RFC 7240 section 4.3) from 1 to 60, else 0.
func preferredWait(c *fiber.Ctx) int {
	value := preference(c, "wait")
	seconds, err := strconv.Atoi(value)
	if err != nil || !digitsOnly(value) || seconds < 1 || seconds > waitMaximum {
		return 0
	}
	return seconds
}

// startKey is the key of the time, in the request's locals, from which its duration
// and its deadline count.
type startKey struct{}

// startOf returns when the work for the request began: when it arrived, or when it
// stopped waiting.
func startOf(c *fiber.Ctx) time.Time {
	if start, ok := c.Locals(startKey{}).(time.Time); ok {
		return start
	}
	return c.Context().Time()
}

// wait holds a request whose answer the caller already has, until the organization's
// data may have changed, the caller's time is up, or the service stops. A key that is
// no longer accepted is refused at once.
func (h *handler) wait(c *fiber.Ctx, asked question, seconds int) error {
	who := caller(c)
	tenant := h.Store.Tenant(who.OrganizationID)
	change := h.Store.Changes(who)
	defer change.Stop()
	until := c.Context().Time().Add(time.Duration(seconds) * time.Second)
	if !who.ExpiresAt.IsZero() && who.ExpiresAt.Before(until) {
		until = who.ExpiresAt
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	var unsure error // why it is not known whether the key is accepted
	for over := false; !over; {
		// What changed before change was asked for does not wake it, so look first.
		current, err := h.current(c, tenant, asked)
		if err == nil && unsure == nil && !current {
			break
		}
		var again <-chan time.Time
		if err != nil || unsure != nil { // the database may be back before the time is up
			again = time.After(waitForDatabase)
		}
		select {
		case <-again:
		case <-change.C:
		case <-timer.C:
			over = true
		case <-h.Stopping:
			over = true
		}
		c.Locals(startKey{}, time.Now())
		if unsure = h.stillAccepted(c); unsure != nil && models.ErrorKind(unsure) != models.KindUnavailable {
			return unsure
		}
	}
	if unsure != nil {
		return unsure
	}
	c.Set(headerPreferenced, "wait="+strconv.Itoa(seconds))
	return nil
}

// current reports whether the caller has the present answer.
func (h *handler) current(c *fiber.Ctx, tenant models.Tenant, asked question) (bool, error) {
	ctx, cancel := requestContext(c)
	defer cancel()
	version, err := tenant.DataVersion(ctx)
	if err != nil {
		return false, err
	}
	tag := asked.entityTag(version)
	return tag.isIn(c), nil
}

// stillAccepted checks the key again, because it may have been revoked, paused or
// expired while its request waited.
func (h *handler) stillAccepted(c *fiber.Ctx) error {
	text := c.Get("X-API-Key")
	who, remembered := h.Keys.Remembered(text)
	var err error
	if !remembered {
		who, err = h.verify(c, text)
	}
	if models.ErrorKind(err) == models.KindUnauthorized { // as if it had come now
		forgetCaller(c)
	}
	if err == nil {
		setKeyHeaders(c, who)
	}
	return err
}
