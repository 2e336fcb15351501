package dashboard

import (
	"dispo/models"
	"dispo/web"
)

func (h *handler) forgottenForm(v *visit) error {
	return v.show(web.ForgottenPage(web.ForgottenView{Frame: v.frame, Mail: h.Mail, Email: web.Field{Value: v.typed("email")}}))
}

// forgotten notes who asks for a link. It answers before anybody knows whether there is
// such an account.
func (h *handler) forgotten(v *visit) error {
	if !h.Mail {
		return models.NewError(models.KindNotFound, "This server sends no e-mail. Ask your Dispo administrator for a link to set a new password.")
	}
	email := v.typed("email")
	err := h.People.PasswordForgotten(v.UserContext(), email, h.Address(v.Ctx))
	if err == nil {
		return h.done(v, "/sign-in", v.frame.T("If there is an account with that address, we will send it a link to set a new password. The link works for two hours."))
	}
	if !isInputError(err) {
		return err
	}
	view := web.ForgottenView{Frame: v.frame, Mail: true, Email: web.Field{Value: email, Error: v.message(err)}}
	return v.showAs(statuses[models.ErrorKind(err)], web.ForgottenPage(view))
}
