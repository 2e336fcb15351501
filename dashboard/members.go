package dashboard

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/organizations"
	"dispo/models/terms"
	"dispo/web"
)

// assignableRoles returns the roles that a member with the actor's role may assign.
func assignableRoles(actor terms.Role) []terms.Role {
	var roles []terms.Role
	for _, role := range terms.Roles {
		if actor.MayGive(role) {
			roles = append(roles, role)
		}
	}
	return roles
}

func (h *handler) membersView(r *request) (web.MembersView, error) {
	tenant := h.tenant(r)
	view := web.MembersView{
		Frame:                r.frame,
		InviteRoles:          assignableRoles(r.session.Current.Role),
		Mail:                 h.Mail,
		SecondFactorRequired: r.session.Current.RequireSecondFactor,
		ServiceRequires:      h.Accounts.FactorRequired(),
		CanRequire:           r.session.Current.Role == terms.Owner,
	}
	members, err := accounts.Members(r.context(), tenant)
	if err != nil {
		return view, err
	}
	for _, member := range members {
		view.Members = append(view.Members, memberRow(r, members, member))
	}
	invitations, err := accounts.Invitations(r.context(), tenant)
	if err != nil {
		return view, err
	}
	for _, i := range invitations {
		view.Invitations = append(
			view.Invitations,
			web.InvitationRow{ID: i.ID.String(), Email: i.Email, Role: i.Role,
				InvitedBy: valueOf(i.InvitedByEmail), CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt},
		)
	}
	return view, nil
}

// memberRow returns a row of the members' list. Its actions are those that the signed-in
// user may take.
func memberRow(r *request, all []accounts.MemberDetail, member accounts.MemberDetail) web.MemberRow {
	owners := 0
	for _, m := range all {
		if m.Role == terms.Owner {
			owners++
		}
	}
	actor := r.session.Current.Role
	row := web.MemberRow{
		ID: member.UserID.String(), Email: member.Email, Role: member.Role, Self: member.UserID == r.session.UserID,
		SecondFactor: member.SecondFactor, JoinedAt: member.CreatedAt,
		LastOwner: member.Role == terms.Owner && owners == 1,
	}
	row.CanRemove = !row.LastOwner && (row.Self || actor.MayChange(member.Role))
	if !row.LastOwner && actor.MayChange(member.Role) {
		row.Roles = assignableRoles(actor)
	}
	return row
}

func (h *handler) memberInvite(r *request) error {
	email, role := r.typed("email"), terms.Role(r.typed("role"))
	invitation, token, err := accounts.Invite(r.context(), h.tenant(r), email, role)
	if err != nil {
		if !isInputError(err) {
			return err
		}
		view, listErr := h.membersView(r)
		if listErr != nil {
			return listErr
		}
		view.InviteEmail, view.InviteRole = web.Field{Value: email, Error: r.message(err)}, web.Field{Value: string(role)}
		return r.showAs(fiber.StatusUnprocessableEntity, web.MembersPage(view))
	}
	return r.show(web.InvitationCreatedPage(web.InvitationCreatedView{
		Frame:     r.frame,
		Email:     invitation.Email,
		Role:      invitation.Role,
		ExpiresAt: invitation.ExpiresAt,
		Mailed:    h.Mail,
		Link:      strings.TrimSuffix(h.PublicURL.String(), "/") + "/invitations/" + token,
	}))
}

func (h *handler) invitationRevoke(r *request) error {
	return h.doneUnless(
		r,
		accounts.RevokeInvitation(r.context(), h.tenant(r), r.id),
		"/settings/members",
		r.frame.T("Invitation withdrawn. Its link no longer works."),
	)
}

// target returns the member that the request is about, and all members.
func (h *handler) target(r *request) (all []accounts.MemberDetail, member accounts.MemberDetail, err error) {
	all, err = accounts.Members(r.context(), h.tenant(r))
	for _, member := range all {
		if member.UserID == r.id {
			return all, member, err
		}
	}
	if err == nil {
		err = models.NewError(models.KindNotFound, "This person is not a member.")
	}
	return nil, member, err
}

func (h *handler) memberRole(r *request) error {
	_, member, err := h.target(r)
	if err != nil {
		return err
	}
	role := terms.Role(r.typed("role"))
	withdrawn, err := accounts.ChangeRole(r.context(), h.tenant(r), member.UserID, role)
	if err != nil {
		return h.membersProblem(r, err)
	}
	h.noteRole(r, member, role)
	notice := r.frame.T(
		"{member} is now {role}.",
		"member",
		member.Email,
		"role",
		r.frame.RoleWithArticle(role),
	)
	if withdrawn > 0 {
		notice += " " + r.frame.N(
			int64(withdrawn),
			"Their {n} open invitation was withdrawn.",
			"Their {n} open invitations were withdrawn.",
		)
	}
	return h.done(r, "/settings/members", notice)
}

// factorRequire sets whether members need a second factor.
func (h *handler) factorRequire(r *request) error {
	required := r.field("required") == "yes"
	if required && !r.session.SecondFactor {
		return models.NewError(models.KindConflict, "First set up a second factor for yourself on your profile page.")
	}
	if err := organizations.RequireSecondFactor(r.context(), h.tenant(r), required); err != nil {
		return err
	}
	if required {
		return h.done(
			r,
			"/settings/members",
			r.frame.T("Members now need a second factor to use {organization}.", "organization", r.session.Current.Name),
		)
	}
	return h.done(r, "/settings/members", r.frame.T("Members no longer need a second factor."))
}

// membersProblem shows the members again with the reason why a change was refused.
func (h *handler) membersProblem(r *request, err error) error {
	if !isInputError(err) {
		return err
	}
	view, listErr := h.membersView(r)
	if listErr != nil {
		return listErr
	}
	view.Problem = r.message(err)
	return r.showAs(statuses[models.ErrorKind(err)], web.MembersPage(view))
}

func (h *handler) memberRemoveForm(r *request) error {
	all, member, err := h.target(r)
	if err != nil {
		return err
	}
	row := memberRow(r, all, member)
	if row.LastOwner {
		return models.NewError(models.KindConflict, "An organization needs an owner. Make someone else an owner first.")
	}
	if !row.CanRemove {
		return models.NewError(models.KindForbidden, "You don’t have permission to remove this member.")
	}
	view := web.MemberRemoveView{Frame: r.frame, Member: row}
	listed, err := keys.List(r.context(), h.tenant(r))
	if err != nil {
		return err
	}
	for _, key := range listed {
		if key.CreatedBy != nil && *key.CreatedBy == member.UserID && key.State() == terms.KeyActive {
			view.Keys++
		}
	}
	return r.show(web.MemberRemovePage(view))
}

func (h *handler) memberRemove(r *request) error {
	_, member, err := h.target(r)
	if err != nil {
		return err
	}
	self := member.UserID == r.session.UserID
	if err := accounts.RemoveMember(r.context(), h.tenant(r), member.UserID); err != nil {
		return h.membersProblem(r, err)
	}
	h.noteRole(r, member, "none")
	if self {
		return h.done(r, "/", r.frame.T("You have left {organization}.", "organization", r.session.Current.Name))
	}
	return h.done(r, "/settings/members", r.frame.T("{member} is no longer a member.", "member", member.Email))
}
