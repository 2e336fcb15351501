package site

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api/server"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/web"
)

// Request is a request to a page, with the signed-in user and the frame of the page.
type Request struct {
	Site *Site
	Ctx  *fiber.Ctx
	web.Frame
	Session *accounts.Session // nil if nobody is signed in
	ID      uuid.UUID         // in the path, if the route has one

	route Route
	token string       // of the session
	later func() error // the rest of the answer, which others need not wait for; usually nil

	committing *bool // whether the page may have changed something; nil before its turn
}

// forgetCommit is called after a confirmation, whose commit is no change by the page.
func (r *Request) forgetCommit() { *r.committing = false }

// Actor returns the signed-in user as the audit log's actor.
func (r *Request) Actor() models.Actor {
	return models.Actor{UserID: &r.Session.UserID, Email: r.Session.Email, Address: r.Client()}
}

// Tenant returns the tenant that the user works in, with the user as the actor.
func (r *Request) Tenant() models.Tenant {
	return r.Site.Store.Tenant(r.Session.Current.OrganizationID).As(r.Actor())
}

// enter finds the session and fills the frame.
func (r *Request) enter() error {
	r.Frame = web.Frame{
		Path:    strings.Clone(models.MaskKeys(r.Ctx.Path())),
		Address: strings.Clone(models.MaskKeys(r.Ctx.OriginalURL())),
		Now:     time.Now(),
		Support: r.Site.Support,
		Locale:  i18n.Language(r.Cookie("language")),
	}
	if !r.IsOffered() {
		r.Locale = i18n.Match(r.Ctx.Get(fiber.HeaderAcceptLanguage))
	}
	r.Known = r.Now.Add(-keys.KnownAfter)
	r.token = r.Cookie("session")
	if r.token != "" {
		session, err := r.Site.Accounts.Session(r.Context(), r.token)
		switch {
		case err == nil:
			r.Session = &session
			r.Exchange().Organization = session.Current.OrganizationID
		case models.ErrorKind(err) == models.KindUnauthorized:
			r.token = ""
			if !errors.Is(err, accounts.ErrNotSignedIn) {
				r.Notice = r.Message(err)
			}
			r.EndCookie("session")
		default:
			r.FormToken = r.formToken() // of a form that was sent, to send it again
			return err
		}
	}
	r.FormToken = r.formToken()
	if r.Session != nil && r.Session.ByProvider() && r.route.Access == Anyone && !r.route.ForProvided {
		r.Session = nil
	}
	if r.Session != nil {
		if r.Locale != r.Session.BrowserLanguage && !r.Session.ByProvider() {
			if err := r.Site.Accounts.LanguageSeen(r.Context(), *r.Session, r.Locale); err != nil {
				return err
			}
		}
		r.fillFrame()
	}
	r.Notice = cmp.Or(r.takeNotice(), r.Notice)
	return nil
}

// takeNotice returns the notice that the page before left for this one.
func (r *Request) takeNotice() string {
	cookie := r.Cookie("notice")
	if cookie == "" || r.Ctx.Method() != fiber.MethodGet {
		return ""
	}
	r.EndCookie("notice")
	value, tag, _ := strings.Cut(cookie, ".")
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || !r.Site.Store.Secret().Signed("notice", value, tag) {
		return ""
	}
	return string(text)
}

// fillFrame fills in what the session says.
func (r *Request) fillFrame() {
	s := r.Session
	r.UserID, r.UserEmail = s.UserID.String(), s.Email
	if s.Language.IsOffered() {
		r.Locale = s.Language
	}
	r.Role = s.Current.Role
	r.CanManage, r.FactorDue, r.ByProvider = s.CanManage(), s.FactorDue, s.ByProvider()
	if r.ByProvider && s.Current.ProviderTrusted {
		r.FactorDue = time.Time{}
	}
	r.Zone = i18n.StoredZone(s.Current.TimeZone)
	if s.Removed != nil {
		r.Notice = r.Message(s.Removed)
	}
	r.Organization, r.Organizations = organizationOf(s.Current), nil
	for _, m := range s.Memberships {
		r.Organizations = append(r.Organizations, organizationOf(m))
	}
}

