package dashboard

import (
	"errors"
	"slices"
	"time"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/models/mail"
	"dispo/web"
)

func profileView(r *site.Request) (web.ProfileView, error) {
	view := web.ProfileView{Frame: r.Frame, SecondFactor: r.Session.SecondFactor, Language: r.Session.Language}
	sessions, err := r.Site.Accounts.Sessions(r.Context(), r.Session.UserID)
	if err != nil {
		return view, err
	}
	for _, s := range sessions {
		view.Sessions = append(view.Sessions, web.SessionRow{ID: s.ID.String(), Current: s.ID == r.Session.ID,
			Address: s.Address, UserAgent: s.UserAgent, StartedAt: s.CreatedAt, SeenAt: s.SeenAt})
	}
	if r.Site.Mail {
		unwanted, err := r.Site.Accounts.UnwantedMail(r.Context(), r.Session.UserID)
		if err != nil {
			return view, err
		}
		for _, topic := range mail.Topics {
			view.MailTopics = append(view.MailTopics,
				web.MailTopic{Name: string(topic), Wanted: !slices.Contains(unwanted, topic)})
		}
	}
	if view.SecondFactor {
		view.FactorStays = r.Message(r.Site.Accounts.FactorStays(r.Context(), *r.Session))
		view.RecoveryCodesLeft, err = r.Site.Accounts.RecoveryCodesLeft(r.Context(), r.Session.UserID)
	}
	return view, err
}

func passwordChange(r *site.Request) error {
	device, err := r.Site.Accounts.PasswordChange(r.Context(), *r.Session, r.Actor(), r.Cookie("device"),
		r.Field("current_password"), r.Field("new_password"))
	if err == nil {
		r.SetCookie("device", device, time.Now().Add(deviceCookieLife))
		return r.Done("/profile", r.T("Password changed. You are signed out everywhere else."))
	}
	if !site.IsInputError(err) {
		return err
	}
	view, viewErr := profileView(r)
	if viewErr != nil {
		return viewErr
	}
	if errors.Is(err, accounts.ErrPasswordWrong) || models.ErrorKind(err) == models.KindLimited {
		view.CurrentPassword.Error = r.Message(err)
	} else {
		view.NewPassword.Error = r.Message(err)
	}
	return r.ShowError(err, web.ProfilePage(view))
}

func languageChange(r *site.Request) error {
	r.EndCookie("language")
	language := i18n.Language(r.Typed("language"))
	if err := r.Site.Accounts.LanguageChange(r.Context(), *r.Session, language); err != nil {
		return err
	}
	if language != "" {
		r.Locale = language
	}
	return r.Done("/profile", r.T("Saved."))
}

// languageSwitch sets the language, and leads back to the page. A cookie keeps it where nobody
// is signed in.
func languageSwitch(r *site.Request) error {
	language := i18n.Language(r.Typed("language"))
	if !language.IsOffered() {
		return models.NewError(models.KindInvalid, "Choose one of the languages.")
	}
	if r.Session == nil {
		r.SetCookie("language", string(language), time.Now().Add(deviceCookieLife))
	} else if err := r.Site.Accounts.LanguageChange(r.Context(), *r.Session, language); err != nil {
		return err
	}
	return r.Redirect(site.OwnPath(r.Typed("next")))
}

// mailFields are the fields of the form of mailChange.
func mailFields() (names []string) {
	for _, topic := range mail.Topics {
		names = append(names, string(topic))
	}
	return names
}

// mailChange sets which mails the user wants.
func mailChange(r *site.Request) error {
	var unwanted []mail.Topic
	for _, topic := range mail.Topics {
		if r.Field(string(topic)) == "" {
			unwanted = append(unwanted, topic)
		}
	}
	return r.DoneUnless(r.Site.Accounts.UnwantedMailSet(r.Context(), r.Session.UserID, unwanted), "/profile",
		r.T("Settings saved."))
}

func sessionEnd(r *site.Request) error {
	return r.DoneUnless(r.Site.Accounts.SessionEnd(r.Context(), *r.Session, r.Actor(), r.ID), "/profile",
		r.T("Session ended."))
}

func sessionsEndOthers(r *site.Request) error {
	return r.DoneUnless(r.Site.Accounts.SessionsEndOthers(r.Context(), *r.Session, r.Actor()), "/profile",
		r.T("You are signed out everywhere else."))
}

func factorView(r *site.Request, setup accounts.SecondFactorSetup) web.TOTPSetupView {
	return web.TOTPSetupView{
		Frame:  r.Frame,
		Secret: setup.Secret,
		URI:    setup.URL,
		QR:     qrCode(setup.URL),
		Setup:  setup.Ticket,
	}
}

func factorForm(r *site.Request) error {
	if r.Session.SecondFactor {
		return r.Redirect("/profile")
	}
	setup, err := r.Site.Accounts.SecondFactorStart(*r.Session)
	if err != nil {
		return err
	}
	return r.Show(web.TOTPSetupPage(factorView(r, setup)))
}

func factorConfirm(r *site.Request) error {
	if r.Session.SecondFactor {
		return r.Redirect("/profile")
	}
	setup, err := r.Site.Accounts.SecondFactorAgain(*r.Session, r.Field("setup"))
	if err != nil {
		return err
	}
	codes, err := r.Site.Accounts.SecondFactorConfirm(r.Context(), *r.Session, r.Actor(), setup.Ticket, r.Field("code"))
	if models.ErrorKind(err) == models.KindInvalid {
		view := factorView(r, setup)
		view.Code.Error = r.Message(err)
		if r.Field("code") == "" { // it is not kept while the password is asked for
			view.Code.Error = r.T("Enter the newest code from your app.")
		}
		return r.ShowInvalid(web.TOTPSetupPage(view))
	}
	if err != nil {
		return err
	}
	r.FactorDue = time.Time{} // it is on
	return r.Show(web.RecoveryCodesPage(web.RecoveryCodesView{Frame: r.Frame, Codes: codes, TurnedOn: true}))
}

func factorRemoveForm(r *site.Request) error {
	if !r.Session.SecondFactor {
		return r.Redirect("/profile")
	}
	return r.Show(web.SecondFactorRemovePage(r.Frame))
}

func factorRemove(r *site.Request) error {
	return r.DoneUnless(r.Site.Accounts.SecondFactorRemove(r.Context(), *r.Session, r.Actor()), "/profile",
		r.T("Your second factor is off."))
}

func recoveryCodesForm(r *site.Request) error {
	if !r.Session.SecondFactor {
		return r.Redirect("/profile")
	}
	left, err := r.Site.Accounts.RecoveryCodesLeft(r.Context(), r.Session.UserID)
	if err != nil {
		return err
	}
	return r.Show(web.RecoveryCodesNewPage(web.RecoveryCodesNewView{Frame: r.Frame, Left: left}))
}

func recoveryCodesCreate(r *site.Request) error {
	if !r.Session.SecondFactor {
		return r.Redirect("/profile")
	}
	codes, err := r.Site.Accounts.RecoveryCodesCreate(r.Context(), *r.Session, r.Actor())
	if err != nil {
		return err
	}
	return r.Show(web.RecoveryCodesPage(web.RecoveryCodesView{Frame: r.Frame, Codes: codes}))
}
