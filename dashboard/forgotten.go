package dashboard

import (
	"dispo/models"
	"dispo/web"
)

func (h *handler) forgottenForm(r *request) error {
	return r.show(web.ForgottenPage(web.ForgottenView{Frame: r.frame, Mail: h.Mail, Email: web.Field{Value: r.typed("email")}}))
}

// forgotten notes who asks for a link. It answers before anybody knows whether there is
// such an account.
func (h *handler) forgotten(r *request) error {
	if !h.Mail {
		return models.NewError(models.KindNotFound, "This server sends no e-mail. Ask the operator of this service for a link to set a new password.")
	}
	email := r.typed("email")
	err := h.Accounts.PasswordForgotten(r.context(), email, h.Address(r.c))
	if err == nil {
		return h.done(r, "/sign-in", r.frame.T("If there is an account with that address, we will send it a link to set a new password. The link works for two hours."))
	}
	if !isInputError(err) {
		return err
	}
	view := web.ForgottenView{Frame: r.frame, Mail: true, Email: web.Field{Value: email, Error: r.message(err)}}
	return r.showAs(statuses[models.ErrorKind(err)], web.ForgottenPage(view))
}
