package dashboard

import (
	"errors"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/web"
)

// page serves a page, or the error page.
func (h *handler) page(page func(*request) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		r := &request{c: c}
		if err := h.enter(r); err != nil {
			return h.fail(r, err)
		}
		err := h.inTurn(r, page)
		if err == nil && r.later != nil {
			err = r.later()
		}
		if err != nil {
			if errors.Is(err, errForeignForm) {
				h.noteRefusedForm(r)
			}
			return h.fail(r, err)
		}
		return nil
	}
}

// anyone serves anyone, signed in or not.
func (h *handler) anyone(page func(*request) error) fiber.Handler {
	return h.page(func(r *request) error {
		if err := h.ownForm(r); err != nil {
			return err
		}
		return page(r)
	})
}

// user serves signed-in users. Others are led to the sign-in, and then back.
func (h *handler) user(page func(*request) error) fiber.Handler {
	return h.page(func(r *request) error {
		if r.session == nil {
			return h.signInFirst(r)
		}
		if err := h.ownForm(r); err != nil {
			return err
		}
		return page(r)
	})
}

// member serves signed-in users who may work in the organization.
func (h *handler) member(page func(*request) error) fiber.Handler {
	return h.user(h.forCurrentOrganization(func(r *request) error {
		if r.session.Current.RequireSecondFactor && !r.session.SecondFactor {
			return h.done(r, "/profile/second-factor", r.frame.T("{organization} requires a second factor. Set one up to continue.", "organization", r.session.Current.Name))
		}
		return page(r)
	}))
}

// warned serves a page that warns owners and admins of keys that expire soon.
func (h *handler) warned(page func(*request) error) func(*request) error {
	return func(r *request) error {
		if r.frame.CanManage {
			if err := h.findExpiring(r); err != nil {
				return err
			}
		}
		return page(r)
	}
}

func (h *handler) findExpiring(r *request) error {
	keys, err := h.tenant(r).KeysExpiring(r.context(), models.ExpirySoon(r.frame.Now))
	for _, key := range keys {
		r.frame.Expiring = append(r.frame.Expiring, web.ExpiringKey{ID: key.ID.String(), Name: key.Name, ExpiresAt: *key.ExpiresAt})
	}
	return err
}

// own serves signed-in users what is theirs and not the organization's.
func (h *handler) own(page func(*request) error) fiber.Handler {
	return h.user(h.forCurrentOrganization(page))
}

// manager serves users who may change keys and members.
func (h *handler) manager(page func(*request) error) fiber.Handler {
	return h.member(func(r *request) error {
		if !r.session.CanManage() {
			return models.NewError(models.KindForbidden, "Only an owner or an admin of {organization} can do this.", "organization", r.session.Current.Name)
		}
		return page(r)
	})
}

// forCurrentOrganization makes sure that the form acts on the organization that it was
// shown for. If the user has switched since, in another tab, it refuses the form, and
// offers to switch back and send it.
func (h *handler) forCurrentOrganization(page func(*request) error) func(*request) error {
	return func(r *request) error {
		shownFor := r.field("shown_for")
		if r.c.Method() != fiber.MethodPost || shownFor == "" || shownFor == r.session.Current.OrganizationID.String() {
			return page(r)
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
			return page(r)
		}
		view := h.unsentView(r, unsentForm(r))
		view.Switched = true
		return r.showAs(fiber.StatusConflict, web.UnsentPage(view))
	}
}

// confirmed serves users who have signed in, or confirmed that it is them, in the last
// 15 minutes. Others first give the password or a code; what they sent goes on then.
func (h *handler) confirmed(page func(*request) error) func(*request) error {
	return func(r *request) error {
		if r.session.Confirmed() {
			return page(r)
		}
		view := web.ConfirmView{Frame: r.frame, SecondFactor: r.session.SecondFactor, Path: "/confirm"}
		if r.c.Method() != fiber.MethodPost {
			view.Fields = []web.HiddenField{{Name: "next", Value: strings.Clone(models.MaskKeys(r.c.OriginalURL()))}}
			return r.showAs(fiber.StatusForbidden, web.ConfirmPage(view))
		}
		form := unsentForm(r)
		view.Path, view.Fields = form.Path, form.hidden()
		return h.confirm(r, view, page)
	}
}

// confirmOnly handles the confirmation that a page asked for before it was shown.
func (h *handler) confirmOnly(r *request) error {
	next := ownPath(r.typed("next"))
	view := web.ConfirmView{Frame: r.frame, SecondFactor: r.session.SecondFactor, Path: "/confirm",
		Fields: []web.HiddenField{{Name: "next", Value: next}}}
	return h.confirm(r, view, func(r *request) error { return r.redirect(next) })
}

// confirm goes on with page if the form confirms that it is the user, and asks
// otherwise.
func (h *handler) confirm(r *request, view web.ConfirmView, page func(*request) error) error {
	given := r.field("confirmation")
	if given == "" {
		return r.showAs(fiber.StatusForbidden, web.ConfirmPage(view))
	}
	err := h.Accounts.Confirm(r.context(), *r.session, h.actor(r), given)
	if err == nil {
		r.session.ConfirmedAt = time.Now()
		return page(r)
	}
	if !isInputError(err) {
		return err
	}
	view.Confirmation.Error = r.message(err)
	return r.showAs(statuses[models.ErrorKind(err)], web.ConfirmPage(view))
}
