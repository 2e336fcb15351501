package dashboard

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/web"
)

// visit is a request to a page, with the signed-in user and the frame of the page.
type visit struct {
	*fiber.Ctx
	frame   web.Frame
	session *accounts.Session // nil if nobody is signed in
	token   string            // of the session
	later   func() error      // the rest of the answer, which others need not wait for; usually nil
}

// actor returns the signed-in user as the audit log's actor.
func (h *handler) actor(v *visit) models.Actor {
	return models.Actor{UserID: &v.session.UserID, Email: v.session.Email, Address: h.Address(v.Ctx)}
}

// tenant returns the tenant that the user works in, with the user as the actor.
func (h *handler) tenant(v *visit) models.Tenant {
	return h.Store.Tenant(v.session.Current.OrganizationID).As(h.actor(v))
}

// page serves a page, or the error page.
func (h *handler) page(page func(*visit) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := &visit{Ctx: c}
		if err := h.enter(v); err != nil {
			return h.fail(v, err)
		}
		err := h.inTurn(v, page)
		if err == nil && v.later != nil {
			err = v.later()
		}
		if err != nil {
			if errors.Is(err, errForeignForm) {
				h.noteRefusedForm(v)
			}
			return h.fail(v, err)
		}
		return nil
	}
}

// visitor serves anyone, signed in or not.
func (h *handler) visitor(page func(*visit) error) fiber.Handler {
	return h.page(func(v *visit) error {
		if err := h.ownForm(v); err != nil {
			return err
		}
		return page(v)
	})
}

// user serves signed-in users. Others are led to the sign-in, and then back.
func (h *handler) user(page func(*visit) error) fiber.Handler {
	return h.page(func(v *visit) error {
		if v.session == nil {
			return h.signInFirst(v)
		}
		if err := h.ownForm(v); err != nil {
			return err
		}
		return page(v)
	})
}

// member serves signed-in users who may work in the organization.
func (h *handler) member(page func(*visit) error) fiber.Handler {
	return h.user(h.forCurrentOrganization(func(v *visit) error {
		if v.session.Current.RequireSecondFactor && !v.session.SecondFactor {
			return h.done(v, "/profile/second-factor", v.frame.T("{organization} requires a second factor. Set one up to continue.", "organization", v.session.Current.Name))
		}
		return page(v)
	}))
}

// warned serves a page that warns owners and admins of keys that expire soon.
func (h *handler) warned(page func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if v.frame.CanManage {
			if err := h.findExpiring(v); err != nil {
				return err
			}
		}
		return page(v)
	}
}

func (h *handler) findExpiring(v *visit) error {
	keys, err := h.tenant(v).KeysExpiring(v.UserContext(), models.ExpirySoon(v.frame.Now))
	for _, key := range keys {
		v.frame.Expiring = append(v.frame.Expiring, web.ExpiringKey{ID: key.ID.String(), Name: key.Name, ExpiresAt: *key.ExpiresAt})
	}
	return err
}

// own serves signed-in users what is theirs and not the organization's.
func (h *handler) own(page func(*visit) error) fiber.Handler {
	return h.user(h.forCurrentOrganization(page))
}

// manager serves users who may change keys and members.
func (h *handler) manager(page func(*visit) error) fiber.Handler {
	return h.member(func(v *visit) error {
		if !v.session.CanManage() {
			return models.NewError(models.KindForbidden, "Only an owner or an admin of {organization} can do this.", "organization", v.session.Current.Name)
		}
		return page(v)
	})
}

// enter finds the session and fills the frame.
func (h *handler) enter(v *visit) error {
	v.frame = web.Frame{Path: strings.Clone(models.MaskKeys(v.Path())), Now: time.Now(), Locale: i18n.Match(v.Get(fiber.HeaderAcceptLanguage))}
	v.token = strings.Clone(v.Cookies(h.cookieName("session")))
	if v.token != "" {
		session, err := h.People.Session(v.UserContext(), v.token)
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
		if preferred := v.frame.Locale; preferred != v.session.BrowserLanguage {
			if err := h.People.LanguageSeen(v.UserContext(), *v.session, preferred); err != nil {
				return err
			}
		}
		h.fillFrame(v)
	}
	v.frame.Notice = h.takeNotice(v)
	return nil
}

type sessionKey struct{}

func (h *handler) fillFrame(v *visit) {
	s := v.session
	v.frame.UserEmail = s.Email
	if s.Language.IsOffered() {
		v.frame.Locale = s.Language
	}
	v.frame.Role = web.Role(s.Current.Role)
	v.frame.CanManage = s.CanManage()
	zone, err := models.Location(s.Current.TimeZone)
	if err != nil { // it was a zone when it was stored
		zone = time.UTC
	}
	v.frame.Zone = zone
	v.frame.Organizations = nil
	for _, m := range s.Memberships {
		organization := web.Organization{ID: m.OrganizationID.String(), Name: m.Name, Role: web.Role(m.Role), Sandbox: m.Sandbox}
		v.frame.Organizations = append(v.frame.Organizations, organization)
		if m.OrganizationID == s.Current.OrganizationID {
			v.frame.Organization = organization
		}
	}
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
func (h *handler) setCookie(v *visit, name, value string, expires time.Time) {
	v.Cookie(&fiber.Cookie{
		Name: h.cookieName(name), Value: value, Path: "/", Expires: expires, SessionOnly: expires.IsZero(),
		HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode, Secure: h.secure(),
	})
}

// done redirects the browser to a page after a change. That page shows the notice once.
func (h *handler) done(v *visit, to, notice string) error {
	if notice != "" {
		value := base64.RawURLEncoding.EncodeToString([]byte(notice))
		h.setCookie(v, "notice", value+"."+h.Store.Secret().Sign("notice", value), time.Now().Add(time.Minute))
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
	if err != nil || !h.Store.Secret().Signed("notice", value, tag) {
		return ""
	}
	return string(text)
}

// id reads the id in the path. An invalid id is not found, like an unknown one.
func (v *visit) id() (uuid.UUID, error) {
	id, err := uuid.Parse(v.Params("id"))
	if err != nil {
		return uuid.Nil, models.NewError(models.KindNotFound, "")
	}
	return id, nil
}

// FormValue returns a field of the form in the request's body. It ignores the query.
func (v *visit) FormValue(name string) string { return string(v.Request().PostArgs().Peek(name)) }

// typed returns a form's field as text that can be stored and shown again. It masks
// keys.
func (v *visit) typed(name string) string {
	return clean(models.MaskKeys(v.FormValue(name)))
}

// clean makes text storable in PostgreSQL.
func clean(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\ufffd")
}

// Query returns a parameter as text that can be shown. It masks keys.
func (v *visit) Query(name string) string { return strings.Clone(models.MaskKeys(v.Ctx.Query(name))) }

// ownPath returns next if it is a path of this site. For anything else, such as
// another site's address, it returns the start page.
func ownPath(next string) string {
	parsed, err := url.Parse(next)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

// show renders the whole page before it sends it, because half a page with status 200
// would be worse than an error.
func (v *visit) show(page templ.Component) error { return v.showAs(fiber.StatusOK, page) }

func (v *visit) showAs(status int, page templ.Component) error {
	var body bytes.Buffer
	if err := web.Render(&body, page); err != nil {
		return err
	}
	v.Set(fiber.HeaderCacheControl, "no-store")
	v.Vary(fiber.HeaderAcceptLanguage)
	v.Type("html", "utf-8")
	return v.Status(status).Send(body.Bytes())
}
