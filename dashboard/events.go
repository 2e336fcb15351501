package dashboard

import (
	"errors"
	"strings"

	"dispo/models"
	"dispo/models/accounts"
)

const loggedEmailLength = 254 // bytes; no address is longer

// noteFailedSignIn logs that a password or a code was refused, or not checked because
// too many were. An e-mail address may be anybody's text: what is not an address may
// be a password in the wrong field, and is left out.
func (h *handler) noteFailedSignIn(v *visit, err error, name, value string) {
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
	models.LogEvent(h.Log, models.EventSignInFailed, h.Address(v.Ctx), attributes...)
}

// noteRefusedForm logs a form that did not come from one of our pages in the same
// browser, or from one that was too old.
func (h *handler) noteRefusedForm(v *visit) {
	attributes := []any{"route", v.Route().Path} // the path may have a one-time link's token
	if v.session != nil {
		attributes = append(attributes, "user", v.session.UserID, "organization", v.session.Current.OrganizationID)
	}
	models.LogEvent(h.Log, models.EventFormRefused, h.Address(v.Ctx), attributes...)
}

// noteRole logs that a member got another role, or "none" for one who was removed.
func (h *handler) noteRole(v *visit, member accounts.MemberDetail, role models.Role) {
	models.LogEvent(h.Log, models.EventRoleChanged, h.Address(v.Ctx), "organization", v.session.Current.OrganizationID,
		"user", v.session.UserID, "member", member.UserID, "from", member.Role, "to", role)
}
