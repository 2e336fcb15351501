package dashboard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/i18n"
	"dispo/web"
)

// policy allows only resources of this site, and nothing inline.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// permissions turns off the features of browsers that no page uses.
const permissions = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"

// observe wraps every request to a page. It sets headers, among them the request's id, and
// the deadline, answers panics, and logs.
func (h *handler) observe(c *fiber.Ctx) error {
	exchange := h.Observer.Begin(c)
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderPermissionsPolicy, permissions)
	c.Set(fiber.HeaderReferrerPolicy, "same-origin") // with no-referrer, browsers send no Origin with forms
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	ctx, cancel := context.WithTimeout(c.UserContext(), h.Timeout)
	defer cancel()
	c.SetUserContext(ctx)
	err := c.Next()
	if stack, ok := c.Locals(stackKey{}).([]byte); ok {
		err = fmt.Errorf("panic: %w\n%s", err, stack)
	}
	if err != nil { // from a panic, because pages answer their own errors
		err = h.fail(
			&request{
				c: c,
				frame: web.Frame{
					Path:   strings.Clone(c.Path()),
					Now:    exchange.Began,
					Locale: i18n.Match(c.Get(fiber.HeaderAcceptLanguage)),
				},
			},
			err,
		)
	}
	if err != nil {
		return err // whatever answers it logs it
	}
	exchange.End(c)
	if h.Log.Enabled(ctx, slog.LevelDebug) {
		h.Log.Debug(
			"request",
			append(
				exchange.Attributes(),
				"status",
				c.Response().StatusCode(),
				"method",
				c.Method(),
				"route",
				exchange.Route,
				"duration",
				time.Since(exchange.Began),
			)...)
	}
	return nil
}

// stackKey is the key of a panic's stack in the request's locals.
type stackKey struct{}

// keepStack keeps the stack of a panic for the log.
func keepStack(c *fiber.Ctx, _ any) { c.Locals(stackKey{}, debug.Stack()) }

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
func (h *handler) fail(r *request, err error) error {
	err = models.Wrap(err)
	view := web.ErrorView{Frame: r.frame, Status: fiber.StatusInternalServerError}
	if status, ok := statuses[models.ErrorKind(err)]; ok {
		view.Status = status
		view.Message = r.message(err)
	}
	if models.ErrorKind(err) == models.KindUnavailable {
		view.Message = "" // the page explains it better
	}
	if view.Status == fiber.StatusServiceUnavailable || errors.Is(err, errTooManyAtOnce) {
		view.RetryAfter = retryAfter
		r.c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(retryAfter.Seconds())))
	}
	if view.Status >= fiber.StatusInternalServerError {
		view.RequestID = r.exchange().ID
		h.Log.Error(
			"page failed",
			append(
				r.exchange().Attributes(),
				"error",
				err,
				"status",
				view.Status,
				"method",
				r.c.Method(),
				"route",
				r.c.Route().Path,
			)...)
	}
	if err := r.showAs(view.Status, web.ErrorPage(view)); err != nil {
		return err
	}
	return nil
}

// message returns an error's message in the user's language, or "" for an error that is
// not meant for users.
func (r *request) message(err error) string {
	var domain *models.Error
	if errors.As(err, &domain) {
		return domain.In(r.frame.Locale)
	}
	return ""
}

// isInputError reports whether the error is about the user's input, so that the form
// is shown again with its message.
func isInputError(err error) bool {
	switch models.ErrorKind(err) {
	case models.KindInvalid, models.KindConflict, models.KindLimited, models.KindUnauthorized:
		return true
	}
	return false
}
