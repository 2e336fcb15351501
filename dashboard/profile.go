package dashboard

import (
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/web"
)

func (h *handler) profileView(v *visit) (web.ProfileView, error) {
	view := web.ProfileView{Frame: v.frame, SecondFactor: v.session.SecondFactor, Language: v.session.Language}
	sessions, err := h.People.Sessions(v.UserContext(), v.session.UserID)
	if err != nil {
		return view, err
	}
	for _, s := range sessions {
		view.Sessions = append(view.Sessions, web.SessionRow{ID: s.ID.String(), Current: s.ID == v.session.ID, Address: s.Address,
			UserAgent: s.UserAgent, StartedAt: s.CreatedAt, SeenAt: s.SeenAt})
	}
	if view.MailTopics, err = h.mailTopics(v); err != nil {
		return view, err
	}
	if view.SecondFactor {
		view.RecoveryCodesLeft, err = h.People.RecoveryCodesLeft(v.UserContext(), v.session.UserID)
	}
	return view, err
}

func (h *handler) profile(v *visit) error {
	view, err := h.profileView(v)
	if err != nil {
		return err
	}
	return v.show(web.ProfilePage(view))
}

func (h *handler) passwordChange(v *visit) error {
	device, err := h.People.PasswordChange(v.UserContext(), *v.session, h.actor(v), v.Cookies(h.cookieName("device")), v.FormValue("current_password"), v.FormValue("new_password"))
	if err == nil {
		h.setCookie(v, "device", device, time.Now().Add(deviceCookieLife))
		return h.done(v, "/profile", v.frame.T("Password changed. You are signed out everywhere else."))
	}
	if !isInputError(err) {
		return err
	}
	view, viewErr := h.profileView(v)
	if viewErr != nil {
		return viewErr
	}
	if errors.Is(err, accounts.ErrPasswordWrong) || models.ErrorKind(err) == models.KindLimited {
		view.CurrentPassword.Error = v.message(err)
	} else {
		view.NewPassword.Error = v.message(err)
	}
	return v.showAs(statuses[models.ErrorKind(err)], web.ProfilePage(view))
}

func (h *handler) languageChange(v *visit) error {
	language := i18n.Language(v.typed("language"))
	if err := h.People.LanguageChange(v.UserContext(), *v.session, language); err != nil {
		return err
	}
	if language != "" {
		v.frame.Locale = language
	}
	return h.done(v, "/profile", v.frame.T("Saved."))
}

// mailChange sets which mails the user wants.
func (h *handler) mailChange(v *visit) error {
	var unwanted []models.MailTopic
	for _, topic := range models.MailTopics {
		if v.FormValue(string(topic)) == "" {
			unwanted = append(unwanted, topic)
		}
	}
	if err := h.People.UnwantedMailSet(v.UserContext(), v.session.UserID, unwanted); err != nil {
		return err
	}
	return h.done(v, "/profile", v.frame.T("Settings saved."))
}

// mailTopics returns the switches of the profile.
func (h *handler) mailTopics(v *visit) ([]web.MailTopic, error) {
	if !h.Mail {
		return nil, nil
	}
	unwanted, err := h.People.UnwantedMail(v.UserContext(), v.session.UserID)
	if err != nil {
		return nil, err
	}
	var topics []web.MailTopic
	for _, topic := range models.MailTopics {
		topics = append(topics, web.MailTopic{Name: string(topic), Wanted: !slices.Contains(unwanted, topic)})
	}
	return topics, nil
}

func (h *handler) sessionEnd(v *visit) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	if err := h.People.SessionEnd(v.UserContext(), *v.session, h.actor(v), id); err != nil {
		return err
	}
	return h.done(v, "/profile", v.frame.T("Session ended."))
}

func (h *handler) sessionsEndOthers(v *visit) error {
	if err := h.People.SessionsEndOthers(v.UserContext(), *v.session, h.actor(v)); err != nil {
		return err
	}
	return h.done(v, "/profile", v.frame.T("You are signed out everywhere else."))
}

func (h *handler) factorView(v *visit, setup accounts.SecondFactorSetup) web.TOTPSetupView {
	return web.TOTPSetupView{Frame: v.frame, Secret: setup.Secret, URI: setup.URL, QR: qrCode(setup.URL), Setup: setup.Ticket}
}

func (h *handler) factorForm(v *visit) error {
	if v.session.SecondFactor {
		return v.Redirect("/profile", fiber.StatusSeeOther)
	}
	setup, err := h.People.SecondFactorStart(*v.session)
	if err != nil {
		return err
	}
	return v.show(web.TOTPSetupPage(h.factorView(v, setup)))
}

func (h *handler) factorConfirm(v *visit) error {
	if v.session.SecondFactor {
		return v.Redirect("/profile", fiber.StatusSeeOther)
	}
	setup, err := h.People.SecondFactorAgain(*v.session, v.FormValue("setup"))
	if err != nil {
		return err
	}
	codes, err := h.People.SecondFactorConfirm(v.UserContext(), *v.session, h.actor(v), setup.Ticket, v.FormValue("code"))
	if models.ErrorKind(err) == models.KindInvalid {
		view := h.factorView(v, setup)
		view.Code.Error = v.message(err)
		return v.showAs(fiber.StatusUnprocessableEntity, web.TOTPSetupPage(view))
	}
	if err != nil {
		return err
	}
	return v.show(web.RecoveryCodesPage(web.RecoveryCodesView{Frame: v.frame, Codes: codes, TurnedOn: true}))
}

func (h *handler) factorRemoveForm(v *visit) error {
	if !v.session.SecondFactor {
		return v.Redirect("/profile", fiber.StatusSeeOther)
	}
	return v.show(web.SecondFactorRemovePage(web.SecondFactorRemoveView{Frame: v.frame}))
}

func (h *handler) factorRemove(v *visit) error {
	if err := h.People.SecondFactorRemove(v.UserContext(), *v.session, h.actor(v)); err != nil {
		return err
	}
	return h.done(v, "/profile", v.frame.T("Your second factor is off."))
}

func (h *handler) recoveryCodesForm(v *visit) error {
	if !v.session.SecondFactor {
		return v.Redirect("/profile", fiber.StatusSeeOther)
	}
	left, err := h.People.RecoveryCodesLeft(v.UserContext(), v.session.UserID)
	if err != nil {
		return err
	}
	return v.show(web.RecoveryCodesNewPage(web.RecoveryCodesNewView{Frame: v.frame, Left: left}))
}

func (h *handler) recoveryCodesCreate(v *visit) error {
	if !v.session.SecondFactor {
		return v.Redirect("/profile", fiber.StatusSeeOther)
	}
	codes, err := h.People.RecoveryCodesCreate(v.UserContext(), *v.session, h.actor(v))
	if err != nil {
		return err
	}
	return v.show(web.RecoveryCodesPage(web.RecoveryCodesView{Frame: v.frame, Codes: codes}))
}
