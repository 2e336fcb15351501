package dashboard

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/web"
)

// While an upgrade replaces one instance after the other, a form of the new program may come to
// an instance of the old one. It is not acted on without what the old one does not know.

// everyForm are fields that any form may have.
var everyForm = []string{"form_token", "shown_for", "shown_to", "switch_to", "next", "confirmation"}

// knownFields asks to send a form again that has fields which this program does not know.
func (h *handler) knownFields(r *request, next page) error {
	for name := range r.c.Request().PostArgs().All() {
		if !slices.Contains(everyForm, string(name)) && !slices.Contains(r.route.fields, string(name)) {
			return h.sendAgain(r)
		}
	}
	return next(r)
}

// unknown answers requests to paths that this program does not know. The guards have refused
// forms that no page of ours has.
func (h *handler) unknown(r *request) error {
	if r.c.Method() == fiber.MethodPost {
		return h.sendAgain(r)
	}
	return models.NewError(models.KindNotFound, "")
}

// sendAgain shows what was typed, and sends the form as it was once more. By then another
// instance may serve it, or this one may be new.
func (h *handler) sendAgain(r *request) error {
	form := submittedForm(r)
	view := web.KeptFormView{Frame: r.frame, Path: form.Path, Fields: form.hidden(), Secrets: form.Secrets, Newer: true}
	for _, name := range []string{"shown_for", "shown_to"} {
		view.Fields = append(view.Fields, web.HiddenField{Name: name, Value: r.typed(name)})
	}
	r.route.showsSecret = true // the path may have a token, beside what was typed
	return r.showAs(fiber.StatusConflict, web.KeptFormPage(view))
}
