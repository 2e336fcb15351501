package dashboard

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
)

// formToken returns the token that every form contains. It signs a cookie of this
// browser, the session's if there is one, so that no other site or browser has it.
func (h *handler) formToken(r *request) string {
	own := cmp.Or(r.token, strings.Clone(r.c.Cookies(h.cookieName("form"))))
	if len(own) < 20 {
		own = rand.Text()
		h.setCookie(r, "form", own, time.Time{})
	}
	return mask(h.Store.Secret().Hash("form", own))
}

// mask makes a tag look different in each answer. Answers are compressed, and their
// lengths would otherwise tell an attacker who can have words added to them how much of
// the tag the words share (BREACH).
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
	errOtherSite = models.NewError(
		models.KindForbidden,
		"Your browser says that this form was sent from another site. Open the page on this site, and send its form.",
	)
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

	refusedForms = []error{errOtherSite, errUnnamedSite, errNoCookie, errOldForm}
)

// ownSite refuses a request that comes from another site according to the browser. Where a
// page has Referrer-Policy: no-referrer, browsers send Origin: null with its forms.
func (h *handler) ownSite(r *request) error {
	site, origin := r.c.Get("Sec-Fetch-Site"), r.c.Get(fiber.HeaderOrigin)
	switch {
	case site != "" && site != "same-origin" && site != "none":
		return errOtherSite
	case origin == "null" && site != "same-origin":
		return errUnnamedSite
	case origin != "" && origin != "null" && !h.ownOrigin(r, origin):
		return errOtherSite
	}
	return nil
}

// ownForm refuses a POST that does not come from one of our pages in the same browser.
func (h *handler) ownForm(r *request) error {
	if r.c.Method() != fiber.MethodPost {
		return nil
	}
	if err := h.ownSite(r); err != nil {
		return err
	}
	own := cmp.Or(r.token, r.c.Cookies(h.cookieName("form")))
	if own == "" {
		return errNoCookie
	}
	if !h.Store.Secret().Hashed("form", own, func(tag []byte) bool { return masks(r.field("form_token"), tag) }) {
		return errOldForm
	}
	return nil
}

func (h *handler) ownOrigin(r *request, origin string) bool {
	from, err := url.Parse(origin)
	return err == nil && (from.Host == h.PublicURL.Host || from.Host == string(r.c.Request().Host()))
}
