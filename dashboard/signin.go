package dashboard

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/web"
)

// sessionCookieLife is longer than any session, because the database ends sessions.
const sessionCookieLife = 30 * 24 * time.Hour

// deviceCookieLife is as long as a device stays known. Signing out does not end it.
const deviceCookieLife = 365 * 24 * time.Hour

func signInForm(r *site.Request) error {
	if r.Session != nil {
		return r.Redirect(site.OwnPath(r.Query("next")))
	}
	return r.Show(web.SignInPage(web.SignInView{Frame: r.Frame, Next: r.Query("next")}))
}

func signIn(r *site.Request) error {
	attempt := accounts.SignIn{
		Email:     r.Typed("email"),
		Password:  r.Field("password"),
		Device:    r.Cookie("device"),
		Address:   r.Client(),
		UserAgent: r.UserAgent(),
	}
	signedIn, err := r.Site.Accounts.SignIn(r.Context(), attempt)
	if err != nil {
		logFailedSignIn(r, err, "email", attempt.Email)
		if !site.IsInputError(err) && models.ErrorKind(err) != models.KindForbidden {
			return err
		}
		return r.ShowError(err, web.SignInPage(web.SignInView{
			Frame:   r.Frame,
			Email:   attempt.Email,
			Next:    r.Typed("next"),
			Problem: r.Message(err),
			Locked:  models.ErrorKind(err) == models.KindLimited,
			Mail:    r.Site.Mail,
		}))
	}
	if signedIn.Challenge != "" {
		r.SetCookie("challenge", signedIn.Challenge, time.Now().Add(5*time.Minute))
		return r.Redirect("/sign-in/second-factor?" + url.Values{"next": {site.OwnPath(r.Field("next"))}}.Encode())
	}
	keepSession(r, signedIn)
	return r.GoOn()
}

const loggedEmailLength = 254 // bytes; no address is longer

// logFailedSignIn logs that a password or a code was refused, or not checked because
// too many were. Text that is not an e-mail address is left out: it may be a
// password in the wrong field.
func logFailedSignIn(r *site.Request, err error, name, value string) {
	kind := models.ErrorKind(err)
	if kind != models.KindUnauthorized && kind != models.KindLimited {
		return
	}
	if name == "email" && !strings.Contains(value, "@") {
		value = ""
	}
	attributes := []any{name, models.Storable(value, loggedEmailLength), "limited", kind == models.KindLimited}
	var known *accounts.SignInError
	if errors.As(err, &known) {
		attributes = append(attributes, "user", known.UserID)
	}
	r.LogEvent(models.EventSignInFailed, attributes...)
}

// keepSession sets the cookies of a session and of the device, which is known when it
// signs in the next time.
func keepSession(r *site.Request, signedIn accounts.SignedIn) {
	r.SetCookie("session", signedIn.Token, time.Now().Add(sessionCookieLife))
	if signedIn.Device != "" { // a provider does not make a device known
		r.SetCookie("device", signedIn.Device, time.Now().Add(deviceCookieLife))
	}
}

func secondFactorForm(r *site.Request) error {
	if r.Cookie("challenge") == "" {
		return r.Redirect("/sign-in")
	}
	return r.Show(web.SecondFactorPage(web.SecondFactorView{Frame: r.Frame, Next: r.Query("next")}))
}

func secondFactor(r *site.Request) error {
	challenge := r.Cookie("challenge")
	signedIn, err := r.Site.Accounts.SignInCode(r.Context(), challenge, r.Field("code"), r.Client(), r.UserAgent())
	if err != nil {
		logFailedSignIn(r, err, "step", "second factor")
		if !site.IsInputError(err) {
			return err
		}
		return r.ShowError(err, web.SecondFactorPage(web.SecondFactorView{
			Frame: r.Frame, Next: r.Typed("next"), Problem: r.Message(err),
		}))
	}
	r.EndCookie("challenge")
	keepSession(r, signedIn)
	r.NoticeRecovery(signedIn.Recovery)
	return r.GoOn()
}

