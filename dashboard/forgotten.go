package dashboard

import (
	"time"

	"dispo/models"
	"dispo/models/mail"
	"dispo/web"
)

func (h *handler) forgottenForm(r *request) error {
	return r.show(
		web.ForgottenPage(web.ForgottenView{Frame: r.frame, Mail: h.Mail, Email: web.Field{Value: r.typed("email")}}),
	)
}

// forgotten notes who asks for a link. It answers before anybody knows whether there is
// such an account.
func (h *handler) forgotten(r *request) error {
	if !h.Mail {
		return models.NewError(
			models.KindNotFound,
			"This server sends no e-mail. Ask the operator of this service for a link to set a new password.",
		)
	}
	email := r.typed("email")
	err := h.Accounts.LinkRequest(r.context(), mail.Password, email, r.address())
	if err == nil {
		return h.done(
			r,
			"/sign-in",
			r.frame.T(
				"If there is an account with that address, we will send it a link to set a new password. The link works for two hours.",
			),
		)
	}
	if !isInputError(err) {
		return err
	}
	view := web.ForgottenView{Frame: r.frame, Mail: true, Email: web.Field{Value: email, Error: r.message(err)}}
	return r.showAs(statuses[models.ErrorKind(err)], web.ForgottenPage(view))
}

// unlockRequest notes who asks for a link to sign in after too many attempts, as forgotten
// does for a link to set a password.
func (h *handler) unlockRequest(r *request) error {
	if !h.Mail {
		return models.NewError(
			models.KindNotFound,
			"This server sends no e-mail. Ask the operator of this service for a link to set a new password.",
		)
	}
	err := h.Accounts.LinkRequest(r.context(), mail.Unlock, r.typed("email"), r.address())
	if err != nil && isInputError(err) {
		return r.showAs(
			statuses[models.ErrorKind(err)],
			web.SignInPage(web.SignInView{Frame: r.frame, Email: r.typed("email"), Problem: r.message(err)}),
		)
	}
	return h.doneUnless(
		r,
		err,
		"/sign-in",
		r.frame.T(
			"If there is an account with that address, we will send it a link to sign in. The link works for 15 minutes, in the browser that opens it.",
		),
	)
}

func (h *handler) unlockView(r *request) (web.Frame, error) {
	return r.frame, h.Accounts.UnlockLink(r.context(), r.param("token"))
}

// unlock lets this browser sign in after too many attempts. A link that is opened does not
// suffice: mail programs open links to check them.
func (h *handler) unlock(r *request) error {
	ticket, err := h.Accounts.Unlock(r.context(), r.param("token"))
	if err != nil {
		return err
	}
	h.setCookie(r, "device", ticket, time.Now().Add(15*time.Minute))
	return h.done(r, "/sign-in", r.frame.T("You can sign in in this browser for 15 minutes."))
}
