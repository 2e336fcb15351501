package dashboard

import (
	"errors"
	"strings"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/terms"
)

const loggedEmailLength = 254 // bytes; no address is longer

// noteFailedSignIn logs that a password or a code was refused, or not checked because
// too many were. An e-mail address may be anybody's text: what is not an address may
// be a password in the wrong field, and is left out.
func (h *handler) noteFailedSignIn(r *request, err error, name, value string) {
	kind := models.ErrorKind(err)
	if kind != models.KindUnauthorized && kind != models.KindLimited {
		return
	}
	if name == "email" && !strings.Contains(value, "@") {
		value = ""
	}
	attributes := append(
		r.exchange().Attributes(),
		name,
		models.Storable(value, loggedEmailLength),
		"limited",
		kind == models.KindLimited,
	)
	var known *accounts.SignInError
	if errors.As(err, &known) {
		attributes = append(attributes, "user", known.UserID)
	}
	models.LogEvent(h.Log, models.EventSignInFailed, r.address(), attributes...)
}

// noteRefusedForm logs a form that did not come from one of our pages in the same
// browser, or from one that was too old.
func (h *handler) noteRefusedForm(r *request, why error) {
	attributes := append(
		r.exchange().Attributes(),
		"route",
		r.c.Route().Path,
		"reason",
		why.Error(),
	) // the path may have a one-time link's token
	if r.session != nil {
		attributes = append(attributes, "user", r.session.UserID)
	}
	models.LogEvent(h.Log, models.EventFormRefused, r.address(), attributes...)
}

// noteRole logs that a member got another role, or "none" for one who was removed.
func (h *handler) noteRole(r *request, member accounts.MemberDetail, role terms.Role) {
	models.LogEvent(
		h.Log,
		models.EventRoleChanged,
		r.address(),
		append(
			r.exchange().Attributes(),
			"user",
			r.session.UserID,
			"member",
			member.UserID,
			"from",
			member.Role,
			"to",
			role,
		)...)
}
