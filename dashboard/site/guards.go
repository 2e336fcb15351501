package site

import (
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/web"
)

// choose returns the page that answers: the route's, or one that has to come before it.
func (r *Request) choose() (Page, error) {
	route := r.route
	if path := r.pathWithoutKeys(); path != "" {
		return func(r *Request) error { return r.Redirect(path) }, nil
	}
	if route.Access >= User && r.Session == nil {
		return (*Request).signInFirst, nil
	}
	if err := r.checkForm(); err != nil {
		return nil, err
	}
	if route.Access >= Own {
		if page, err := r.otherOrganizationFirst(); page != nil || err != nil {
			return page, err
		}
	}
	page := route.Page
	if route.Access >= Member {
		switch named := r.Ctx.Query("organization"); {
		case r.Session.Current.Suspended:
			return (*Request).showSuspended, nil
		case route.Method == fiber.MethodGet && named != "" && named != r.Organization.ID:
			return func(r *Request) error { return r.offerSwitch(named) }, nil
		case r.Session.Current.RequireSecondFactor && !r.Session.SecondFactor:
			return (*Request).requireSecondFactor, nil
		case !r.FactorDue.IsZero() && !r.Now.Before(r.FactorDue):
			// The frame of that page says why.
			return func(r *Request) error { return r.Redirect("/profile/second-factor") }, nil
		case route.Method == fiber.MethodGet:
			page = orElsewhere(page)
		}
	}
	if route.Access >= Manager && !r.Session.CanManage() {
		return nil, models.NewError(models.KindForbidden, "Only an owner or an admin of {organization} can do this.",
			"organization", r.Session.Current.Name)
	}
	if strings.Contains(route.Path, ":id") {
		var err error
		if r.ID, err = uuid.Parse(r.Param("id")); err != nil { // like an unknown one
			return nil, models.NewError(models.KindNotFound, "")
		}
	}
	if route.ConfirmedIf == nil || r.Session.Confirmed() {
		return page, nil
	}
	asks, err := route.ConfirmedIf(r)
	if !asks || err != nil {
		return page, err
	}
	return func(r *Request) error { return r.askAgain(page) }, nil
}

// pathWithoutKeys returns where to go from an address with a key, whose secret must not stay
// there. It is empty if the address has none.
func (r *Request) pathWithoutKeys() string {
	kept, found := url.Values{}, false
	for name, value := range r.Ctx.Request().URI().QueryArgs().All() {
		typed := string(value)
		text := Clean(models.MaskKeys(typed))
		found = found || models.MaskKeys(typed) != typed
		if hint, ok := keys.HintIn(typed); ok && r.route.FindsKeys {
			text = hint
		}
		kept.Add(models.MaskKeys(string(name)), text)
	}
	if !found || r.route.Method != fiber.MethodGet {
		return ""
	}
	return OwnPath(r.Path + "?" + kept.Encode())
}

// otherOrganizationFirst returns a page if the form was shown for another organization than
// the current one, because the user has switched since, in another tab. The page offers to
// switch back and send the form; then it acts.
func (r *Request) otherOrganizationFirst() (Page, error) {
	shownFor := r.Field("shown_for")
	if r.Ctx.Method() != fiber.MethodPost || shownFor == "" || shownFor == r.Organization.ID {
		return nil, nil
	}
	if r.Field("switch_to") != shownFor {
		return (*Request).showSwitched, nil
	}
	to, err := uuid.Parse(shownFor)
	if err != nil {
		return nil, models.NewError(models.KindNotFound, "")
	}
	if err := r.Site.Accounts.SessionSwitch(r.Context(), *r.Session, r.Actor(), to); err != nil {
		return nil, err
	}
	session, err := r.Site.Accounts.Session(r.Context(), r.token)
	if err != nil {
		return nil, err
	}
	r.Session = &session
	r.fillFrame()
	return nil, nil
}

func (r *Request) showSwitched() error {
	view := r.keptFormView(r.submittedForm())
	view.Switched = true
	return r.ShowAs(fiber.StatusConflict, web.KeptFormPage(view))
}

// showSuspended tells members whose organizations are all suspended.
func (r *Request) showSuspended() error {
	return r.ShowAs(fiber.StatusForbidden, web.SuspendedPage(r.Frame))
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
			if m.OrganizationID != r.Session.Current.OrganizationID &&
				r.Site.Find(r, r.Site.Store.Tenant(m.OrganizationID)) == nil {
				return r.showElsewhere(m)
			}
		}
		return err
	}
}

func (r *Request) showElsewhere(m accounts.Membership) error {
	view := web.ElsewhereView{Frame: r.Frame, To: organizationOf(m)}
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
	return r.confirm(view, next)
}

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
		r.Notice = r.N(int64(recovery.Left), "You used a recovery code. {n} code is left. You can create new ones in your profile.",
			"You used a recovery code. {n} codes are left. You can create new ones in your profile.")
	}
}
