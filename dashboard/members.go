package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"dispo/dashboard/site"
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

func membersView(r *site.Request) (web.MembersView, error) {
	tenant := r.Tenant()
	view := web.MembersView{
		Frame:                r.Frame,
		InviteRoles:          assignableRoles(r.Session.Current.Role),
		Mail:                 r.Site.Mail,
		SecondFactorRequired: r.Session.Current.RequireSecondFactor,
		ServiceRequires:      r.Site.Accounts.FactorRequired(),
		CanRequire:           r.Session.Current.Role == terms.Owner,
		Query:                strings.ToLower(strings.TrimSpace(r.ShownQuery("q"))),
	}
	members, err := accounts.Members(r.Context(), tenant)
	if err != nil {
		return view, err
	}
	invitations, err := accounts.Invitations(r.Context(), tenant)
	if err != nil {
		return view, err
	}
	matches := func(email string) bool { return strings.Contains(email, view.Query) }
	found := slices.DeleteFunc(slices.Clone(members),
		func(m accounts.MemberDetail) bool { return !matches(m.Email) })
	invitations = slices.DeleteFunc(invitations,
		func(i accounts.InvitationDetail) bool { return !matches(i.Email) })
	view.Found, view.Invited = len(found), len(invitations)
	number, _ := strconv.Atoi(r.Query("page"))
	last := (max(len(found), len(invitations), 1) + pageSize - 1) / pageSize
	number = min(max(1, number), last)
	link := func(n int) string {
		return "/settings/members?" + parameters(map[string]string{"q": view.Query, "page": strconv.Itoa(n)}).Encode()
	}
	if number > 1 {
		view.Pager.Prev = link(number - 1)
	}
	if number < last {
		view.Pager.Next = link(number + 1)
	}
	for _, member := range numbered(found, number) {
		view.Members = append(view.Members, memberRow(r, members, member))
	}
	for _, i := range numbered(invitations, number) {
		view.Invitations = append(view.Invitations, web.InvitationRow{ID: i.ID.String(), Email: i.Email, Role: i.Role,
			InvitedBy: valueOf(i.InvitedByEmail), CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt})
	}
	return view, nil
}

// numbered returns a page of a list, counted from 1.
func numbered[T any](rows []T, page int) []T {
	return rows[min(len(rows), (page-1)*pageSize):min(len(rows), page*pageSize)]
}

// memberRow returns a row of the members' list. Its actions are those that the signed-in
// user may take.
func memberRow(r *site.Request, all []accounts.MemberDetail, member accounts.MemberDetail) web.MemberRow {
	owners := 0
	for _, m := range all {
		if m.Role == terms.Owner {
			owners++
		}
	}
	actor := r.Session.Current.Role
	row := web.MemberRow{
		ID: member.UserID.String(), Email: member.Email, Role: member.Role, Self: member.UserID == r.Session.UserID,
		SecondFactor: member.SecondFactor, JoinedAt: member.CreatedAt, ProvidedAt: valueOf(member.ProvidedAt),
		LastOwner: member.Role == terms.Owner && owners == 1,
	}
	row.CanRemove = !row.LastOwner && (row.Self || actor.MayChange(member.Role))
	if !row.LastOwner && actor.MayChange(member.Role) {
		row.Roles = assignableRoles(actor)
	}
	return row
}

func memberInvite(r *site.Request) error {
	email, role := r.Typed("email"), terms.Role(r.Typed("role"))
	invitation, token, err := accounts.Invite(r.Context(), r.Tenant(), email, role)
	if err != nil {
		if !site.IsInputError(err) {
			return err
		}
		view, listErr := membersView(r)
		if listErr != nil {
			return listErr
		}
		view.InviteEmail, view.InviteRole = web.Field{Value: email, Error: r.Message(err)}, web.Field{Value: string(role)}
		return r.ShowInvalid(web.MembersPage(view))
	}
	return r.Show(web.InvitationCreatedPage(web.InvitationCreatedView{
		Frame:     r.Frame,
		Email:     invitation.Email,
		Role:      invitation.Role,
		ExpiresAt: invitation.ExpiresAt,
		Mailed:    r.Site.Mail,
		Link:      r.URL("/invitations/" + token),
	}))
}

