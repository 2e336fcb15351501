package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api/compress"
	"dispo/api/server"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/web"
)

// request is a request to a page, with the signed-in user and the frame of the page.
type request struct {
	c       *fiber.Ctx
	route   route
	frame   web.Frame
	session *accounts.Session // nil if nobody is signed in
	token   string            // of the session
	id      uuid.UUID         // in the path, if the route has one
	// codesLeft is said beside the next notice: the request has used up a recovery code.
	codesLeft string
	later     func() error // the rest of the answer, which others need not wait for; usually nil
}

// actor returns the signed-in user as the audit log's actor.
func (h *handler) actor(r *request) models.Actor {
	return models.Actor{UserID: &r.session.UserID, Email: r.session.Email, Address: r.address()}
}

// tenant returns the tenant that the user works in, with the user as the actor.
func (h *handler) tenant(r *request) models.Tenant {
	return h.Store.Tenant(r.session.Current.OrganizationID).As(h.actor(r))
}

// enter finds the session and fills the frame.
func (h *handler) enter(r *request) error {
	r.frame = web.Frame{
		Path:    strings.Clone(models.MaskKeys(r.c.Path())),
		Address: strings.Clone(models.MaskKeys(r.c.OriginalURL())),
		Now:     time.Now(),
		Support: h.Support,
		Locale:  i18n.Language(strings.Clone(r.c.Cookies(h.cookieName("language")))),
	}
	if !r.frame.IsOffered() {
		r.frame.Locale = i18n.Match(r.c.Get(fiber.HeaderAcceptLanguage))
	}
	r.frame.Known = r.frame.Now.Add(-keys.KnownAfter)
	r.token = strings.Clone(r.c.Cookies(h.cookieName("session")))
	if r.token != "" {
		session, err := h.Accounts.Session(r.context(), r.token)
		switch {
		case err == nil:
			r.session = &session
			r.exchange().Organization = session.Current.OrganizationID
		case models.ErrorKind(err) == models.KindUnauthorized:
			r.token = ""
			if !errors.Is(err, accounts.ErrNotSignedIn) {
				r.frame.Notice = r.message(err)
			}
			h.setCookie(r, "session", "", time.Now().Add(-time.Hour))
		default:
			r.token = ""
			return err
		}
	}
	r.frame.FormToken = h.formToken(r)
	if r.session != nil {
		if preferred := r.frame.Locale; preferred != r.session.BrowserLanguage {
			if err := h.Accounts.LanguageSeen(r.context(), *r.session, preferred); err != nil {
				return err
			}
		}
		h.fillFrame(r)
	}
	r.frame.Notice = cmp.Or(h.takeNotice(r), r.frame.Notice)
	return nil
}

func (r *request) exchange() *server.Exchange { return server.ExchangeOf(r.c) }

// address returns the client's address.
func (r *request) address() string { return r.exchange().Address.String() }

func (h *handler) fillFrame(r *request) {
	s := r.session
	r.frame.UserID, r.frame.UserEmail = s.UserID.String(), s.Email
	if s.Language.IsOffered() {
		r.frame.Locale = s.Language
	}
	r.frame.Role = s.Current.Role
	r.frame.CanManage, r.frame.FactorDue = s.CanManage(), s.FactorDue
	r.frame.Zone = i18n.StoredZone(s.Current.TimeZone)
	if s.Removed != nil {
		r.frame.Notice = r.message(s.Removed)
	}
	r.frame.Organization, r.frame.Organizations = organizationOf(s.Current), nil
	for _, m := range s.Memberships {
		r.frame.Organizations = append(r.frame.Organizations, organizationOf(m))
	}
}

func organizationOf(m accounts.Membership) web.Organization {
	return web.Organization{ID: m.OrganizationID.String(), Name: m.Name, Role: m.Role, Sandbox: m.Sandbox}
}

// cookieName adds the prefix __Host- where it is allowed. Browsers then accept the
// cookie from this host only (RFC 6265bis section 4.1.3.2).
func (h *handler) cookieName(name string) string {
	if h.secure() {
		return "__Host-dispo_" + name
	}
	return "dispo_" + name
}

