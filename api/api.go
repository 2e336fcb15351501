// Package api is the JSON API under /api: its routes, the checks that each request
// passes, the handlers and the errors. openapi.yaml is its contract.
package api

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/singleflight"

	"dispo/api/download"
	"dispo/api/ratelimit"
	"dispo/api/server"
	"dispo/models"
	"dispo/models/keys"
)

// Config is what the API works with.
type Config struct {
	Store      *models.Store
	Keys       *keys.Verifier
	Usage      *keys.Recorder
	Limits     *ratelimit.Limits
	LimitByKey bool            // count requests by key instead of by organization
	Downloads  *download.Maker // sends what is read in bulk
	Observer   server.Observer
	CacheBytes int    // memory for remembered responses; 0 remembers none
	DocsURL    string // of the documentation, to which errors link; empty: /docs
	MCP        bool   // serve the MCP server
	Origin     string // of the service's pages, as browsers send it
	Log        *slog.Logger

	// Timeout bounds the work for one request; the default is 4 seconds. While the database
	// is away, callers get their 503 within 5 seconds.
	Timeout time.Duration
	// Draining is closed when the service is about to stop: /health says so from then on.
	Draining <-chan struct{}
	// Stopping is closed when the service stops: requests that wait are answered then.
	// If it is nil, they wait until their time is up.
	Stopping <-chan struct{}
}

const (
	// Prefix is the path that the API is mounted at. Links in responses start with it.
	Prefix = "/api"

	docsPath = "/docs"

	requestTimeout = 4 * time.Second
)

type handler struct {
	Config
	cache *cache
	reads singleflight.Group
}

// New returns the API's application, to be mounted at Prefix. routesBeside adds the routes outside
// it, and returns a function that waits for their background work. The application's error handler
// also answers requests that reached no route.
func New(config Config) (api *fiber.App, routesBeside func(*fiber.App) (wait func())) {
	config.DocsURL = cmp.Or(config.DocsURL, docsPath)
	config.Timeout = cmp.Or(config.Timeout, requestTimeout)
	h := &handler{Config: config, cache: newCache(config.CacheBytes)}
	app := fiber.New(fiber.Config{ErrorHandler: h.refuse, StrictRouting: true, CaseSensitive: true})
	app.Use(h.observe)

	route := func(path string, handlers ...fiber.Handler) {
		app.Get(path, handlers...) // also HEAD
		app.All(path, methodNotAllowed)
	}
	route("/health", h.health)
	route("/health/live", live)
	route("/openapi.json", document(fiber.MIMEApplicationJSON, openapiJSON, h.DocsURL))
	route("/openapi.yaml", document("application/yaml", OpenAPIYAML, h.DocsURL))

	h.data(func(path string, handle fiber.Handler) { route(path, h.authenticate, h.limit, h.example, handle) })

	app.Use(notFound)
	return app, func(beside *fiber.App) (wait func()) {
		if h.MCP {
			h.serveMCP(beside)
		}
		return h.serveLeaked(beside)
	}
}

// data calls route for each path that reads an organization's data.
func (h *handler) data(route func(path string, handle fiber.Handler)) {
	route("/v1/companies", h.companyList)
	route("/v1/companies/:cvr", h.companyShow)
	route("/v1/companies/:cvr/transactions", h.transactionList)
	route("/v1/transactions", h.allTransactionList)
	route("/v1/days", h.dayList)
	route("/v1/companies/:cvr/days", h.companyDayList)
	route("/v1/changes", h.changeList)
}
