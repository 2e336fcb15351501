// Package api is the JSON API under /api: its routes, the checks on their way,
// the handlers and the errors. The contract is openapi.yaml.
package api

import (
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"
	recoverer "github.com/gofiber/fiber/v2/middleware/recover"

	"dispo/api/ratelimit"
	"dispo/models"
)

// Config is what the API is made of.
type Config struct {
	Store          *models.Store
	Limits         *ratelimit.Limits
	LimitByKey     bool // count requests per key instead of per organization
	TrustedProxies Proxies
	AnswersMemory  int64 // bytes for answers that are remembered; 0: none is
	Log            *slog.Logger

	// Observe is told of every answer: the route's pattern, the status, and how
	// long it took. It may be nil.
	Observe func(route string, status int, took time.Duration)
}

// Prefix is where the API is mounted; links in answers start with it.
const Prefix = "/api"

type handler struct {
	Config
	answers   answers
	deadlines deadlines
}

// New makes the API's application, to be mounted at Prefix.
func New(config Config) *fiber.App {
	h := &handler{Config: config, answers: newAnswers(config.AnswersMemory)}
	app := fiber.New(fiber.Config{ErrorHandler: ErrorHandler, StrictRouting: true, CaseSensitive: true})
	app.Use(h.observe, recoverer.New(recoverer.Config{EnableStackTrace: true, StackTraceHandler: keepStack}))

	route(app, "/health", h.health)
	route(app, "/openapi.json", h.openapiJSON)
	route(app, "/openapi.yaml", h.openapiYAML)

	v1 := app.Group("/v1")
	route(v1, "/companies", h.authenticate, h.limit, h.companyList)
	route(v1, "/companies/:cvr", h.authenticate, h.limit, h.companyShow)
	route(v1, "/companies/:cvr/transactions", h.authenticate, h.limit, h.transactionList)

	app.Use(notFound)
	return app
}

// route registers a path that is read only: GET and HEAD by the handlers, any
// other method refused.
func route(to fiber.Router, path string, handlers ...fiber.Handler) {
	to.Get(path, handlers...) // and HEAD
	to.All(path, methodNotAllowed)
}
