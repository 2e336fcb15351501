package dashboard

import (
	"time"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/mail"
	"dispo/web"
)

var errNoMail = models.NewError(models.KindNotFound,
	"This server sends no e-mail. Ask the operator of this service for a link to set a new password.")

func forgottenForm(r *site.Request) error {
	view := web.ForgottenView{Frame: r.Frame, Mail: r.Site.Mail, Email: web.Field{Value: r.Typed("email")}}
	return r.Show(web.ForgottenPage(view))
}

// forgotten requests a link to set a password. It answers before anybody knows whether there
// is such an account.
func forgotten(r *site.Request) error {
	if !r.Site.Mail {
		return errNoMail
	}
	email := r.Typed("email")
	err := r.Site.Accounts.LinkRequest(r.Context(), mail.Password, email, r.Client())
	if err == nil {
		return r.Done("/sign-in", r.T(
			"If there is an account with that address, we will send it a link to set a new password. The link works for two hours.",
		))
	}
	if !site.IsInputError(err) {
		return err
	}
	view := web.ForgottenView{Frame: r.Frame, Mail: true, Email: web.Field{Value: email, Error: r.Message(err)}}
	return r.ShowError(err, web.ForgottenPage(view))
}

// unlockRequest requests a link to sign in after too many attempts.
func unlockRequest(r *site.Request) error {
	if !r.Site.Mail {
		return errNoMail
	}
	err := r.Site.Accounts.LinkRequest(r.Context(), mail.Unlock, r.Typed("email"), r.Client())
	if err != nil && site.IsInputError(err) {
		return r.ShowError(err,
			web.SignInPage(web.SignInView{Frame: r.Frame, Email: r.Typed("email"), Problem: r.Message(err)}))
	}
	return r.DoneUnless(err, "/sign-in", r.T(
		"If there is an account with that address, we will send it a link to sign in. The link works for 15 minutes, in the browser that opens it.",
	))
}

func unlockView(r *site.Request) (web.Frame, error) {
	return r.Frame, r.Site.Accounts.UnlockLink(r.Context(), r.Param("token"))
}

// unlock lets this browser sign in after too many attempts. A link that is opened does not
// suffice: mail programs open links to check them.
func unlock(r *site.Request) error {
	ticket, err := r.Site.Accounts.Unlock(r.Context(), r.Param("token"))
	if err != nil {
		return err
	}
	r.SetCookie("device", ticket, time.Now().Add(15*time.Minute))
	return r.Done("/sign-in", r.T("You can sign in in this browser for 15 minutes."))
}
