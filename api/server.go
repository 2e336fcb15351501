package api

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// What a public server needs: a client that sends or reads slowly, or sends
// much, holds no more than this.
const (
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	headersLimit  = 16 << 10
	bodyLimit     = 64 << 10
	connectionMax = 100_000
)

// NewServer makes the application that listens: apiApp, made by New, is mounted at
// Prefix, and pages may be added beside it. What can't be read as a request at
// all is answered as the API does.
func NewServer(apiApp *fiber.App) *fiber.App {
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
		ErrorHandler:          ErrorHandler,
	})
	app.Use(readable)
	app.Mount(Prefix, apiApp)
	app.All(Prefix, notFound) // a mounted application does not get the prefix itself
	server := app.Server()
	server.Handler = withKnownMethods(server.Handler)
	return app
}

// readable refuses a request whose target or host can't be read: it has no path.
func readable(c *fiber.Ctx) error {
	if c.Path() == "" {
		return fiber.ErrBadRequest
	}
	return c.Next()
}

// withKnownMethods lets a method that Fiber does not know pass for one that it
// knows and nobody serves: Fiber's own answer to it would be a line of text.
func withKnownMethods(handler fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if !slices.Contains(fiber.DefaultMethods, string(ctx.Method())) {
			ctx.Request.Header.SetMethod(fiber.MethodTrace)
		}
		handler(ctx)
	}
}
