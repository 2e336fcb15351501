package browsertest

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
)

var keyPattern = regexp.MustCompile(`^dispo_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$`)

// shownKey returns the new key that the page shows.
func (b *tab) shownKey() string {
	b.t.Helper()
	b.waitForText("It won’t be shown again.")
	key := mustEval[string](b, "document.getElementById('key').value")
	require.Regexp(b.t, keyPattern, key)
	return key
}

// The page guides through replacing a key without an outage, and is accessible in every state.
// Without a reload, it shows who uses which key. Revoking early needs confirmation, and the
// page says when it is safe. Afterwards only the new key works, and the page's address stays
// valid.
func TestRotationWithoutOutage(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	old, oldText := o.key(longName)
	path := "/settings/api-keys/" + old.ID.String() + "/rotate"
	require.Equal(t, http.StatusOK, callAPI(t, oldText, "ledger/1.0"))
	b.signIn(o.owner)
	b.navigate("API keys")
	b.follow("link", "Rotate "+longName)
	b.waitForText("Step 1 of 4: create the new key.")
	b.inspect("a rotation")
	b.click("field", "On a date")
	b.submitInvalid("Create key", 422)
	b.click("field", "Never")
	b.follow("button", "Create key")
	newText := b.shownKey()
	b.inspect("the new key")
	b.reload()
	b.waitForText("Step 2 of 4")
	b.requireNoText(newText)
	b.click("summary", "I don’t have the new key")
	b.inspect("the new key is lost")
	// It stays open when the step is replaced by a newer one.
	mustEval[bool](b, "Boolean(window.shown = document.querySelector('details.aside[open]').closest('.step'))")
	require.Equal(t, http.StatusOK, callAPI(t, oldText, "ledger/1.1"))
	b.waitForTrue("!window.shown.isConnected")
	require.True(t, mustEval[bool](b, "document.querySelector('details.aside').open"))
	b.openAndInspect(path + "?step=revoke")
	b.open(path)
	b.follow("link", "I have updated my application")
	b.waitForText("Step 3 of 4: waiting for the new key’s first use.", "Waiting for the first request")
	b.inspect("waiting for the first use")
	require.False(t, b.has("button", "Revoke old key"))
	document := b.documentID()
	mustEval[bool](b, "Boolean(window.news = document.getElementById('rotation-news'))")

	require.Equal(t, http.StatusOK, callAPI(t, newText, "ledger/2.0"))
	b.waitForText("Step 4 of 4: the new key works. Wait until", "See that the new key works Done",
		"Update your application Done")
	b.click("summary", "See that the new key works")
	b.waitForText("The new key works.", "by ledger/2.0")
	for _, step := range []string{"1", "2"} {
		b.clickOn("#step-" + step + " > details > summary")
	}
	b.inspect("every step unfolded")

	require.Equal(t, http.StatusOK, callAPI(t, oldText, "night-batch/7"))
	b.waitForText("Step 3 of 4: the new key works, but 1 caller may still need the old one.",
		"night-batch/7 from 127.0.0.1 last used the old key", "It has not used the new one yet.")
	require.Equal(t, document, b.documentID(), "the page must update without a reload")
	b.inspect("a caller has not moved")
	b.follow("button", "It doesn’t need the new key night-batch/7 127.0.0.1")
	b.waitForText("Step 4 of 4: the new key works.", "Not yet safe: the old key was last used less than 35 days ago.",
		"from 127.0.0.1", "by night-batch/7")
	b.click("summary", "See that the new key works")
	b.waitForText("It is marked as not needing the new key.")
	b.inspect("a dismissed caller")

	b.follow("link", "Revoke anyway")
	b.waitForText("Revoke it anyway?", "are refused from that moment on")
	b.inspect("revoking anyway")
	require.True(t, b.has("button", "Revoke old key now"))
	b.follow("link", "Keep waiting")
	document = b.documentID()
	mustEval[bool](b, "Boolean(window.news = document.getElementById('rotation-news'))")
	require.Equal(t, http.StatusOK, callAPI(t, oldText, "ledger/1.0"))
	b.waitForText("Step 3 of 4: the new key works, but 1 caller may still need the old one.")
	require.Equal(t, http.StatusOK, callAPI(t, newText, "ledger/2.0"))

	b.waitForText("Step 4 of 4: the new key works.", "by ledger/1.0") // all uses have been written
	backdateLastUse(t, old.ID, 34*24*60)
	b.waitForText("1 month ago")
	require.False(t, b.has("button", "Revoke old key"))
	backdateLastUse(t, old.ID, 2*24*60)
	b.waitForText("Safe to revoke.", "Step 4 of 4: safe to revoke the old key.")
	require.Equal(t, document, b.documentID(), "the page must update without a reload")
	require.True(t,
		mustEval[bool](b, "window.news === document.getElementById('rotation-news') && news.role === 'status'"),
		"screen readers need the element to stay the same")

	b.inspect("safe to revoke")
	b.follow("button", "Revoke old key")
	b.waitUntil(func() bool { // the uses are written a moment later
		b.reload()
		return mustEval[bool](b,
			"tidy(document.body.innerText).includes('All done: the new key works, and the old one is revoked.')")
	}, "the end")
	require.Equal(t, path, b.path())
	b.inspect("all done")
	require.False(t, b.has("button", "Revoke old key"))
	require.Equal(t, http.StatusUnauthorized, callAPI(t, oldText, "ledger/1.0"))
	require.Equal(t, http.StatusOK, callAPI(t, newText, "ledger/2.0"))
}

