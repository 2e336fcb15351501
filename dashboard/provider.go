package dashboard

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/signon"
	"dispo/web"
)

// toProvider names the organization's identity provider, and leads there. The browser keeps what
// shows that it began.
func (c Config) toProvider(r *site.Request, tenant models.Tenant, start signon.Start, back string) error {
	if start.Browser = r.Cookie("sign_on"); len(start.Browser) < 20 {
		start.Browser = signon.NewBrowser()
	}
	start.Address = r.Exchange().Address
	return r.Later(func() error {
		address, host, err := c.SignOn.Begin(r.Context(), tenant, start)
		if err != nil {
			return providerFailed(r, tenant.OrganizationID(), err)
		}
		r.SetCookie("sign_on", start.Browser, time.Now().Add(signon.PendingLife))
		return r.Show(web.ProviderStartPage(web.ProviderStartView{Frame: r.Frame, Address: address, Host: host, Back: back}))
	})
}

// providerFailed logs why a sign-in by a provider failed, without anybody's address.
func providerFailed(r *site.Request, organizationID uuid.UUID, err error) error {
	refused, ok := errors.AsType[*models.Error](err)
	if ok && (refused.Kind == models.KindUnauthorized || refused.Kind == models.KindForbidden) {
		r.LogEvent(models.EventSignInFailed, "step", "provider", "for", organizationID, "reason", refused.Template())
	}
	return err
}

func (c Config) providerStart(r *site.Request) error {
	tenant, err := c.SignOn.Find(r.Context(), r.Param("slug"))
	if err != nil {
		return err
	}
	start := signon.Start{Purpose: signon.ToSignIn, Next: site.OwnPath(r.Query("next"))}
	return c.toProvider(r, tenant, start, "/sign-in")
}

func (c Config) providerReturn(r *site.Request) error {
	answer := signon.Answer{
		State:   strings.Clone(r.Ctx.Query("state")),
		Code:    strings.Clone(r.Ctx.Query("code")),
		Issuer:  strings.Clone(r.Ctx.Query("iss")),
		Error:   strings.Clone(r.Ctx.Query("error")),
		Browser: r.Cookie("sign_on"),
		Address: r.Exchange().Address,
	}
	r.Address = "/sign-in" // pages must not repeat what came back
	return r.Later(func() error {
		arrival, err := c.SignOn.Return(r.Context(), r.ID, answer)
		if err != nil {
			return providerFailed(r, r.ID, err)
		}
		defer r.RenewDeadline()()
		switch arrival.Purpose {
		case signon.ToTry:
			return providerTried(r, arrival)
		case signon.ToConfirm:
			return providerConfirmed(r, arrival)
		}
		if arrival.Link.UserID != uuid.Nil {
			return providerSignIn(r, arrival.Link, accounts.ByProviderAlone, arrival.Next)
		}
		kept, err := c.SignOn.Keep(arrival)
		if err != nil {
			return providerFailed(r, r.ID, err)
		}
		r.SetCookie("sign_on_pending", kept, time.Now().Add(signon.PendingLife))
		return r.Redirect(linkPath(r.ID))
	})
}

func linkPath(organizationID uuid.UUID) string {
	return "/sign-in/return/" + organizationID.String() + "/link"
}

// providerSignIn signs the user of a link in, in the place of whoever was signed in.
func providerSignIn(r *site.Request, link accounts.ProviderLink, by accounts.OpenedBy, next string) error {
	signedIn, err := r.Site.Accounts.SignInByProvider(r.Context(), link, by, r.Client(), r.UserAgent())
	if err != nil {
		return providerFailed(r, link.OrganizationID, err)
	}
	return providerSignedIn(r, signedIn, next)
}

func providerSignedIn(r *site.Request, signedIn accounts.SignedIn, next string) error {
	r.EndCookie("sign_on_pending")
	next = site.OwnPath(next)
	if signedIn.Challenge != "" {
		r.SetCookie("challenge", signedIn.Challenge, time.Now().Add(5*time.Minute))
		return r.Redirect("/sign-in/second-factor?" + url.Values{"next": {next}}.Encode())
	}
	if r.Session != nil { // no browser would have it any more
		err := r.Site.Accounts.SessionEnd(r.Context(), *r.Session, r.Actor(), r.Session.ID)
		if err != nil && models.ErrorKind(err) != models.KindNotFound {
			return err
		}
	}
	keepSession(r, signedIn)
	return r.Redirect(next)
}

// errOtherSession refuses what the provider answered to another session's request.
var errOtherSession = models.NewError(models.KindForbidden, "You have signed in or out meanwhile. Start again.")

func providerTried(r *site.Request, arrival signon.Arrival) error {
	if r.Session == nil || r.Session.ID != arrival.Session {
		return errOtherSession
	}
	if err := signon.Tried(r.Context(), r.Site.Store.Tenant(r.ID).As(r.Actor()), arrival.Tried); err != nil {
		return err
	}
	said := arrival.Claims
	view := web.ProviderTriedView{
		Frame:    r.Frame,
		Host:     arrival.Host,
		Subject:  said.Subject,
		Email:    said.Email,
		Name:     said.Name,
		AuthTime: said.AuthTime,
		AMR:      strings.Join(said.AMR, ", "),
		ACR:      said.ACR,
	}
	if said.EmailVerified != nil {
		view.EmailVerified = "yes"
		if said.Unverified() {
			view.EmailVerified = "no"
		}
	}
	return r.Show(web.ProviderTriedPage(view))
}

// providerConfirm leads users to the provider that opened their session, to confirm that it is
// them.
func (c Config) providerConfirm(r *site.Request) error {
	if !r.Session.ByProvider() {
		return r.Redirect("/")
	}
	return c.toProvider(r, r.Tenant(), signon.Start{Purpose: signon.ToConfirm, Session: r.Session.ID}, "/kept-form")
}

