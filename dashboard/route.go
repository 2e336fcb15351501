package dashboard

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// page answers a request. If it returns an error, the answer is the error page.
type page = func(*request) error

// route is a page or a form, with its guards.
type route struct {
	method, path string
	access       access
	page         page

	// A form that may give or take away somebody's access asks for the password again:
	// always, or only if it stops a key that may be in use, because stopping a stolen key
	// has to be fast, or if the key would be stopped by schedule anyway, because a later day
	// lets it work on. Each other form says why it does not ask.
	confirmed   bool
	ifInUse     bool
	ifScheduled bool // beside ifInUse
	unconfirmed string

	// fields are the form's own fields. A form with others is one of a newer program.
	fields []string

	showsSecret bool // the answer may show a secret beside what was typed, so it is not compressed
	keepsForm   bool // what was typed is kept while somebody signs in whose session has ended
	expiring    bool // owners and admins are told of keys that expire soon
}

// access says who may open a route. Each level includes the ones above it.
type access int

const (
	anyone  access = iota
	user           // who is signed in
	own            // in the organization that the form was shown for
	member         // of an organization that is not suspended, with a second factor where it or the service requires one
	manager        // as its owner or admin
)

func get(path string, access access, page page, options ...func(*route)) route {
	return newRoute(fiber.MethodGet, path, access, page, options)
}

func post(path string, access access, page page, options ...func(*route)) route {
	return newRoute(fiber.MethodPost, path, access, page, options)
}

func newRoute(method, path string, access access, page page, options []func(*route)) route {
	r := route{method: method, path: path, access: access, page: page}
	for _, option := range options {
		option(&r)
	}
	return r
}

// The options of routes. They set the fields of the same names.
func confirmed(r *route)   { r.confirmed = true }
func ifInUse(r *route)     { r.ifInUse = true }
func ifScheduled(r *route) { r.ifScheduled = true }
func showsSecret(r *route) { r.showsSecret = true }
func keepsForm(r *route)   { r.keepsForm = true }
func expiring(r *route)    { r.expiring = true }

func fields(names ...string) func(*route) { return func(r *route) { r.fields = names } }

func unconfirmed(reason string) func(*route) { return func(r *route) { r.unconfirmed = reason } }

// pagesOfForms returns routes to the page above each form that has no page at its own path:
// the browser shows that path after a refused form, and it may be reloaded or kept.
func pagesOfForms(routes []route) (added []route) {
	shown := map[string]bool{}
	for _, r := range routes {
		shown[r.path] = shown[r.path] || r.method == fiber.MethodGet
	}
	for _, r := range routes {
		if shown[r.path] {
			continue
		}
		parts := strings.Split(r.path, "/")
		n := len(parts) - 1
		for n > 1 && !shown[strings.Join(parts[:n], "/")] {
			n--
		}
		added = append(added, get(r.path, anyone, func(r *request) error {
			return r.redirect(ownPath(strings.Join(strings.Split(r.c.Path(), "/")[:n], "/")))
		}))
	}
	return added
}

// guard passes a request on to next, or answers it.
type guard func(r *request, next page) error

// guarded returns the route's page behind its guards.
func (h *handler) guarded(route route) page {
	var guards []guard // in the order in which they run
	add := func(wanted bool, guard guard) {
		if wanted {
			guards = append(guards, guard)
		}
	}
	add(route.method == fiber.MethodGet, withoutKeys)
	add(route.access >= user, h.signedInOnly)
	add(true, h.ownForms)
	add(route.method == fiber.MethodPost, h.knownFields)
	add(route.access >= own, h.forCurrentOrganization)
	add(route.access >= member, h.notSuspended)
	add(route.access >= member && route.method == fiber.MethodGet, h.inItsOrganization)
	add(route.access >= member, h.withSecondFactor)
	add(route.access >= manager, h.managersOnly)
	add(strings.Contains(route.path, ":id"), withID)
	add(route.ifInUse, h.requirePasswordIfInUse)
	add(route.confirmed, h.requirePassword)
	add(route.expiring, h.withExpiringKeys)
	served := route.page
	for _, guard := range slices.Backward(guards) {
		next := served
		served = func(r *request) error { return guard(r, next) }
	}
	return served
}
