package dashboard

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api/server"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/terms"
	"dispo/web"
)

// serve answers requests to the route with its page, or with the error page.
func (h *handler) serve(route route) fiber.Handler {
	guarded := h.guarded(route)
	return func(c *fiber.Ctx) error {
		r := &request{c: c, route: route}
		r.exchange().Route = cmp.Or(route.path, server.NoRoute)
		if err := h.enter(r); err != nil {
			return h.fail(r, err)
		}
		err := h.queued(r, guarded)
		if err == nil && r.later != nil { // a download is sent after leaving the queue
			err = r.later()
		}
		if err != nil {
			if slices.Contains(refusedForms, err) {
				h.noteRefusedForm(r, err)
			}
			return h.fail(r, err)
		}
		return nil
	}
}

// signedInOnly leads others to the sign-in, and then back.
func (h *handler) signedInOnly(r *request, next page) error {
	if r.session == nil {
		return h.signInFirst(r)
	}
	return next(r)
}

// ownForms refuses forms that do not come from one of our pages in the same browser.
func (h *handler) ownForms(r *request, next page) error {
	if err := h.ownForm(r); err != nil {
		return err
	}
	return next(r)
}

// withoutKeys leads away from an address with a key, whose secret must not stay there. In the
// list of keys, the key's last characters find it.
func withoutKeys(r *request, next page) error {
	kept, found := url.Values{}, false
	for name, value := range r.c.Request().URI().QueryArgs().All() {
		typed := string(value)
		text := clean(models.MaskKeys(typed))
		found = found || models.MaskKeys(typed) != typed
		if hint, ok := keys.HintIn(typed); ok && r.route.path == "/settings/api-keys" {
			text = hint
		}
		kept.Add(models.MaskKeys(string(name)), text)
	}
	if !found {
		return next(r)
	}
	return r.redirect(ownPath(r.frame.Path + "?" + kept.Encode()))
}

// notSuspended refuses members whose organizations are all suspended, and says so.
func (h *handler) notSuspended(r *request, next page) error {
	if r.session.Current.Suspended {
		return r.showAs(fiber.StatusForbidden, web.SuspendedPage(r.frame))
	}
	return next(r)
}

// inItsOrganization offers to switch to another of the user's organizations, if the address
// names it, or if what it leads to is not found here but is there.
func (h *handler) inItsOrganization(r *request, next page) error {
	named, current := r.rawQuery("organization"), r.session.Current.OrganizationID
	if named == "" || named == current.String() {
		err := next(r)
		if kind := models.ErrorKind(err); kind != models.KindNotFound && kind != models.KindCompanyNotFound {
			return err
		}
		for _, m := range r.session.Memberships {
			if m.OrganizationID != current && r.findIn(h.Store.Tenant(m.OrganizationID)) == nil {
				return r.offerSwitch(m)
			}
		}
		return err
	}
	for _, m := range r.session.Memberships {
		if m.OrganizationID.String() == named {
			return r.offerSwitch(m)
		}
	}
	return models.NewError(models.KindNotFound, "")
}

func (r *request) offerSwitch(m accounts.Membership) error {
	view := web.ElsewhereView{Frame: r.frame, To: organizationOf(m)}
	return r.showAs(fiber.StatusNotFound, web.ElsewherePage(view))
}

// findIn looks for the thing in the path in an organization.
func (r *request) findIn(tenant models.Tenant) error {
	var err error = models.NewError(models.KindNotFound, "")
	switch path := r.route.path; {
	case strings.HasPrefix(path, "/settings/api-keys/:id"):
		_, err = keys.Get(r.context(), tenant, r.id)
	case strings.HasPrefix(path, "/deliveries/:id"):
		_, err = ledger.FindArrival(r.context(), tenant, r.id)
	case strings.HasPrefix(path, "/companies/:cvr"):
		_, err = ledger.Company(r.context(), tenant, r.param("cvr"))
	}
	return err
}

// withSecondFactor leads members without a second factor to set one up, where their
// organization requires it, or the service does and their week is over.
func (h *handler) withSecondFactor(r *request, next page) error {
	if r.session.Current.RequireSecondFactor && !r.session.SecondFactor {
		return h.done(
			r,
			"/profile/second-factor",
			r.frame.T(
				"{organization} requires a second factor. Set one up to continue.",
				"organization",
				r.session.Current.Name,
			),
		)
	}
	if due := r.session.FactorDue; !due.IsZero() && !r.frame.Now.Before(due) {
		return r.redirect("/profile/second-factor") // where the frame says why
	}
	return next(r)
}

// withID reads the id in the path. An invalid one is not found, like an unknown one.
func withID(r *request, next page) (err error) {
	if r.id, err = uuid.Parse(r.param("id")); err != nil {
		return models.NewError(models.KindNotFound, "")
	}
	return next(r)
}

// managersOnly refuses everybody but owners and admins.
func (h *handler) managersOnly(r *request, next page) error {
	if !r.session.CanManage() {
		return models.NewError(
			models.KindForbidden,
			"Only an owner or an admin of {organization} can do this.",
			"organization",
			r.session.Current.Name,
		)
	}
	return next(r)
}