func organizationOf(m accounts.Membership) web.Organization {
	return web.Organization{ID: m.OrganizationID.String(), Name: m.Name, Role: m.Role, Sandbox: m.Sandbox,
		Suspended: m.Suspended}
}

// Context ends with the request's deadline.
func (r *Request) Context() context.Context { return r.Ctx.UserContext() }

// Later lets f complete the answer after others have got their turn. It has a deadline of its own,
// because it may wait for somebody else's server.
func (r *Request) Later(f func() error) error {
	r.later = f
	return nil
}

// RenewDeadline gives the rest of the work the time of a new request.
func (r *Request) RenewDeadline() (cancel func()) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), r.Site.Timeout)
	r.Ctx.SetUserContext(ctx)
	return cancel
}

// Exchange returns what is measured and logged of the request.
func (r *Request) Exchange() *server.Exchange { return server.ExchangeOf(r.Ctx) }

// Client returns the client's address.
func (r *Request) Client() string { return r.Exchange().Address.String() }

// UserAgent returns the client's program.
func (r *Request) UserAgent() string { return r.Ctx.Get(fiber.HeaderUserAgent) }

// URL returns the address of a path of this site.
func (r *Request) URL(path string) string {
	return strings.TrimSuffix(r.Site.PublicURL.String(), "/") + path
}

// LogEvent logs a security event.
func (r *Request) LogEvent(event string, attributes ...any) {
	models.LogEvent(r.Site.Log, event, r.Client(), append(r.Exchange().Attributes(), attributes...)...)
}

// Field returns a field of the form in the request's body as it was sent. It ignores the
// query.
func (r *Request) Field(name string) string { return string(r.Ctx.Request().PostArgs().Peek(name)) }

// Typed returns a form's field as text that can be stored and shown again. It masks
// keys.
func (r *Request) Typed(name string) string { return Clean(models.MaskKeys(r.Field(name))) }

// Clean makes text storable in PostgreSQL.
func Clean(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\ufffd")
}

// Query returns a parameter of the address as text that can be shown. It masks keys.
func (r *Request) Query(name string) string { return strings.Clone(models.MaskKeys(r.Ctx.Query(name))) }

// ShownQuery is Query without what cannot be stored.
func (r *Request) ShownQuery(name string) string { return Clean(r.Query(name)) }

// IDIn returns the id in a parameter of the address, or nil if there is none.
func (r *Request) IDIn(name string) *uuid.UUID {
	id, err := uuid.Parse(r.Query(name))
	if err != nil {
		return nil
	}
	return &id
}

// Param returns a part of the path by its name in the route.
func (r *Request) Param(name string) string { return strings.Clone(r.Ctx.Params(name)) }

// Cookie returns a cookie, or "" if there is none.
func (r *Request) Cookie(name string) string {
	return strings.Clone(r.Ctx.Cookies(r.Site.cookieName(name)))
}

// SetCookie sets a cookie. With a zero expiry it lasts as long as the browser runs.
func (r *Request) SetCookie(name, value string, expires time.Time) {
	r.Ctx.Cookie(&fiber.Cookie{
		Name: r.Site.cookieName(name), Value: value, Path: "/", Expires: expires, SessionOnly: expires.IsZero(),
		HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode, Secure: r.Site.secure(),
	})
}

// EndCookie lets the browser forget a cookie.
func (r *Request) EndCookie(name string) { r.SetCookie(name, "", time.Now().Add(-time.Hour)) }

// cookieName adds the prefix __Host- where it is allowed. Browsers then accept the
// cookie from this host only (RFC 6265bis section 4.1.3.2).
func (s *Site) cookieName(name string) string {
	if s.secure() {
		return "__Host-dispo_" + name
	}
	return "dispo_" + name
}

func (s *Site) secure() bool { return s.PublicURL.Scheme == "https" }
