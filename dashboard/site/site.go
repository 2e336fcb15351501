// Package site serves pages to browsers. It finds the session, refuses forged forms, asks for
// the password again and sends answers. It knows no page.
package site

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	recoverer "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/google/uuid"

	"dispo/api/compress"
	"dispo/api/download"
	"dispo/api/server"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/fairqueue"
	"dispo/models/i18n"
	"dispo/web"
)

// Config configures a site.
type Config struct {
	Store     *models.Store
	Accounts  *accounts.Accounts
	PublicURL *url.URL // how browsers reach it; with https, cookies are secure
	Mail      bool     // mails are sent
	Support   string   // where developers get help; may be empty
	Observer  server.Observer
	Downloads *download.Maker
	Log       *slog.Logger
	Timeout   time.Duration // bounds the work for one request
	// Find looks in an organization for the thing in the request's path. If another organization
	// of the user has it, the answer offers to switch.
	Find func(r *Request, in models.Tenant) error
}

// Site is what serves the pages.
type Site struct {
	Config
	pages, downloads turns
}

// Serve registers the routes, the stylesheets, scripts and images, and the answer to other
// paths. The first route whose path matches serves a request. What pages are made of is read
// here, so that a broken file stops the service before it serves.
func Serve(app fiber.Router, config Config, routes []Route) {
	i18n.Load()
	s := &Site{config, newTurns(userPages, organizationPages), newTurns(userDownloads, organizationDownloads)}
	app.Use(s.observe, recoverer.New(recoverer.Config{EnableStackTrace: true, StackTraceHandler: keepStack}))
	for _, file := range web.Assets() {
		app.Get(file.Path, asset(file))
	}
	for _, route := range routes {
		if route.Method == fiber.MethodGet {
			app.Get(route.Path, s.serve(route)) // and HEAD
		} else {
			app.Add(route.Method, route.Path, s.serve(route))
		}
	}
	notFound := Anyone.Get("", func(*Request) error { return models.NewError(models.KindNotFound, "") })
	app.Use(s.serve(notFound.Provided()))
}

// serve answers requests to the route with its page, or with the error page.
func (s *Site) serve(route Route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		r := &Request{Site: s, Ctx: c, route: route}
		r.Exchange().Route = cmp.Or(route.Path, server.NoRoute)
		err := r.enter()
		if err == nil {
			err = r.answerInTurn()
		}
		if err == nil && r.later != nil { // a download is sent after leaving the queue
			err = r.later()
		}
		if err != nil {
			return r.fail(err)
		}
		return nil
	}
}

// A user's requests, and an organization's, are limited. An organization gets fewer at
// once than the connections that pages have, so that it cannot keep others waiting. A user
// downloads one file at a time, and an organization two.
var (
	userPages             = fairqueue.Limits[uuid.UUID]{PerSubject: 2, Waiting: 50}
	organizationPages     = fairqueue.Limits[uuid.UUID]{PerSubject: 3, Waiting: 200}
	userDownloads         = fairqueue.Limits[uuid.UUID]{PerSubject: 1, Waiting: 4}
	organizationDownloads = fairqueue.Limits[uuid.UUID]{PerSubject: 2, Waiting: 20}
)

// errTooManyAtOnce refuses a request that would have to wait for too long.
var errTooManyAtOnce = models.NewError(models.KindLimited,
	"You or others in your organization are opening too many pages at once. Wait a few seconds and try again.")

// turns are the queues of users and of organizations.
type turns struct {
	users, organizations *fairqueue.Queue[uuid.UUID]
}

func newTurns(users, organizations fairqueue.Limits[uuid.UUID]) turns {
	return turns{fairqueue.New(users), fairqueue.New(organizations)}
}

// enter waits for the user's turn, and then for the organization's.
func (t turns) enter(ctx context.Context, session accounts.Session) (leave func(), ok bool) {
	leaveUser, ok := t.users.Enter(ctx, session.UserID)
	if !ok {
		return nil, false
	}
	leaveOrganization, ok := t.organizations.Enter(ctx, session.Current.OrganizationID)
	if !ok {
		leaveUser()
		return nil, false
	}
	return func() { leaveOrganization(); leaveUser() }, true
}

// answerInTurn answers a signed-in user's request after waiting for the user's and the
// organization's turn. Without a session it answers at once.
func (r *Request) answerInTurn() error {
	if r.Session != nil {
		ctx, cancel := context.WithTimeout(r.Context(), r.Site.Timeout/2)
		defer cancel()
		leave, ok := r.Site.pages.enter(ctx, *r.Session)
		if !ok {
			return errTooManyAtOnce
		}
		defer leave()
	}
	watched, began := database.WatchCommits(r.Context())
	r.Ctx.SetUserContext(watched)
	r.committing = began
	page, err := r.choose()
	if err != nil {
		return err
	}
	return page(r)
}

// policy allows only resources of this site, and nothing inline.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// permissions turns off the features of browsers that no page uses.
const permissions = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"

// observe wraps every request to a page. It sets headers, among them the request's id, and
// the deadline, answers panics, and logs.
func (s *Site) observe(c *fiber.Ctx) error {
	exchange := s.Observer.Begin(c)
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderPermissionsPolicy, permissions)
	c.Set(fiber.HeaderReferrerPolicy, "same-origin") // with no-referrer, browsers send no Origin with forms
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	ctx, cancel := context.WithTimeout(c.UserContext(), s.Timeout)
	defer cancel()
	c.SetUserContext(ctx)
	err := c.Next()
	if stack, ok := c.Locals(stackKey{}).([]byte); ok {
		err = fmt.Errorf("panic: %w\n%s", err, stack)
	}
	if err != nil { // from a panic, because pages answer their own errors
		r := &Request{Site: s, Ctx: c}
		r.Path, r.Now = strings.Clone(c.Path()), exchange.Began
		r.Locale = i18n.Match(c.Get(fiber.HeaderAcceptLanguage))
		err = r.fail(err)
	}
	if err != nil {
		return err // the handler that answers it logs it
	}
	exchange.End(c)
	if s.Log.Enabled(ctx, slog.LevelDebug) {
		s.Log.Debug("request", append(exchange.Attributes(), "status", c.Response().StatusCode(), "method", c.Method(),
			"route", exchange.Route, "duration", time.Since(exchange.Began))...)
	}
	return nil
}

// stackKey is the key of a panic's stack in the request's locals.
type stackKey struct{}

// keepStack keeps the stack of a panic for the log.
func keepStack(c *fiber.Ctx, _ any) { c.Locals(stackKey{}, debug.Stack()) }

// asset serves a stylesheet, script or image. Browsers may keep it forever, because its
// path changes with its content.
func asset(file web.Asset) fiber.Handler {
	body := sync.OnceValue(func() *compress.Body { return compress.NewBody(file.Content()) })
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
		c.Set(fiber.HeaderContentType, file.ContentType)
		c.Vary(fiber.HeaderAcceptEncoding)
		body().Send(c)
		return nil
	}
}
