package browsertest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
	"dispo/models/terms"
)

// press types keys.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// focus describes the focused element.
type focus struct {
	Tag, ID, Name string
	Outline       float64 // width in px; 0 if there is none
	Contrast      float64 // of the outline against the page
	InView        bool    // completely, or as much as fits
	Covered       string  // HTML of the element that covers it; empty if none
}

func (b *tab) focus() focus {
	b.t.Helper()
	return mustEval[focus](b, `(() => {
		const e = document.activeElement
		const style = getComputedStyle(e)
		const calendar = e.matches('[type=date]:not(:focus-visible)') // the field's calendar button has the focus, which the browser outlines
		const box = e.getBoundingClientRect()
		const channels = text => text.match(/[\d.]+/g).slice(0, 3).map(Number)
		const light = text => channels(text).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
		const [a, z] = [light(style.outlineColor), light(getComputedStyle(document.documentElement).backgroundColor)]
		const x = Math.min(innerWidth - 1, box.left + box.width / 2), y = Math.min(innerHeight - 1, box.top + box.height / 2)
		const top = document.elementFromPoint(x, y)
		return {
			Tag: e.localName, ID: e.id, Name: nameOf(e),
			Outline: calendar ? 2 : style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
			Contrast: (Math.max(a, z) + 0.05) / (Math.min(a, z) + 0.05),
			InView: box.width > 1 && box.height > 1 && box.top >= 0 && box.left >= 0 && box.top < innerHeight && box.right <= innerWidth + 1,
			Covered: !top || e.contains(top) || top.contains(e) ? '' : top.outerHTML,
		}
	})()`)
}

// requireFocusVisible requires that the focus is visible: an outline of at least
// 2 px with enough contrast (WCAG 2.4.7 and 1.4.11), in view, and not covered
// (2.4.11).
func (b *tab) requireFocusVisible() focus {
	b.t.Helper()
	f := b.focus()
	require.GreaterOrEqual(b.t, f.Outline, 2.0, "%+v", f)
	require.GreaterOrEqual(b.t, f.Contrast, 3.0, "%+v", f)
	require.True(b.t, f.InView, "%+v", f)
	require.Empty(b.t, f.Covered, "%+v", f)
	return f
}

// tabTo presses Tab until an element with this tag and name has the focus. The focus
// must be visible at every stop on the way.
func (b *tab) tabTo(tag, name string) {
	b.t.Helper()
	var passed []string
	for range 80 {
		b.press(kb.Tab)
		if mustEval[bool](b, "document.activeElement === document.body") {
			continue // the stop between the page's end and its start
		}
		f := b.requireFocusVisible()
		if f.Tag == tag && (f.Name == name || strings.HasPrefix(f.Name, name+" ") || strings.HasPrefix(f.Name, name+",")) {
			return
		}
		passed = append(passed, f.Tag+" "+f.Name)
	}
	require.Fail(b.t, "not reachable by Tab", "%s %q; passed: %q", tag, name, passed)
}

// waitForFocus waits until the element with this name has the focus.
func (b *tab) waitForFocus(name string) {
	b.t.Helper()
	b.waitForTrue("document.activeElement !== document.body && nameOf(document.activeElement) === %s", name)
}

// pressAndWait presses a key that loads another page, and waits for that page.
func (b *tab) pressAndWait(key string) {
	b.t.Helper()
	b.waitForPage(func() { b.press(key) })
}

// signInByKeyboard signs in as the owner, at the second try.
func (b *tab) signInByKeyboard(o *organization) {
	b.t.Helper()
	b.open("/sign-in")
	b.waitForFocus("E-mail")
	b.requireFocusVisible()
	b.press(o.owner)
	b.tabTo("input", "Password")
	b.press("a wrong password")
	b.pressAndWait(kb.Enter)
	b.waitForFocus("The e-mail address or the password is wrong.")
	b.tabTo("input", "E-mail")
	require.Equal(b.t, o.owner, mustEval[string](b, "document.activeElement.value"))
	b.tabTo("input", "Password")
	b.press(password)
	b.tabTo("button", "Show")
	b.press(" ")
	require.Equal(b.t, "text", mustEval[string](b, "document.getElementById('password').type"))
	b.tabTo("button", "Sign in")
	b.pressAndWait(" ")
}

