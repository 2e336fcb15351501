package browsertest

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/terms"
)

// The tests in this file open every page in every state, and inspect it. The browser's
// console shows no errors.

// maxFirstLoad is how many bytes a page may transfer with an empty cache: document,
// stylesheet, script and icon, as sent over the network.
const maxFirstLoad = 100_000

// openAndInspect opens pages, and inspects each and what it transferred.
func (b *tab) openAndInspect(paths ...string) {
	b.t.Helper()
	for _, path := range paths {
		b.open(path)
		b.requireStatus(200)
		assert.Less(
			b.t,
			mustEval[int](
				b,
				`performance.getEntries().filter(e => e.initiatorType !== 'fetch').reduce((sum, e) => sum + (e.encodedBodySize ?? 0), 0)`,
			),
			maxFirstLoad,
			path,
		)
		b.inspect(path)
	}
}

// openRefused opens a page that is refused, and inspects the error.
func (b *tab) openRefused(path string, status int) {
	b.t.Helper()
	b.open(path)
	b.requireStatus(status)
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
func (b *tab) submitInvalid(button string, status int) {
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

// The pages that anyone can open are accessible, and those of invitations and passwords.
func TestVisitorPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o, other := newTab(t), newOrganization(t), newOrganization(t)
	b.openRefused("/nothing/here", 404)
	b.openAndInspect("/password/forgotten", "/sign-in")
	b.submitInvalid("Sign in", 401)
	email := o.email("new-with-a-rather-long-name-before-the-at-sign-of-the-address")
	link, err := world.Operator.Accounts.UserCreate(t.Context(), world.Operator.Tenant(o.ID), email, terms.Viewer, "")
	require.NoError(t, err)
	b.openAndInspect(link)
	b.submitInvalid("Set password", 422)

	owner := newTab(t)
	owner.signIn(o.owner)
	invitation := owner.invite(o.email("newcomer"), "Admin")
	owner.inspect("invitation created")
	b.openAndInspect(invitation)
	b.submitInvalid("Join", 422)
	owner.openAndInspect(invitation)
	invitation = owner.invite(other.owner, "Viewer")
	b.openAndInspect(invitation)
	b.signIn(other.owner)
	b.openAndInspect(invitation)
	b.follow("button", "Join")
	b.click("summary", "Switch")
	b.inspect("joined, and switching organizations")
}

// The pages of a new organization, which are still empty, are accessible, and so are the menu
// and errors.
func TestEmptyOrganizationPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := ownerTab(t)
	b.openAndInspect("/", "/companies?q=none", "/companies", "/days", "/transactions", "/transactions?type=CARD",
		"/deliveries", "/settings/api-keys", "/settings/organization")
	b.setViewport(narrow)
	b.click("button", "Menu")
	b.requireNoViolations("the menu", everyRule)
	b.requireNoSidewaysScroll("the menu")
	b.setViewport(wide)
	b.open("/")

	mustEval[bool](b, "[...document.querySelectorAll('[name=form_token]')].every(e => e.value = 'old')")
	b.submitInvalid("Sign out", 403)
	o.companies(1)
	execute(t, `UPDATE companies SET start_date = 'infinity'
		WHERE organization_id = $1`, o.ID) // which the program cannot read
	b.openRefused("/companies", 500)
	b.waitForText("Something went wrong", "Request ID")
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
	o.user("admin", terms.Admin)
	o.user("member-with-a-rather-long-name-before-the-at-sign", terms.Viewer)
	o.companies(60)
	execute(t, `UPDATE companies SET name = $2, address = 'Havnegade 12, 2. sal, 1058 København K',
		sender_reg_number = '1234', sender_account_number = '0012345678', default_amount_cents = -123456789
		WHERE organization_id = $1 AND cvr = $3`, o.ID, longName+longName, o.cvr)
	world.Delivery(t, o.cvr, 60)
	_, production := o.key("Production")
	require.Equal(t, 200, callAPI(t, production, longClient))
	o.key(longName)
	soon, _ := o.key("Expiring soon")
	execute(t, `UPDATE api_keys SET expires_at = now() + interval '5 days' WHERE id = $1`, soon.ID)
	expired, expiredText := o.key("Ended")
	execute(t, `UPDATE api_keys SET expires_at = now() - interval '5 days' WHERE id = $1`, expired.ID)
	require.Equal(t, 401, callAPI(t, expiredText, longClient))
	revoked, revokedText := o.key("Taken back")
	_, err := keys.Revoke(t.Context(), world.Operator.Tenant(o.ID), revoked.ID)
	require.NoError(t, err)
	require.Equal(t, 401, callAPI(t, revokedText, longClient))
	old, _ := o.key("Archive")
	_, _, err = keys.Create(t.Context(), world.Operator.Tenant(o.ID), keys.NewKey{Name: "Archive", SuccessorOf: &old.ID})
	require.NoError(t, err)
	execute(t, `INSERT INTO key_usage SELECT $1, date_trunc('hour', now()) - n * interval '1 hour', $2, 100 + n * 17 % 800,
		n % 5 FROM generate_series(1, 800) n`, o.ID, soon.ID)
	for _, email := range []string{o.email("invited"), o.email("invited-long-ago-with-a-rather-long-name")} {
		_, _, err := accounts.Invite(t.Context(), world.Operator.Tenant(o.ID), email, terms.Admin)
		require.NoError(t, err)
	}
	execute(t, `UPDATE invitations SET expires_at = now() WHERE email = $1`,
		o.email("invited-long-ago-with-a-rather-long-name"))
	return o
}

