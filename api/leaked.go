package api

import (
	"context"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/keys"
)

const (
	// LeakedPath takes reports of leaked keys.
	LeakedPath = "/leaked"
	// LeakedMost is how many bytes a report has at most.
	LeakedMost = 100_000

	// leakedAfter is when a report is answered, whatever was found.
	leakedAfter = 500 * time.Millisecond
	// leakedPerMinute is how many reports may come from an address in a minute.
	leakedPerMinute = 30
	// leakedBcrypts is how many keys of a report are compared by bcrypt.
	leakedBcrypts = 20
	// leakedTimeout bounds the work for a report. Its bcrypts may have to wait for others.
	leakedTimeout = 2 * time.Minute
)

var errCoded = &failure{status: fiber.StatusUnsupportedMediaType, Code: "UNSUPPORTED_MEDIA_TYPE",
	Message: "Send the text as it is, without a Content-Encoding."}

// reports are those that are being dealt with, one at a time, so that many of them do not keep
// the first checks of good keys waiting.
type reports struct {
	sync.WaitGroup
	sync.Mutex
}

// serveLeaked adds the route that takes reports of leaked keys. wait returns when all of them
// are dealt with.
func (h *handler) serveLeaked(app *fiber.App) (wait func()) {
	running := &reports{}
	app.Post(LeakedPath, h.observe, func(c *fiber.Ctx) error { return h.leaked(c, running) })
	app.All(LeakedPath, h.observe, func(*fiber.Ctx) error {
		return &failure{status: fiber.StatusMethodNotAllowed, Code: codeMethod, allow: fiber.MethodPost,
			Message: "Send the text by POST."}
	})
	return running.Wait
}

// leaked revokes the keys in a text. The answer comes at the same time, and says the same,
// whether they exist or not.
func (h *handler) leaked(c *fiber.Ctx, running *reports) error {
	r := requestOf(c)
	ctx, cancel := h.withDeadline(r)
	defer cancel()
	if retryAfter, allowed := h.Limits.TakeFrom(ctx, r.Address, "report", leakedPerMinute); !allowed {
		return &failure{status: fiber.StatusTooManyRequests, Code: codeRateLimit, RetryAfter: retryAfter,
			Message: "Too many reports came from this address: wait for the number of seconds in retryAfter."}
	}
	if len(c.Request().Header.ContentEncoding()) > 0 {
		return errCoded
	}
	answer := time.NewTimer(time.Until(r.Began.Add(leakedAfter)))
	found := keys.Find(string(c.Request().Body()))
	suspects, err := h.Keys.Suspects(ctx, found)
	if err == nil && len(suspects) > 0 {
		actor, attributes := keys.LeakActor(r.Address.String()), r.Exchange.Attributes()
		running.Go(func() {
			running.Lock()
			defer running.Unlock()
			h.endLeaked(suspects, actor, attributes)
		})
	}
	<-answer.C
	if err != nil {
		return err
	}
	return c.JSON(map[string]int{"keys": len(found)})
}

func (h *handler) endLeaked(suspects []keys.Suspect, actor models.Actor, attributes []any) {
	ctx, cancel := context.WithTimeout(context.Background(), leakedTimeout)
	defer cancel()
	leaked, err := h.Keys.EndLeaked(ctx, suspects, actor, leakedBcrypts)
	for _, key := range leaked {
		models.LogEvent(h.Log, models.EventKeyLeaked, actor.Address,
			append(attributes, "key", key.ID, "organization", key.OrganizationID, "revoked", key.RevokedAt != nil)...)
	}
	if err != nil {
		h.Log.Error("cannot deal with a leaked key: revoke it with `dispo key revoke`", append(attributes, "error", err)...)
	}
}
