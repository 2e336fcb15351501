package server

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
)

// Observer gives every request an id, measures it and writes the access log. The zero value
// trusts no proxy, and neither measures nor logs.
type Observer struct {
	// TrustedProxies may say where a request came from, and what its id is.
	TrustedProxies Proxies
	// Measure is called with every response: the route's pattern, or NoRoute, the status, and
	// the time that the work took, without waits for changes. It may be nil.
	Measure func(route string, status int, took time.Duration)
	// Access writes one line for each response, once it is sent. It may be nil.
	Access *slog.Logger
}

// NoRoute stands for the route of a request that no route serves.
const NoRoute = "none"

// HeaderRequestID is the header with a request's id.
const HeaderRequestID = "X-Request-Id"

// Exchange is a request and its response, as the logs and metrics see them.
type Exchange struct {
	ID      string     // unique, or a trusted proxy's
	TraceID string     // of W3C Trace Context; empty if there is none
	Address netip.Addr // of the client
	Began   time.Time  // when the work began: when the request arrived, or stopped waiting

	Route         string    // the route's pattern; empty for the one that fiber has found
	Organization  uuid.UUID // uuid.Nil if it is not known
	Key           uuid.UUID // the API key's; uuid.Nil if there is none
	NotMeasured   bool
	observer      *Observer
	arrived       time.Time
	streams, done bool        // the body is sent after the handler; all is sent
	bytes         int64       // of the body, if it streams
	line          []slog.Attr // of the access log, if the body is still being sent
}

type exchangeKey struct{}

// ExchangeOf returns the exchange that Begin began.
func ExchangeOf(c *fiber.Ctx) *Exchange { return c.Locals(exchangeKey{}).(*Exchange) }

// Begin begins the exchange of a request, and sets the response's id.
func (o *Observer) Begin(c *fiber.Ctx) *Exchange {
	x := &Exchange{
		observer: o,
		Address:  o.TrustedProxies.ClientAddress(c),
		TraceID:  traceID(c),
		arrived:  c.Context().Time(),
	}
	x.Began = x.arrived
	if x.ID = o.givenID(c); x.ID == "" {
		x.ID = bootID + "-" + strconv.FormatUint(requestNumber.Add(1), 36)
	}
	c.Locals(exchangeKey{}, x)
	c.Set(HeaderRequestID, x.ID)
	return x
}

var (
	bootID        = strconv.FormatUint(rand.Uint64(), 36)
	requestNumber atomic.Uint64

	idForm    = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	traceForm = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)
)

// givenID returns the request's id if a trusted proxy has given it one, else "". It may come
// from the proxy's own client, so a key is not kept.
func (o *Observer) givenID(c *fiber.Ctx) string {
	given := c.Request().Header.PeekAll(HeaderRequestID)
	if len(given) != 1 || !o.TrustedProxies.trusted(peer(c)) || !idForm.Match(given[0]) ||
		models.HasKey(string(given[0])) {
		return ""
	}
	return string(given[0])
}

// traceID returns the trace id of a valid traceparent header, else "" (W3C Trace Context,
// section 3.2). Version 00 has four fields; later ones may add some.
func traceID(c *fiber.Ctx) string {
	given := c.Request().Header.PeekAll("traceparent")
	if len(given) != 1 {
		return ""
	}
	fields := traceForm.FindSubmatch(given[0])
	if fields == nil || string(fields[1]) == "ff" || string(fields[1]) == "00" && len(fields[4]) > 0 ||
		strings.Trim(string(fields[2]), "0") == "" || strings.Trim(string(fields[3]), "0") == "" {
		return ""
	}
	return string(fields[2])
}

// Attributes returns what identifies the exchange in the log: its ids, and the organization
// if that is known.
func (x *Exchange) Attributes() []any {
	attributes := []any{"request_id", x.ID}
	if x.TraceID != "" {
		attributes = append(attributes, "trace_id", x.TraceID)
	}
	if x.Organization != uuid.Nil {
		attributes = append(attributes, "organization", x.Organization)
	}
	return attributes
}

