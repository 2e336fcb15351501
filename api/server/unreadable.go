package server

import (
	"errors"
	"io"
	"net"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"dispo/models"
)

// What can be wrong with a request's HTTP.
var (
	errRequestLine       = malformed("expected a method, a path and HTTP/1.1")
	errVersion           = malformed("expected HTTP/1.1")
	errTarget            = malformed("its target is neither a path nor an http URL with a path")
	errHeaderLine        = malformed("a header is not a name, a colon and a value on one line")
	errLineEnd           = malformed("a header does not end with CR LF")
	errHeaderValue       = malformed("a header's value contains a control character")
	errNoHost            = malformed("it has no Host header")
	errTwoHosts          = malformed("it has more than one Host header")
	errHost              = malformed("its Host header is not a host")
	errLength            = malformed("its Content-Length is not a number of bytes")
	errTwoLengths        = malformed("it has more than one Content-Length header")
	errEncoding          = malformed("its Transfer-Encoding is not chunked, which is the only one, and only in HTTP/1.1")
	errLengthAndEncoding = malformed("it has both a Content-Length and a Transfer-Encoding")
	errChunks            = malformed("its chunked body is not valid")
	errTrailer           = malformed("a trailer has a name or a value that is not allowed")
	errBodyTooLarge      = malformed("its body is too large")
	errIncomplete        = malformed("it did not arrive completely")
	errMalformed         = malformed("expected a GET request without a body")
)

func malformed(why string) error {
	return models.NewError(models.KindInvalid, "The request is malformed: "+why+".")
}

// causes maps the beginnings of fasthttp's messages.
var causes = []struct {
	beginning string
	err       error
}{
	{"cannot find http request method", errRequestLine},
	{"unsupported http request method", errRequestLine},
	{"cannot find whitespace in the first line", errRequestLine},
	{"unsupported http version", errVersion},
	{"requesturi cannot be empty", errTarget},
	{"invalid request uri", errTarget},
	{"invalid header key", errHeaderLine},
	{"malformed mime header", errHeaderLine},
	{"invalid headers", errHeaderLine},
	{"invalid header value", errHeaderValue},
	{"missing required host", errNoHost},
	{"too many host headers", errTwoHosts},
	{"cannot parse content-length", errLength},
	{"duplicate content-length", errTwoLengths},
	{"unsupported transfer-encoding", errEncoding},
	{"too many transfer-encoding", errEncoding},
	{"contain forbidden trailer", errTrailer},
	{"forbidden trailer", errTrailer},
	{"invalid trailer", errTrailer},
	{"empty hex number", errChunks},
	{"too large hex number", errChunks},
	{"body size exceeds", errBodyTooLarge},
}

// unreadable answers a request that fasthttp could not read. A connection that sent
// nothing is closed without an answer.
func (g *gate) unreadable(ctx *fasthttp.RequestCtx, err error) {
	if from, ok := ctx.Conn().(*conn); ok && !from.heard {
		_ = from.Close()
		return
	}
	g.refuse(ctx, cause(ctx, err))
}

func cause(ctx *fasthttp.RequestCtx, err error) error {
	if errors.As(err, new(*fasthttp.ErrSmallBuffer)) {
		return fiber.ErrRequestHeaderFieldsTooLarge
	}
	if len(ctx.Request.Header.RawHeaders()) > 0 { // only the URL could not be read
		if _, refused := check(&ctx.Request.Header); refused != nil {
			return refused
		}
	}
	message := err.Error()
	for _, prefix := range []string{"error when reading request headers: ", "error when reading response headers: ", "fasthttp: "} {
		message = strings.TrimPrefix(message, prefix)
	}
	for _, known := range causes {
		if strings.HasPrefix(message, known.beginning) {
			return known.err
		}
	}
	var network net.Error
	switch {
	case errors.As(err, new(fasthttp.ErrBrokenChunk)):
		return errChunks
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &network):
		return errIncomplete
	}
	return errMalformed
}
