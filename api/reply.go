package api

import (
	"context"

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
