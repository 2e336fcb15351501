package site

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
)

// formToken returns the token that every form contains. It signs a cookie of this
// browser, the session's if there is one, so that no other site or browser has it.
func (r *Request) formToken() string {
	own := cmp.Or(r.token, r.Cookie("form"))
	if len(own) < 20 {
		own = rand.Text()
		r.SetCookie("form", own, time.Time{})
	}
	return mask(r.Site.Store.Secret().Hash("form", own))
}

// mask makes a tag look different in each answer. Otherwise the lengths of compressed answers
// would show how much of the tag they share with words that an attacker adds (BREACH).
func mask(tag []byte) string {
	masked := make([]byte, 2*len(tag))
	_, _ = rand.Read(masked[:len(tag)]) // never fails
	subtle.XORBytes(masked[len(tag):], masked[:len(tag)], tag)
	return base64.RawURLEncoding.EncodeToString(masked)
}

// masks reports whether the text is what mask returned for the tag.
func masks(text string, tag []byte) bool {
	masked, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(masked) != 2*len(tag) {
		return false
	}
	got := make([]byte, len(tag))
	subtle.XORBytes(got, masked[:len(tag)], masked[len(tag):])
	return hmac.Equal(got, tag)
}

// Why a form is refused.
var (
	errOtherSite = models.NewError(models.KindForbidden,
		"Your browser says that this form was sent from another site. Open the page on this site, and send its form.")
	errUnnamedSite = models.NewError(
		models.KindForbidden,
		"Your browser does not say which site this form was sent from. A proxy or a browser extension that adds “Referrer-Policy: no-referrer” may be the cause: ask whoever runs it to leave that header alone, or use another browser.",
	)
	errNoCookie = models.NewError(
		models.KindForbidden,
		"Your browser sent no cookie with this form. Allow cookies for this site, then go back, reload the page and try again.",
	)
	errOldForm = models.NewError(
		models.KindForbidden,
		"This form has expired: since you opened it, you have signed in or out in this browser. Go back, reload the page and try again.",
	)
	errUnknownForm = models.NewError(
		models.KindConflict,
		"Dispo is being upgraded, and this form was new to the server that received it. Nothing was changed. Go back, and send the form again in a moment.",
	)
)

// CommonFields are the fields that any form may have.
var CommonFields = []string{"form_token", "shown_for", "shown_to", "switch_to", "next", "confirmation"}

// checkForm refuses a POST that does not come from one of our pages in the same browser, or
// that has a path or a field which this program does not know: while an upgrade replaces one
// instance after the other, a form of the new program may come to an instance of the old one.
func (r *Request) checkForm() error {
	if r.Ctx.Method() != fiber.MethodPost {
		return nil
	}
	if err := r.checkOrigin(); err != nil {
		return err
	}
	own := cmp.Or(r.token, r.Cookie("form"))
	if own == "" {
		return r.refused(errNoCookie)
	}
	masked := func(tag []byte) bool { return masks(r.Field("form_token"), tag) }
	if !r.Site.Store.Secret().Hashed("form", own, masked) {
		return r.refused(errOldForm)
	}
	known := r.route.Method == fiber.MethodPost
	for name := range r.Ctx.Request().PostArgs().All() {
		known = known && (slices.Contains(CommonFields, string(name)) || slices.Contains(r.route.Fields, string(name)))
	}
	if !known {
		return errUnknownForm
	}
	return nil
}

// checkOrigin refuses a request that comes from another site according to the browser. Where a
// page has Referrer-Policy: no-referrer, browsers send Origin: null with its forms.
func (r *Request) checkOrigin() error {
	site, origin := r.Ctx.Get("Sec-Fetch-Site"), r.Ctx.Get(fiber.HeaderOrigin)
	switch {
	case site != "" && site != "same-origin" && site != "none":
		return r.refused(errOtherSite)
	case origin == "null" && site != "same-origin":
		return r.refused(errUnnamedSite)
	case origin != "" && origin != "null" && !r.isOwn(origin):
		return r.refused(errOtherSite)
	}
	return nil
}

func (r *Request) isOwn(origin string) bool {
	from, err := url.Parse(origin)
	return err == nil && (from.Host == r.Site.PublicURL.Host || from.Host == string(r.Ctx.Request().Host()))
}

// refused logs why a form is refused. Its path is not logged: it may have a one-time link's token.
func (r *Request) refused(why error) error {
	attributes := []any{"route", r.Ctx.Route().Path, "reason", why.Error()}
	if r.Session != nil {
		attributes = append(attributes, "user", r.Session.UserID)
	}
	r.LogEvent(models.EventFormRefused, attributes...)
	return why
}

// NewNonce returns the id for the thing that the form will create, so that the form
// creates only one, however often it is submitted. It is signed for this session,
// so that users cannot choose ids.
func (r *Request) NewNonce() string {
	id := uuid.Must(uuid.NewV7()).String()
	return id + "." + r.Site.Store.Secret().Sign("nonce", r.token+id)
}

// NonceID returns the id in the form's nonce.
func (r *Request) NonceID() (uuid.UUID, error) {
	text, tag, _ := strings.Cut(r.Field("nonce"), ".")
	id, err := uuid.Parse(text)
	if err != nil || !r.Site.Store.Secret().Signed("nonce", r.token+text, tag) {
		return uuid.Nil, models.NewError(models.KindForbidden, "This form is too old: reload the page, and try again.")
	}
	return id, nil
}