func (h *handler) secure() bool { return h.PublicURL.Scheme == "https" }

// setCookie sets a cookie. With a zero expiry it lasts as long as the browser runs.
func (h *handler) setCookie(r *request, name, value string, expires time.Time) {
	r.c.Cookie(&fiber.Cookie{
		Name: h.cookieName(name), Value: value, Path: "/", Expires: expires, SessionOnly: expires.IsZero(),
		HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode, Secure: h.secure(),
	})
}

// done redirects the browser to a page after a change. That page shows the notice once.
func (h *handler) done(r *request, to, notice string) error {
	if notice != "" {
		h.setNotice(r, strings.TrimSpace(notice+" "+r.codesLeft))
		r.codesLeft = ""
	}
	return r.redirect(to)
}

// setNotice lets the next page show the notice once.
func (h *handler) setNotice(r *request, notice string) {
	value := base64.RawURLEncoding.EncodeToString([]byte(notice))
	h.setCookie(r, "notice", value+"."+h.Store.Secret().Sign("notice", value), time.Now().Add(time.Minute))
}

// doneUnless is done, unless the change failed.
func (h *handler) doneUnless(r *request, err error, to, notice string) error {
	if err != nil {
		return err
	}
	return h.done(r, to, notice)
}

func (h *handler) takeNotice(r *request) string {
	cookie := r.c.Cookies(h.cookieName("notice"))
	if cookie == "" || r.c.Method() != fiber.MethodGet {
		return ""
	}
	h.setCookie(r, "notice", "", time.Now().Add(-time.Hour))
	value, tag, _ := strings.Cut(cookie, ".")
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || !h.Store.Secret().Signed("notice", value, tag) {
		return ""
	}
	return string(text)
}

// field returns a field of the form in the request's body as it was sent. It ignores the
// query.
func (r *request) field(name string) string { return string(r.c.Request().PostArgs().Peek(name)) }

// typed returns a form's field as text that can be stored and shown again. It masks
// keys.
func (r *request) typed(name string) string {
	return clean(models.MaskKeys(r.field(name)))
}

// clean makes text storable in PostgreSQL.
func clean(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\ufffd")
}

// query returns a parameter of the address as text that can be shown. It masks keys.
func (r *request) query(name string) string { return strings.Clone(models.MaskKeys(r.rawQuery(name))) }

// shownQuery is query without what cannot be stored.
func (r *request) shownQuery(name string) string { return clean(r.query(name)) }

// rawQuery returns a parameter of the address as it was sent. It may contain a key.
func (r *request) rawQuery(name string) string { return r.c.Query(name) }

// param returns a part of the path by its name in the route.
func (r *request) param(name string) string { return strings.Clone(r.c.Params(name)) }

// context ends with the request's deadline.
func (r *request) context() context.Context { return r.c.UserContext() }

// redirect leads the browser to another page, which it gets with GET.
func (r *request) redirect(to string) error { return r.c.Redirect(to, fiber.StatusSeeOther) }

// ownPath returns next if it is a path of this site. For anything else, such as
// another site's address, it returns the start page.
func ownPath(next string) string {
	parsed, err := url.Parse(next)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || !strings.HasPrefix(next, "/") ||
		strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

// show renders the whole page before it sends it, because half a page with status 200
// would be worse than an error.
func (r *request) show(page templ.Component) error { return r.showAs(fiber.StatusOK, page) }

// showing is the page that shows a view.
func showing[V any](view func(*request) (V, error), component func(V) templ.Component) page {
	return func(r *request) error {
		v, err := view(r)
		if err != nil {
			return err
		}
		return r.show(component(v))
	}
}

func (r *request) showAs(status int, page templ.Component) error {
	var body bytes.Buffer
	if err := web.Render(&body, page); err != nil {
		return err
	}
	r.c.Set(fiber.HeaderCacheControl, "no-store")
	r.c.Vary(fiber.HeaderAcceptLanguage)
	r.c.Type("html", "utf-8")
	if err := r.c.Status(status).Send(body.Bytes()); err != nil {
		return err
	}
	if !r.route.showsSecret { // its length would give the secret away (BREACH)
		compress.Response(r.c)
	}
	return nil
}
