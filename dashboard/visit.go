package dashboard

import (
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/web"
)

// visit is one request to a page: who asks, from where, and the frame of the
// answer.
type visit struct {
	*fiber.Ctx
	frame   web.Frame
	session *models.Session // nil: nobody is signed in
	token   string          // of the session
}

// actor is who asks, as the audit log has them.
func (h *handler) actor(v *visit) models.Actor {
	return models.Actor{UserID: &v.session.UserID, Email: v.session.Email, Address: h.Address(v.Ctx)}
}

// tenant is the store bound to the organization that the user works in, in the
// user's hands.
func (h *handler) tenant(v *visit) models.Tenant {
	return h.Store.Tenant(v.session.Current.OrganizationID).As(h.actor(v))
}

// visitor serves anyone, signed in or not.
func (h *handler) visitor(page func(*visit) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := &visit{Ctx: c}
		if err := h.enter(v); err != nil {
			return h.fail(v, err)
		}
		if err := page(v); err != nil {
			return h.fail(v, err)
		}
		return nil
	}
}

// member serves those who are signed in; others are led to sign in, and back.
func (h *handler) member(page func(*visit) error) fiber.Handler {
	return h.visitor(func(v *visit) error {
		if v.session == nil {
			to := "/sign-in"
			if v.Method() == fiber.MethodGet || v.Method() == fiber.MethodHead {
				to += "?" + url.Values{"next": {v.OriginalURL()}}.Encode()
			}
			return v.Redirect(to, fiber.StatusSeeOther)
		}
		return page(v)
	})
}

// manager serves those who may change keys and members.
func (h *handler) manager(page func(*visit) error) fiber.Handler {
	return h.member(func(v *visit) error {
		if !v.session.CanManage() {
			return models.NewError(models.KindForbidden, "Only an owner or an admin of "+v.session.Current.Name+" can do this. Ask one of them.")
		}
		return page(v)
	})
}

// enter finds out who asks, and refuses a form that was not sent from a page of
// ours to this same browser.
func (h *handler) enter(v *visit) error {
	v.frame = web.Frame{Path: strings.Clone(v.Path()), Now: time.Now(), Locale: localeOf(v.Get(fiber.HeaderAcceptLanguage))}
	v.token = strings.Clone(v.Cookies(h.cookieName("session")))
	if v.token != "" {
		session, err := h.Store.Session(v.UserContext(), v.token)
		switch {
		case err == nil:
			v.session = &session
			v.Locals(sessionKey{}, session.Current.OrganizationID)
		case models.ErrorKind(err) == models.KindUnauthorized:
			v.token = ""
			h.setCookie(v, "session", "", time.Now().Add(-time.Hour))
		default:
			v.token = ""
			return err
		}
	}
	token, err := h.formToken(v)
	if err != nil {
		return err
	}
	v.frame.FormToken = token
	if v.session != nil {
		h.fillFrame(v)
	}
	v.frame.Notice = h.takeNotice(v)
	if v.Method() == fiber.MethodPost {
		return h.ownForm(v)
	}
	return nil
}

type sessionKey struct{}

func (h *handler) fillFrame(v *visit) {
	s := v.session
	v.frame.UserEmail = s.Email
	v.frame.Role = web.Role(s.Current.Role)
	v.frame.CanManage = s.CanManage()
	for _, m := range s.Memberships {
		organization := web.Organization{ID: m.OrganizationID.String(), Name: m.Name, Role: web.Role(m.Role)}
		v.frame.Organizations = append(v.frame.Organizations, organization)
		if m.OrganizationID == s.Current.OrganizationID {
			v.frame.Organization = organization
		}
	}
}

