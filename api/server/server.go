// Package server is the HTTP server that the program listens with: the JSON API,
// and what is put beside it. It reads HTTP strictly.
package server

import (
	"time"

	"github.com/gofiber/fiber/v2"

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

// Config is what the server works with.
type Config struct {
	API   *fiber.App // from api.New; mounted at api.Prefix
	HTTPS bool       // browsers reach the service by https, and are told to use nothing else
}

// New returns the application that listens. Pages may be added to it, beside the API.
// Requests that are not valid HTTP are answered as the API does, and their connection
// is closed. Run it with Serve.
func New(config Config) *fiber.App {
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
		ErrorHandler:          config.API.Config().ErrorHandler,
		// The parser for forms with files leaves what follows the form's end unread,
		// and it would be taken for the next request.
		DisablePreParseMultipartForm: true,
	})
	app.Mount(api.Prefix, config.API)
	app.All(api.Prefix, api.NotFound) // a mounted application does not get the prefix itself
	g := &gate{app: app, https: config.HTTPS, routes: app.Server().Handler}
	server := app.Server()
	server.Handler = g.handle
	server.HeaderReceived = dropRefusedBody
	server.ErrorHandler = g.unreadable
	server.SecureErrorLogMessage = true // unreadable compares these messages, so they must not quote the request
	return app
}
