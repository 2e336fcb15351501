package server

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// gate stands before the routes. It refuses the requests that fasthttp accepts, but
// that another program on the way may read differently (RFC 9110 and 9112).
type gate struct {
	app    *fiber.App
	https  bool
	routes fasthttp.RequestHandler
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
}

// refuse answers a request that does not reach the routes, and closes its
// connection. Nothing else does.
func (g *gate) refuse(ctx *fasthttp.RequestCtx, err error) {
	ctx.SetConnectionClose()
	g.setOriginHeaders(ctx)
	c := g.app.AcquireCtx(ctx)
	defer g.app.ReleaseCtx(c)
	_ = g.app.Config().ErrorHandler(c, err) // it fails only for an error that cannot be encoded
}

// setOriginHeaders sets the headers that every answer has, of the API and of pages.
func (g *gate) setOriginHeaders(ctx *fasthttp.RequestCtx) {
	if g.https {
		ctx.Response.Header.Set(fasthttp.HeaderStrictTransportSecurity, "max-age=31536000")
	}
}

// dropRefusedBody is called before a request's body is read. It takes the body from a
// request that will be refused, because it may not be known where the body ends.
func dropRefusedBody(header *fasthttp.RequestHeader) (defaults fasthttp.RequestConfig) {
	const none = -2
	if header.ContentLength() == none {
		return defaults
	}
	if _, err := check(header); err != nil {
		header.SetContentLength(0)
		header.Del(fasthttp.HeaderExpect)
	}
	return defaults
}

// dropTrailer removes the fields that came after a chunked body. fasthttp adds them to
// the headers, where they would be keys and conditions (RFC 9110 section 6.5.1).
func dropTrailer(header *fasthttp.RequestHeader) error {
	arrived := fmt.Appendf(nil, "%s %s %s\r\n%s", header.Method(), header.RequestURI(), header.Protocol(), header.RawHeaders())
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
	if protocol := header.Protocol(); !bytes.Equal(protocol, []byte("HTTP/1.1")) && !bytes.Equal(protocol, []byte("HTTP/1.0")) {
		return got, errVersion
	}
	if err := checkTarget(header); err != nil {
		return got, err
	}
	hasLength := false
	for rest := header.RawHeaders(); ; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			break
		}
		if end == 0 || rest[end-1] != '\r' {
			return got, errLineEnd
		}
		line := rest[:end-1]
		rest = rest[end+1:]
		if len(line) == 0 {
			break
		}
		colon := bytes.IndexByte(line, ':')
		if colon < 1 || bytes.IndexByte(line[:colon], ' ') >= 0 || line[0] == '\t' {
			return got, errHeaderLine // also a line that continues the one before
		}
		name, value := line[:colon], line[colon+1:]
		switch {
		case is(name, "host"):
			if !validHost(trim(value)) {
				return got, errHost
			}
		case is(name, "content-length"):
			hasLength = true
		case is(name, "transfer-encoding"):
			got.chunked = true
			if !is(trim(value), "chunked") {
				return got, errEncoding
			}
		case is(name, "connection"):
			got.last = got.last || hasToken(value, "close")
		}
	}
	if hasLength && got.chunked {
		return got, errLengthAndEncoding
	}
	return got, nil
}

// is reports whether text is a word, which is in lower case, in any case.
func is(text []byte, word string) bool {
	return len(text) == len(word) && bytes.EqualFold(text, []byte(word))
}

func trim(value []byte) []byte { return bytes.Trim(value, " \t") }

// hasToken reports whether a list of tokens, separated by commas, has the token.
func hasToken(list []byte, token string) bool {
	for item := range bytes.SplitSeq(list, []byte{','}) {
		if is(trim(item), token) {
			return true
		}
	}
	return false
}
