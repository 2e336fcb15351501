package api

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // the archives
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/api/compress"
	"dispo/models"
)

// openapi.yaml is the source. yq keeps the order of its keys.
//
//go:generate go run github.com/mikefarah/yq/v4@v4.53.6 --output-format json --split-exp "\"openapi\"" openapi.yaml

var (
	// OpenAPIYAML is the OpenAPI document. It must not be changed.
	//
	//go:embed openapi.yaml
	OpenAPIYAML []byte

	//go:embed openapi.json
	openapiJSON []byte
)

// document returns the handler of a description of the API, for tools that run in a
// browser on another site's page too. Its links to the documentation lead to docs.
func document(contentType string, text []byte, docs string) fiber.Handler {
	for _, link := range []string{`url: `, `"url": "`} { // in YAML and in JSON
		text = bytes.ReplaceAll(text, []byte(link+docsPath), []byte(link+docs))
	}
	etag, body := newETag(text), compress.NewBody(text)
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
		c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
		send(c, etag, contentType, body)
		return nil
	}
}

// healthTimeout bounds the wait for the database. Load balancers give up on a check
// after a few seconds.
const healthTimeout = 2 * time.Second

var errDraining = models.NewError(models.KindBusy, "The service is about to stop: use another instance.")

// health handles GET /health. While the service drains, that is no failure, so it is neither
// logged nor measured.
func (h *handler) health(c *fiber.Ctx) error {
	select {
	case <-h.Draining:
		requestOf(c).NotMeasured = true
		return asFailure(errDraining).respond(c, h.DocsURL)
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), healthTimeout)
	defer cancel()
	if err := h.Store.Ping(ctx); err != nil {
		return err
	}
	return live(c)
}

// live handles GET /health/live.
func live(c *fiber.Ctx) error {
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	return c.SendString(`{"status":"ok"}`)
}

//go:generate go run ./clients

// The archives are made from the clients' folders and committed, because embedding does not
// cross modules. They are compressed when the program starts: not every version of Go
// compresses to the same bytes.
var (
	//go:embed clients/dispo-client-go.tar
	clientGo []byte
	//go:embed clients/dispo-client-typescript.tar
	clientTypeScript []byte
)

// Clients returns archives of the clients by their names. Each unpacks into one
// folder.
func Clients() map[string][]byte {
	return map[string][]byte{
		"dispo-client-go.tar.gz":         compressed(clientGo),
		"dispo-client-typescript.tar.gz": compressed(clientTypeScript),
	}
}

func compressed(text []byte) []byte {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(text) // a buffer never fails
	_ = writer.Close()
	return packed.Bytes()
}
