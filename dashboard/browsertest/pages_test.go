package browsertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
)

// The tests in this file open every page in every state, and inspect it. The browser's
// console shows no errors.

// maxFirstLoad is how many bytes a page may transfer with an empty cache: document,
// stylesheet, script and icon, as sent over the network.
const maxFirstLoad = 100_000

// openAndInspect opens a path, and inspects the page and what it transferred.
func (b *tab) openAndInspect(path string, status int64) {
	b.t.Helper()
	b.open(path)
	b.requireStatus(status)
	assert.Less(b.t, b.firstLoad(), int64(maxFirstLoad), path)
	b.inspect(path)
}

// openUntil opens a path until the page has a text.
func (b *tab) openUntil(path, text string) {
	b.t.Helper()
	b.waitUntil(func() bool {
		b.open(path)
		return mustEval[bool](b, "document.body.innerText.includes(%s)", text)
	}, "%s on %s", text, path)
}

// submitInvalid submits the page's form without the browser's validation, and
// inspects the page that shows the errors.
func (b *tab) submitInvalid(button string, status int64) {
	b.t.Helper()
	mustEval[bool](b, "[...document.forms].every(f => f.noValidate = true)")
	b.follow("button", button)
	b.requireStatus(status)
	b.inspect("rejected: " + button)
}

// invite invites a person, and returns the path of the invitation's link.
func (b *tab) invite(email, role string) string {
	b.t.Helper()
	b.open("/settings/members")
	b.fill("E-mail", email)
	b.choose("Role", role)
	b.follow("button", "Invite")
	b.waitForText("Send this link", "You won’t be able to see it again.")
	link := mustEval[string](b, "document.getElementById('link').value")
	require.True(b.t, strings.HasPrefix(link, b.url+"/invitations/"), link)
	return strings.TrimPrefix(link, b.url)
}

// enroll turns the second factor on.
func (b *tab) enroll() {
	b.t.Helper()
	b.open("/profile/second-factor")
	b.click("summary", "I can’t scan the code")
	secret := strings.ReplaceAll(mustEval[string](b, "document.getElementById('secret').value"), " ", "")
	code, err := totp.GenerateCode(secret, time.Now())
	require.NoError(b.t, err)
	b.fill("Code", code)
	b.follow("button", "Turn on")
	b.waitForText("Save your recovery codes", "Your second factor is on.")
}

// The pages that anyone can open are accessible.
func TestVisitorPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	b.openAndInspect("/sign-in", 200)
	b.openAndInspect("/nothing/here", 404)

	b.open("/sign-in")
	b.submitInvalid("Sign in", 401)
	email := o.email("new-with-a-rather-long-name-before-the-at-sign-of-the-address")
	link, err := members.UserCreate(t.Context(), operator.Tenant(o.ID), email, models.RoleViewer, "")
	require.NoError(t, err)
	b.openAndInspect(link, 200)
	b.submitInvalid("Set password", 422)
	b.openAndInspect("/password/unknown", 404)
	b.openAndInspect("/password/forgotten", 200)
	b.openAndInspect("/invitations/unknown", 404)

	owner := newTab(t)
	owner.signIn(o.owner)
	invitation := owner.invite(o.email("newcomer"), "Admin")
	owner.inspect("invitation created")
	b.openAndInspect(invitation, 200)
	b.submitInvalid("Join", 422)
	owner.openAndInspect(invitation, 200)
	other := newOrganization(t)
	invitation = owner.invite(other.owner, "Viewer")
	b.openAndInspect(invitation, 200)
	member := newTab(t)
	member.signIn(other.owner)
	member.openAndInspect(invitation, 200)
	member.follow("button", "Join")
	member.inspect("joined")
	member.click("summary", "Switch")
	member.inspect("switching organizations")
}

// The pages of a new organization, which are still empty, are accessible.
func TestEmptyOrganizationPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, _ := ownerTab(t)
	for _, path := range []string{"/", "/companies", "/companies?q=none", "/days", "/transactions", "/transactions?type=CARD", "/deliveries", "/settings/api-keys", "/settings/members", "/settings/audit-log", "/profile"} {
		b.openAndInspect(path, 200)
	}
	b.openAndInspect("/companies/10000000", 404)
	b.openAndInspect("/nothing/here", 404)
	b.setViewport(narrow)
	b.click("button", "Menu")
	b.inspectNow("the menu")
}

