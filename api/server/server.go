// Package server is the HTTP server that the program listens with: the JSON API,
// and what is put beside it. It reads HTTP strictly.
package server

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// Config is what the server works with.
type Config struct {
	API    *fiber.App // answers under Prefix, and what is not valid HTTP
	Prefix string
	// Draining is closed when the service is about to stop. From then on each response is the
	// last one of its connection, so that its client makes the next one elsewhere.
	Draining <-chan struct{}
	// Larger says how many bytes the bodies of some paths may have. Those of others have at most 64 KiB.
	Larger map[string]int
	HTTPS  bool // browsers reach the service by https; responses tell them to use nothing else
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
	app.Mount(config.Prefix, config.API)
	// A mounted application does not get the prefix itself.
	app.All(config.Prefix, func(*fiber.Ctx) error { return fiber.ErrNotFound })
	server := app.Server()
	g := &gate{app: app, https: config.HTTPS, draining: config.Draining, routes: server.Handler}
	server.Handler = g.handle
	server.ErrorHandler = g.unreadable
	server.HeaderReceived = func(header *fasthttp.RequestHeader) fasthttp.RequestConfig {
		return fasthttp.RequestConfig{MaxRequestBodySize: config.Larger[string(header.RequestURI())]} // 0 is the usual
	}
	server.SecureErrorLogMessage = true // or its errors quote the request
	return app
}

// Serve serves an application from New until it is shut down or the listener fails.
func Serve(app *fiber.App, listener net.Listener) error {
	return app.Listener(&connListener{listener})
}

type connListener struct{ net.Listener }

// Accept pauses and tries again, as net/http does, while no descriptor is free: fasthttp
// would end the program.
func (l *connListener) Accept() (net.Conn, error) {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		accepted, err := l.Listener.Accept()
		var failed interface{ Temporary() bool }
		if !errors.As(err, &failed) || !failed.Temporary() {
			return &conn{Conn: accepted}, err
		}
		slog.Warn("cannot accept connections: trying again soon", "error", err, "seconds", pause.Seconds())
		time.Sleep(pause)
	}
}

// conn knows whether it has received anything, and whether its client is still there.
type conn struct {
	net.Conn
	received bool
	refused  bool   // its request, of which more may still arrive
	next     []byte // of the next request, as far as Gone has read it
}

// lingering bounds how long, and unread how much of, a refused request may still arrive.
const (
	lingering = 5 * time.Second
	unread    = 1 << 20
)

// Close first reads what is left of a refused request. Otherwise the client could not send its
// rest, and would report that instead of the response (RFC 9112 section 9.6).
func (c *conn) Close() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok && c.refused {
		_ = tcp.CloseWrite()
		_ = tcp.SetReadDeadline(time.Now().Add(lingering))
		_, _ = io.CopyN(io.Discard, tcp, unread)
	}
	return c.Conn.Close()
}

func (c *conn) Read(b []byte) (n int, err error) {
	if n = copy(b, c.next); n > 0 {
		c.next = c.next[n:]
		return n, nil
	}
	n, err = c.Conn.Read(b)
	c.received = c.received || n > 0
	return n, err
}

// Gone reports whether the client has closed the connection. While nothing is read or
// sent, nothing else notices. It may be called while a request is handled.
func (c *conn) Gone() bool {
	if len(c.next) > 0 {
		return false
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	first := make([]byte, 1)
	n, err := c.Conn.Read(first)
	_ = c.SetReadDeadline(time.Time{})
	c.next = first[:n]
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}
