package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
)

// healthTimeout is how long the database may take to answer: load balancers give
// up on a check after a few seconds.
const healthTimeout = 2 * time.Second

// health: GET /health.
func (h *handler) health(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), healthTimeout)
	defer cancel()
	if err := h.Store.Ping(ctx); err != nil {
		return err
	}
	return sendJSON(c, []byte(`{"status":"ok"}`))
}

// openapiJSON: GET /openapi.json.
func (h *handler) openapiJSON(c *fiber.Ctx) error { return sendJSON(c, openapiJSON()) }

// openapiYAML: GET /openapi.yaml.
func (h *handler) openapiYAML(c *fiber.Ctx) error {
	c.Response().Header.SetContentType("application/yaml")
	c.Response().SetBodyRaw(openapiYAML)
	return nil
}
