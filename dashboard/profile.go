package dashboard

import (
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/models/mail"
	"dispo/web"
)

func (h *handler) profileView(r *request) (web.ProfileView, error) {
	view := web.ProfileView{Frame: r.frame, SecondFactor: r.session.SecondFactor, Language: r.session.Language}
	sessions, err := h.Accounts.Sessions(r.context(), r.session.UserID)
	if err != nil {
		return view, err
	}
	for _, s := range sessions {
		view.Sessions = append(
			view.Sessions,
			web.SessionRow{ID: s.ID.String(), Current: s.ID == r.session.ID, Address: s.Address,
				UserAgent: s.UserAgent, StartedAt: s.CreatedAt, SeenAt: s.SeenAt},
		)
	}
	if h.Mail {
		unwanted, err := h.Accounts.UnwantedMail(r.context(), r.session.UserID)
		if err != nil {
			return view, err
		}
		for _, topic := range mail.Topics {
			view.MailTopics = append(
				view.MailTopics,
				web.MailTopic{Name: string(topic), Wanted: !slices.Contains(unwanted, topic)},
			)
		}
	}
	if view.SecondFactor {
		view.FactorStays = r.message(h.Accounts.FactorStays(*r.session))
		view.RecoveryCodesLeft, err = h.Accounts.RecoveryCodesLeft(r.context(), r.session.UserID)
	}
	return view, err
}

func (h *handler) passwordChange(r *request) error {
	device, err := h.Accounts.PasswordChange(
		r.context(),
		*r.session,
		h.actor(r),
		r.c.Cookies(h.cookieName("device")),
		r.field("current_password"),
		r.field("new_password"),
	)
	if err == nil {
		h.setCookie(r, "device", device, time.Now().Add(deviceCookieLife))
		return h.done(r, "/profile", r.frame.T("Password changed. You are signed out everywhere else."))
	}
	if !isInputError(err) {
		return err
	}
	view, viewErr := h.profileView(r)
	if viewErr != nil {
		return viewErr
	}
	if errors.Is(err, accounts.ErrPasswordWrong) || models.ErrorKind(err) == models.KindLimited {
		view.CurrentPassword.Error = r.message(err)
	} else {
		view.NewPassword.Error = r.message(err)
	}
	return r.showAs(statuses[models.ErrorKind(err)], web.ProfilePage(view))
}

func (h *handler) languageChange(r *request) error {
	h.setCookie(r, "language", "", time.Now().Add(-time.Hour))
	language := i18n.Language(r.typed("language"))
	if err := h.Accounts.LanguageChange(r.context(), *r.session, language); err != nil {
		return err
	}
	if language != "" {
		r.frame.Locale = language
	}
	return h.done(r, "/profile", r.frame.T("Saved."))
}

// languageSwitch sets the language, and leads back to the page. A cookie keeps it for
// whoever is not signed in.
func (h *handler) languageSwitch(r *request) error {
	language := i18n.Language(r.typed("language"))
	if !language.IsOffered() {
		return models.NewError(models.KindInvalid, "Choose one of the languages.")
	}
	if r.session == nil {
		h.setCookie(r, "language", string(language), time.Now().Add(deviceCookieLife))
	} else if err := h.Accounts.LanguageChange(r.context(), *r.session, language); err != nil {
		return err
	}
	return r.redirect(ownPath(r.typed("next")))
}

// mailFields are the fields of the form of mailChange.
func mailFields() (names []string) {
	for _, topic := range mail.Topics {
		names = append(names, string(topic))
	}
	return names
}

// mailChange sets which mails the user wants.
func (h *handler) mailChange(r *request) error {
	var unwanted []mail.Topic
	for _, topic := range mail.Topics {
		if r.field(string(topic)) == "" {
			unwanted = append(unwanted, topic)
		}
	}
	return h.doneUnless(
		r,
		h.Accounts.UnwantedMailSet(r.context(), r.session.UserID, unwanted),
		"/profile",
		r.frame.T("Settings saved."),
	)
}

func (h *handler) sessionEnd(r *request) error {
	return h.doneUnless(
		r,
		h.Accounts.SessionEnd(r.context(), *r.session, h.actor(r), r.id),
		"/profile",
		r.frame.T("Session ended."),
	)
}

func (h *handler) sessionsEndOthers(r *request) error {
	return h.doneUnless(
		r,
		h.Accounts.SessionsEndOthers(r.context(), *r.session, h.actor(r)),
		"/profile",
		r.frame.T("You are signed out everywhere else."),
	)
}

func (h *handler) factorView(r *request, setup accounts.SecondFactorSetup) web.TOTPSetupView {
	return web.TOTPSetupView{
		Frame:  r.frame,
		Secret: setup.Secret,
		URI:    setup.URL,
		QR:     qrCode(setup.URL),
		Setup:  setup.Ticket,
	}
}

func (h *handler) factorForm(r *request) error {
	if r.session.SecondFactor {
		return r.redirect("/profile")
	}
	setup, err := h.Accounts.SecondFactorStart(*r.session)
	if err != nil {
		return err
	}
	return r.show(web.TOTPSetupPage(h.factorView(r, setup)))
}

func (h *handler) factorConfirm(r *request) error {
	if r.session.SecondFactor {
		return r.redirect("/profile")
	}
	setup, err := h.Accounts.SecondFactorAgain(*r.session, r.field("setup"))
	if err != nil {
		return err
	}
	codes, err := h.Accounts.SecondFactorConfirm(r.context(), *r.session, h.actor(r), setup.Ticket, r.field("code"))
	if models.ErrorKind(err) == models.KindInvalid {
		view := h.factorView(r, setup)
		view.Code.Error = r.message(err)
		if r.field("code") == "" { // it is not kept while the password is asked for
			view.Code.Error = r.frame.T("Enter the newest code from your app.")
		}
		return r.showAs(fiber.StatusUnprocessableEntity, web.TOTPSetupPage(view))
	}
	if err != nil {
		return err
	}
	return r.show(web.RecoveryCodesPage(web.RecoveryCodesView{Frame: r.frame, Codes: codes, TurnedOn: true}))
}

func (h *handler) factorRemoveForm(r *request) error {
	if !r.session.SecondFactor {
		return r.redirect("/profile")
	}
	return r.show(web.SecondFactorRemovePage(web.SecondFactorRemoveView{Frame: r.frame}))
}

func (h *handler) factorRemove(r *request) error {
	return h.doneUnless(
		r,
		h.Accounts.SecondFactorRemove(r.context(), *r.session, h.actor(r)),
		"/profile",
		r.frame.T("Your second factor is off."),
	)
}

func (h *handler) recoveryCodesForm(r *request) error {
	if !r.session.SecondFactor {
		return r.redirect("/profile")
	}
	left, err := h.Accounts.RecoveryCodesLeft(r.context(), r.session.UserID)
	if err != nil {
		return err
	}
	return r.show(web.RecoveryCodesNewPage(web.RecoveryCodesNewView{Frame: r.frame, Left: left}))
}

func (h *handler) recoveryCodesCreate(r *request) error {
	if !r.session.SecondFactor {
		return r.redirect("/profile")
	}
	codes, err := h.Accounts.RecoveryCodesCreate(r.context(), *r.session, h.actor(r))
	if err != nil {
		return err
	}
	return r.show(web.RecoveryCodesPage(web.RecoveryCodesView{Frame: r.frame, Codes: codes}))
}