func invitationRevoke(r *site.Request) error {
	return r.DoneUnless(accounts.RevokeInvitation(r.Context(), r.Tenant(), r.ID), "/settings/members",
		r.T("Invitation withdrawn. Its link no longer works."))
}

// target returns the member that the request is about, and all members.
func target(r *site.Request) (all []accounts.MemberDetail, member accounts.MemberDetail, err error) {
	all, err = accounts.Members(r.Context(), r.Tenant())
	for _, member := range all {
		if member.UserID == r.ID {
			return all, member, err
		}
	}
	if err == nil {
		err = models.NewError(models.KindNotFound, "This person is not a member.")
	}
	return nil, member, err
}

func memberRole(r *site.Request) error {
	_, member, err := target(r)
	if err != nil {
		return err
	}
	role := terms.Role(r.Typed("role"))
	withdrawn, err := accounts.ChangeRole(r.Context(), r.Tenant(), member.UserID, role)
	if err != nil {
		return membersProblem(r, err)
	}
	logRole(r, member, role)
	notice := r.T("{member} is now {role}.", "member", member.Email, "role", r.RoleWithArticle(role))
	if withdrawn > 0 {
		notice += " " + r.N(int64(withdrawn), "Their {n} open invitation was withdrawn.",
			"Their {n} open invitations were withdrawn.")
	}
	return r.Done("/settings/members", notice)
}

// factorRequire sets whether members need a second factor.
func factorRequire(r *site.Request) error {
	required := r.Field("required") == "yes"
	if required && !r.Session.SecondFactor {
		return models.NewError(models.KindConflict, "First set up a second factor for yourself on your profile page.")
	}
	if err := organizations.RequireSecondFactor(r.Context(), r.Tenant(), required); err != nil {
		return err
	}
	if required {
		return r.Done("/settings/members",
			r.T("Members now need a second factor to use {organization}.", "organization", r.Session.Current.Name))
	}
	return r.Done("/settings/members", r.T("Members no longer need a second factor."))
}

// membersProblem shows the members again with the reason why a change was refused.
func membersProblem(r *site.Request, err error) error {
	if !site.IsInputError(err) {
		return err
	}
	view, listErr := membersView(r)
	if listErr != nil {
		return listErr
	}
	view.Problem = r.Message(err)
	return r.ShowError(err, web.MembersPage(view))
}

func memberRemoveForm(r *site.Request) error {
	all, member, err := target(r)
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
	view := web.MemberRemoveView{Frame: r.Frame, Member: row}
	listed, err := keys.List(r.Context(), r.Tenant())
	if err != nil {
		return err
	}
	for _, key := range listed {
		if key.CreatedBy != nil && *key.CreatedBy == member.UserID && key.State() == terms.KeyActive {
			view.Keys++
		}
	}
	return r.Show(web.MemberRemovePage(view))
}

func memberRemove(r *site.Request) error {
	_, member, err := target(r)
	if err != nil {
		return err
	}
	self := member.UserID == r.Session.UserID
	if err := accounts.RemoveMember(r.Context(), r.Tenant(), member.UserID); err != nil {
		return membersProblem(r, err)
	}
	logRole(r, member, "none")
	if self {
		return r.Done("/", r.T("You have left {organization}.", "organization", r.Session.Current.Name))
	}
	return r.Done("/settings/members", r.T("{member} is no longer a member.", "member", member.Email))
}

// logRole logs that a member got another role, or "none" when removed.
func logRole(r *site.Request, member accounts.MemberDetail, role terms.Role) {
	r.LogEvent(models.EventRoleChanged,
		"user", r.Session.UserID, "member", member.UserID, "from", member.Role, "to", role)
}
