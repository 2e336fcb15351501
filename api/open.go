package api

import (
	"context"
	"time"

	"github.com/cespare/xxhash/v2"
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
	return sendDocument(c, fiber.MIMEApplicationJSON, openapiHash, openapiJSONDocument)
}

// openapiYAML handles GET /openapi.yaml.
func (h *handler) openapiYAML(c *fiber.Ctx) error {
	return sendDocument(c, "application/yaml", openapiHash, openapiYAMLDocument)
}

// postman returns the handler of GET /postman.json.
func postman(baseURL string) fiber.Handler {
	collection := postmanCollection(baseURL)
	hash, document := xxhash.Sum64(collection), newDocument(collection)
	return func(c *fiber.Ctx) error { return sendDocument(c, fiber.MIMEApplicationJSON, hash, document) }
}

// sendDocument answers with a description of the API, also to tools that run in a
// browser on another site's page. hash changes with the document.
func sendDocument(c *fiber.Ctx, contentType string, hash uint64, d document) error {
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	coding := acceptedEncoding(c)
	sendTagged(c, newEntityTag(hash), contentType, coding, d[coding]())
	return nil
}