// withExpiringKeys tells owners and admins of keys that expire soon.
func (h *handler) withExpiringKeys(r *request, next page) error {
	if !r.frame.CanManage {
		return next(r)
	}
	keys, err := keys.Expiring(r.context(), h.tenant(r), keys.ExpirySoon(r.frame.Now))
	if err != nil {
		return err
	}
	for _, key := range keys {
		r.frame.Expiring = append(
			r.frame.Expiring,
			web.ExpiringKey{ID: key.ID.String(), Name: key.Name, Hint: key.Hint, ExpiresAt: *key.ExpiresAt},
		)
	}
	return next(r)
}

// forCurrentOrganization makes sure that the form acts on the organization that it was
// shown for. If the user has switched since, in another tab, it refuses the form, and
// offers to switch back and send it.
func (h *handler) forCurrentOrganization(r *request, next page) error {
	shownFor := r.field("shown_for")
	if r.c.Method() != fiber.MethodPost || shownFor == "" || shownFor == r.session.Current.OrganizationID.String() {
		return next(r)
	}
	if to, err := uuid.Parse(r.field("switch_to")); err == nil && to.String() == shownFor {
		if err := h.Accounts.SessionSwitch(r.context(), *r.session, h.actor(r), to); err != nil {
			return err
		}
		session, err := h.Accounts.Session(r.context(), r.token)
		if err != nil {
			return err
		}
		r.session = &session
		h.fillFrame(r)
		return next(r)
	}
	view := h.keptFormView(r, submittedForm(r))
	view.Switched = true
	return r.showAs(fiber.StatusConflict, web.KeptFormPage(view))
}

// requirePassword serves users who have signed in, or confirmed that it is them, in the last
// 15 minutes. Others must confirm first; then their request resumes.
func (h *handler) requirePassword(r *request, next page) error {
	if r.session.Confirmed() {
		return next(r)
	}
	view := web.ConfirmView{Frame: r.frame, SecondFactor: r.session.SecondFactor, Path: "/confirm"}
	if r.c.Method() != fiber.MethodPost {
		view.Fields = []web.HiddenField{{Name: "next", Value: strings.Clone(models.MaskKeys(r.c.OriginalURL()))}}
		return r.showAs(fiber.StatusForbidden, web.ConfirmPage(view))
	}
	form := submittedForm(r)
	view.Path, view.Fields = form.Path, form.hidden()
	return h.confirm(r, view, next)
}

// requirePasswordIfInUse is requirePassword for a change that stops the key in the path, unless nothing
// seems to use the key any more. A change of when it is revoked may put that off.
func (h *handler) requirePasswordIfInUse(r *request, next page) error {
	key, err := keys.Get(r.context(), h.tenant(r), r.id)
	if err != nil {
		return err
	}
	if r.route.ifScheduled && key.RevokesAt != nil {
		return h.requirePassword(r, next)
	}
	use, err := keys.UseOf(r.context(), h.tenant(r), key, r.frame.Now)
	if err != nil {
		return err
	}
	if key.State() == terms.KeyActive && use.MayBeNeeded(r.frame.Now) {
		return h.requirePassword(r, next)
	}
	return next(r)
}

// confirmOnly handles the confirmation that a page asked for before it was shown.
func (h *handler) confirmOnly(r *request) error {
	next := ownPath(r.typed("next"))
	view := web.ConfirmView{Frame: r.frame, SecondFactor: r.session.SecondFactor, Path: "/confirm",
		Fields: []web.HiddenField{{Name: "next", Value: next}}}
	return h.confirm(r, view, func(r *request) error { return r.redirect(next) })
}

// confirm goes on with next if the form confirms that it is the user, and asks
// otherwise.
func (h *handler) confirm(r *request, view web.ConfirmView, next page) error {
	given := r.field("confirmation")
	if given == "" {
		return r.showAs(fiber.StatusForbidden, web.ConfirmPage(view))
	}
	left, err := h.Accounts.Confirm(r.context(), *r.session, h.actor(r), given)
	if err == nil {
		r.session.ConfirmedAt = time.Now()
		if left == nil {
			return next(r)
		}
		r.frame.Notice, r.codesLeft = r.codesLeftText(*left), r.codesLeftText(*left)
		if err = next(r); err == nil && r.codesLeft != "" && r.c.Response().StatusCode() == fiber.StatusSeeOther {
			h.setNotice(r, r.codesLeft)
		}
		return err
	}
	if !isInputError(err) {
		return err
	}
	// A form that is sent twice has used its code up the first time.
	if session, sessionErr := h.Accounts.Session(r.context(), r.token); sessionErr == nil && session.Confirmed() {
		r.session = &session
		return next(r)
	}
	view.Confirmation.Error = r.message(err)
	return r.showAs(statuses[models.ErrorKind(err)], web.ConfirmPage(view))
}
