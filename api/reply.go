package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/ledger"
)

// reply answers with the organization's current data by the shortest way: 304 if
// the caller already has it, else the remembered answer, else what read returns. The
// first two need no database while the data version is remembered.
func (h *handler) reply(c *fiber.Ctx, resource byte, cvr string, cursor ledger.Cursor, read func(context.Context, models.Tenant) (any, error)) error {
	organizationID := caller(c).OrganizationID
	tenant := h.Store.Tenant(organizationID)
	asked := newQuestion(organizationID, resource, cvr, cursor)
	if seconds := preferredWait(c); seconds > 0 && c.Request().Header.Peek(fiber.HeaderIfNoneMatch) != nil {
		if err := h.wait(c, asked, seconds); err != nil {
			return err
		}
	}
	version, remembered := tenant.RememberedDataVersion()
	if remembered && h.replyFromMemory(c, asked, version) {
		return nil
	}
	ctx, cancel := requestContext(c)
	defer cancel()
	if !remembered {
		var err error
		if version, err = tenant.DataVersion(ctx); err != nil {
			return err
		}
		if h.replyFromMemory(c, asked, version) {
			return nil
		}
	}
	view, err := read(ctx, tenant)
	if err != nil {
		c.Response().Header.Del(headerPreferenced)
		return err
	}
	body, err := encodeJSON(view)
	if err != nil {
		return err
	}
	current := answer{body: body}
	if list, ok := view.(list); ok {
		current.amount, current.links = list.totalAmount(), list.linkHeader()
	}
	h.answers.put(asked, version, current)
	sendAnswer(c, asked.entityTag(version), h.answers.encoded(asked, version, current, acceptedEncoding(c)))
	return nil
}

// replyFromMemory answers without the database, and reports whether it could.
func (h *handler) replyFromMemory(c *fiber.Ctx, asked question, version int64) bool {
	tag := asked.entityTag(version)
	if tag.isIn(c) {
		sendNotModified(c, tag)
		return true
	}
	remembered, ok := h.answers.get(asked, version, acceptedEncoding(c))
	if ok {
		sendAnswer(c, tag, remembered)
	}
	return ok
}

// list is a page of a list, also an empty one.
type list interface {
	totalAmount() string
	linkHeader() string
}

const headerTotalAmount = "X-Total-Amount-Dkk"

func sendAnswer(c *fiber.Ctx, tag entityTag, current answer) {
	sendTagged(c, tag, fiber.MIMEApplicationJSON, current.encoding, current.body)
	if c.Response().StatusCode() != fiber.StatusOK {
		return
	}
	if current.amount != "" {
		c.Response().Header.Set(headerTotalAmount, current.amount)
	}
	if current.links != "" {
		c.Response().Header.Set(fiber.HeaderLink, current.links)
	}
}

// sendTagged answers with body, which must not be changed afterwards, or with 304 if
// the caller has it or asked with "*". The tag is weak, so it is the same in every
// coding.
func sendTagged(c *fiber.Ctx, tag entityTag, contentType string, coding encoding, body []byte) {
	if tag.isIn(c) || c.Get(fiber.HeaderIfNoneMatch) == "*" {
		sendNotModified(c, tag)
		return
	}
	c.Response().Header.SetBytesV(fiber.HeaderETag, tag[:])
	c.Response().Header.SetContentType(contentType)
	if coding != identity {
		c.Response().Header.Set(fiber.HeaderContentEncoding, encodingNames[coding])
	}
	c.Response().SetBodyRaw(body)
}

func sendNotModified(c *fiber.Ctx, tag entityTag) {
	c.Response().Header.SetBytesV(fiber.HeaderETag, tag[:])
	c.Status(fiber.StatusNotModified)
}

// requestDeadline bounds the work for one request. While the database is away,
// callers get their 503 within 5 seconds.
const requestDeadline = 4 * time.Second

// requestContext returns the context of a request that needs the database. It ends
// at the request's deadline.
func requestContext(c *fiber.Ctx) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.Background(), startOf(c).Add(requestDeadline))
}
