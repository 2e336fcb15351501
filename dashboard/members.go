package dashboard

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/web"
)

// assignableRoles returns the roles that a member with the actor's role may assign.
func assignableRoles(actor models.Role) []web.Role {
	var roles []web.Role
	for _, role := range models.Roles {
		if actor.MayGive(role) {
			roles = append(roles, web.Role(role))
		}
	}
	return roles
}

func (h *handler) membersView(v *visit) (web.MembersView, error) {
	tenant := h.tenant(v)
	view := web.MembersView{Frame: v.frame, InviteRoles: assignableRoles(v.session.Current.Role), Mail: h.Mail,
		SecondFactorRequired: v.session.Current.RequireSecondFactor, CanRequire: v.session.Current.Role == models.RoleOwner}
	members, err := h.People.Members(v.UserContext(), tenant)
	if err != nil {
		return view, err
	}
	for _, member := range members {
		view.Members = append(view.Members, memberRow(v, members, member))
	}
	invitations, err := h.People.Invitations(v.UserContext(), tenant)
	if err != nil {
		return view, err
	}
	for _, i := range invitations {
		view.Invitations = append(view.Invitations, web.InvitationRow{ID: i.ID.String(), Email: i.Email, Role: web.Role(i.Role),
			InvitedBy: textOf(i.InvitedByEmail), CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt})
	}
	return view, nil
}

// memberRow returns a row of the members' list. Its actions are those that the signed-in
// user may take.
func memberRow(v *visit, all []accounts.MemberDetail, member accounts.MemberDetail) web.MemberRow {
	owners := 0
	for _, m := range all {
		if m.Role == models.RoleOwner {
			owners++
		}
	}
	actor := v.session.Current.Role
	row := web.MemberRow{
		ID: member.UserID.String(), Email: member.Email, Role: web.Role(member.Role), Self: member.UserID == v.session.UserID,
		SecondFactor: member.SecondFactor, JoinedAt: member.CreatedAt,
		LastOwner: member.Role == models.RoleOwner && owners == 1,
	}
	row.CanRemove = !row.LastOwner && (row.Self || actor.MayChange(member.Role))
	if !row.LastOwner && actor.MayChange(member.Role) {
		row.Roles = assignableRoles(actor)
	}
	return row
}

func (h *handler) memberList(v *visit) error {
	view, err := h.membersView(v)
	if err != nil {
		return err
	}
	return v.show(web.MembersPage(view))
}

func (h *handler) memberInvite(v *visit) error {
	email, role := v.typed("email"), models.Role(v.typed("role"))
	invitation, token, err := h.People.MemberInvite(v.UserContext(), h.tenant(v), email, role)
	if err != nil {
		if !isInputError(err) {
			return err
		}
		view, listErr := h.membersView(v)
		if listErr != nil {
			return listErr
		}
		view.InviteEmail, view.InviteRole = web.Field{Value: email, Error: v.message(err)}, web.Field{Value: string(role)}
		return v.showAs(fiber.StatusUnprocessableEntity, web.MembersPage(view))
	}
	return v.show(web.InvitationCreatedPage(web.InvitationCreatedView{
		Frame: v.frame, Email: invitation.Email, Role: web.Role(invitation.Role), ExpiresAt: invitation.ExpiresAt, Mailed: h.Mail,
		Link: strings.TrimSuffix(h.PublicURL.String(), "/") + "/invitations/" + token,
	}))
}

func (h *handler) invitationRevoke(v *visit) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	if err := h.People.InvitationRevoke(v.UserContext(), h.tenant(v), id); err != nil {
		return err
	}
	return h.done(v, "/settings/members", v.frame.T("Invitation withdrawn. Its link no longer works."))
}

// target returns the member that the request is about, and all members.
func (h *handler) target(v *visit) (all []accounts.MemberDetail, member accounts.MemberDetail, err error) {
	id, err := v.id()
	if err != nil {
		return nil, member, err
	}
	all, err = h.People.Members(v.UserContext(), h.tenant(v))
	for _, member := range all {
		if member.UserID == id {
			return all, member, err
		}
	}
	if err == nil {
		err = models.NewError(models.KindNotFound, "This person is not a member.")
	}
	return nil, member, err
}

func (h *handler) memberRole(v *visit) error {
	_, member, err := h.target(v)
	if err != nil {
		return err
	}
	role := models.Role(v.typed("role"))
	if err := h.People.MemberRole(v.UserContext(), h.tenant(v), member.UserID, role); err != nil {
		return h.membersProblem(v, err)
	}
	h.noteRole(v, member, role)
	return h.done(v, "/settings/members", v.frame.T("{member} is now {role}.", "member", member.Email, "role", web.Role(role).WithArticle(v.frame.Locale)))
}

// factorRequire sets whether members need a second factor.
func (h *handler) factorRequire(v *visit) error {
	required := v.FormValue("required") == "yes"
	if required && !v.session.SecondFactor {
		return models.NewError(models.KindConflict, "First set up a second factor for yourself on your profile page.")
	}
	if err := h.tenant(v).RequireSecondFactor(v.UserContext(), required); err != nil {
		return err
	}
	if required {
		return h.done(v, "/settings/members", v.frame.T("Members now need a second factor to use {organization}.", "organization", v.session.Current.Name))
	}
	return h.done(v, "/settings/members", v.frame.T("Members no longer need a second factor."))
}

// membersProblem shows the members again with the reason why a change was refused.
func (h *handler) membersProblem(v *visit, err error) error {
	if !isInputError(err) {
		return err
	}
	view, listErr := h.membersView(v)
	if listErr != nil {
		return listErr
	}
	view.Problem = v.message(err)
	return v.showAs(statuses[models.ErrorKind(err)], web.MembersPage(view))
}

func (h *handler) memberRemoveForm(v *visit) error {
	all, member, err := h.target(v)
	if err != nil {
		return err
	}
	row := memberRow(v, all, member)
	if row.LastOwner {
		return models.NewError(models.KindConflict, "An organization needs an owner. Make someone else an owner first.")
	}
	if !row.CanRemove {
		return models.NewError(models.KindForbidden, "You don’t have permission to remove this member.")
	}
	view := web.MemberRemoveView{Frame: v.frame, Member: row}
	keys, err := h.tenant(v).Keys(v.UserContext())
	if err != nil {
		return err
	}
	for _, key := range keys {
		if key.CreatedBy != nil && *key.CreatedBy == member.UserID && key.State() == models.KeyActive {
			view.Keys++
		}
	}
	return v.show(web.MemberRemovePage(view))
}

func (h *handler) memberRemove(v *visit) error {
	_, member, err := h.target(v)
	if err != nil {
		return err
	}
	self := member.UserID == v.session.UserID
	if err := h.People.MemberRemove(v.UserContext(), h.tenant(v), member.UserID); err != nil {
		return h.membersProblem(v, err)
	}
	h.noteRole(v, member, "none")
	if self {
		return h.done(v, "/", v.frame.T("You have left {organization}.", "organization", v.session.Current.Name))
	}
	return h.done(v, "/settings/members", v.frame.T("{member} is no longer a member.", "member", member.Email))
}
