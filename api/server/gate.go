package server

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"dispo/models"
)

// gate stands before the routes. It refuses the requests that fasthttp accepts, but
// that another program on the way may read differently (RFC 9110 and 9112).
type gate struct {
	app      *fiber.App
	https    bool
	draining <-chan struct{}
	routes   fasthttp.RequestHandler
}

func (g *gate) handle(ctx *fasthttp.RequestCtx) {
	got, err := check(&ctx.Request.Header)
	if err == nil && got.chunked {
		err = dropTrailer(&ctx.Request.Header)
	}
	if err != nil {
		g.refuse(ctx, err)
		return
	}
	if got.last {
		ctx.SetConnectionClose()
	}
	g.setOriginHeaders(ctx)
	unescapePath(ctx.URI())
	// Fiber answers a method that it does not know with a line of text. No route
	// serves TRACE.
	if !slices.Contains(fiber.DefaultMethods, string(ctx.Method())) {
		ctx.Request.Header.SetMethod(fiber.MethodTrace)
	}
	g.routes(ctx)
	select {
	case <-g.draining:
		ctx.SetConnectionClose()
	default:
	}
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
		err = fiber.ErrRequestEntityTooLarge
	default:
		err = malformed("it is not valid HTTP (RFC 9112)")
	}
	g.refuse(ctx, err)
}

// refuse answers a request that does not reach the routes, and closes its
// connection. Nothing else does.
func (g *gate) refuse(ctx *fasthttp.RequestCtx, err error) {
	ctx.SetConnectionClose()
	if from, ok := ctx.Conn().(*conn); ok {
		from.refused = true
	}
	g.setOriginHeaders(ctx)
	c := g.app.AcquireCtx(ctx)
	defer g.app.ReleaseCtx(c)
	_ = g.app.Config().ErrorHandler(c, err) // it fails only for an error that cannot be encoded
}

// setOriginHeaders sets the headers that every response has, of the API and of pages.
func (g *gate) setOriginHeaders(ctx *fasthttp.RequestCtx) {
	if g.https {
		ctx.Response.Header.Set(fasthttp.HeaderStrictTransportSecurity, "max-age=31536000")
	}
}

func malformed(why string) error {
	return models.NewError(models.KindInvalid, "The request is malformed: "+why+".")
}

// dropTrailer removes the fields that came after a chunked body. fasthttp adds them to
// the headers, where they would be keys and conditions (RFC 9110 section 6.5.1).
func dropTrailer(header *fasthttp.RequestHeader) error {
	arrived := fmt.Appendf(nil, "%s %s %s\r\n%s",
		header.Method(), header.RequestURI(), header.Protocol(), header.RawHeaders())
	return header.Read(bufio.NewReaderSize(bytes.NewReader(arrived), len(arrived)))
}

// framing is what a request says about its body and its connection.
type framing struct {
	chunked bool // its body is
	last    bool // it asks to be the last one of its connection
}

// check returns why a request is refused. It looks at the header as it arrived, and
// leaves to fasthttp what fasthttp refuses itself: control characters, malformed
// names, and a second Host, Content-Length or Transfer-Encoding.
func check(header *fasthttp.RequestHeader) (got framing, err error) {
	if protocol := string(header.Protocol()); protocol != "HTTP/1.1" && protocol != "HTTP/1.0" {
		return got, malformed("expected HTTP/1.1")
	}
	if err := checkTarget(header); err != nil {
		return got, err
	}
	hasLength := false
	for line := range bytes.Lines(header.RawHeaders()) {
		if !bytes.HasSuffix(line, []byte("\r\n")) {
			return got, malformed("a header does not end with CR LF")
		}
		if len(line) == len("\r\n") {
			break
		}
		name, value, found := bytes.Cut(line, []byte(":"))
		if !found || len(name) == 0 || bytes.ContainsAny(name, " \t") { // also if it continues the line before
			return got, malformed("a header is not a name, a colon and a value on one line")
		}
		value = bytes.Trim(value, " \t\r\n")
		switch {
		case is(name, "host") && !validHost(value):
			return got, malformed("its Host header is not a host")
		case is(name, "content-length"):
			hasLength = true
		case is(name, "transfer-encoding") && !is(value, "chunked"):
			return got, malformed("its Transfer-Encoding is not chunked")
		case is(name, "transfer-encoding"):
			got.chunked = true
		case is(name, "connection"):
			for token := range bytes.SplitSeq(value, []byte(",")) {
				got.last = got.last || is(bytes.Trim(token, " \t"), "close")
			}
		}
	}
	if hasLength && got.chunked {
		return got, malformed("it has both a Content-Length and a Transfer-Encoding")
	}
	return got, nil
}

// is reports whether text is a word in ASCII, in any case.
func is(text []byte, word string) bool {
	return len(text) == len(word) && bytes.EqualFold(text, []byte(word))
}

// checkTarget checks a request's target: a path, or an http URL with a path. It
// refuses a path that begins with //, because some programs take what follows for a
// host, and the targets that only proxies serve.
func checkTarget(header *fasthttp.RequestHeader) error {
	target := header.RequestURI()
	switch {
	case header.IsConnect(), header.IsOptions() && string(target) == "*":
		return fiber.ErrMethodNotAllowed
	case target[0] != '/':
		scheme, rest, _ := bytes.Cut(target, []byte("://"))
		path := bytes.IndexByte(rest, '/')
		if path < 0 || !is(scheme, "http") && !is(scheme, "https") || !validHost(rest[:path]) {
			return malformed("its target is neither a path nor an http URL with a path")
		}
		target = rest[path:]
	}
	if bytes.HasPrefix(target, []byte("//")) {
		return fiber.ErrNotFound
	}
	return nil
}

const lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// validHost reports whether text is a host name or an IP address, perhaps with a port.
func validHost(text []byte) bool {
	name, port, _ := bytes.Cut(text, []byte(":"))
	valid := len(name) > 0 && len(bytes.Trim(name, lettersAndDigits+"-._")) == 0
	if bytes.HasPrefix(text, []byte("[")) {
		end := bytes.IndexByte(text, ']') + 1
		address, err := netip.ParseAddrPort(string(text[:end]) + ":0")
		name, port, _ = bytes.Cut(text[end:], []byte(":"))
		valid = err == nil && address.Addr().Zone() == "" && len(name) == 0
	}
	return valid && len(port) <= len("65535") && len(bytes.Trim(port, "0123456789")) == 0
}

var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// unescapePath replaces the percent-encoding of every character that a path may also
// have without it. An encoded slash stays encoded, because it separates nothing.
func unescapePath(uri *fasthttp.URI) {
	if bytes.IndexByte(uri.PathOriginal(), '%') < 0 {
		return
	}
	uri.SetPathBytes(escape.ReplaceAllFunc(uri.PathOriginal(), func(escaped []byte) []byte {
		plain, _ := hex.DecodeString(string(escaped[1:]))
		if strings.IndexByte(lettersAndDigits+"-._~!$&'()*+,;=:@", plain[0]) < 0 {
			return escaped
		}
		return plain
	}))
}
