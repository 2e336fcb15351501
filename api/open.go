package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
)

// healthTimeout bounds the wait for the database. Load balancers give up on a check
// after a few seconds.
const healthTimeout = 2 * time.Second

// health handles GET /health.
func (h *handler) health(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(context.Background(), healthTimeout)
	defer cancel()
	if err := h.Store.Ping(ctx); err != nil {
		return err
	}
	return sendJSON(c, []byte(`{"status":"ok"}`))
}

// openapiJSON handles GET /openapi.json.
func (h *handler) openapiJSON(c *fiber.Ctx) error {
	return sendDocument(c, fiber.MIMEApplicationJSON, openapiJSON)
}

// openapiYAML handles GET /openapi.yaml.
func (h *handler) openapiYAML(c *fiber.Ctx) error {
	return sendDocument(c, "application/yaml", openapiYAML)
}

// sendDocument answers with one form of the OpenAPI document.
func sendDocument(c *fiber.Ctx, contentType string, body []byte) error {
	tag := newEntityTag(openapiHash)
	if ifNoneMatch := c.Request().Header.Peek(fiber.HeaderIfNoneMatch); tag.matches(ifNoneMatch) || string(ifNoneMatch) == "*" {
		return notModified(c, tag)
	}
	c.Response().Header.SetBytesV(fiber.HeaderETag, tag[:])
	c.Response().Header.SetContentType(contentType)
	c.Response().SetBodyRaw(body)
	return nil
}