// The overview and the pages of companies, days, transactions and deliveries are accessible
// with data.
func TestBusyOrganizationPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newBusyOrganization(t)
	b.signIn(o.owner)
	b.openUntil("/", "Key expired")
	b.inspect("the overview")
	b.openAndInspect("/?by=day#chart-table", "/companies/"+o.cvr+"?bars=days", "/transactions?from=2026-01-01&amount=1..",
		"/search", "/search?q=a", "/search?q=1..", "/deliveries", "/deliveries/"+o.file())
	b.open("/companies?sort=name&q=Rederiet")
	b.follow("link", "Next")
	b.inspect("the second page of companies")
	b.open("/days")
	b.follow("css", "tbody .actions a")
	b.inspect("a day's companies")
	b.open("/companies/" + o.cvr)
	b.follow("link", "Older")
	b.clickOn("tbody tr:first-child .delivered summary")
	b.inspect("the second page of transactions, with a record as it was delivered")
	b.openRefused("/transactions?from=yesterday&amount=much&cvr=1", 422)
}

// The pages of members and the audit log are accessible, and those that list, create and
// revoke keys.
func TestSettingsPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newBusyOrganization(t)
	page := func(name, more string) string { return "/settings/api-keys/" + o.keyNamed(name, 0).ID.String() + more }
	b.signIn(o.owner)
	b.openAndInspect("/settings/audit-log", "/settings/members")
	b.submitInvalid("Invite", 422)
	b.follow("link", "Remove "+o.email("admin"))
	b.inspect("removing a member")
	b.follow("link", "Cancel")
	b.choose("Role of "+o.email("admin"), "Viewer")
	b.follow("button", "Change role of "+o.email("admin"))
	b.inspect("done")

	b.openUntil(page("Production", "/requests"), "/api/v1/companies?limit=1")
	b.inspect("what was read with a key")
	b.follow("css", "tbody a")
	b.waitForText("Only requests of", "All requests")
	b.inspect("what one caller read")
	b.openAndInspect("/settings/api-keys", page("Production", ""), page("Production", "?show=settings"),
		page("Production", "?show=callers"), page("Production", "?show=history"), page("Production", "/pause"),
		page("Production", "/revoke"), page(longName, "/revoke"), page("Taken back", "/revoke"), page("Ended", ""),
		page("Taken back", "/rotate"), "/settings/api-keys/new")
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

	member := newTab(t)
	member.signIn(o.email("member-with-a-rather-long-name-before-the-at-sign"))
	member.openAndInspect("/settings/api-keys", "/settings/members")
	member.follow("link", "Leave")
	member.inspect("leaving")
}

// The pages of the user's own account, and of signing in with it, are accessible.
func TestProfilePagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	newTab(t).signIn(o.owner)
	b.signIn(o.owner)
	b.openAndInspect("/profile")
	b.submitInvalid("Change password", 422)
	b.open("/profile/second-factor")
	b.click("summary", "I can’t scan the code")
	b.inspect("the secret")
	b.submitInvalid("Turn on", 422)
	b.enroll()
	b.inspect("recovery codes")
	b.openAndInspect("/profile", "/profile/second-factor/recovery-codes", "/profile/second-factor/remove")
	execute(
		t,
		"UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = (SELECT id FROM users WHERE email = $1)",
		o.owner,
	)
	b.openRefused("/profile/second-factor/remove", 403)
	b.submitInvalid("Confirm", 403)
	b.open("/profile")
	b.follow("button", "Sign out")
	b.inspect("signed out")
	b.signIn(o.owner)
	b.waitForText("Enter your code")
	b.inspect("the code")
	b.submitInvalid("Sign in", 401)
}

// The pages of single sign-on are accessible, before and after there is a provider, and that of an
// organization that is suspended.
func TestSingleSignOnPagesAreAccessible(t *testing.T) {
	parallel(t)
	b, o := ownerTab(t)
	b.openAndInspect("/settings/sign-in")
	b.fill("Issuer", "http://login.example.com")
	b.fill("Client ID", "dispo")
	b.fill("Client secret", "secret")
	b.submitInvalid("Save settings", 422)
	execute(t, `INSERT INTO sign_in_providers (organization_id, issuer, client_id, client_secret, tried_at, enabled)
		VALUES ($1, 'https://login.a-rather-long-name-of-a-provider.example.com', 'dispo', '', now(), true)`, o.ID)
	b.openAndInspect("/settings/sign-in", "/settings/sign-in/remove")
	execute(t, `UPDATE organizations SET suspended_at = now() WHERE id = $1`, o.ID)
	b.openRefused("/companies", 403)
}

// Switching the language keeps what was typed and chosen, but no password.
func TestSwitchingTheLanguageKeepsWhatWasTyped(t *testing.T) {
	parallel(t)
	b, o := ownerTab(t)
	b.open("/settings/members")
	b.fill("E-mail", o.email("new"))
	b.choose("Role", "Admin: can create and revoke keys, invite and remove members, and change settings")
	b.follow("button", "Dansk")
	require.Equal(t, []string{"da", o.email("new"), "admin"}, mustEval[[]string](b,
		"[document.documentElement.lang, document.getElementById('email').value, document.getElementById('role').value]"))
	b.open("/settings/api-keys/new")
	b.fill("Navn", "Nightly")
	b.clickOn("[value=never]")
	b.follow("button", "English")
	require.Equal(t, []string{"Nightly", "never"}, mustEval[[]string](b,
		"[document.getElementById('name').value, document.querySelector('[name=expires]:checked').value]"))
	b.open("/settings/api-keys/new")
	require.Empty(t, mustEval[string](b, "document.getElementById('name').value"), "it is kept once")
	b.open("/profile")
	b.fill("New password", "a secret word")
	b.follow("button", "Dansk")
	require.Empty(t, mustEval[string](b, "document.getElementById('new_password').value"))
	require.NotContains(t, mustEval[string](b, "JSON.stringify(sessionStorage)"), "secret word")
}
