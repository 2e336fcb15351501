package browsertest

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

var keyForm = regexp.MustCompile(`^dispo_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$`)

// newKey is the key that the page shows.
func (b *tab) newKey() string {
	b.t.Helper()
	b.sees("It won’t be shown again.")
	key := value[string](b, "document.getElementById('key').value")
	require.Regexp(b.t, keyForm, key)
	return key
}

// rotation is a key's on its way to another one.
type rotation struct {
	*tab
	old     models.APIKey
	oldText string
	newText string
}

// startRotation signs in, and rotates the organization's key "Production" as far
// as the question whether the new one works.
func startRotation(t *testing.T, b *tab) *rotation {
	o := newOrganization(t)
	r := &rotation{tab: b}
	r.old, r.oldText = o.key("Production")
	o.companies(1)
	require.Equal(t, http.StatusOK, call(t, r.oldText, "ledger/1.0"))

	b.signIn(o.owner)
	b.navigate("API keys")
	b.follow("link", "Rotate Production")
	b.sees("Step 1 of 4: create the new key.")
	b.requireNoSidewaysScroll("a rotation")
	b.follow("button", "Create key")
	r.newText = b.newKey()
	b.requireNoSidewaysScroll("a rotation")
	require.NotEqual(t, r.oldText, r.newText)
	b.follow("link", "I have updated my application")
	b.sees("Step 3 of 4: waiting for the new key’s first use.", "Waiting for the first request")
	b.seesNot(r.newText)
	b.requireNoSidewaysScroll("a rotation")
	require.False(t, b.has("button", "Revoke old key"))
	return r
}

// requireOver demands that the new key alone opens the API, that the page says so,
// and goes on saying so.
func (r *rotation) requireOver() {
	r.t.Helper()
	require.Equal(r.t, http.StatusUnauthorized, call(r.t, r.oldText, "ledger/1.0"))
	require.Equal(r.t, http.StatusOK, call(r.t, r.newText, "ledger/2.0"))
	over := []string{"All done: the new key works, and the old one is revoked.", "Requests with it are refused."}
	r.sees(over...)
	r.requireNoSidewaysScroll("a rotation")
	link := "/settings/api-keys/" + r.old.ID.String() + "/rotate"
	require.Equal(r.t, link, r.path())
	r.reload()
	r.sees(over...)
	r.seesNot(r.newText)
	require.False(r.t, r.has("button", "Revoke old key"))
}

// A person replaces a key without an outage, led from the key's row to the end:
// the page shows by itself, without a reload, that the new key is used and that
// the old one still is, from where and by what; it lets nobody revoke early
// without asking once more, and says when it is safe. Afterwards the old key is
// refused and the new one works, and the link stays good.
func TestRotation(t *testing.T) {
	together(t)
	b := newTab(t)
	r := startRotation(t, b)
	page := b.loader()
	value[bool](b, "Boolean(window.news = document.getElementById('rotation-news'))")

	require.Equal(t, http.StatusOK, call(t, r.newText, "ledger/2.0"))
	b.sees("Step 4 of 4: the new key works. Wait until the old one has fallen silent.", "See that the new key works Done")
	b.click("summary", "See that the new key works")
	b.sees("The new key works.", "by ledger/2.0")

	require.Equal(t, http.StatusOK, call(t, r.oldText, "night-batch/7"))
	b.sees("Not yet safe: the old key was used less than 1 hour ago.", "from 127.0.0.1", "by night-batch/7")
	require.Equal(t, page, b.loader(), "the page was loaded anew")
	require.True(t, value[bool](b, "window.news === document.getElementById('rotation-news') && news.role === 'status'"),
		"screen readers follow the one element")

	b.follow("link", "Revoke now all the same")
	b.sees("Revoke it all the same?", "is refused from that moment on")
	require.True(t, b.has("button", "Revoke old key now"))
	b.follow("link", "Keep waiting")
	page = b.loader()
	require.Equal(t, http.StatusOK, call(t, r.oldText, "ledger/1.0"))

	b.sees("by ledger/1.0") // so nothing of it is still to be written
	age(t, r.old.ID, 59)
	b.sees("59 minutes ago")
	require.False(t, b.has("button", "Revoke old key"))
	age(t, r.old.ID, 2)
	b.sees("Safe to revoke.", "Step 4 of 4: safe to revoke the old key.")
	require.Equal(t, page, b.loader(), "the page was loaded anew")

	b.follow("button", "Revoke old key")
	r.requireOver()
}

// Without JavaScript the same rotation can be done, with reloads.
func TestRotationWithoutScript(t *testing.T) {
	together(t)
	b := newTab(t)
	b.withoutScript()
	r := startRotation(t, b)
	require.False(t, value[bool](b, "document.documentElement.classList.contains('scripted')"))
	b.follow("link", "Check again")
	b.sees("Waiting for the first request")

	require.Equal(t, http.StatusOK, call(t, r.newText, "ledger/2.0"))
	require.Equal(t, http.StatusOK, call(t, r.oldText, "night-batch/7"))
	b.until(func() bool {
		b.reload()
		return value[bool](b, "tidy(document.body.innerText).includes('by night-batch/7')")
	}, "the old key's use")
	b.sees("Step 4 of 4: the new key works.", "Not yet safe: the old key was used less than 1 hour ago.", "from 127.0.0.1")
	b.follow("link", "Revoke now all the same")
	b.sees("Revoke it all the same?")
	b.follow("link", "Keep waiting")

	age(t, r.old.ID, 61)
	b.follow("link", "Check again")
	b.sees("Safe to revoke.")
	b.follow("button", "Revoke old key")
	r.requireOver()
}

// On a phone, 320 px wide, the same rotation can be done, also by whoever doesn't
// wait and has said so twice; nothing has to be scrolled sideways on the way.
func TestRotationOnPhone(t *testing.T) {
	together(t)
	b := newTab(t)
	b.size(narrow)
	r := startRotation(t, b)
	require.Equal(t, http.StatusOK, call(t, r.newText, "ledger/2.0"))
	b.sees("Step 4 of 4: the new key works.")
	b.requireNoSidewaysScroll("a rotation")
	b.follow("link", "Revoke now all the same")
	b.requireNoSidewaysScroll("a rotation")
	require.Equal(t, http.StatusOK, call(t, r.oldText, "ledger/1.0"), "it was only asked")
	b.follow("button", "Revoke old key now")
	r.requireOver()
}

// Whoever has lost the new key before using it has another one made in its place;
// the lost one is refused from then on.
func TestRotationWithLostKey(t *testing.T) {
	together(t)
	b := newTab(t)
	r := startRotation(t, b)
	b.click("summary", "Update your application")
	b.click("summary", "I don’t have the new key")
	b.follow("button", "Create it anew")
	lost := r.newText
	r.newText = b.newKey()
	require.NotEqual(t, lost, r.newText)
	require.Equal(t, http.StatusUnauthorized, call(t, lost, "ledger/2.0"))
	b.follow("link", "I have updated my application")
	require.Equal(t, http.StatusOK, call(t, r.newText, "ledger/2.0"))
	b.sees("Step 4 of 4: the new key works.")
}
