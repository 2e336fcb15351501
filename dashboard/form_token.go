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

var errForeignForm = models.NewError(models.KindForbidden, "This form has expired, or was not sent from this site. Go back, reload the page and try again.")

// ownSite refuses a request that comes from another site according to the browser.
func (h *handler) ownSite(r *request) error {
	if site := r.c.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return errForeignForm
	}
	if origin := r.c.Get(fiber.HeaderOrigin); origin != "" && !h.ownOrigin(r, origin) {
		return errForeignForm
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
	if own == "" || !h.Store.Secret().Hashed("form", own, func(tag []byte) bool { return masks(r.field("form_token"), tag) }) {
		return errForeignForm
	}
	return nil
}

func (h *handler) ownOrigin(r *request, origin string) bool {
	from, err := url.Parse(origin)
	return err == nil && (from.Host == h.PublicURL.Host || from.Host == string(r.c.Request().Host()))
}
