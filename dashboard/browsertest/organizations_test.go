package browsertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// sights are all pages that show something of an organization's.
func (o *organization) sights(key models.APIKey) []string {
	return []string{
		"/", "/?by=day", "/companies", "/companies?q=Rederiet", "/companies/" + o.cvr, "/settings/api-keys",
		"/settings/api-keys/" + key.ID.String() + "/revoke", "/settings/api-keys/" + key.ID.String() + "/rotate",
		"/settings/members", "/settings/audit-log", "/profile", "/docs",
	}
}

// secrets are texts that only the organization's own people may see.
func (o *organization) secrets(key models.APIKey) []string {
	return []string{o.Name, o.Slug, o.cvr, key.ID.String(), key.Hint}
}

// full is an organization with a company, transactions and a key.
func full(t testing.TB) (*organization, models.APIKey) {
	t.Helper()
	o := newOrganization(t)
	key, text := o.key("Production")
	o.companies(1)
	o.delivery(2)
	require.Equal(t, 200, call(t, text, "ledger/1.0"))
	return o, key
}

// Two organizations side by side, in two browsers: neither sees the other's name,
// people, keys or companies anywhere, also not under the other's addresses.
func TestTwoOrganizations(t *testing.T) {
	together(t)
	one, oneKey := full(t)
	two, twoKey := full(t)
	oneTab, twoTab := newTab(t), newTab(t)
	oneTab.signIn(one.owner)
	twoTab.signIn(two.owner)
	for _, own := range []struct {
		tab           *tab
		mine, theirs  *organization
		key, theirKey models.APIKey
	}{{oneTab, one, two, oneKey, twoKey}, {twoTab, two, one, twoKey, oneKey}} {
		for _, path := range own.mine.sights(own.key) {
			own.tab.open(path)
			own.tab.requireStatus(200)
			own.tab.sees(own.mine.Name)
			own.tab.seesNot(own.theirs.secrets(own.theirKey)...)
		}
		for _, path := range []string{
			"/companies/" + own.theirs.cvr, "/settings/api-keys/" + own.theirKey.ID.String() + "/revoke",
			"/settings/api-keys/" + own.theirKey.ID.String() + "/rotate", "/settings/api-keys/" + own.theirKey.ID.String() + "/rotate/status",
		} {
			own.tab.open(path)
			own.tab.requireStatus(404)
			own.tab.sees("Nothing is here")
			own.tab.seesNot(own.theirs.Name, own.theirKey.Hint)
		}
	}
}

// Who belongs to two organizations works in one at a time, and switches: each
// shows its own things alone, with the role that they have there.
func TestSwitchOrganization(t *testing.T) {
	together(t)
	one, oneKey := full(t)
	two, twoKey := full(t)
	b := newTab(t)
	b.signIn(one.owner)
	// The one worked in is named first; the other one stands in the menu alone.
	only := func(mine, theirs *organization, mineKey, theirKey models.APIKey) {
		b.open("/settings/api-keys")
		b.sees(mine.Name+"’s companies", mineKey.Hint)
		b.seesNot(theirKey.Hint, theirKey.ID.String())
		b.open("/companies")
		b.sees(mine.cvr)
		b.seesNot(theirs.cvr)
		b.open("/companies/" + theirs.cvr)
		b.requireStatus(404)
		b.open("/")
	}
	only(one, two, oneKey, twoKey)
	require.False(t, b.has("summary", "Switch"))
	b.open(two.linkFor(one.owner))
	b.follow("button", "Join")
	b.sees("You have joined " + two.Name + ".")
	only(two, one, twoKey, oneKey)
	b.open("/settings/api-keys")
	require.False(t, b.has("link", "Create key"), "they are a member there")
	b.click("summary", "Switch")
	b.follow("button", one.Name)
	require.Equal(t, "/", b.path())
	only(one, two, oneKey, twoKey)
	b.open("/settings/api-keys")
	require.True(t, b.has("link", "Create key"))
	b.click("summary", "Switch")
	b.follow("button", two.Name)
	only(two, one, twoKey, oneKey)
}
