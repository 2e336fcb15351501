package dashboard

import (
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/web"
)

// sessionCookieLife is longer than any session, because the database ends sessions.
const sessionCookieLife = 30 * 24 * time.Hour

// deviceCookieLife is as long as a device stays known. Signing out does not end it.
const deviceCookieLife = 365 * 24 * time.Hour

func (h *handler) signInForm(v *visit) error {
	if v.session != nil {
		return v.Redirect(ownPath(v.Query("next")), fiber.StatusSeeOther)
	}
	return v.show(web.SignInPage(web.SignInView{Frame: v.frame, Next: v.Query("next")}))
}

func (h *handler) signIn(v *visit) error {
	attempt := accounts.SignIn{Email: v.typed("email"), Password: v.FormValue("password"), Device: v.Cookies(h.cookieName("device")),
		Address: h.Address(v.Ctx), UserAgent: v.Get(fiber.HeaderUserAgent)}
	signedIn, err := h.People.SignIn(v.UserContext(), attempt)
	if err != nil {
		h.noteFailedSignIn(v, err, "email", attempt.Email)
		if !isInputError(err) && models.ErrorKind(err) != models.KindForbidden {
			return err
		}
		return v.showAs(statuses[models.ErrorKind(err)], web.SignInPage(web.SignInView{
			Frame: v.frame, Email: attempt.Email, Next: v.typed("next"), Problem: v.message(err),
		}))
	}
	if signedIn.Challenge != "" {
		h.setCookie(v, "challenge", signedIn.Challenge, time.Now().Add(5*time.Minute))
		return v.Redirect("/sign-in/second-factor?"+url.Values{"next": {ownPath(v.FormValue("next"))}}.Encode(), fiber.StatusSeeOther)
	}
	h.keepSession(v, signedIn)
	return h.goOn(v)
}

// keepSession sets the cookies of a session and of the device, which is known when it
// signs in the next time.
func (h *handler) keepSession(v *visit, signedIn accounts.SignedIn) {
	h.setCookie(v, "session", signedIn.Token, time.Now().Add(sessionCookieLife))
	h.setCookie(v, "device", signedIn.Device, time.Now().Add(deviceCookieLife))
}

func (h *handler) secondFactorForm(v *visit) error {
	if v.Cookies(h.cookieName("challenge")) == "" {
		return v.Redirect("/sign-in", fiber.StatusSeeOther)
	}
	return v.show(web.SecondFactorPage(web.SecondFactorView{Frame: v.frame, Next: v.Query("next")}))
}

func (h *handler) secondFactor(v *visit) error {
	challenge := v.Cookies(h.cookieName("challenge"))
	signedIn, err := h.People.SignInCode(v.UserContext(), challenge, v.FormValue("code"), h.Address(v.Ctx), v.Get(fiber.HeaderUserAgent))
	if err != nil {
		h.noteFailedSignIn(v, err, "step", "second factor")
		if !isInputError(err) {
			return err
		}
		return v.showAs(statuses[models.ErrorKind(err)], web.SecondFactorPage(web.SecondFactorView{
			Frame: v.frame, Next: v.typed("next"), Problem: v.message(err),
		}))
	}
	h.setCookie(v, "challenge", "", time.Now().Add(-time.Hour))
	h.keepSession(v, signedIn)
	return h.goOn(v)
}

func (h *handler) signOut(v *visit) error {
	if err := h.People.SessionEnd(v.UserContext(), *v.session, h.actor(v), v.session.ID); err != nil && models.ErrorKind(err) != models.KindNotFound {
		return err
	}
	h.setCookie(v, "session", "", time.Now().Add(-time.Hour))
	return h.done(v, "/sign-in", v.frame.T("You are signed out."))
}

func (h *handler) organizationSwitch(v *visit) error {
	id, err := uuid.Parse(v.FormValue("organization"))
	if err != nil {
		return models.NewError(models.KindNotFound, "You are not a member of that organization.")
	}
	if err := h.People.SessionSwitch(v.UserContext(), *v.session, h.actor(v), id); err != nil {
		return err
	}
	return v.Redirect("/", fiber.StatusSeeOther)
}

func (h *handler) passwordForm(v *visit) error {
	user, err := h.People.PasswordLink(v.UserContext(), v.Params("token"))
	if err != nil {
		return err
	}
	return v.show(web.PasswordPage(web.PasswordView{Frame: v.frame, Email: user.Email}))
}

func (h *handler) passwordSet(v *visit) error {
	user, err := h.People.PasswordLink(v.UserContext(), v.Params("token"))
	if err != nil {
		return err
	}
	err = h.People.PasswordSet(v.UserContext(), v.Params("token"), v.FormValue("password"), h.Address(v.Ctx))
	if models.ErrorKind(err) == models.KindInvalid {
		return v.showAs(fiber.StatusUnprocessableEntity, web.PasswordPage(web.PasswordView{
			Frame: v.frame, Email: user.Email, Password: web.Field{Error: v.message(err)},
		}))
	}
	if err != nil {
		return err
	}
	return h.done(v, "/sign-in", v.frame.T("Password set. Sign in with it now."))
}

// invitationView returns the invitation as the visitor may see it.
func (h *handler) invitationView(v *visit) (web.InvitationView, error) {
	invitation, err := h.People.Invitation(v.UserContext(), v.Params("token"))
	if err != nil {
		return web.InvitationView{}, err
	}
	view := web.InvitationView{
		Frame: v.frame, State: web.InvitationNewcomer, OrganizationName: invitation.OrganizationName, Email: invitation.Email,
		Role: web.Role(invitation.Role), InvitedBy: invitation.InvitedByEmail, ExpiresAt: invitation.ExpiresAt,
	}
	switch {
	case v.session != nil && strings.EqualFold(v.session.Email, invitation.Email):
		view.State = web.InvitationJoin
	case v.session != nil:
		view.State = web.InvitationOtherUser
	case invitation.HasAccount:
		view.State = web.InvitationSignIn
	}
	return view, nil
}

func (h *handler) invitationForm(v *visit) error {
	view, err := h.invitationView(v)
	if err != nil {
		return err
	}
	return v.show(web.InvitationPage(view))
}

func (h *handler) invitationAccept(v *visit) error {
	view, err := h.invitationView(v)
	if err != nil {
		return err
	}
	switch view.State {
	case web.InvitationJoin:
		if err := h.People.InvitationJoin(v.UserContext(), v.Params("token"), *v.session, h.Address(v.Ctx)); err != nil {
			return err
		}
		return h.done(v, "/", v.frame.T("You have joined {organization}.", "organization", view.OrganizationName))
	case web.InvitationNewcomer:
		signedIn, err := h.People.InvitationAccept(v.UserContext(), v.Params("token"), v.FormValue("password"), h.Address(v.Ctx), v.Get(fiber.HeaderUserAgent))
		if models.ErrorKind(err) == models.KindInvalid {
			view.Password.Error = v.message(err)
			return v.showAs(fiber.StatusUnprocessableEntity, web.InvitationPage(view))
		}
		if err != nil {
			return err
		}
		h.keepSession(v, signedIn)
		return h.done(v, "/", v.frame.T("You have joined {organization}.", "organization", view.OrganizationName))
	}
	return v.showAs(fiber.StatusForbidden, web.InvitationPage(view))
}
