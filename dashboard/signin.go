package dashboard

import (
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/web"
)

// sessionCookieLife is longer than any session, because the database ends sessions.
const sessionCookieLife = 30 * 24 * time.Hour

// deviceCookieLife is as long as a device stays known. Signing out does not end it.
const deviceCookieLife = 365 * 24 * time.Hour

func (h *handler) signInForm(r *request) error {
	if r.session != nil {
		return r.redirect(ownPath(r.query("next")))
	}
	return r.show(web.SignInPage(web.SignInView{Frame: r.frame, Next: r.query("next")}))
}

func (h *handler) signIn(r *request) error {
	attempt := accounts.SignIn{
		Email:     r.typed("email"),
		Password:  r.field("password"),
		Device:    r.c.Cookies(h.cookieName("device")),
		Address:   r.address(),
		UserAgent: r.c.Get(fiber.HeaderUserAgent),
	}
	signedIn, err := h.Accounts.SignIn(r.context(), attempt)
	if err != nil {
		h.noteFailedSignIn(r, err, "email", attempt.Email)
		if !isInputError(err) && models.ErrorKind(err) != models.KindForbidden {
			return err
		}
		return r.showAs(statuses[models.ErrorKind(err)], web.SignInPage(web.SignInView{
			Frame:   r.frame,
			Email:   attempt.Email,
			Next:    r.typed("next"),
			Problem: r.message(err),
			Locked:  models.ErrorKind(err) == models.KindLimited,
			Mail:    h.Mail,
		}))
	}
	if signedIn.Challenge != "" {
		h.setCookie(r, "challenge", signedIn.Challenge, time.Now().Add(5*time.Minute))
		return r.redirect("/sign-in/second-factor?" + url.Values{"next": {ownPath(r.field("next"))}}.Encode())
	}
	h.keepSession(r, signedIn)
	return h.goOn(r)
}

// keepSession sets the cookies of a session and of the device, which is known when it
// signs in the next time.
func (h *handler) keepSession(r *request, signedIn accounts.SignedIn) {
	h.setCookie(r, "session", signedIn.Token, time.Now().Add(sessionCookieLife))
	h.setCookie(r, "device", signedIn.Device, time.Now().Add(deviceCookieLife))
}

func (h *handler) secondFactorForm(r *request) error {
	if r.c.Cookies(h.cookieName("challenge")) == "" {
		return r.redirect("/sign-in")
	}
	return r.show(web.SecondFactorPage(web.SecondFactorView{Frame: r.frame, Next: r.query("next")}))
}

func (h *handler) secondFactor(r *request) error {
	challenge := r.c.Cookies(h.cookieName("challenge"))
	signedIn, err := h.Accounts.SignInCode(
		r.context(),
		challenge,
		r.field("code"),
		r.address(),
		r.c.Get(fiber.HeaderUserAgent),
	)
	if err != nil {
		h.noteFailedSignIn(r, err, "step", "second factor")
		if !isInputError(err) {
			return err
		}
		return r.showAs(statuses[models.ErrorKind(err)], web.SecondFactorPage(web.SecondFactorView{
			Frame: r.frame, Next: r.typed("next"), Problem: r.message(err),
		}))
	}
	h.setCookie(r, "challenge", "", time.Now().Add(-time.Hour))
	h.keepSession(r, signedIn)
	if left := signedIn.CodesLeft; left != nil {
		h.setNotice(r, r.codesLeftText(*left))
	}
	return h.goOn(r)
}

func (r *request) codesLeftText(left int) string {
	return r.frame.N(int64(left), "You used a recovery code. {n} code is left. You can create new ones in your profile.",
		"You used a recovery code. {n} codes are left. You can create new ones in your profile.")
}

func (h *handler) signOut(r *request) error {
	if err := h.Accounts.SessionEnd(
		r.context(),
		*r.session,
		h.actor(r),
		r.session.ID,
	); err != nil &&
		models.ErrorKind(err) != models.KindNotFound {
		return err
	}
	for _, name := range []string{"session", "kept_form"} {
		h.setCookie(r, name, "", time.Now().Add(-time.Hour))
	}
	// Not "cookies": it would sign the user out of all services of the same domain, and the
	// browser would no longer be a known device.
	r.c.Set("Clear-Site-Data", `"cache", "storage"`)
	return h.done(r, "/sign-in", r.frame.T("You are signed out."))
}

func (h *handler) organizationSwitch(r *request) error {
	id, err := uuid.Parse(r.field("organization"))
	if err != nil {
		return models.NewError(models.KindNotFound, "You are not a member of that organization.")
	}
	if err := h.Accounts.SessionSwitch(r.context(), *r.session, h.actor(r), id); err != nil {
		return err
	}
	return r.redirect(ownPath(r.typed("next")))
}

func (h *handler) passwordView(r *request) (web.PasswordView, error) {
	user, err := h.Accounts.PasswordLink(r.context(), r.param("token"))
	return web.PasswordView{Frame: r.frame, Email: user.Email}, err
}

func (h *handler) passwordSet(r *request) error {
	view, err := h.passwordView(r)
	if err != nil {
		return err
	}
	err = h.Accounts.PasswordSet(r.context(), r.param("token"), r.field("password"), r.address())
	if models.ErrorKind(err) == models.KindInvalid {
		view.Password.Error = r.message(err)
		return r.showAs(fiber.StatusUnprocessableEntity, web.PasswordPage(view))
	}
	if err != nil {
		return err
	}
	return h.done(r, "/sign-in", r.frame.T("Password set. Sign in with it now."))
}

// invitationView returns the invitation as the reader may see it.
func (h *handler) invitationView(r *request) (web.InvitationView, error) {
	invitation, err := h.Accounts.Invitation(r.context(), r.param("token"))
	if err != nil {
		return web.InvitationView{}, err
	}
	r.frame.Zone = i18n.StoredZone(invitation.TimeZone)
	view := web.InvitationView{
		Frame: r.frame, State: web.InvitationNewcomer, OrganizationName: invitation.OrganizationName, Email: invitation.Email,
		Role: invitation.Role, InvitedBy: invitation.InvitedByEmail, ExpiresAt: invitation.ExpiresAt,
	}
	switch {
	case r.session != nil && strings.EqualFold(r.session.Email, invitation.Email):
		view.State = web.InvitationJoin
	case r.session != nil:
		view.State = web.InvitationOtherUser
	case invitation.HasAccount:
		view.State = web.InvitationSignIn
	}
	return view, nil
}

func (h *handler) invitationAccept(r *request) error {
	view, err := h.invitationView(r)
	if err != nil {
		return err
	}
	switch view.State {
	case web.InvitationJoin:
		if err := h.Accounts.InvitationJoin(r.context(), r.param("token"), *r.session, r.address()); err != nil {
			return err
		}
		return h.done(r, "/", r.frame.T("You have joined {organization}.", "organization", view.OrganizationName))
	case web.InvitationNewcomer:
		signedIn, err := h.Accounts.InvitationAccept(
			r.context(),
			r.param("token"),
			r.field("password"),
			r.address(),
			r.c.Get(fiber.HeaderUserAgent),
		)
		if models.ErrorKind(err) == models.KindInvalid {
			view.Password.Error = r.message(err)
			return r.showAs(fiber.StatusUnprocessableEntity, web.InvitationPage(view))
		}
		if err != nil {
			return err
		}
		h.keepSession(r, signedIn)
		return h.done(r, "/", r.frame.T("You have joined {organization}.", "organization", view.OrganizationName))
	}
	return r.showAs(fiber.StatusForbidden, web.InvitationPage(view))
}
