package site

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/keys"
)

// Page answers a request. If it returns an error, the answer is the error page.
type Page = func(*Request) error

// Route is a page or a form, with its guards.
type Route struct {
	Method, Path string
	Access       Access
	Page         Page
	Fields       []string // of a form; one with others is not acted on

	// A form that may give or take away somebody's access asks for the password again.
	ConfirmedIf func(*Request) (bool, error) // whether it asks; nil if never
	Unconfirmed string                       // why a form never asks

	HasSecret bool // the answer may show a secret beside what was typed, so it is not compressed
	KeepsForm bool // what was typed is kept while a user signs in whose session has ended
	FindsKeys bool // a key in the address is replaced by its last characters

	// ForProvided lets a session open the route that an organization's identity provider opened.
	// Without it, such a session is refused, or none at all where nobody need be signed in.
	ForProvided bool
}

// Access is what opening a route requires. Each level includes the ones above it.
type Access int

// The levels of access.
const (
	Anyone  Access = iota
	User           // signed in
	Own            // in the organization that the form was shown for
	Member         // of an organization that is not suspended, with a second factor where it or the service requires one
	Manager        // as its owner or admin
)

// Get returns the route of a page.
func (a Access) Get(path string, page Page) Route {
	return Route{Method: fiber.MethodGet, Path: path, Access: a, Page: page}
}

// Post returns the route of a form with these fields. It asks for the password again, but not
// visitors, who have none, and what was typed is kept for a user whose session has ended.
func (a Access) Post(path string, page Page, fields ...string) Route {
	return Route{Method: fiber.MethodPost, Path: path, Access: a, Page: page, Fields: fields,
		ConfirmedIf: always, KeepsForm: a >= Own}
}

func always(*Request) (bool, error) { return true, nil }

// Confirmed lets a page ask for the password again before it is shown.
func (r Route) Confirmed() Route { return r.If(always) }

// If lets the route ask for the password again only if asks reports so.
func (r Route) If(asks func(*Request) (bool, error)) Route {
	r.ConfirmedIf = asks
	return r
}

// Without lets a form never ask for the password again, and says why.
func (r Route) Without(reason string) Route {
	r.ConfirmedIf, r.Unconfirmed = nil, reason
	return r
}

// Secret marks a route whose answer may show a secret.
func (r Route) Secret() Route {
	r.HasSecret = true
	return r
}

// NotKept marks a form that is not kept while its user signs in.
func (r Route) NotKept() Route {
	r.KeepsForm = false
	return r
}

// Provided lets a session open the route that an organization's identity provider opened. What it
// shows and changes must be that organization's alone, and nothing of the user's account.
func (r Route) Provided() Route {
	r.ForProvided = true
	return r
}

// Provided returns the routes, each as the method Provided does.
func Provided(routes ...Route) []Route {
	for i := range routes {
		routes[i] = routes[i].Provided()
	}
	return routes
}

// FindingKeys marks a page that finds keys by their last characters.
func (r Route) FindingKeys() Route {
	r.FindsKeys = true
	return r
}

