// Package server is the HTTP server that the program listens with: the JSON API,
// and what is put beside it.
package server

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"dispo/api"
)

// Limits for a public server: a client that sends or reads slowly, or sends much,
// occupies no more than this.
const (
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	headersLimit  = 16 << 10
	bodyLimit     = 64 << 10
	connectionMax = 100_000
)

// New returns the application that listens. apiApp, from api.New, is mounted at
// api.Prefix, and pages may be added beside it. Requests that cannot be parsed are
// answered as the API does.
func New(apiApp *fiber.App) *fiber.App {
	app := fiber.New(fiber.Config{
		DisableStartupMessage: true,
		StrictRouting:         true,
		CaseSensitive:         true,
		ReadTimeout:           readTimeout,
		WriteTimeout:          writeTimeout,
		IdleTimeout:           idleTimeout,
		ReadBufferSize:        headersLimit,
		BodyLimit:             bodyLimit,
		Concurrency:           connectionMax,
		ErrorHandler:          api.ErrorHandler,
	})
	app.Use(readable)
	app.Mount(api.Prefix, apiApp)
	app.All(api.Prefix, api.NotFound) // a mounted application does not get the prefix itself
	server := app.Server()
	server.Handler = withKnownMethods(server.Handler)
	return app
}

// readable refuses a request whose target or host is malformed: it has no path.
func readable(c *fiber.Ctx) error {
	if c.Path() == "" {
		return fiber.ErrBadRequest
	}
	return c.Next()
}

// withKnownMethods replaces a method that Fiber does not know by one that no route
// serves. Fiber's own answer to it would be a line of text.
func withKnownMethods(handler fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if !slices.Contains(fiber.DefaultMethods, string(ctx.Method())) {
			ctx.Request.Header.SetMethod(fiber.MethodTrace)
		}
		handler(ctx)
	}
}
