package site

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/web"
)

// showSwitched offers to switch back to the organization that the form was shown for.
func (r *Request) showSwitched() error {
	view := r.keptFormView(r.submittedForm())
	view.Switched = true
	return r.ShowAs(fiber.StatusConflict, web.KeptFormPage(view))
}

// showSuspended says that the organization is suspended, and keeps what was typed.
func (r *Request) showSuspended() error {
	if r.Ctx.Method() == fiber.MethodPost {
		return r.showSwitched()
	}
	return r.showElsewhere(r.Session.Current)
}

// showClosed shows the way into an organization that requires its identity provider.
func (r *Request) showClosed() error {
	return r.ShowAs(fiber.StatusForbidden, web.ProviderWayInPage(web.ProviderWayInView{
		Frame: r.Frame, Path: "/sign-in/" + r.Session.Current.Slug,
	}))
}

// showFactorOwed says how to give the second factor that is required beside the identity provider.
func (r *Request) showFactorOwed() error {
	return r.ShowAs(fiber.StatusForbidden, web.ProviderFactorPage(web.ProviderFactorView{
		Frame: r.Frame, Path: "/sign-in/" + r.Session.Current.Slug, HasFactor: r.Session.SecondFactor, Mail: r.Site.Mail,
	}))
}

// requireSecondFactor leads members to set up a second factor, where their organization
// requires it.
func (r *Request) requireSecondFactor() error {
	return r.Done("/profile/second-factor", r.T("{organization} requires a second factor. Set one up to continue.",
		"organization", r.Session.Current.Name))
}

// offerSwitch offers to switch to another of the user's organizations, which the address names.
func (r *Request) offerSwitch(named string) error {
	for _, m := range r.Session.Memberships {
		if m.OrganizationID.String() == named {
			return r.showElsewhere(m)
		}
	}
	return models.NewError(models.KindNotFound, "")
}

// orElsewhere offers to switch to another of the user's organizations, if what the address
// leads to is not found here but is there.
func orElsewhere(page Page) Page {
	return func(r *Request) error {
		err := page(r)
		if kind := models.ErrorKind(err); kind != models.KindNotFound && kind != models.KindCompanyNotFound {
			return err
		}
		for _, m := range r.Session.Memberships {
			if m.OrganizationID != r.Session.Current.OrganizationID && !m.Closed &&
				r.Site.Find(r, r.Site.Store.Tenant(m.OrganizationID)) == nil {
				return r.showElsewhere(m)
			}
		}
		return err
	}
}

func (r *Request) showElsewhere(m accounts.Membership) error {
	view := web.ElsewhereView{Frame: r.Frame, To: organizationOf(m)}
	if m.Suspended {
		return r.ShowAs(fiber.StatusForbidden, web.SuspendedPage(view))
	}
	return r.ShowAs(fiber.StatusNotFound, web.ElsewherePage(view))
}

// askAgain serves next once users have confirmed that it is them. A form goes on with what
// was sent.
func (r *Request) askAgain(next Page) error {
	view := web.ConfirmView{Frame: r.Frame, SecondFactor: r.Session.SecondFactor, Path: "/confirm"}
	if r.Ctx.Method() != fiber.MethodPost {
		view.Fields = []web.HiddenField{{Name: "next", Value: strings.Clone(models.MaskKeys(r.Ctx.OriginalURL()))}}
		return r.ShowAs(fiber.StatusForbidden, web.ConfirmPage(view))
	}
	form := r.submittedForm()
	view.Path, view.Fields = form.Path, form.hidden()
	if r.Session.ByProvider() {
		// The provider's answer shows the form again, as it was typed.
		view.HasSecret = r.Session.HasPassword || r.Session.SecondFactor
		if view.Provider = r.keepForm(form); !view.Provider && !view.HasSecret {
			return errNoProof
		}
	}
	return r.confirm(view, next)
}

var errNoProof = models.NewError(
	models.KindForbidden,
	"This needs proof that it is you, and what you typed is too long to keep meanwhile. Set a password for your account first.",
)

// Confirm handles the confirmation that a page asked for before it was shown.
func (r *Request) Confirm() error {
	next := OwnPath(r.Typed("next"))
	view := web.ConfirmView{Frame: r.Frame, SecondFactor: r.Session.SecondFactor, Path: "/confirm",
		Fields: []web.HiddenField{{Name: "next", Value: next}}}
	return r.confirm(view, func(r *Request) error { return r.Redirect(next) })
}

// confirm goes on with next if the form confirms that it is the user, and asks
// otherwise.
func (r *Request) confirm(view web.ConfirmView, next Page) error {
	given := r.Field("confirmation")
	if given == "" {
		return r.ShowAs(fiber.StatusForbidden, web.ConfirmPage(view))
	}
	recovery, err := r.Site.Accounts.Confirm(r.Context(), *r.Session, r.Actor(), given)
	if err == nil {
		r.Session.ConfirmedAt = time.Now()
		r.forgetCommit()
		r.NoticeRecovery(recovery)
		return next(r)
	}
	if !IsInputError(err) {
		return err
	}
	// A form that is sent twice has used its code up the first time.
	if session, sessionErr := r.Site.Accounts.Session(r.Context(), r.token); sessionErr == nil && session.Confirmed() {
		r.Session = &session
		return next(r)
	}
	view.Confirmation.Error = r.Message(err)
	return r.ShowError(err, web.ConfirmPage(view))
}

// NoticeRecovery says how many recovery codes are left, if one was used.
func (r *Request) NoticeRecovery(recovery accounts.RecoveryUse) {
	if recovery.Used {
		r.Notice = r.N(int64(recovery.Left),
			"You used a recovery code. {n} code is left. You can create new ones in your profile.",
			"You used a recovery code. {n} codes are left. You can create new ones in your profile.")
	}
}
