package site

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"dispo/api/compress"
	"dispo/models"
	"dispo/web"
)

// Show renders the whole page before it sends it, because half a page with status 200
// would be worse than an error.
func (r *Request) Show(page templ.Component) error { return r.ShowAs(fiber.StatusOK, page) }

// ShowInvalid shows a page whose form or filter has errors.
func (r *Request) ShowInvalid(page templ.Component) error {
	return r.ShowAs(fiber.StatusUnprocessableEntity, page)
}

// ShowError shows a page that says what the error says.
func (r *Request) ShowError(err error, page templ.Component) error {
	return r.ShowAs(statuses[models.ErrorKind(err)], page)
}

// Showing is the page that shows a view.
func Showing[V any](view func(*Request) (V, error), component func(V) templ.Component) Page {
	return func(r *Request) error {
		v, err := view(r)
		if err != nil {
			return err
		}
		return r.Show(component(v))
	}
}

// ShowAs shows a page with a status.
func (r *Request) ShowAs(status int, page templ.Component) error {
	var body bytes.Buffer
	if err := web.Render(&body, page); err != nil {
		return err
	}
	r.Ctx.Set(fiber.HeaderCacheControl, "no-store")
	r.Ctx.Vary(fiber.HeaderAcceptLanguage)
	r.Ctx.Type("html", "utf-8")
	if err := r.Ctx.Status(status).Send(body.Bytes()); err != nil {
		return err
	}
	if !r.route.HasSecret { // its length would give the secret away (BREACH)
		compress.Response(r.Ctx)
	}
	return nil
}

// Send answers with a text, in UTF-8.
func (r *Request) Send(contentType, text string) error {
	r.Ctx.Set(fiber.HeaderCacheControl, "no-cache")
	r.Ctx.Set(fiber.HeaderContentType, contentType+"; charset=utf-8")
	err := r.Ctx.SendString(text)
	compress.Response(r.Ctx)
	return err
}

// Redirect leads the browser to another page, which it gets with GET.
func (r *Request) Redirect(to string) error { return r.Done(to, "") }

// Done redirects the browser to a page after a change. That page shows the notice once, and
// what this request had to show.
func (r *Request) Done(to, notice string) error {
	if notice = strings.TrimSpace(notice + " " + r.Notice); notice != "" {
		value := base64.RawURLEncoding.EncodeToString([]byte(notice))
		r.SetCookie("notice", value+"."+r.Site.Store.Secret().Sign("notice", value), time.Now().Add(time.Minute))
	}
	return r.Ctx.Redirect(to, fiber.StatusSeeOther)
}

// DoneUnless is Done, unless the change failed.
func (r *Request) DoneUnless(err error, to, notice string) error {
	if err != nil {
		return err
	}
	return r.Done(to, notice)
}

// OwnPath returns next if it is a path of this site. For anything else, such as
// another site's address, it returns the start page.
func OwnPath(next string) string {
	parsed, err := url.Parse(next)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || !strings.HasPrefix(next, "/") ||
		strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

// statuses maps kinds of errors to HTTP statuses.
var statuses = map[models.Kind]int{
	models.KindInvalid:         fiber.StatusUnprocessableEntity,
	models.KindUnprocessable:   fiber.StatusUnprocessableEntity,
	models.KindUnauthorized:    fiber.StatusUnauthorized,
	models.KindForbidden:       fiber.StatusForbidden,
	models.KindNotFound:        fiber.StatusNotFound,
	models.KindCompanyNotFound: fiber.StatusNotFound,
	models.KindConflict:        fiber.StatusConflict,
	models.KindLimited:         fiber.StatusTooManyRequests,
	models.KindUnavailable:     fiber.StatusServiceUnavailable,
	models.KindBusy:            fiber.StatusServiceUnavailable,
}

// retryAfter is when to try again while the database or the dashboard is too busy.
const retryAfter = 5 * time.Second

// fail answers with the error page.
func (r *Request) fail(err error) error {
	err = models.Wrap(err)
	view := web.ErrorView{Frame: r.Frame, Status: fiber.StatusInternalServerError}
	if status, ok := statuses[models.ErrorKind(err)]; ok {
		view.Status, view.Message = status, r.Message(err)
	}
	if models.ErrorKind(err) == models.KindUnavailable {
		view.Message = "" // the page explains it better
	}
	if view.Status == fiber.StatusServiceUnavailable || errors.Is(err, errTooManyAtOnce) {
		view.RetryAfter = retryAfter
		r.Ctx.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(retryAfter.Seconds())))
	}
	if view.RetryAfter > 0 {
		view.Form = r.formToSendAgain()
		view.Unsure = r.committing != nil && *r.committing
	}
	if view.Status >= fiber.StatusInternalServerError {
		view.RequestID = r.Exchange().ID
		r.Site.Log.Error("page failed", append(r.Exchange().Attributes(),
			"error", err, "status", view.Status, "method", r.Ctx.Method(), "route", r.Ctx.Route().Path)...)
	}
	return r.ShowAs(view.Status, web.ErrorPage(view))
}

// Message returns an error's message in the user's language, or "" for an error that is
// not meant for users.
func (r *Request) Message(err error) string {
	var domain *models.Error
	if errors.As(err, &domain) {
		return domain.In(r.Locale)
	}
	return ""
}

// IsInputError reports whether the error is about the user's input, so that the form
// is shown again with its message.
func IsInputError(err error) bool {
	switch models.ErrorKind(err) {
	case models.KindInvalid, models.KindConflict, models.KindLimited, models.KindUnauthorized:
		return true
	}
	return false
}
