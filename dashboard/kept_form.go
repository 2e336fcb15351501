package dashboard

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/web"
)

// keptForm is a submitted form that was not acted on, so that what was typed can be sent
// once more: after signing in again, or for the organization that it was shown for.
type keptForm struct {
	Path     string
	ShownFor string // the id of the organization
	ShownTo  string // the id of the user
	Fields   url.Values
	Secrets  []string // names of fields to type again
}

// keptFormLife is how long a browser keeps a form while its user signs in, and keptFormSize
// how large a form it keeps: browsers accept cookies of 4 KB.
const (
	keptFormLife = 15 * time.Minute
	keptFormSize = 2000
)

// isSecret reports whether a field is not written into a page or a cookie, and has to be typed
// again. It goes by parts of the name, so that it also knows the fields of newer forms.
func isSecret(name string) bool {
	return slices.ContainsFunc(
		[]string{"password", "confirmation", "code", "secret"},
		func(part string) bool { return strings.Contains(name, part) },
	)
}

// submittedForm reads the submitted form. It masks keys.
func submittedForm(r *request) keptForm {
	form := keptForm{
		Path:     strings.Clone(models.MaskKeys(r.c.Path())),
		ShownFor: r.typed("shown_for"),
		ShownTo:  r.typed("shown_to"),
		Fields:   url.Values{},
	}
	for key, value := range r.c.Request().PostArgs().All() {
		name := models.MaskKeys(string(key))
		if isSecret(name) {
			form.Secrets = append(form.Secrets, name)
		} else if name != "form_token" && name != "shown_for" && name != "shown_to" && name != "switch_to" {
			form.Fields.Add(name, strings.ToValidUTF8(models.MaskKeys(string(value)), "\ufffd"))
		}
	}
	return form
}

// hidden returns the fields for a page that sends the form again.
func (form keptForm) hidden() []web.HiddenField {
	var hidden []web.HiddenField
	for name, values := range form.Fields {
		for _, value := range values {
			hidden = append(hidden, web.HiddenField{Name: name, Value: value})
		}
	}
	slices.SortFunc(hidden, func(a, b web.HiddenField) int { return strings.Compare(a.Name, b.Name) })
	return hidden
}

// signInFirst leads to the sign-in and back to the page, or to the form that the browser
// keeps meanwhile.
func (h *handler) signInFirst(r *request) error {
	if r.c.Method() != fiber.MethodPost {
		return h.done(r, "/sign-in?"+url.Values{"next": {models.MaskKeys(r.c.OriginalURL())}}.Encode(), r.frame.Notice)
	}
	if err := h.ownSite(r); err != nil {
		return err
	}
	if !r.route.keepsForm {
		return h.done(r, "/sign-in", r.frame.Notice)
	}
	form := submittedForm(r)
	kept, err := json.Marshal(form)
	if err != nil || len(kept) > keptFormSize {
		lost := r.frame.T(
			"Nothing was changed. What you typed was too long to keep while you sign in, so you have to type it again.",
		)
		return h.done(r, "/sign-in?"+url.Values{"next": {form.Path}}.Encode(), strings.TrimSpace(r.frame.Notice+" "+lost))
	}
	sealed := h.Store.Secret().Encrypt("kept_form", kept)
	h.setCookie(r, "kept_form", base64.RawURLEncoding.EncodeToString(sealed), time.Now().Add(keptFormLife))
	return h.done(r, "/sign-in", r.frame.Notice)
}

// goOn leads on after signing in: to the form that the browser keeps, or else to the
// page that was requested.
func (h *handler) goOn(r *request) error {
	next := ownPath(r.field("next"))
	if next == "/" && r.c.Cookies(h.cookieName("kept_form")) != "" {
		next = "/kept-form"
	}
	return r.redirect(next)
}

// keptFormShow shows the form that was submitted after the session had ended, to nobody but
// the user that it was shown to.
func (h *handler) keptFormShow(r *request) error {
	var form keptForm
	sealed, err := base64.RawURLEncoding.DecodeString(r.c.Cookies(h.cookieName("kept_form")))
	if err == nil {
		var kept []byte
		if kept, err = h.Store.Secret().Decrypt("kept_form", sealed); err == nil {
			err = json.Unmarshal(kept, &form)
		}
	}
	h.setCookie(r, "kept_form", "", time.Now().Add(-time.Hour))
	if err != nil || ownPath(form.Path) != form.Path || form.ShownTo != r.frame.UserID {
		return r.redirect("/")
	}
	if form.Fields.Has("nonce") { // it was signed for the session that has ended
		form.Fields.Set("nonce", h.newNonce(r))
	}
	return r.show(web.KeptFormPage(h.keptFormView(r, form)))
}

// keptFormView offers the form only for an organization of the user. It does not ask for what
// only confirmed who the user is: that is asked for when it is needed.
func (h *handler) keptFormView(r *request, form keptForm) web.KeptFormView {
	view := web.KeptFormView{Frame: r.frame, Path: form.Path, Fields: form.hidden()}
	view.Secrets = slices.DeleteFunc(form.Secrets, func(name string) bool { return name == "confirmation" })
	for _, organization := range r.frame.Organizations {
		if organization.ID == form.ShownFor {
			view.ShownFor = organization
		}
	}
	return view
}
