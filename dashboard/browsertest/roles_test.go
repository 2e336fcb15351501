package browsertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// requireOffers demands that the page offers just these of the links and buttons
// that change something.
func (b *tab) requireOffers(wanted ...string) {
	b.t.Helper()
	offered := value[[]string](b, `[...document.querySelectorAll('main a.button, main button')].filter(visible).map(named)`)
	require.ElementsMatch(b.t, wanted, offered)
}

// options are a select's.
func (b *tab) options(label string) []string {
	b.t.Helper()
	return value[[]string](b, "[...find('field', %s)[0].options].map(o => o.text.split(':')[0])", label)
}

// An owner changes keys and members, and makes others owners; the only owner stays
// one.
func TestOwner(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	key, _ := o.key("Production")
	admin, member := o.user("admin", models.Admin), o.user("member", models.Member)
	b.signIn(o.owner)

	b.navigate("API keys")
	shown := "Production, dispo_…" + key.Hint
	b.requireOffers("Create key", "Rotate "+shown, "Revoke "+shown)
	b.follow("link", "Revoke Production")
	b.sees("Revoke Production?", "It has never been used: nothing stops working.", "It is the only active key")
	b.follow("link", "Keep key")
	b.follow("link", "Revoke Production")
	b.follow("button", "Revoke key")
	b.sees("Key “Production” is revoked. Requests with it are refused from now on.", "No active key.")
	b.requireOffers("Create key")

	b.navigate("Members")
	b.sees("The only owner")
	b.requireOffers("Change role of "+admin, "Remove "+admin, "Change role of "+member, "Remove "+member, "Invite")
	require.Equal(t, []string{"Owner", "Admin", "Member"}, b.options("Role of "+admin))
	require.Equal(t, []string{"Owner", "Admin", "Member"}, b.options("Role"))
	b.choose("Role of "+admin, "Owner")
	b.follow("button", "Change role of "+admin)
	b.sees(admin + " is owner now.")
	b.requireOffers("Change role of "+admin, "Remove "+admin, "Change role of "+member, "Remove "+member, "Change role of "+o.owner, "Leave", "Invite")
	b.follow("link", "Remove "+member)
	b.sees("Remove " + member + "?")
	b.follow("button", "Remove")
	b.sees(member + " is no member any more.")

	b.navigate("Audit log")
	b.sees("Revoked a key Production (dispo_…"+key.Hint+")", "Removed a member "+member)
}

// An admin changes keys and members, but no owner, and makes none.
func TestAdmin(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	admin, member := o.user("admin", models.Admin), o.user("member", models.Member)
	b.signIn(admin)

	b.createKey("Production")
	b.follow("link", "I have copied the key")
	require.True(t, b.has("link", "Rotate Production"))
	require.True(t, b.has("link", "Revoke Production"))

	b.navigate("Members")
	b.requireOffers("Change role of "+admin, "Leave", "Change role of "+member, "Remove "+member, "Invite")
	require.Equal(t, []string{"Admin", "Member"}, b.options("Role of "+member))
	require.Equal(t, []string{"Admin", "Member"}, b.options("Role"))
	b.fill("E-mail", o.email("new"))
	b.follow("button", "Invite")
	b.sees("Send this link", "as a member")
	b.follow("link", "Back to the members")
	b.follow("button", "Take back the invitation of "+o.email("new"))
	b.sees("The invitation is taken back: its link does nothing any more.")
	b.choose("Role of "+member, "Admin")
	b.follow("button", "Change role of "+member)
	b.sees(member + " is admin now.")
}

// A member sees everything and changes nothing; the pages say who can, and what is
// opened all the same is refused in words. They may leave.
func TestMember(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	key, _ := o.key("Production")
	member := o.user("member", models.Member)
	o.companies(2)
	o.delivery(3)
	b.signIn(member)

	b.requireOffers("Show")
	b.navigate("API keys")
	b.sees("Production", "You are a member of "+o.Name+". Its owners and admins can change keys.")
	b.requireOffers()
	b.navigate("Members")
	b.sees(o.owner, member, "Its owners and admins can change members.")
	b.requireOffers("Leave")
	b.navigate("Audit log")
	b.sees("Added a user " + member)
	b.requireOffers()
	b.navigate("Companies")
	b.requireOffers("Search")
	b.follow("link", "Rederiet "+o.Name+" 0 ApS")
	b.sees("3 transactions")
	b.requireOffers()
	b.navigate("Docs")

	for _, path := range []string{"/new", "/" + key.ID.String() + "/revoke", "/" + key.ID.String() + "/rotate"} {
		b.open("/settings/api-keys" + path)
		b.requireStatus(403)
		b.sees("Not yours to do", "Only an owner or an admin of "+o.Name+" can do this. Ask one of them.")
		b.requireOffers("Go to the overview")
	}

	b.navigate("Members")
	b.follow("link", "Leave")
	b.sees("Leave " + o.Name + "?")
	b.follow("button", "Leave")
	require.Contains(t, b.path(), "/sign-in", "they belong to no organization any more")
	b.signIn(member)
	b.requireStatus(403)
	b.sees("Your account belongs to no organization any more.")
}