func signOut(r *site.Request) error {
	if err := r.Site.Accounts.SessionEnd(r.Context(), *r.Session, r.Actor(), r.Session.ID); err != nil &&
		models.ErrorKind(err) != models.KindNotFound {
		return err
	}
	for _, name := range []string{"session", "kept_form"} {
		r.EndCookie(name)
	}
	// Not "cookies": it would sign the user out of all services of the same domain, and the
	// browser would no longer be a known device.
	r.Ctx.Set("Clear-Site-Data", `"cache", "storage"`)
	if r.Session.ByProvider() {
		return r.Done("/sign-in", r.T("You are signed out here. You may still be signed in at your identity provider."))
	}
	return r.Done("/sign-in", r.T("You are signed out."))
}

func organizationSwitch(r *site.Request) error {
	id, err := uuid.Parse(r.Field("organization"))
	if err != nil {
		return models.NewError(models.KindNotFound, "You are not a member of that organization.")
	}
	if err := r.Site.Accounts.SessionSwitch(r.Context(), *r.Session, r.Actor(), id); err != nil {
		return err
	}
	return r.Redirect(site.OwnPath(r.Typed("next")))
}

func passwordView(r *site.Request) (web.PasswordView, error) {
	user, err := r.Site.Accounts.PasswordLink(r.Context(), r.Param("token"))
	return web.PasswordView{Frame: r.Frame, Email: user.Email}, err
}

func passwordSet(r *site.Request) error {
	view, err := passwordView(r)
	if err != nil {
		return err
	}
	err = r.Site.Accounts.PasswordSet(r.Context(), r.Param("token"), r.Field("password"), r.Client())
	if models.ErrorKind(err) == models.KindInvalid {
		view.Password.Error = r.Message(err)
		return r.ShowInvalid(web.PasswordPage(view))
	}
	if err != nil {
		return err
	}
	return r.Done("/sign-in", r.T("Password set. Sign in with it now."))
}

// invitationView returns the invitation as the reader may see it.
func (c Config) invitationView(r *site.Request) (web.InvitationView, error) {
	invitation, err := r.Site.Accounts.Invitation(r.Context(), r.Param("token"))
	if err != nil {
		return web.InvitationView{}, err
	}
	r.Zone = i18n.StoredZone(invitation.TimeZone)
	view := web.InvitationView{
		Frame: r.Frame, State: web.InvitationNewcomer, OrganizationName: invitation.OrganizationName, Email: invitation.Email,
		Role: invitation.Role, InvitedBy: invitation.InvitedByEmail, ExpiresAt: invitation.ExpiresAt,
	}
	switch {
	case r.Session != nil && strings.EqualFold(r.Session.Email, invitation.Email):
		view.State = web.InvitationJoin
	case r.Session != nil:
		view.State = web.InvitationOtherUser
	case invitation.HasAccount:
		view.State = web.InvitationSignIn
	}
	if pending, named := c.providerOfInvitation(r, invitation); named {
		view.Provider = pending.Host()
	}
	return view, nil
}

func (c Config) invitationAccept(r *site.Request) error {
	view, err := c.invitationView(r)
	if err != nil {
		return err
	}
	if r.Field("by_provider") != "" && view.Provider != "" {
		return c.invitationByProvider(r)
	}
	switch view.State {
	case web.InvitationJoin:
		if err := r.Site.Accounts.InvitationJoin(r.Context(), r.Param("token"), *r.Session, r.Client()); err != nil {
			return err
		}
		return r.Done("/", r.T("You have joined {organization}.", "organization", view.OrganizationName))
	case web.InvitationNewcomer:
		signedIn, err := r.Site.Accounts.InvitationAccept(r.Context(), r.Param("token"), r.Field("password"), r.Client(),
			r.UserAgent())
		if models.ErrorKind(err) == models.KindInvalid {
			view.Password.Error = r.Message(err)
			return r.ShowInvalid(web.InvitationPage(view))
		}
		if err != nil {
			return err
		}
		keepSession(r, signedIn)
		return r.Done("/", r.T("You have joined {organization}.", "organization", view.OrganizationName))
	}
	return r.ShowAs(fiber.StatusForbidden, web.InvitationPage(view))
}