const longName = "Wareneingangsbuchhaltungsschnittstelle_des_Rechnungswesens_der_Niederlassung_Nord"

const longClient = "Mozilla/5.0 (compatible; LedgerSync/4.2.1-beta+build.20260131; +https://ledger.example/bots/ledger-sync-client-for-integrators)"

// newBusyOrganization creates an organization with data on every page, some of it
// several pages long.
func newBusyOrganization(t testing.TB) *organization {
	t.Helper()
	o := newOrganization(t)
	o.Name = strings.Repeat("Havnekontoret", 8)[:96] // without a blank
	execute(t, `UPDATE organizations SET name = $2 WHERE id = $1`, o.ID, o.Name)
	o.user("admin", models.RoleAdmin)
	o.user("member-with-a-rather-long-name-before-the-at-sign", models.RoleViewer)
	o.companies(60)
	execute(t, `UPDATE companies SET name = $2, address = 'Havnegade 12, 2. sal, 1058 København K', sender_reg_number = '1234', sender_account_number = '0012345678',
		default_amount_cents = -123456789 WHERE organization_id = $1 AND cvr = $3`, o.ID, longName+longName, o.cvr)
	o.delivery(60)
	_, production := o.key("Production")
	require.Equal(t, 200, callAPI(t, production, longClient))
	o.key(longName)
	soon, _ := o.key("Expiring soon")
	execute(t, `UPDATE api_keys SET expires_at = now() + interval '5 days' WHERE id = $1`, soon.ID)
	expired, expiredText := o.key("Ended")
	execute(t, `UPDATE api_keys SET expires_at = now() - interval '5 days' WHERE id = $1`, expired.ID)
	require.Equal(t, 401, callAPI(t, expiredText, longClient))
	revoked, _ := o.key("Taken back")
	_, err := keys.Revoke(t.Context(), operator.Tenant(o.ID), revoked.ID)
	require.NoError(t, err)
	old, _ := o.key("Archive")
	_, _, err = keys.Create(t.Context(), operator.Tenant(o.ID), keys.NewKey{Name: "Archive", SuccessorOf: &old.ID})
	require.NoError(t, err)
	execute(t, `INSERT INTO key_usage SELECT $1, date_trunc('hour', now()) - n * interval '1 hour', $2, 100 + n * 17 % 800, n % 5 FROM generate_series(1, 800) n`, o.ID, soon.ID)
	for _, email := range []string{o.email("invited"), o.email("invited-long-ago-with-a-rather-long-name")} {
		_, _, err := accounts.Invite(t.Context(), operator.Tenant(o.ID), email, models.RoleAdmin)
		require.NoError(t, err)
	}
	execute(t, `UPDATE invitations SET expires_at = now() WHERE email = $1`, o.email("invited-long-ago-with-a-rather-long-name"))
	return o
}

// The overview, companies, members and the audit log are accessible with data.
func TestBusyOrganizationPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newBusyOrganization(t)
	b.signIn(o.owner)
	b.openUntil("/", "Key expired")
	day := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	for _, path := range []string{
		"/", "/?by=day", "/?by=hour&day=" + day, "/?by=day#chart-table", "/companies", "/companies?q=Rederiet&status=REGISTERED",
		"/companies?q=nobody", "/companies?sort=name", "/companies/" + o.cvr, "/companies/" + o.cvr + "?bars=days", "/days", "/transactions", "/transactions?from=2026-01-01&amount=1..",
		"/search", "/search?q=a", "/search?q=1..", "/deliveries", "/deliveries/" + o.file(), "/settings/members", "/settings/audit-log",
	} {
		b.openAndInspect(path, 200)
	}
	b.open("/companies")
	b.follow("link", "Next")
	b.inspect("the second page of companies")
	b.open("/days")
	b.clickOn("tbody .actions a")
	b.inspect("a day's companies")
	b.open("/companies/" + o.cvr)
	b.clickOn("tbody tr:first-child .delivered summary")
	b.inspect("a record as it was delivered")
	b.follow("link", "Older")
	b.inspect("the second page of transactions")
	b.openAndInspect("/transactions?from=yesterday&amount=much&cvr=1", 422)

	b.open("/settings/members")
	b.submitInvalid("Invite", 422)
	b.follow("link", "Remove "+o.email("admin"))
	b.inspect("removing a member")
	b.follow("link", "Cancel")
	b.choose("Role of "+o.email("admin"), "Viewer")
	b.follow("button", "Change role of "+o.email("admin"))
	b.inspect("done")
}

