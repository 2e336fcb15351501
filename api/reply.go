package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
)

// reply answers with the organization's current data by the shortest way: 304 if
// the caller already has it, else the remembered answer, else what read returns.
func (h *handler) reply(c *fiber.Ctx, resource byte, cvr string, cursor models.Cursor, read func(context.Context, models.Tenant) (any, error)) error {
	ctx, cancel := requestContext(c)
	defer cancel()
	organizationID := caller(c).OrganizationID
	tenant := h.Store.Tenant(organizationID)
	version, err := tenant.DataVersion(ctx)
	if err != nil {
		return err
	}
	asked := newQuestion(organizationID, resource, cvr, cursor)
	tag := asked.entityTag(version)
	ifNoneMatch := c.Request().Header.Peek(fiber.HeaderIfNoneMatch)
	if tag.matches(ifNoneMatch) {
		return notModified(c, tag)
	}
	body, ok := h.answers.get(asked, version)
	if !ok {
		view, err := read(ctx, tenant)
		if err != nil {
			return err
		}
		if body, err = encodeJSON(view); err != nil {
			return err
		}
		h.answers.put(asked, version, body)
	}
	if string(ifNoneMatch) == "*" {
		return notModified(c, tag)
	}
	c.Response().Header.SetBytesV(fiber.HeaderETag, tag[:])
	return sendJSON(c, body)
}

func notModified(c *fiber.Ctx, tag entityTag) error {
	c.Response().Header.SetBytesV(fiber.HeaderETag, tag[:])
	c.Status(fiber.StatusNotModified)
	return nil
}

// requestDeadline bounds the work for one request. While the database is away,
// callers get their 503 within 5 seconds.
const requestDeadline = 4 * time.Second

// requestContext returns the context of a request that needs the database. It ends
// at the request's deadline.
func requestContext(c *fiber.Ctx) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.Background(), c.Context().Time().Add(requestDeadline))
}
