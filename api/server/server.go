// Package server is the HTTP server that the program listens with: the JSON API,
// and what is put beside it. It reads HTTP strictly.
package server

import (
	"errors"
	"io"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"dispo/api"
	"dispo/models"
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
		// A client that sends or reads slowly, or sends much, occupies no more than this.
		ReadTimeout:    10 * time.Second,
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    2 * time.Minute,
		ReadBufferSize: 16 << 10, // all headers
		BodyLimit:      64 << 10,
		Concurrency:    100_000,
		ErrorHandler:   config.API.Config().ErrorHandler,
		// The parser for forms with files leaves what follows the form's end unread,
		// and it would be taken for the next request.
		DisablePreParseMultipartForm: true,
	})
	app.Mount(api.Prefix, config.API)
	app.All(api.Prefix, api.NotFound) // a mounted application does not get the prefix itself
	server := app.Server()
	g := &gate{app: app, https: config.HTTPS, routes: server.Handler}
	server.Handler = g.handle
	server.HeaderReceived = dropRefusedBody
	server.ErrorHandler = g.unreadable
	server.SecureErrorLogMessage = true // or its errors quote the request
	return app
}

// unreadable answers a request that fasthttp could not read. A connection that sent
// nothing is closed without an answer.
func (g *gate) unreadable(ctx *fasthttp.RequestCtx, err error) {
	if from, ok := ctx.Conn().(*conn); ok && !from.received {
		_ = from.Close()
		return
	}
	var timeout net.Error
	switch {
	case errors.As(err, new(*fasthttp.ErrSmallBuffer)):
		err = fiber.ErrRequestHeaderFieldsTooLarge
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &timeout):
		err = malformed("it did not arrive completely")
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		err = malformed("its body is too large")
	default:
		err = malformed("it is not valid HTTP (RFC 9112)")
	}
	g.refuse(ctx, err)
}

func malformed(why string) error {
	return models.NewError(models.KindInvalid, "The request is malformed: "+why+".")
}
