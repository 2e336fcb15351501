package dashboard

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/web"
)

// unsent is a submitted form that was not acted on, so that what was typed can be sent
// once more: after signing in again, or for the organization that it was shown for.
type unsent struct {
	Path     string
	ShownFor string // the id of the organization
	Fields   url.Values
}

// unsentLife is how long a browser keeps a form while its user signs in, and unsentSize
// how large a form it keeps: browsers accept cookies of 4 KB.
const (
	unsentLife = 15 * time.Minute
	unsentSize = 2000
)

// secretFields are not written into a page or a cookie, and have to be typed again.
var secretFields = []string{"password", "current_password", "new_password", "confirmation", "code", "codes"}

// unsentForm reads the submitted form. It masks keys.
func unsentForm(v *visit) unsent {
	form := unsent{Path: strings.Clone(models.MaskKeys(v.Path())), ShownFor: v.typed("shown_for"), Fields: url.Values{}}
	for key, value := range v.Request().PostArgs().All() {
		name := models.MaskKeys(string(key))
		if name != "form_token" && name != "shown_for" && name != "switch_to" && !slices.Contains(secretFields, name) {
			form.Fields.Add(name, strings.ToValidUTF8(models.MaskKeys(string(value)), "\ufffd"))
		}
	}
	return form
}

// hidden returns the fields for a page that sends the form again.
func (form unsent) hidden() []web.HiddenField {
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
func (h *handler) signInFirst(v *visit) error {
	if v.Method() != fiber.MethodPost {
		return v.Redirect("/sign-in?"+url.Values{"next": {models.MaskKeys(v.OriginalURL())}}.Encode(), fiber.StatusSeeOther)
	}
	if err := h.ownSite(v); err != nil {
		return err
	}
	changesData := strings.HasPrefix(v.Path(), "/settings/") || strings.HasPrefix(v.Path(), "/profile/")
	if kept, err := json.Marshal(unsentForm(v)); changesData && err == nil && len(kept) <= unsentSize {
		sealed := h.Store.Secret().Encrypt("unsent", kept)
		h.setCookie(v, "unsent", base64.RawURLEncoding.EncodeToString(sealed), time.Now().Add(unsentLife))
	}
	return v.Redirect("/sign-in", fiber.StatusSeeOther)
}

// goOn leads on after signing in: to the form that the browser keeps, or else to the
// page that was requested.
func (h *handler) goOn(v *visit) error {
	next := ownPath(v.FormValue("next"))
	if next == "/" && v.Cookies(h.cookieName("unsent")) != "" {
		next = "/unsent"
	}
	return v.Redirect(next, fiber.StatusSeeOther)
}

// unsentShow shows the form that was submitted after the session had ended.
func (h *handler) unsentShow(v *visit) error {
	var form unsent
	sealed, err := base64.RawURLEncoding.DecodeString(v.Cookies(h.cookieName("unsent")))
	if err == nil {
		var kept []byte
		if kept, err = h.Store.Secret().Decrypt("unsent", sealed); err == nil {
			err = json.Unmarshal(kept, &form)
		}
	}
	h.setCookie(v, "unsent", "", time.Now().Add(-time.Hour))
	if err != nil || ownPath(form.Path) != form.Path {
		return v.Redirect("/", fiber.StatusSeeOther)
	}
	if form.Fields.Has("nonce") { // it was signed for the session that has ended
		form.Fields.Set("nonce", h.newNonce(v))
	}
	return v.show(web.UnsentPage(h.unsentView(v, form)))
}

func (h *handler) unsentView(v *visit, form unsent) web.UnsentView {
	view := web.UnsentView{Frame: v.frame, Path: form.Path, Fields: form.hidden(), ShownFor: v.frame.Organization}
	for _, organization := range v.frame.Organizations {
		if organization.ID == form.ShownFor {
			view.ShownFor = organization
		}
	}
	return view
}

// forCurrentOrganization makes sure that the form acts on the organization that it was
// shown for. If the user has switched since, in another tab, it refuses the form, and
// offers to switch back and send it.
func (h *handler) forCurrentOrganization(page func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		shownFor := v.FormValue("shown_for")
		if v.Method() != fiber.MethodPost || shownFor == "" || shownFor == v.session.Current.OrganizationID.String() {
			return page(v)
		}
		if to, err := uuid.Parse(v.FormValue("switch_to")); err == nil && to.String() == shownFor {
			if err := h.People.SessionSwitch(v.UserContext(), *v.session, h.actor(v), to); err != nil {
				return err
			}
			session, err := h.People.Session(v.UserContext(), v.token)
			if err != nil {
				return err
			}
			v.session = &session
			h.fillFrame(v)
			return page(v)
		}
		view := h.unsentView(v, unsentForm(v))
		view.Switched = true
		return v.showAs(fiber.StatusConflict, web.UnsentPage(view))
	}
}

// confirmed serves users who have signed in, or confirmed that it is them, in the last
// 15 minutes. Others first give the password or a code; what they sent goes on then.
func (h *handler) confirmed(page func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if v.session.Confirmed() {
			return page(v)
		}
		view := web.ConfirmView{Frame: v.frame, SecondFactor: v.session.SecondFactor, Path: "/confirm"}
		if v.Method() != fiber.MethodPost {
			view.Fields = []web.HiddenField{{Name: "next", Value: strings.Clone(models.MaskKeys(v.OriginalURL()))}}
			return v.showAs(fiber.StatusForbidden, web.ConfirmPage(view))
		}
		form := unsentForm(v)
		view.Path, view.Fields = form.Path, form.hidden()
		return h.confirm(v, view, page)
	}
}

// confirmOnly handles the confirmation that a page asked for before it was shown.
func (h *handler) confirmOnly(v *visit) error {
	next := ownPath(v.typed("next"))
	view := web.ConfirmView{Frame: v.frame, SecondFactor: v.session.SecondFactor, Path: "/confirm",
		Fields: []web.HiddenField{{Name: "next", Value: next}}}
	return h.confirm(v, view, func(v *visit) error { return v.Redirect(next, fiber.StatusSeeOther) })
}

// confirm goes on with page if the form confirms that it is the user, and asks
// otherwise.
func (h *handler) confirm(v *visit, view web.ConfirmView, page func(*visit) error) error {
	given := v.FormValue("confirmation")
	if given == "" {
		return v.showAs(fiber.StatusForbidden, web.ConfirmPage(view))
	}
	err := h.People.Confirm(v.UserContext(), *v.session, h.actor(v), given)
	if err == nil {
		v.session.ConfirmedAt = time.Now()
		return page(v)
	}
	if !isInputError(err) {
		return err
	}
	view.Confirmation.Error = v.message(err)
	return v.showAs(statuses[models.ErrorKind(err)], web.ConfirmPage(view))
}
