package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
)

// The tests here go through every page in every state, and look at each one wide
// and narrow, light and dark: nothing keeps people with disabilities out as far as
// axe-core can tell, nothing has to be scrolled sideways at 320 px, and nothing is
// complained of in the browser's console.

// page opens a path and inspects what comes.
func (b *tab) page(path string, status int64) {
	b.t.Helper()
	b.open(path)
	b.requireStatus(status)
	b.inspect(path)
}

// refused sends the page's form past the browser's own checks, and inspects the
// page that shows what is wrong with it.
func (b *tab) refused(button string, status int64) {
	b.t.Helper()
	value[bool](b, "[...document.forms].every(f => f.noValidate = true)")
	b.follow("button", button)
	b.requireStatus(status)
	b.inspect("refused: " + button)
}

// What anyone can open.
func TestPagesOfVisitors(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	b.page("/sign-in", 200)
	b.page("/docs", 200)
	b.page("/nothing/here", 404)

	b.open("/sign-in")
	b.refused("Sign in", 401)
	email := o.email("new-with-a-rather-long-name-before-the-at-sign-of-the-address")
	b.page(o.linkFor(email), 200)
	b.refused("Set password", 422)
	b.page("/password/unknown", 404)
	b.page("/invitations/unknown", 404)

	owner := newTab(t)
	owner.signIn(o.owner)
	invitation := owner.invite(o.email("newcomer"), "Admin")
	owner.inspect("invitation created")
	b.page(invitation, 200)
	b.refused("Join", 422)
	owner.page(invitation, 200)
	other := newOrganization(t)
	invitation = owner.invite(other.owner, "Member")
	b.page(invitation, 200)
	member := newTab(t)
	member.signIn(other.owner)
	member.page(invitation, 200)
	member.follow("button", "Join")
	member.inspect("joined")
	member.click("summary", "Switch")
	member.inspect("switching organizations")
}

// What somebody sees first: pages without anything in them yet.
func TestPagesOfEmptyOrganization(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	b.signIn(o.owner)
	for _, path := range []string{"/", "/companies", "/companies?q=none", "/settings/api-keys", "/settings/members", "/settings/audit-log", "/profile", "/docs"} {
		b.page(path, 200)
	}
	b.page("/companies/10000000", 404)
	b.page("/nothing/here", 404)
	b.size(narrow)
	b.click("button", "Menu")
	b.inspectNow("the menu")
}

const longName = "Wareneingangsbuchhaltungsschnittstelle_des_Rechnungswesens_der_Niederlassung_Nord"

const longClient = "Mozilla/5.0 (compatible; LedgerSync/4.2.1-beta+build.20260131; +https://ledger.example/bots/ledger-sync-client-for-integrators)"

// busy is an organization that has some of everything, and much of some.
func busy(t testing.TB) *organization {
	t.Helper()
	o := newOrganization(t)
	o.user("admin", models.Admin)
	o.user("member-with-a-rather-long-name-before-the-at-sign", models.Member)
	o.companies(60)
	execute(t, `UPDATE companies SET name = $2, address = 'Havnegade 12, 2. sal, 1058 København K', sender_reg_number = '1234', sender_account_number = '0012345678',
		default_amount_cents = -123456789 WHERE organization_id = $1 AND cvr = $3`, o.ID, longName+longName, o.cvr)
	o.delivery(60)
	_, production := o.key("Production")
	require.Equal(t, 200, call(t, production, longClient))
	o.key(longName)
	soon, _ := o.key("Soon to end")
	execute(t, `UPDATE api_keys SET expires_at = now() + interval '5 days' WHERE id = $1`, soon.ID)
	expired, expiredText := o.key("Ended")
	execute(t, `UPDATE api_keys SET expires_at = now() - interval '5 days' WHERE id = $1`, expired.ID)
	require.Equal(t, 401, call(t, expiredText, longClient))
	revoked, _ := o.key("Taken back")
	_, err := operator.Tenant(o.ID).KeyRevoke(t.Context(), revoked.ID)
	require.NoError(t, err)
	old, _ := o.key("Archive")
	_, _, err = operator.Tenant(o.ID).KeyCreate(t.Context(), models.NewAPIKey{Name: "Archive", SuccessorOf: &old.ID})
	require.NoError(t, err)
	execute(t, `INSERT INTO key_usage SELECT $1, date_trunc('hour', now()) - n * interval '1 hour', $2, 100 + n * 17 % 800, n % 5 FROM generate_series(1, 800) n`, o.ID, soon.ID)
	for _, email := range []string{o.email("invited"), o.email("invited-long-ago-with-a-rather-long-name")} {
		_, _, err := operator.Tenant(o.ID).MemberInvite(t.Context(), email, models.Admin)
		require.NoError(t, err)
	}
	execute(t, `UPDATE invitations SET expires_at = now() WHERE email = $1`, o.email("invited-long-ago-with-a-rather-long-name"))
	return o
}

