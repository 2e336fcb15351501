// Package api is the JSON API under /api: its routes, the checks that each request
// passes, the handlers and the errors. openapi.yaml is its contract.
package api

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"
	recoverer "github.com/gofiber/fiber/v2/middleware/recover"

	"dispo/api/ratelimit"
	"dispo/models"
	"dispo/models/keys"
)

// Config is what the API works with.
type Config struct {
	Store          *models.Store
	Keys           *keys.Verifier
	Usage          *keys.Recorder
	Limits         *ratelimit.Limits
	LimitByKey     bool // count requests by key instead of by organization
	TrustedProxies Proxies
	AnswersMemory  int64  // bytes for remembered answers; 0 turns them off
	DocsURL        string // of the documentation, to which errors link; empty: /docs
	Log            *slog.Logger
	BaseURL        string // the address of the API, for clients; the Postman collection has it

	// Stopping is closed when the service stops: requests that wait are answered then.
	// If it is nil, they wait until their time is up.
	Stopping <-chan struct{}

	// Observe is called with every answer: the route's pattern, the status, and the
	// duration. It may be nil.
	Observe func(route string, status int, took time.Duration)
}

// Prefix is the path that the API is mounted at. Links in answers start with it.
const Prefix = "/api"

type handler struct {
	Config
	answers answers
}

// New returns the API's application, to be mounted at Prefix. Its error handler also
// answers requests that did not reach it.
func New(config Config) *fiber.App {
	config.DocsURL = cmp.Or(config.DocsURL, "/docs")
	h := &handler{Config: config, answers: newAnswers(config.AnswersMemory)}
	app := fiber.New(fiber.Config{ErrorHandler: h.refuse, StrictRouting: true, CaseSensitive: true})
	app.Use(h.observe, recoverer.New(recoverer.Config{EnableStackTrace: true, StackTraceHandler: keepStack}))

	route(app, "/health", h.health)
	route(app, "/openapi.json", h.openapiJSON)
	route(app, "/openapi.yaml", h.openapiYAML)
	route(app, "/postman.json", postman(config.BaseURL))

	v1 := app.Group("/v1")
	route(v1, "/companies", h.authenticate, h.limit, h.companyList)
	route(v1, "/companies/:cvr", h.authenticate, h.limit, h.companyShow)
	route(v1, "/companies/:cvr/transactions", h.authenticate, h.limit, h.transactionList)

	app.Use(NotFound)
	return app
}

// route registers a read-only path: the handlers answer GET and HEAD, and any other
// method is refused.
func route(to fiber.Router, path string, handlers ...fiber.Handler) {
	to.Get(path, handlers...) // also HEAD
	to.All(path, methodNotAllowed)
}