// The pages that list, create and revoke keys are accessible.
func TestKeyPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newBusyOrganization(t)
	b.signIn(o.owner)
	b.openAndInspect("/settings/api-keys", 200)
	b.openAndInspect("/settings/api-keys/new", 200)
	b.submitInvalid("Create key", 422)
	b.fill("Name", longName)
	b.click("field", "On a date")
	b.submitInvalid("Create key", 422)
	b.click("field", "In 90 days")
	b.follow("button", "Create key")
	b.shownKey()
	b.inspect("a key")
	b.reload()
	b.waitForText("This key has been shown already")
	b.inspect("a key that was shown")
	for _, name := range []string{"Production", longName, "Taken back", "Ended"} {
		b.openAndInspect("/settings/api-keys/"+o.keyNamed(name, 0).ID.String()+"/revoke", 200)
	}
	b.openAndInspect("/settings/api-keys/"+o.keyNamed("Taken back", 0).ID.String()+"/rotate", 200)
	read := "/settings/api-keys/" + o.keyNamed("Production", 0).ID.String() + "/requests"
	b.openUntil(read, "/api/v1/companies?limit=1")
	b.inspect("what was read with a key")
	b.follow("css", "tbody a")
	b.waitForText("Only requests of", "All requests")
	b.inspect("what one caller read")
	b.open("/settings/api-keys/" + o.keyNamed(longName, 0).ID.String() + "/revoke")
	b.follow("button", "Revoke key")
	b.inspect("revoked")

	member := newTab(t)
	member.signIn(o.email("member-with-a-rather-long-name-before-the-at-sign"))
	member.openAndInspect("/settings/api-keys", 200)
	member.openAndInspect("/settings/members", 200)
	member.openAndInspect("/settings/api-keys/new", 403)
	member.open("/settings/members")
	member.follow("link", "Leave")
	member.inspect("leaving")
}

// The pages of the user's own account, and of signing in with it, are accessible.
func TestProfilePagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	newTab(t).signIn(o.owner)
	b.signIn(o.owner)
	b.openAndInspect("/profile", 200)
	b.submitInvalid("Change password", 422)
	b.openAndInspect("/profile/second-factor", 200)
	b.click("summary", "I can’t scan the code")
	b.inspect("the secret")
	b.submitInvalid("Turn on", 422)
	b.enroll()
	b.inspect("recovery codes")
	b.openAndInspect("/profile", 200)
	b.openAndInspect("/profile/second-factor/recovery-codes", 200)
	b.openAndInspect("/profile/second-factor/remove", 200)
	execute(t, "UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = (SELECT id FROM users WHERE email = $1)", o.owner)
	b.openAndInspect("/profile/second-factor/remove", 403)
	b.submitInvalid("Confirm", 403)
	b.open("/profile")
	b.follow("button", "Sign out")
	b.inspect("signed out")
	b.signIn(o.owner)
	b.waitForText("Enter your code")
	b.inspect("the code")
	b.submitInvalid("Sign in", 401)
}

// A stale form, an unavailable database and an internal error show a complete,
// accessible page. The test does not run in parallel, because it removes a table.
func TestErrorPagesAreAccessible(t *testing.T) {
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	b.signIn(o.owner)
	b.open("/profile")
	mustEval[bool](b, "[...document.querySelectorAll('[name=form_token]')].every(e => e.value = 'old')")
	b.submitInvalid("Sign out", 403)

	conn, err := pgx.Connect(context.Background(), shared.databaseURL())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), "BEGIN; LOCK TABLE companies IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	b.openAndInspect("/companies", 503)
	b.waitForText("Temporarily unavailable", "Try again in 5 seconds.")
	_, err = conn.Exec(context.Background(), "ROLLBACK")
	require.NoError(t, err)

	execute(t, "ALTER TABLE companies RENAME TO companies_away")
	defer execute(t, "ALTER TABLE companies_away RENAME TO companies")
	b.openAndInspect("/companies", 500)
	b.waitForText("Something went wrong")
	require.False(t, strings.Contains(mustEval[string](b, "document.body.innerText"), "relation"), "the page must not show the database's error")
}
