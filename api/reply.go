package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
)

// reply answers with what the organization's data is now, by the shortest way: 304
// where the caller has it already, the answer that is remembered, or else what
// read makes of it.
func (h *handler) reply(c *fiber.Ctx, resource byte, cvr string, cursor models.Cursor, read func(context.Context, models.Tenant) ([]byte, error)) error {
	organizationID := caller(c).OrganizationID
	tenant, ctx := h.Store.Tenant(organizationID), h.deadlines.of(c)
	version, err := tenant.DataVersion(ctx)
	if err != nil {
		return err
	}
	asked := newQuestion(organizationID, resource, cvr, cursor)
	tag := asked.entityTag(version)
	ifNoneMatch := c.Request().Header.Peek(fiber.HeaderIfNoneMatch)
	if tag.among(ifNoneMatch) {
		return notModified(c, tag)
	}
	body, ok := h.answers.get(asked, version)
	if !ok {
		if body, err = read(ctx, tenant); err != nil {
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
