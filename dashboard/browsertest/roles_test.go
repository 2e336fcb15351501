package browsertest

import (
	"testing"

	"dispo/models"

	"github.com/stretchr/testify/require"
)

// requireActions requires that the page shows exactly these buttons, and links that
// look like buttons.
func (b *tab) requireActions(want ...string) {
	b.t.Helper()
	got := mustEval[[]string](b, `[...document.querySelectorAll('main a.button, main button')].filter(visible).map(nameOf)`)
	require.ElementsMatch(b.t, want, got)
}

// options returns the option texts of a select, without descriptions.
func (b *tab) options(label string) []string {
	b.t.Helper()
	return mustEval[[]string](b, "[...find('field', %s)[0].options].map(o => o.text.split(':')[0])", label)
}

// An owner manages keys and members, and can make others owners. The only owner
// cannot leave or lose the role.
func TestOwnerManagesKeysAndMembers(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	key, _ := o.key("Production")
	admin, member := o.user("admin", models.RoleAdmin), o.user("member", models.RoleViewer)
	b.signIn(o.owner)

	b.navigate("API keys")
	shown := "Production, dispo_…" + key.Hint
	b.requireActions("Create key", "Rotate "+shown, "Search")
	b.follow("link", "Production")
	b.follow("link", "Revoke")
	b.waitForText("Revoke Production?", "It has never been used: nothing stops working.", "It is the only active key")
	b.follow("link", "Keep key")
	b.follow("link", "Revoke")
	b.follow("button", "Revoke key")
	b.waitForText("Key “Production” is revoked. Requests with it are refused from now on.", "No active key.")
	b.requireActions("Create key", "Search")

	b.navigate("Members")
	b.waitForText("The only owner")
	b.requireActions("Change role of "+admin, "Remove "+admin, "Change role of "+member, "Remove "+member, "Invite", "Require a second factor")
	require.Equal(t, []string{"Owner", "Admin", "Viewer"}, b.options("Role of "+admin))
	require.Equal(t, []string{"Owner", "Admin", "Viewer"}, b.options("Role"))
	b.choose("Role of "+admin, "Owner")
	b.follow("button", "Change role of "+admin)
	b.waitForText(admin + " is now an owner.")
	b.requireActions("Change role of "+admin, "Remove "+admin, "Change role of "+member, "Remove "+member, "Change role of "+o.owner, "Leave", "Invite", "Require a second factor")
	b.follow("link", "Remove "+member)
	b.waitForText("Remove " + member + "?")
	b.follow("button", "Remove")
	b.waitForText(member + " is no longer a member.")

	b.navigate("Audit log")
	b.waitForText("Revoked a key Production (dispo_…"+key.Hint+")", "Removed a member "+member)
}

// An admin manages keys and members, but cannot change owners or make any.
func TestAdminManagesEverythingButOwners(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	admin, member := o.user("admin", models.RoleAdmin), o.user("member", models.RoleViewer)
	b.signIn(admin)

	b.createKey("Production")
	b.follow("link", "I have copied the key")
	require.True(t, b.has("link", "Rotate Production"))
	b.follow("link", "Production")
	require.True(t, b.has("link", "Revoke"))

	b.navigate("Members")
	b.requireActions("Change role of "+admin, "Leave", "Change role of "+member, "Remove "+member, "Invite")
	require.Equal(t, []string{"Admin", "Viewer"}, b.options("Role of "+member))
	require.Equal(t, []string{"Admin", "Viewer"}, b.options("Role"))
	b.fill("E-mail", o.email("new"))
	b.follow("button", "Invite")
	b.waitForText("Send this link", "as a viewer")
	b.follow("link", "Back to members")
	b.follow("button", "Withdraw the invitation for "+o.email("new"))
	b.waitForText("Invitation withdrawn. Its link no longer works.")
	b.choose("Role of "+member, "Admin")
	b.follow("button", "Change role of "+member)
	b.waitForText(member + " is now an admin.")
}

// A member sees everything and changes nothing. The pages say who can, and answer 403
// where a member may not go. A member may leave.
func TestMemberChangesNothing(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	key, _ := o.key("Production")
	member := o.user("member", models.RoleViewer)
	o.companies(2)
	o.delivery(3)
	b.signIn(member)

	b.requireActions("Apply")
	b.navigate("API keys")
	b.waitForText("Production", "You are a member of "+o.Name+". Its owners and admins can change keys.")
	b.requireActions("Search")
	b.navigate("Members")
	b.waitForText(o.owner, member, "Its owners and admins can change members.")
	b.requireActions("Leave")
	b.navigate("Audit log")
	b.waitForText("Added a user " + member)
	b.requireActions("Filter")
	b.navigate("Companies")
	b.requireActions("Search")
	b.follow("link", "Rederiet "+o.Name+" 0 ApS")
	b.waitForText("3 transactions")
	b.requireActions("Filter")
	b.navigate("Docs")

	for _, path := range []string{"/new", "/" + key.ID.String() + "/revoke", "/" + key.ID.String() + "/rotate"} {
		b.open("/settings/api-keys" + path)
		b.requireStatus(403)
		b.waitForText("You don’t have permission", "Only an owner or an admin of "+o.Name+" can do this.")
		b.requireActions("Go to the overview")
	}

	b.navigate("Members")
	b.follow("link", "Leave")
	b.waitForText("Leave " + o.Name + "?")
	b.follow("button", "Leave")
	require.Contains(t, b.path(), "/sign-in", "the only organization was left")
	b.signIn(member)
	b.requireStatus(403)
	b.waitForText("You are no longer a member of any organization.")
}