// The keyboard is enough to sign in and to create, copy, rotate and revoke a key. The
// focus is always visible. A new page puts it on the first field, the error or the
// notice.
func TestKeyLifecycleByKeyboard(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	b.signInByKeyboard(o)

	// The first Tab stop of every page skips the navigation.
	b.press(kb.Tab)
	require.Equal(t, "Skip to content", b.requireFocusVisible().Name)
	b.press(kb.Enter)
	b.waitForTrue("document.activeElement.id === 'main'")
	b.tabTo("a", "Create key")
	b.pressAndWait(kb.Enter)

	// A rejected form puts the focus on the invalid field.
	b.tabTo("input", "Name")
	b.press("Production")
	b.press(kb.Tab)
	require.Equal(t, "In 90 days last day", b.requireFocusVisible().Name[:len("In 90 days last day")])
	b.press(kb.ArrowUp + kb.ArrowUp)
	require.Equal(t, "Never", b.requireFocusVisible().Name)
	b.waitForText("If a key that never expires leaks")
	b.press(kb.ArrowUp)
	require.Equal(t, "On a date", b.requireFocusVisible().Name)
	b.tabTo("button", "Create key")
	b.pressAndWait(kb.Enter)
	b.waitForFocus("Last day")
	b.requireFocusVisible()
	require.Equal(t, "true", mustEval[string](b, "document.activeElement.getAttribute('aria-invalid')"))
	copenhagen := i18n.StoredZone("Europe/Copenhagen")
	tomorrow := time.Now().In(copenhagen).AddDate(0, 0, 1)
	b.press(tomorrow.Format("01022006")) // in the order of the browser's language
	b.tabTo("button", "Create key")
	b.pressAndWait(" ")
	require.Equal(t, time.Date(tomorrow.Year(), tomorrow.Month(), tomorrow.Day()+1, 0, 0, 0, 0, copenhagen).UTC(),
		o.keys()[0].ExpiresAt.UTC())

	// Focusing the key selects all of it.
	text := b.shownKey()
	b.waitForTrue("document.activeElement.id === 'key'") // from the start
	b.tabTo("textarea", "The key")
	require.Equal(
		t,
		text,
		mustEval[string](b,
			"document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"),
	)
	b.tabTo("a", "I have copied the key")
	b.pressAndWait(kb.Enter)

	b.tabTo("a", "Rotate Production")
	b.pressAndWait(kb.Enter)
	b.tabTo("button", "Create key")
	b.pressAndWait(kb.Enter)
	renewed := b.shownKey()
	b.tabTo("a", "I have updated my application")
	b.pressAndWait(kb.Enter)
	b.waitForText("Step 3 of 4")
	b.tabTo("summary", "Update your application") // collapsed, but can be expanded
	b.press(" ")
	b.waitForTrue("document.activeElement.parentElement.open")
	b.tabTo("summary", "See that the new key works")
	require.Equal(t, http.StatusOK, callAPI(t, text, "ledger/1.0"))
	require.Equal(t, http.StatusOK, callAPI(t, renewed, "ledger/2.0"))
	b.waitForText("by ledger/1.0")
	f := b.requireFocusVisible() // the page has updated around it
	require.Equal(t, "summary", f.Tag)
	require.Contains(t, f.Name, "See that the new key works")
	backdateLastUse(t, o.keyNamed("Production", 0).ID, 36*24*60)
	b.waitForText("Safe to revoke.")
	b.tabTo("button", "Revoke old key")
	b.pressAndWait(kb.Enter)
	b.waitForText("All done: the new key works, and the old one is revoked.")
	require.Equal(t, terms.KeyRevoked, o.keyNamed("Production", 0).State())
	require.Equal(t, terms.KeyActive, o.keyNamed("Production", 1).State())
}

// A slash goes to the field that finds anything, but not while somebody types, and not where
// somebody has turned that off.
func TestSearchByKeyboard(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	b.signIn(o.owner)
	b.do(input.DispatchKeyEvent(input.KeyDown).WithKey("/").WithText("/")) // as one event, unlike press
	b.press(o.cvr[:4] + "/")
	require.Equal(t, "find", b.requireFocusVisible().ID)
	require.Equal(t, o.cvr[:4]+"/", mustEval[string](b, "document.activeElement.value"))
	b.press(kb.Backspace)
	b.pressAndWait(kb.Enter)
	require.Equal(t, "/search?q="+o.cvr[:4], b.path())
	b.follow("main link", "Rederiet "+o.Name+" 0 ApS")
	require.Equal(t, "/companies/"+o.cvr, b.path())

	for _, focused := range []string{"", "find"} {
		b.open("/profile")
		b.clickOn("#slash")
		b.open("/")
		b.do(input.DispatchKeyEvent(input.KeyDown).WithKey("/").WithText("/"))
		require.Equal(t, focused, mustEval[string](b, "document.activeElement.id"))
	}
}

// A chart is one stop for Tab, its latest bar. The arrow keys, Home and End move inside, each
// bar shows its value, and Enter leads to what it counts.
func TestChartByKeyboard(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(1)
	world.Delivery(t, o.cvr, 1)
	b.signIn(o.owner)
	b.open("/deliveries")
	stops := func() int {
		return mustEval[int](b, "document.querySelectorAll('a.bar:not([tabindex=\"-1\"])').length")
	}
	at := func() int {
		return mustEval[int](b, "[...document.querySelectorAll('a.bar')].reverse().indexOf(document.activeElement)")
	}
	require.Equal(t, 1, stops())
	mustEval[bool](b, "(document.querySelector('#main').focus(), true)")
	for range 20 {
		if b.press(kb.Tab); at() >= 0 {
			break
		}
	}
	require.Equal(t, 0, at())
	b.press(kb.ArrowRight)
	require.Equal(t, 0, at(), "there is none")
	b.press(kb.ArrowLeft + kb.ArrowLeft)
	require.Equal(t, 2, at())
	require.Equal(t, "visible",
		mustEval[string](b, "getComputedStyle(document.activeElement.querySelector('.value')).visibility"))
	b.press(kb.Tab)
	require.Equal(t, -1, at(), "the next stop is behind the chart")
	b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(input.ModifierShift)))
	require.Equal(t, 2, at(), "it comes back to where it was")
	b.press(kb.Home)
	require.Equal(t, mustEval[int](b, "document.querySelectorAll('a.bar').length")-1, at())
	b.press(kb.End + kb.ArrowLeft)
	require.Equal(t, []int{1, 1}, []int{at(), stops()})
	b.pressAndWait(kb.Enter)
	require.Contains(t, b.path(), "/days?day=")
}
