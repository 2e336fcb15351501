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
	sendJSON(c, []byte(`{"status":"ok"}`))
	return nil
}

var openapiJSONDocument, openapiYAMLDocument = newDocument(openapiJSON), newDocument(openapiYAML)

// openapiJSON handles GET /openapi.json.
func (h *handler) openapiJSON(c *fiber.Ctx) error {
	return sendDocument(c, fiber.MIMEApplicationJSON, openapiJSONDocument)
}

// openapiYAML handles GET /openapi.yaml.
func (h *handler) openapiYAML(c *fiber.Ctx) error {
	return sendDocument(c, "application/yaml", openapiYAMLDocument)
}

// sendDocument answers with the OpenAPI document, also to tools that run in a browser
// on another site's page.
func sendDocument(c *fiber.Ctx, contentType string, d document) error {
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	coding := acceptedEncoding(c)
	sendTagged(c, newEntityTag(openapiHash), contentType, coding, d[coding]())
	return nil
}
