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

// openapiJSON handles GET /openapi.json.
func (h *handler) openapiJSON(c *fiber.Ctx) error {
	sendTagged(c, newEntityTag(openapiHash), fiber.MIMEApplicationJSON, openapiJSON)
	return nil
}

// openapiYAML handles GET /openapi.yaml.
func (h *handler) openapiYAML(c *fiber.Ctx) error {
	sendTagged(c, newEntityTag(openapiHash), "application/yaml", openapiYAML)
	return nil
}