// A rotation that cannot reach the service says since when, and claims nothing that it has not
// heard, until it reaches it again.
func TestRotationWithoutService(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	old, text := o.key("Production")
	require.Equal(t, http.StatusOK, callAPI(t, text, "ledger/1.0"))
	_, _, err := keys.Create(t.Context(), world.Operator.Tenant(o.ID), keys.NewKey{Name: "New", SuccessorOf: &old.ID})
	require.NoError(t, err)
	b.signIn(o.owner)
	b.openUntil("/settings/api-keys/"+old.ID.String()+"/rotate", "ledger/1.0")
	const lost = "!document.getElementById('rotation-lost').hidden"
	require.False(t, mustEval[bool](b, lost))
	const shown = "document.body.innerText.includes('Step 2 of 4: put the new key into your application.')"
	require.True(t, mustEval[bool](b, shown))
	mustEval[bool](b,
		`Boolean([window.fetched, window.fetch] = [window.fetch, () => Promise.reject(new TypeError('away'))])`)
	b.waitForTrue(lost)
	b.waitForText("Not updated since ")
	require.False(t, mustEval[bool](b, shown))
	const times = "[...document.querySelectorAll('#rotation time')].map(e => e.textContent).join()"
	before := mustEval[string](b, times)
	mustEval[bool](b, `(() => {
		const probe = Object.assign(document.createElement('time'), {id: 'probe', dateTime: new Date().toISOString()})
		probe.dataset.time = 'ago'
		document.querySelector('main').append(probe)
		const now = Date.now
		Date.now = () => now() + 7_200_000
		return true
	})()`)
	b.waitForTrue("document.getElementById('probe').textContent === '2 hours ago'")
	require.Equal(t, before, mustEval[string](b, times), "nobody has heard that it was not used since")
	b.inspect("a rotation without the service")
	mustEval[bool](b, "Boolean(window.fetch = window.fetched)")
	b.waitForTrue(shown)
	require.False(t, mustEval[bool](b, lost))
}

// A key's page, and the one that pauses it, say until when they know who uses it, and show
// later uses without a reload.
func TestKeyPagesRefreshThemselves(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	key, text := o.key("Production")
	require.Equal(t, http.StatusOK, callAPI(t, text, "ledger/1.0"))
	b.signIn(o.owner)
	for i, path := range []string{"", "/pause"} {
		b.openUntil("/settings/api-keys/"+key.ID.String()+path, "ledger/1.0")
		b.waitForText("As of ")
		document, client := b.documentID(), fmt.Sprintf("late-%d/7", i)
		require.Equal(t, http.StatusOK, callAPI(t, text, client))
		b.waitForText(client)
		require.Equal(t, document, b.documentID())
	}
}