// providerConfirmed shows the form again that needed the confirmation. It acts on nothing.
func providerConfirmed(r *site.Request, arrival signon.Arrival) error {
	if r.Session == nil || r.Session.ID != arrival.Session || !r.Session.ByProvider() ||
		r.Session.Current.OrganizationID != r.ID {
		return errOtherSession
	}
	if arrival.Link.UserID != r.Session.UserID {
		return models.NewError(models.KindForbidden, "{provider} named somebody else than you.", "provider", arrival.Host)
	}
	fresh := arrival.Fresh()
	if fresh {
		var err error
		if fresh, err = r.Site.Accounts.ConfirmByProvider(r.Context(), *r.Session, arrival.Claims.AuthTime); err != nil {
			return err
		}
	}
	switch {
	case fresh:
		return r.Done("/kept-form", r.T("{provider} confirmed that it is you.", "provider", arrival.Host))
	case r.Session.HasPassword || r.Session.SecondFactor:
		return r.Done("/kept-form", r.T(
			"{provider} does not say that you signed in just now. Submit the form again, and enter the password of your account.",
			"provider",
			arrival.Host,
		))
	}
	return models.NewError(
		models.KindForbidden,
		"{provider} does not say that you signed in just now (auth_time), and your account has neither a password nor a second factor.",
		"provider",
		arrival.Host,
	)
}

// providerLinkView says how somebody whom the provider has named can prove which account is theirs.
// The link of pending has that account.
func (c Config) providerLinkView(r *site.Request) (view web.ProviderLinkView, pending signon.Pending, err error) {
	if pending, err = c.SignOn.Kept(r.Cookie("sign_on_pending"), r.ID); err != nil {
		return view, pending, err
	}
	meant, err := c.SignOn.Meant(r.Context(), pending)
	if err != nil {
		return view, pending, err
	}
	pending.Link.UserID = meant.UserID
	view = web.ProviderLinkView{Frame: r.Frame, Host: pending.Host(), Email: pending.Email}
	switch token := r.Param("token"); {
	case meant.UserID == uuid.Nil && !meant.Invited:
		err = models.NewError(models.KindForbidden,
			"{provider} named {email}, who is not a member. Ask an owner or admin for an invitation.",
			"provider", pending.Host(), "email", pending.Email)
	case token != "":
		view.Ready = true
		err = r.Site.Accounts.ProviderProof(r.Context(), token, pending.Link)
	case r.Session != nil && r.Session.UserID == meant.UserID:
		view.Ready = true
	case r.Session != nil:
		view.Other = r.Session.Email
	case meant.Invited:
		view.Invited = true
	case meant.HasPassword:
		view.SignIn = "/sign-in?" + url.Values{"next": {linkPath(r.ID)}}.Encode()
	case r.Site.Mail:
		view.Mail = "/sign-in/return/" + r.ID.String() + "/mail"
	}
	return view, pending, err
}

func (c Config) providerLinkForm(r *site.Request) error {
	view, _, err := c.providerLinkView(r)
	if err != nil {
		return err
	}
	return r.Show(web.ProviderLinkPage(view))
}

// providerLink links somebody to the account that they are signed in to by password.
func (c Config) providerLink(r *site.Request) error {
	pending, err := c.SignOn.Kept(r.Cookie("sign_on_pending"), r.ID)
	if err != nil {
		return err
	}
	link, err := c.SignOn.LinkBySession(r.Context(), pending, *r.Session, r.Client())
	if err != nil {
		return providerFailed(r, r.ID, err)
	}
	by := accounts.ByProviderAlone
	if r.Session.SecondFactor { // the session was opened with it
		by = accounts.ByProviderAndCode
	}
	return providerSignIn(r, link, by, pending.Next)
}

// providerMail mails a link to an account without a password.
func (c Config) providerMail(r *site.Request) error {
	view, pending, err := c.providerLinkView(r)
	if err != nil {
		return err
	}
	if view.Mail == "" {
		return r.ShowAs(403, web.ProviderLinkPage(view))
	}
	return r.DoneUnless(r.Site.Accounts.ProviderMail(r.Context(), pending.Link, r.Client()), linkPath(r.ID),
		r.T("We sent you the link. Open it in this browser within 15 minutes."))
}

// providerLinkByMail links somebody by a mailed link, in the browser that came from the provider.
func (c Config) providerLinkByMail(r *site.Request) error {
	_, pending, err := c.providerLinkView(r)
	if err != nil {
		return err
	}
	if err := r.Site.Accounts.LinkProvider(r.Context(), pending.Link, r.Param("token"), r.Client()); err != nil {
		return err
	}
	return providerSignIn(r, pending.Link, accounts.ByProviderAlone, pending.Next)
}

// providerOfInvitation returns who the organization's provider says the reader of an invitation is,
// and whether that lets them accept it.
func (c Config) providerOfInvitation(r *site.Request, invitation accounts.OpenInvitation) (signon.Pending, bool) {
	pending, err := c.SignOn.Kept(r.Cookie("sign_on_pending"), invitation.OrganizationID)
	return pending, err == nil && invitation.ByProvider(pending.Link, pending.Email)
}

func (c Config) invitationByProvider(r *site.Request) error {
	invitation, err := r.Site.Accounts.Invitation(r.Context(), r.Param("token"))
	if err != nil {
		return err
	}
	pending, _ := c.providerOfInvitation(r, invitation)
	signedIn, err := r.Site.Accounts.InvitationAcceptByProvider(
		r.Context(), invitation, pending.Link, pending.Email, r.Client(), r.UserAgent())
	if err != nil {
		return err
	}
	return providerSignedIn(r, signedIn, "/")
}
