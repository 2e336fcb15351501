package site

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
// again.
func isSecret(name string) bool {
	return slices.ContainsFunc([]string{"password", "confirmation", "code", "secret"},
		func(part string) bool { return strings.Contains(name, part) })
}

// submittedForm reads the submitted form. It masks keys.
func (r *Request) submittedForm() keptForm {
	form := keptForm{
		Path:     strings.Clone(models.MaskKeys(r.Ctx.Path())),
		ShownFor: r.Typed("shown_for"),
		ShownTo:  r.Typed("shown_to"),
		Fields:   url.Values{},
	}
	for key, value := range r.Ctx.Request().PostArgs().All() {
		name := models.MaskKeys(string(key))
		if isSecret(name) {
			form.Secrets = append(form.Secrets, name)
		} else if name != "form_token" && name != "shown_for" && name != "shown_to" && name != "switch_to" {
			form.Fields.Add(name, strings.ToValidUTF8(models.MaskKeys(string(value)), "\ufffd"))
		}
	}
	return form
}

// formToSendAgain returns the form that this request could not act on, if it came from our page.
func (r *Request) formToSendAgain() *web.KeptFormView {
	kept := r.route.KeepsForm || r.route.Access < Own
	if r.Ctx.Method() != fiber.MethodPost || !kept || r.checkForm() != nil {
		return nil
	}
	form := r.submittedForm()
	view := r.keptFormView(form)
	view.ShownFor.ID, view.UserID = form.ShownFor, form.ShownTo // also if the database cannot say who that is
	return &view
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
func (r *Request) signInFirst() error {
	if r.Ctx.Method() != fiber.MethodPost {
		return r.Redirect("/sign-in?" + url.Values{"next": {models.MaskKeys(r.Ctx.OriginalURL())}}.Encode())
	}
	if err := r.checkOrigin(); err != nil {
		return err
	}
	if !r.route.KeepsForm {
		return r.Redirect("/sign-in")
	}
	form := r.submittedForm()
	if !r.keepForm(form) {
		lost := r.T(
			"Nothing was changed. What you typed was too long to keep while you sign in, so you have to type it again.")
		return r.Done("/sign-in?"+url.Values{"next": {form.Path}}.Encode(), lost)
	}
	return r.Redirect("/sign-in")
}

// keepForm lets the browser keep a form. It reports false if the form is too long.
func (r *Request) keepForm(form keptForm) bool {
	kept, err := json.Marshal(form)
	if err != nil || len(kept) > keptFormSize {
		return false
	}
	sealed := r.Site.Store.Secret().Encrypt("kept_form", kept)
	r.SetCookie("kept_form", base64.RawURLEncoding.EncodeToString(sealed), time.Now().Add(keptFormLife))
	return true
}

// GoOn leads on after signing in: to the form that the browser keeps, or else to the
// page that was requested.
func (r *Request) GoOn() error {
	next := OwnPath(r.Field("next"))
	if next == "/" && r.Cookie("kept_form") != "" {
		next = "/kept-form"
	}
	return r.Redirect(next)
}

// ShowKeptForm shows the form that was submitted after the session had ended, only to the
// user that it was shown to.
func (r *Request) ShowKeptForm() error {
	var form keptForm
	sealed, err := base64.RawURLEncoding.DecodeString(r.Cookie("kept_form"))
	if err == nil {
		var kept []byte
		if kept, err = r.Site.Store.Secret().Decrypt("kept_form", sealed); err == nil {
			err = json.Unmarshal(kept, &form)
		}
	}
	r.EndCookie("kept_form")
	if err != nil || OwnPath(form.Path) != form.Path || form.ShownTo != r.UserID {
		return r.Redirect("/")
	}
	if form.Fields.Has("nonce") { // it was signed for the session that has ended
		form.Fields.Set("nonce", r.NewNonce())
	}
	return r.Show(web.KeptFormPage(r.keptFormView(form)))
}

// keptFormView offers the form only for an organization of the user. It does not ask
// for the confirmation, which the form asks for if it needs one.
func (r *Request) keptFormView(form keptForm) web.KeptFormView {
	view := web.KeptFormView{Frame: r.Frame, Path: form.Path, Fields: form.hidden(), Confirmed: r.ByProvider}
	view.Secrets = slices.DeleteFunc(form.Secrets, func(name string) bool { return name == "confirmation" })
	for _, organization := range r.Organizations {
		if organization.ID == form.ShownFor && !organization.Suspended {
			view.ShownFor = organization
		}
	}
	return view
}