// Overview, companies, members and the audit log of an organization at work.
func TestPagesOfBusyOrganization(t *testing.T) {
	together(t)
	b, o := newTab(t), busy(t)
	b.signIn(o.owner)
	b.until(func() bool {
		b.open("/")
		return value[bool](b, "document.body.innerText.includes('Key expired or revoked')")
	}, "the refused request")
	day := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	for _, path := range []string{
		"/", "/?by=day", "/?by=hour&day=" + day, "/?by=day#chart-table", "/companies", "/companies?q=Rederiet&status=REGISTERED",
		"/companies?q=nobody", "/companies/" + o.cvr, "/settings/members", "/settings/audit-log", "/docs",
	} {
		b.page(path, 200)
	}
	b.open("/companies")
	b.follow("link", "Next")
	b.inspect("the second page of companies")
	b.open("/companies/" + o.cvr)
	b.clickOn("tbody tr:first-child .delivered summary")
	b.inspect("a record as it was delivered")
	b.follow("link", "Next")
	b.inspect("the second page of transactions")

	b.open("/settings/members")
	b.refused("Invite", 422)
	b.follow("link", "Remove "+o.email("admin"))
	b.inspect("removing a member")
	b.follow("link", "Cancel")
	b.choose("Role of "+o.email("admin"), "Member")
	b.follow("button", "Change role of "+o.email("admin"))
	b.inspect("done")
}

// Keys: the list, creating and revoking one.
func TestPagesOfKeys(t *testing.T) {
	together(t)
	b, o := newTab(t), busy(t)
	b.signIn(o.owner)
	b.page("/settings/api-keys", 200)
	b.page("/settings/api-keys/new", 200)
	b.refused("Create key", 422)
	b.fill("Name", longName)
	b.click("field", "On a date")
	b.refused("Create key", 422)
	b.click("field", "In 90 days")
	b.follow("button", "Create key")
	b.newKey()
	b.inspect("a key")
	b.reload()
	b.sees("This key has been shown already")
	b.inspect("a key that was shown")
	for _, name := range []string{"Production", longName, "Taken back", "Ended"} {
		b.page("/settings/api-keys/"+o.keyNamed(name, 0).ID.String()+"/revoke", 200)
	}
	b.open("/settings/api-keys/" + o.keyNamed(longName, 0).ID.String() + "/revoke")
	b.follow("button", "Revoke key")
	b.inspect("revoked")

	member := newTab(t)
	member.signIn(o.email("member-with-a-rather-long-name-before-the-at-sign"))
	member.page("/settings/api-keys", 200)
	member.page("/settings/members", 200)
	member.page("/settings/api-keys/new", 403)
	member.open("/settings/members")
	member.follow("link", "Leave")
	member.inspect("leaving")
}

// A rotation in each of its states.
func TestPagesOfRotation(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	b.signIn(o.owner)
	old, oldText := o.key(longName)
	require.Equal(t, 200, call(t, oldText, longClient))
	path := "/settings/api-keys/" + old.ID.String() + "/rotate"
	b.page(path, 200)
	b.click("field", "On a date")
	b.refused("Create key", 422)
	b.click("field", "Never")
	b.follow("button", "Create key")
	text := b.newKey()
	b.inspect("the new key")
	b.page(path, 200)
	b.click("summary", "I don’t have the new key")
	b.inspect("the new key is lost")
	b.page(path+"?step=verify", 200)
	b.page(path+"?step=revoke", 200)
	require.Equal(t, 200, call(t, text, longClient))
	b.until(func() bool {
		b.open(path)
		return value[bool](b, "document.body.innerText.includes('the new key works')")
	}, "the new key's use")
	b.inspect("the new key works")
	for step := range 3 {
		b.clickOn(fmt.Sprintf("#step-%d > details > summary", step+1))
	}
	b.inspect("every step unfolded")
	b.page(path+"?step=revoke", 200)
	age(t, old.ID, 61)
	b.page(path, 200)
	b.follow("button", "Revoke old key")
	b.inspect("all done")
	lone, _ := o.key("Alone")
	_, err := operator.Tenant(o.ID).KeyRevoke(t.Context(), lone.ID)
	require.NoError(t, err)
	b.page("/settings/api-keys/"+lone.ID.String()+"/rotate", 200)
}

// Everything about oneself.
func TestPagesOfProfile(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	newTab(t).signIn(o.owner)
	b.signIn(o.owner)
	b.page("/profile", 200)
	b.refused("Change password", 422)
	b.page("/profile/second-factor", 200)
	b.click("summary", "I can’t scan it")
	b.inspect("the secret")
	b.refused("Turn on", 422)
	b.enroll()
	b.inspect("recovery codes")
	b.page("/profile", 200)
	b.page("/profile/second-factor/recovery-codes", 200)
	b.refused("Make new codes", 422)
	b.page("/profile/second-factor/remove", 200)
	b.refused("Turn off", 422)
	b.open("/profile")
	b.follow("button", "Sign out")
	b.inspect("signed out")
	b.passwordStep(o.owner)
	b.inspect("the code")
	b.refused("Sign in", 401)
}

// A form that is too old, a service that can't reach its data, and a mistake of
// ours: each is told in words on a whole page. It runs alone, for it takes a table
// away.
func TestPagesOfTrouble(t *testing.T) {
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	b.signIn(o.owner)
	b.open("/profile")
	value[bool](b, "[...document.querySelectorAll('[name=form_token]')].every(e => e.value = 'old')")
	b.refused("Sign out", 403)

	conn, err := pgx.Connect(context.Background(), site.databaseURL())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), "BEGIN; LOCK TABLE companies IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	b.page("/companies", 503)
	b.sees("Away for a moment", "Try again in 5 seconds.")
	_, err = conn.Exec(context.Background(), "ROLLBACK")
	require.NoError(t, err)

	execute(t, "ALTER TABLE companies RENAME TO companies_away")
	defer execute(t, "ALTER TABLE companies_away RENAME TO companies")
	b.page("/companies", 500)
	b.sees("Something went wrong here")
	require.False(t, strings.Contains(value[string](b, "document.body.innerText"), "relation"), "what broke is for the log")
}
