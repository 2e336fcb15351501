package browsertest

import (
	"net/http"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
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

// rotation is a key's rotation in a tab.
type rotation struct {
	*tab
	old     models.APIKey
	oldText string
	newText string
}

// startRotation signs in, and rotates the key "Production" up to step 3, where the
// page waits for the new key's first use.
func startRotation(t *testing.T, b *tab) *rotation {
	o := newOrganization(t)
	r := &rotation{tab: b}
	r.old, r.oldText = o.key("Production")
	o.companies(1)
	require.Equal(t, http.StatusOK, callAPI(t, r.oldText, "ledger/1.0"))

	b.signIn(o.owner)
	b.navigate("API keys")
	b.follow("link", "Rotate Production")
	b.waitForText("Step 1 of 4: create the new key.")
	b.requireNoSidewaysScroll("a rotation")
	b.follow("button", "Create key")
	r.newText = b.shownKey()
	b.requireNoSidewaysScroll("a rotation")
	require.NotEqual(t, r.oldText, r.newText)
	b.follow("link", "I have updated my application")
	b.waitForText("Step 3 of 4: waiting for the new key’s first use.", "Waiting for the first request")
	b.requireNoText(r.newText)
	b.requireNoSidewaysScroll("a rotation")
	require.False(t, b.has("button", "Revoke old key"))
	return r
}

// requireDone requires that only the new key works, and that the page says so, also
// after a reload.
func (r *rotation) requireDone() {
	r.t.Helper()
	require.Equal(r.t, http.StatusUnauthorized, callAPI(r.t, r.oldText, "ledger/1.0"))
	require.Equal(r.t, http.StatusOK, callAPI(r.t, r.newText, "ledger/2.0"))
	texts := []string{"All done: the new key works, and the old one is revoked.", "Requests with it are refused."}
	r.waitUntil(func() bool { // the uses are written a moment later
		r.reload()
		return mustEval[bool](r.tab, "tidy(document.body.innerText).includes('"+texts[0]+"')")
	}, "%s", texts[0])
	r.waitForText(texts...)
	r.requireNoSidewaysScroll("a rotation")
	link := "/settings/api-keys/" + r.old.ID.String() + "/rotate"
	require.Equal(r.t, link, r.path())
	r.reload()
	r.waitForText(texts...)
	r.requireNoText(r.newText)
	require.False(r.t, r.has("button", "Revoke old key"))
}

// The page guides through replacing a key without an outage. Without a reload, it
// shows who uses which key. Revoking early needs confirmation, and the page says when it
// is safe. Afterwards only the new key works, and the page's address stays valid.
func TestRotationWithoutOutage(t *testing.T) {
	parallel(t)
	b := newTab(t)
	r := startRotation(t, b)
	document := b.documentID()
	mustEval[bool](b, "Boolean(window.news = document.getElementById('rotation-news'))")

	require.Equal(t, http.StatusOK, callAPI(t, r.newText, "ledger/2.0"))
	b.waitForText("Step 4 of 4: the new key works. Wait until", "See that the new key works Done", "Update your application Done")
	b.click("summary", "See that the new key works")
	b.waitForText("The new key works.", "by ledger/2.0")

	require.Equal(t, http.StatusOK, callAPI(t, r.oldText, "night-batch/7"))
	b.waitForText("Step 2 of 4: the new key works, but 1 caller has not moved to it yet.", "night-batch/7 from 127.0.0.1 last used the old key", "It has not used the new one yet.")
	require.Equal(t, document, b.documentID(), "the page must update without a reload")
	b.follow("button", "It doesn’t need the new key night-batch/7 127.0.0.1")
	b.waitForText("Step 4 of 4: the new key works.", "Not yet safe: the old key was last used less than 35 days ago.", "from 127.0.0.1", "by night-batch/7")
	b.click("summary", "Update your application")
	b.waitForText("You said that it doesn’t need the new key.")

	b.follow("link", "Revoke anyway")
	b.waitForText("Revoke it anyway?", "are refused from that moment on")
	require.True(t, b.has("button", "Revoke old key now"))
	b.follow("link", "Keep waiting")
	document = b.documentID()
	mustEval[bool](b, "Boolean(window.news = document.getElementById('rotation-news'))")
	require.Equal(t, http.StatusOK, callAPI(t, r.oldText, "ledger/1.0"))
	b.waitForText("Step 2 of 4: the new key works, but 1 caller has not moved to it yet.")
	require.Equal(t, http.StatusOK, callAPI(t, r.newText, "ledger/2.0"))

	b.waitForText("Step 4 of 4: the new key works.", "by ledger/1.0") // all uses have been written
	backdateLastUse(t, r.old.ID, 34*24*60)
	b.waitForText("1 month ago")
	require.False(t, b.has("button", "Revoke old key"))
	backdateLastUse(t, r.old.ID, 2*24*60)
	b.waitForText("Safe to revoke.", "Step 4 of 4: safe to revoke the old key.")
	require.Equal(t, document, b.documentID(), "the page must update without a reload")
	require.True(t, mustEval[bool](b, "window.news === document.getElementById('rotation-news') && news.role === 'status'"),
		"screen readers need the element to stay the same")

	b.follow("button", "Revoke old key")
	r.requireDone()
}

// The page's own test command says that the test worked, while the key is shown and
// after that. It makes no step done, and nothing safe: nothing was updated.
func TestRotationTestCommand(t *testing.T) {
	parallel(t)
	b := newTab(t)
	o := newOrganization(t)
	o.companies(1)
	_, oldText := o.key("Production")
	require.Equal(t, http.StatusOK, callAPI(t, oldText, "ledger/1.0"))
	b.signIn(o.owner)
	b.navigate("API keys")
	b.follow("link", "Rotate Production")
	b.follow("button", "Create key")
	newText := b.shownKey()
	run := func() {
		t.Helper()
		command := mustEval[string](b, "document.getElementById('curl').value")
		out, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
		require.NoError(t, err, command)
		require.Contains(t, string(out), o.cvr)
	}
	nothingDone := func() {
		t.Helper()
		b.waitForText("Your test worked.", "Update your application Now", "has not used the new one yet.")
		b.requireNoText("See that the new key works Done")
		b.requireNoText("Safe to revoke")
	}
	run()
	nothingDone()
	require.Equal(t, newText, b.shownKey(), "the key stays on the page")
	run()
	b.follow("link", "I have updated my application")
	b.waitForText("The key is valid. This step is done when your application uses it.")
	nothingDone()
	require.Equal(t, http.StatusOK, callAPI(t, newText, "ledger/2.0"))
	b.waitForText("Step 4 of 4: the new key works.", "Update your application Done", "See that the new key works Done")
	b.requireNoText("Safe to revoke")
}

// Without JavaScript, the same rotation works with reloads.
func TestRotationWithoutScript(t *testing.T) {
	parallel(t)
	b := newTab(t)
	b.withoutScript()
	r := startRotation(t, b)
	require.False(t, mustEval[bool](b, "document.documentElement.classList.contains('scripted')"))
	b.follow("link", "Check again")
	b.waitForText("Waiting for the first request")

	require.Equal(t, http.StatusOK, callAPI(t, r.newText, "ledger/2.0"))
	require.Equal(t, http.StatusOK, callAPI(t, r.oldText, "night-batch/7"))
	b.waitUntil(func() bool {
		b.reload()
		return mustEval[bool](b, "tidy(document.body.innerText).includes('night-batch/7 from')")
	}, "the old key's use")
	b.waitForText("Step 2 of 4: the new key works, but 1 caller has not moved to it yet.")
	b.follow("button", "It doesn’t need the new key night-batch/7 127.0.0.1")
	b.waitForText("Step 4 of 4: the new key works.", "Not yet safe: the old key was last used less than 35 days ago.", "from 127.0.0.1")
	b.follow("link", "Revoke anyway")
	b.waitForText("Revoke it anyway?")
	b.follow("link", "Keep waiting")

	backdateLastUse(t, r.old.ID, 36*24*60)
	b.follow("link", "Check again")
	b.waitForText("Safe to revoke.")
	b.follow("button", "Revoke old key")
	r.requireDone()
}

// The same rotation works on a phone, 320 px wide, without scrolling sideways. A
// person who confirms may revoke the old key early.
func TestRotationOnPhone(t *testing.T) {
	parallel(t)
	b := newTab(t)
	b.setViewport(narrow)
	r := startRotation(t, b)
	require.Equal(t, http.StatusOK, callAPI(t, r.newText, "ledger/2.0"))
	b.waitForText("Step 4 of 4: the new key works.")
	b.requireNoSidewaysScroll("a rotation")
	b.follow("link", "Revoke anyway")
	b.requireNoSidewaysScroll("a rotation")
	require.Equal(t, http.StatusOK, callAPI(t, r.oldText, "ledger/1.0"), "nothing is revoked before the confirmation")
	b.follow("button", "Revoke old key now")
	r.requireDone()
}

// A person who lost the new key before using it can replace it. The lost key is then
// refused.
func TestRotationReplacesLostKey(t *testing.T) {
	parallel(t)
	b := newTab(t)
	r := startRotation(t, b)
	b.click("summary", "I don’t have the new key")
	b.follow("button", "Create a replacement")
	lost := r.newText
	r.newText = b.shownKey()
	require.NotEqual(t, lost, r.newText)
	require.Equal(t, http.StatusUnauthorized, callAPI(t, lost, "ledger/2.0"))
	b.follow("link", "I have updated my application")
	require.Equal(t, http.StatusOK, callAPI(t, r.newText, "ledger/2.0"))
	b.waitForText("Step 4 of 4: the new key works.")
}
