package browsertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// pages returns the paths of all pages that show the organization's data.
func (o *organization) pages(key models.APIKey) []string {
	return []string{
		"/", "/?by=day", "/companies", "/companies?q=Rederiet", "/companies/" + o.cvr, "/settings/api-keys",
		"/settings/api-keys/" + key.ID.String() + "/revoke", "/settings/api-keys/" + key.ID.String() + "/rotate",
		"/settings/members", "/settings/audit-log", "/profile", "/docs",
	}
}

// privateTexts returns texts that only the organization's members may see.
func (o *organization) privateTexts(key models.APIKey) []string {
	return []string{o.Name, o.Slug, o.cvr, key.ID.String(), key.Hint}
}

// newOrganizationWithData creates an organization with a company, transactions and a
// used key.
func newOrganizationWithData(t testing.TB) (*organization, models.APIKey) {
	t.Helper()
	o := newOrganization(t)
	key, text := o.key("Production")
	o.companies(1)
	o.delivery(2)
	require.Equal(t, 200, callAPI(t, text, "ledger/1.0"))
	return o, key
}

// No page of one organization shows another's name, members, keys or companies, and
// the addresses of another organization's pages answer 404.
func TestOrganizationsCannotSeeEachOther(t *testing.T) {
	parallel(t)
	one, oneKey := newOrganizationWithData(t)
	two, twoKey := newOrganizationWithData(t)
	oneTab, twoTab := newTab(t), newTab(t)
	oneTab.signIn(one.owner)
	twoTab.signIn(two.owner)
	for _, side := range []struct {
		tab           *tab
		own, other    *organization
		key, otherKey models.APIKey
	}{{oneTab, one, two, oneKey, twoKey}, {twoTab, two, one, twoKey, oneKey}} {
		for _, path := range side.own.pages(side.key) {
			side.tab.open(path)
			side.tab.requireStatus(200)
			side.tab.waitForText(side.own.Name)
			side.tab.requireNoText(side.other.privateTexts(side.otherKey)...)
		}
		for _, path := range []string{
			"/companies/" + side.other.cvr, "/settings/api-keys/" + side.otherKey.ID.String() + "/revoke",
			"/settings/api-keys/" + side.otherKey.ID.String() + "/rotate", "/settings/api-keys/" + side.otherKey.ID.String() + "/rotate/status",
		} {
			side.tab.open(path)
			side.tab.requireStatus(404)
			side.tab.waitForText("Page not found")
			side.tab.requireNoText(side.other.Name, side.otherKey.Hint)
		}
	}
}

// A member of two organizations works in one at a time, and can switch. The pages
// show only the current organization's data, and follow the role there.
func TestSwitchingOrganizationSwitchesDataAndRole(t *testing.T) {
	parallel(t)
	one, oneKey := newOrganizationWithData(t)
	two, twoKey := newOrganizationWithData(t)
	b := newTab(t)
	b.signIn(one.owner)
	// The menu may name the other organization, so its name is not checked.
	requireOnly := func(own, other *organization, ownKey, otherKey models.APIKey) {
		b.open("/settings/api-keys")
		b.waitForText(own.Name+"’s companies", ownKey.Hint)
		b.requireNoText(otherKey.Hint, otherKey.ID.String())
		b.open("/companies")
		b.waitForText(own.cvr)
		b.requireNoText(other.cvr)
		b.open("/companies/" + other.cvr)
		b.requireStatus(404)
		b.open("/")
	}
	requireOnly(one, two, oneKey, twoKey)
	require.False(t, b.has("summary", "Switch"))
	b.open(two.createUserLink(one.owner))
	b.follow("button", "Join")
	b.waitForText("You have joined " + two.Name + ".")
	requireOnly(two, one, twoKey, oneKey)
	b.open("/settings/api-keys")
	require.False(t, b.has("link", "Create key"), "a viewer cannot create keys")
	b.click("summary", "Switch")
	b.follow("button", one.Name)
	require.Equal(t, "/", b.path())
	requireOnly(one, two, oneKey, twoKey)
	b.open("/settings/api-keys")
	require.True(t, b.has("link", "Create key"))
	b.click("summary", "Switch")
	b.follow("button", two.Name)
	requireOnly(two, one, twoKey, oneKey)
}