// Waited is called when the request ends its wait for a change. Its deadline and the measured
// time of its work begin now.
func (x *Exchange) Waited() { x.Began = time.Now() }

// Streams says that the body is sent after the handler, until Sent is called.
func (x *Exchange) Streams() { x.streams = true }

// Sent says how many bytes of a body that streams were sent.
func (x *Exchange) Sent(bytes int64) {
	x.bytes, x.done = bytes, true
	if x.line != nil {
		x.log()
	}
}

// End measures and logs the exchange. The response is complete, except for a body that streams.
func (x *Exchange) End(c *fiber.Ctx) {
	if x.Route == "" {
		x.Route = c.Route().Path
	}
	status := c.Response().StatusCode()
	if x.observer.Measure != nil && !x.NotMeasured {
		x.observer.Measure(x.Route, status, time.Since(x.Began))
	}
	if x.observer.Access == nil {
		return
	}
	if !x.streams && c.Method() != fiber.MethodHead {
		x.bytes = int64(len(c.Response().Body()))
	}
	x.line = []slog.Attr{
		slog.String("request_id", x.ID),
		slog.String("trace_id", x.TraceID),
		slog.String("method", strings.Clone(c.Method())),
		slog.String("route", x.Route),
		slog.String("path", strings.Clone(x.path(c))),
		slog.Int("status", status),
		slog.String("address", x.Address.String()),
		slog.String("organization", idText(x.Organization)),
		slog.String("key", idText(x.Key)),
		slog.String("user_agent", string(c.Request().Header.UserAgent())),
		slog.Float64("waited_seconds", x.Began.Sub(x.arrived).Seconds()),
	}
	if !x.streams || x.done {
		x.log()
	}
}

func (x *Exchange) log() {
	x.observer.Access.LogAttrs(
		context.Background(),
		slog.LevelInfo,
		"",
		append(x.line, slog.Int64("bytes", x.bytes), slog.Float64("duration_seconds", time.Since(x.arrived).Seconds()))...)
}

// longPart matches a part of a path that may be the token of a one-time link.
var longPart = regexp.MustCompile(`[^/]{30,}`)

// path returns the request's path without its tokens. A path that no route serves may be
// that of a link with a typo.
func (x *Exchange) path(c *fiber.Ctx) string {
	switch path := c.Path(); {
	case strings.Contains(x.Route, ":token"):
		return x.Route
	case x.Route == NoRoute:
		return longPart.ReplaceAllString(models.MaskKeys(path), "…")
	default:
		return path
	}
}

func idText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// Proxies are the addresses whose X-Forwarded-For is believed.
type Proxies []netip.Prefix

// ClientAddress returns the address that the request came from. If that is a trusted
// proxy's, it returns the last address in X-Forwarded-For that is not a trusted
// proxy's; anybody could have written those before it. A proxy may extend the
// caller's header or add a header of its own.
func (p Proxies) ClientAddress(c *fiber.Ctx) netip.Addr {
	address := peer(c)
	if !p.trusted(address) {
		return address
	}
	hops := strings.Split(string(bytes.Join(c.Request().Header.PeekAll(fiber.HeaderXForwardedFor), []byte(","))), ",")
	for i := len(hops) - 1; i >= 0 && p.trusted(address); i-- {
		hop := strings.TrimSpace(hops[i])
		if hop == "" { // a list may have empty elements (RFC 9110 section 5.6.1)
			continue
		}
		if withPort, err := netip.ParseAddrPort(hop); err == nil { // some proxies also write the port
			hop = withPort.Addr().String()
		}
		parsed, err := netip.ParseAddr(strings.Trim(hop, "[]")) // and some brackets, as in a URL
		if err != nil {
			break
		}
		address = parsed.Unmap().WithZone("")
	}
	return address
}

// peer returns the address that the connection came from.
func peer(c *fiber.Ctx) netip.Addr {
	address, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	return address.Unmap()
}

func (p Proxies) trusted(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(proxies netip.Prefix) bool { return proxies.Contains(address) })
}
