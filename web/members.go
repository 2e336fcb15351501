package web

import (
	"time"

	"dispo/models/terms"
)

// MembersView is the view of GET /settings/members?q=&page=, and of a rejected POST
// /settings/members/invite.
//
// Forms, shown if Frame.CanManage: POST to /settings/members/invite with email and role,
// which answers 200 with InvitationCreatedPage, because the link is shown once; to
// /settings/members/{id}/role with role; and to /settings/members/invitations/{id}/revoke.
type MembersView struct {
	Frame
	Query       string // q, a part of an e-mail address; empty means any
	Members     []MemberRow
	Invitations []InvitationRow
	Found       int   // members that match, on all pages
	Invited     int   // the same of invitations
	Pager       Pager // of both lists
	InviteEmail Field
	InviteRole  Field        // Value is a role; empty means viewer
	InviteRoles []terms.Role // roles that the user may assign
	Mail        bool         // whether invitations are sent by e-mail
	Problem     string       // why a change other than an invitation was rejected

	// SecondFactorRequired reports whether members need a second factor. CanRequire
	// offers to change that: POST /settings/members/second-factor with required, yes or no.
	SecondFactorRequired, CanRequire bool
	// ServiceRequires reports whether the service requires one of everybody.
	ServiceRequires bool
}

func (v MembersView) inviteRole() terms.Role {
	if v.InviteRole.Value == "" {
		return terms.Viewer
	}
	return terms.Role(v.InviteRole.Value)
}

// MemberRow is a member of the organization.
type MemberRow struct {
	ID           string // the user's id, part of the forms' paths
	Email        string
	Role         terms.Role
	Self         bool      // whether this is the signed-in user
	SecondFactor bool      // whether signing in takes a second factor
	JoinedAt     time.Time // not shown if zero
	ProvidedAt   time.Time // when the member last came by single sign-on; zero for never
	// Roles are the roles that the signed-in user may give this member, including the
	// current one. With fewer than two, there is no form.
	Roles     []terms.Role
	CanRemove bool // whether the signed-in user may remove this member, or leave if Self
	LastOwner bool // whether this is the only owner, whose role cannot change
}

// InvitationRow is a pending or expired invitation.
type InvitationRow struct {
	ID        string // part of the form's path
	Email     string
	Role      terms.Role
	InvitedBy string // e-mail; empty if not shown
	CreatedAt time.Time
	ExpiresAt time.Time // may be in the past
}

// MemberRemoveView is the view of GET /settings/members/{id}/remove, which asks before
// removing a member, or leaving.
//
// Form: POST to that path without further fields.
type MemberRemoveView struct {
	Frame
	Member MemberRow
	Keys   int64 // active keys that the member created; they keep working
}

func (v MemberRemoveView) title() string {
	if v.Member.Self {
		return v.T("Leave {organization}", "organization", v.Organization.Name)
	}
	return v.T("Remove {member}", "member", v.Member.Email)
}

func (v MemberRemoveView) question() string {
	if v.Member.Self {
		return v.T("Leave {organization}?", "organization", v.Organization.Name)
	}
	return v.T("Remove {member}?", "member", v.Member.Email)
}

// InvitationCreatedView is the view of the answer to POST /settings/members/invite.
type InvitationCreatedView struct {
	Frame
	Email     string     // of the invited person
	Role      terms.Role // that the invited person gets
	Link      string     // complete URL, shown once
	Mailed    bool       // the person also gets a link by e-mail
	ExpiresAt time.Time
}

func (v MembersView) inviteHint() string {
	if v.Mail {
		return v.T("They get an e-mail with a link to join.")
	}
	return v.T("You will get a link to send to them. Dispo doesn’t send e-mail.")
}

// OrganizationView is the view of GET and POST /settings/organization.
//
// Form: POST to that path with name, time_zone, expected_by and notification_address.
// Success redirects with 303 to it with a Notice. POST to /settings/organization/leaks with
// leaks, which is revoke or tell, by an owner, does the same.
type OrganizationView struct {
	Frame
	Name     Field // 1 to 100 characters
	TimeZone Field // an IANA name
	// ExpectedBy is by when a delivery is expected on bank days: HH:MM, or empty for not at all.
	ExpectedBy Field
	// NotificationAddress gets the e-mails that owners and admins get. Its value may be
	// empty.
	NotificationAddress Field
	Mail                bool // e-mails are sent
	// TellOfLeaks means that owners and admins are only told of keys that are reported as leaked.
	TellOfLeaks bool
}

func (v OrganizationView) notificationHint() string {
	if v.Mail {
		return v.T("Gets the e-mails about API keys, and about late or withdrawn deliveries. Leave it empty for none.")
	}
	return v.T("Would get the e-mails about API keys, and about late or withdrawn deliveries. " +
		"This server sends no e-mail at present.")
}

// expectedBy is a time of day, HH:MM, for the reader. Other text stays as it is.
func (f Frame) expectedBy(text string) string {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return f.orNone(text)
	}
	return f.Clock(at.In(time.FixedZone("", 0)))
}

// commonZones are offered while a zone is typed. Every other IANA name is accepted too.
var commonZones = []string{
	"Europe/Copenhagen", "America/Nuuk", "Atlantic/Faroe", "Europe/Amsterdam", "Europe/Berlin", "Europe/Helsinki",
	"Europe/London", "Europe/Oslo", "Europe/Paris", "Europe/Stockholm", "Europe/Warsaw", "UTC",
}