// formToken is what every form carries: the tag of this browser's own cookie, the
// session's where there is one, so that no other site and no other browser's page
// can have it.
func (h *handler) formToken(v *visit) (string, error) {
	if v.token != "" {
		return h.Store.Sign("form", v.token), nil
	}
	own := strings.Clone(v.Cookies(h.cookieName("form")))
	if len(own) < 20 {
		random := make([]byte, 24)
		if _, err := rand.Read(random); err != nil {
			return "", err
		}
		own = base64.RawURLEncoding.EncodeToString(random)
		h.setCookie(v, "form", own, time.Time{})
	}
	return h.Store.Sign("form", own), nil
}

// ownForm refuses a POST that another site sent, by what the browser says of its
// origin, and one without the form's token.
func (h *handler) ownForm(v *visit) error {
	refused := models.NewError(models.KindForbidden, "This form was not sent from a page of this site, or the page was too old. Go back, reload the page, and try again.")
	if site := v.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return refused
	}
	if origin := v.Get(fiber.HeaderOrigin); origin != "" && !h.ownOrigin(v, origin) {
		return refused
	}
	if v.token != "" {
		if !h.Store.Signed("form", v.token, v.FormValue("form_token")) {
			return refused
		}
		return nil
	}
	if own := v.Cookies(h.cookieName("form")); own == "" || !h.Store.Signed("form", own, v.FormValue("form_token")) {
		return refused
	}
	return nil
}

func (h *handler) ownOrigin(v *visit, origin string) bool {
	from, err := url.Parse(origin)
	return err == nil && (from.Host == h.PublicURL.Host || from.Host == string(v.Request().Host()))
}

// cookieName is prefixed where the browser then sees to it that the cookie is
// this host's alone (RFC 6265bis section 4.1.3.2).
func (h *handler) cookieName(name string) string {
	if h.secure() {
		return "__Host-dispo_" + name
	}
	return "dispo_" + name
}

func (h *handler) secure() bool { return h.PublicURL.Scheme == "https" }

// setCookie sets a cookie; with no expiry it ends with the browser's session.
func (h *handler) setCookie(v *visit, name, value string, expires time.Time) {
	v.Cookie(&fiber.Cookie{
		Name: h.cookieName(name), Value: value, Path: "/", Expires: expires, SessionOnly: expires.IsZero(),
		HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode, Secure: h.secure(),
	})
}

// done answers a change: the browser goes to another page, which shows the notice
// once.
func (h *handler) done(v *visit, to, notice string) error {
	if notice != "" {
		value := base64.RawURLEncoding.EncodeToString([]byte(notice))
		h.setCookie(v, "notice", value+"."+h.Store.Sign("notice", value), time.Now().Add(time.Minute))
	}
	return v.Redirect(to, fiber.StatusSeeOther)
}

func (h *handler) takeNotice(v *visit) string {
	cookie := v.Cookies(h.cookieName("notice"))
	if cookie == "" || v.Method() != fiber.MethodGet {
		return ""
	}
	h.setCookie(v, "notice", "", time.Now().Add(-time.Hour))
	value, tag, _ := strings.Cut(cookie, ".")
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || !h.Store.Signed("notice", value, tag) {
		return ""
	}
	return string(text)
}

// id reads an id in the path. One that is none is not found, like any other that
// is not there.
func (v *visit) id() (uuid.UUID, error) {
	id, err := uuid.Parse(v.Params("id"))
	if err != nil {
		return uuid.Nil, models.NewError(models.KindNotFound, "")
	}
	return id, nil
}

// FormValue is a field of the form in the request's body; what stands in the
// address is none.
func (v *visit) FormValue(name string) string { return string(v.Request().PostArgs().Peek(name)) }

// typed is a form's field, as text that can be shown again and stored.
func (v *visit) typed(name string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(v.FormValue(name), "\x00", ""), "\ufffd")
}

// localeOf reads how the reader writes numbers.
func localeOf(acceptLanguage string) web.Locale {
	first, _, _ := strings.Cut(acceptLanguage, ",")
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(first)), "da") {
		return web.Danish
	}
	return web.English
}

// ownPath is a path of this site to go to after signing in; anything else, such
// as another site's address, is the start page.
func ownPath(next string) string {
	parsed, err := url.Parse(next)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}