// choose returns the page that answers: the route's, or one that has to come before it.
func (r *Request) choose() (Page, error) {
	route := r.route
	if path := r.pathWithoutKeys(); path != "" {
		return func(r *Request) error { return r.Redirect(path) }, nil
	}
	if route.Access >= User && r.Session == nil {
		return (*Request).signInFirst, nil
	}
	if err := r.checkForm(); err != nil {
		return nil, err
	}
	if r.Session != nil && r.Session.ByProvider() && !route.ForProvided {
		return nil, models.NewError(
			models.KindForbidden,
			"You signed in by the single sign-on of {organization}, which reaches that organization alone. For your account, sign out and sign in with your password.",
			"organization",
			r.Session.Current.Name,
		)
	}
	if route.Access >= Own {
		if page, err := r.otherOrganizationFirst(); page != nil || err != nil {
			return page, err
		}
	}
	page := route.Page
	if route.Access >= Member {
		switch named := r.Ctx.Query("organization"); {
		case r.Session.Current.Suspended:
			return (*Request).showSuspended, nil
		case route.Method == fiber.MethodGet && named != "" && named != r.Organization.ID:
			return func(r *Request) error { return r.offerSwitch(named) }, nil
		case r.Session.Current.Closed:
			return (*Request).showClosed, nil
		case r.Session.FactorOwed && r.Session.ByProvider():
			return (*Request).showFactorOwed, nil
		case r.Session.FactorOwed:
			return (*Request).requireSecondFactor, nil
		case r.Session.ByProvider(): // FactorOwed has taken FactorDue into account
		case !r.FactorDue.IsZero() && !r.Now.Before(r.FactorDue):
			// The frame of that page says why.
			return func(r *Request) error { return r.Redirect("/profile/second-factor") }, nil
		}
		if route.Method == fiber.MethodGet {
			page = orElsewhere(page)
		}
	}
	if route.Access >= Manager && !r.Session.CanManage() {
		return nil, models.NewError(models.KindForbidden, "Only an owner or an admin of {organization} can do this.",
			"organization", r.Session.Current.Name)
	}
	if strings.Contains(route.Path, ":id") {
		var err error
		if r.ID, err = uuid.Parse(r.Param("id")); err != nil { // like an unknown one
			return nil, models.NewError(models.KindNotFound, "")
		}
	}
	if route.ConfirmedIf == nil || r.Session == nil || r.Session.Confirmed() {
		return page, nil
	}
	if r.Session.ByProvider() && route.Method == fiber.MethodGet {
		return page, nil // the form on it asks, for that act alone
	}
	asks, err := route.ConfirmedIf(r)
	if !asks || err != nil {
		return page, err
	}
	return func(r *Request) error { return r.askAgain(page) }, nil
}

// pathWithoutKeys returns where to go from an address with a key, whose secret must not stay
// there. It is empty if the address has none.
func (r *Request) pathWithoutKeys() string {
	kept, found := url.Values{}, false
	for name, value := range r.Ctx.Request().URI().QueryArgs().All() {
		typed := string(value)
		text := Clean(models.MaskKeys(typed))
		found = found || models.MaskKeys(typed) != typed
		if hint, ok := keys.HintIn(typed); ok && r.route.FindsKeys {
			text = hint
		}
		kept.Add(models.MaskKeys(string(name)), text)
	}
	if !found || r.route.Method != fiber.MethodGet {
		return ""
	}
	return OwnPath(r.Path + "?" + kept.Encode())
}

// otherOrganizationFirst returns a page if the form was shown for another organization than
// the current one, because the user has switched since, in another tab. The page offers to
// switch back and send the form; then it acts.
func (r *Request) otherOrganizationFirst() (Page, error) {
	shownFor := r.Field("shown_for")
	if r.Ctx.Method() != fiber.MethodPost || shownFor == "" || shownFor == r.Organization.ID {
		return nil, nil
	}
	if r.Field("switch_to") != shownFor {
		return (*Request).showSwitched, nil
	}
	to, err := uuid.Parse(shownFor)
	if err != nil {
		return nil, models.NewError(models.KindNotFound, "")
	}
	if err := r.Site.Accounts.SessionSwitch(r.Context(), *r.Session, r.Actor(), to); err != nil {
		return nil, err
	}
	session, err := r.Site.Accounts.Session(r.Context(), r.token)
	if err != nil {
		return nil, err
	}
	r.Session = &session
	r.fillFrame()
	return nil, nil
}

// PagesAbove returns routes to the page above each form that has no page at its own path:
// the browser shows that path after a refused form, and it may be reloaded or kept.
func PagesAbove(routes []Route) (added []Route) {
	shown := map[string]bool{}
	for _, r := range routes {
		shown[r.Path] = shown[r.Path] || r.Method == fiber.MethodGet
	}
	for _, r := range routes {
		if shown[r.Path] {
			continue
		}
		parts := strings.Split(r.Path, "/")
		n := len(parts) - 1
		for n > 1 && !shown[strings.Join(parts[:n], "/")] {
			n--
		}
		added = append(added, Anyone.Get(r.Path, func(r *Request) error {
			return r.Redirect(OwnPath(strings.Join(strings.Split(r.Ctx.Path(), "/")[:n], "/")))
		}))
	}
	return added
}
