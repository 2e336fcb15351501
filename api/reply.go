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
	tenant := h.Store.Tenant(caller(c).OrganizationID)
	version, err := h.dataVersion(c, tenant)
	if err != nil {
		return err
	}
	asked := newQuestion(caller(c).OrganizationID, resource, cvr, cursor)
	tag := asked.entityTag(version)
	ifNoneMatch := c.Request().Header.Peek(fiber.HeaderIfNoneMatch)
	if tag.among(ifNoneMatch) {
		return notModified(c, tag)
	}
	body, ok := h.answers.get(asked, version)
	if !ok {
		ctx, cancel := deadline(c)
		defer cancel()
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

// dataVersion is the version of the tenant's data: what is read from now on is of
// that version or newer.
func (h *handler) dataVersion(c *fiber.Ctx, tenant models.Tenant) (int64, error) {
	if version, ok := tenant.RememberedDataVersion(); ok {
		return version, nil
	}
	ctx, cancel := deadline(c)
	defer cancel()
	return tenant.DataVersion(ctx)
}

func notModified(c *fiber.Ctx, tag entityTag) error {
	c.Response().Header.SetBytesV(fiber.HeaderETag, tag[:])
	c.Status(fiber.StatusNotModified)
	return nil
}
