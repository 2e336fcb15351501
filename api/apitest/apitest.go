// Package apitest serves the API to tests, and injects faults into what programs that call
// it send and receive.
package apitest

import (
	"cmp"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/api/download"
	"dispo/api/ratelimit"
	"dispo/api/server"
	"dispo/models/modelstest"
)

// Config is the configuration of an instance of the API. Limits of zero are practically
// unlimited.
type Config struct {
	api.Config
	Rates    ratelimit.Config
	HTTPS    bool
	Patience time.Duration // of a download; the service's own if zero
}

// Start starts the API on a free port, beside a page, and stops it with the test. It returns
// its host and port. A nil store makes everything panic that needs one.
func Start(t testing.TB, store *modelstest.Instance, c Config) (address string) {
	t.Helper()
	for _, limit := range []*int64{&c.Rates.Minute, &c.Rates.Hour, &c.Rates.Failures} {
		*limit = cmp.Or(*limit, 1_000_000)
	}
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	c.Rates.Log = c.Log
	limits, err := ratelimit.New(c.Rates)
	require.NoError(t, err)
	t.Cleanup(limits.Close)
	downloads, stopping := download.NewMaker(2), make(chan struct{})
	downloads.Patience = cmp.Or(c.Patience, downloads.Patience)
	c.Limits, c.Downloads, c.Stopping = limits, downloads, stopping
	if store != nil {
		c.Store, c.Keys, c.Usage = store.Store, store.Keys, store.Usage
	}
	served, routesBeside := api.New(c.Config)
	app := server.New(server.Config{Prefix: api.Prefix, API: served, HTTPS: c.HTTPS,
		Larger: map[string]int{api.LeakedPath: api.LeakedMost}})
	t.Cleanup(routesBeside(app))
	app.Use(func(c *fiber.Ctx) error { return c.Status(http.StatusNotFound).SendString("no such page") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- server.Serve(app, listener) }()
	t.Cleanup(func() {
		close(stopping)
		downloads.Close()
		require.NoError(t, app.ShutdownWithContext(modelstest.Context(t)))
		require.NoError(t, <-done)
	})
	return listener.Addr().String()
}

// Serve is Start for a program that calls the API, and returns the base URL, which ends in
// /api. perMinute limits the requests of an organization; 0 is practically unlimited.
func Serve(t testing.TB, store *modelstest.Instance, perMinute int64) string {
	t.Helper()
	return "http://" + Start(t, store,
		Config{Config: api.Config{CacheBytes: 8 << 20}, Rates: ratelimit.Config{Minute: perMinute}}) + api.Prefix
}

// Change changes the data of a key's organization, and returns when the API at a base URL
// answers with the change.
func Change(t testing.TB, baseURL, key string, change func()) {
	t.Helper()
	send := func(etag string) (status int, newETag string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, baseURL+"/v1/companies?limit=1", nil)
		require.NoError(t, err)
		request.Header = http.Header{"X-Api-Key": {key}, "If-None-Match": {etag}, "Prefer": {"wait=60"}}
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode, response.Header.Get("ETag")
	}
	_, etag := send(`"none"`)
	change()
	status, _ := send(etag)
	require.Equal(t, http.StatusOK, status)
}

// Proxy stands between a program and the API, and counts the program's requests.
type Proxy struct {
	URL string // the base URL, which ends in /api

	mutex    sync.Mutex
	requests []string
}

// Handler handles the program's request number n, from 1. next forwards it.
type Handler func(n int, w http.ResponseWriter, r *http.Request, next http.Handler)

// NewProxy starts a proxy for the API at a base URL, and stops it with the test. A nil
// handler forwards every request.
func NewProxy(t testing.TB, baseURL string, handle Handler) *Proxy {
	t.Helper()
	target, err := url.Parse(baseURL)
	require.NoError(t, err)
	next := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }, // a killed program hangs up
	}
	p := &Proxy{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mutex.Lock()
		p.requests = append(p.requests, r.URL.RequestURI())
		n := len(p.requests)
		p.mutex.Unlock()
		if n > 1000 { // the program would go on for ever
			Fail(w, http.StatusUnauthorized, "UNAUTHORIZED", "")
		} else if handle == nil {
			next.ServeHTTP(w, r)
		} else {
			handle(n, w, r, next)
		}
	}))
	t.Cleanup(s.Close)
	p.URL = s.URL + target.Path
	return p
}

// Requests returns the paths and queries of the requests so far.
func (p *Proxy) Requests() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.Clone(p.requests)
}

// SmallPages forwards a request for a page of 100 or 1,000 items as one for three, so that
// little data has many pages.
func SmallPages(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
	r.URL.RawQuery = fullPage.ReplaceAllString(r.URL.RawQuery, "limit=3")
	next.ServeHTTP(w, r)
}

var fullPage = regexp.MustCompile(`limit=1000?`)

// Fail answers with an error of the API, and asks the caller to wait for retryAfter seconds.
func Fail(w http.ResponseWriter, status int, code, retryAfter string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", "request-of-the-test")
	if retryAfter != "" {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`{"error":{"code":"` + code + `","message":"The test says so."}}`))
}

// Break breaks the connection within the answer.
func Break(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write([]byte(`{"data":[{"id":`))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}
