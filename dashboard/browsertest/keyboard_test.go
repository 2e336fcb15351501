package browsertest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"dispo/models"
)

// press presses keys, one after the other.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// focus is what the keyboard acts on.
type focus struct {
	Tag, ID, Name string
	Outline       float64 // how wide it is, 0 for none
	Contrast      float64 // the outline's, to the page
	InView        bool    // whole, or as much as fits
	Covered       string  // by this; empty: it isn't
}

func (b *tab) focus() focus {
	b.t.Helper()
	return value[focus](b, `(() => {
		const e = document.activeElement
		const style = getComputedStyle(e)
		const calendar = e.matches('[type=date]:not(:focus-visible)') // the button in the field, which the browser outlines
		const box = e.getBoundingClientRect()
		const channels = text => text.match(/[\d.]+/g).slice(0, 3).map(Number)
		const light = text => channels(text).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
		const [a, z] = [light(style.outlineColor), light(getComputedStyle(document.documentElement).backgroundColor)]
		const x = Math.min(innerWidth - 1, box.left + box.width / 2), y = Math.min(innerHeight - 1, box.top + box.height / 2)
		const top = document.elementFromPoint(x, y)
		return {
			Tag: e.localName, ID: e.id, Name: named(e),
			Outline: calendar ? 2 : style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
			Contrast: (Math.max(a, z) + 0.05) / (Math.min(a, z) + 0.05),
			InView: box.width > 1 && box.height > 1 && box.top >= 0 && box.left >= 0 && box.top < innerHeight && box.right <= innerWidth + 1,
			Covered: !top || e.contains(top) || top.contains(e) ? '' : top.outerHTML,
		}
	})()`)
}

// requireFocusShown demands that one sees where the keyboard acts: an outline of
// at least 2 px that stands out from the page (WCAG 2.4.7 and 1.4.11), in view,
// and under nothing (2.4.11).
func (b *tab) requireFocusShown() focus {
	b.t.Helper()
	f := b.focus()
	require.GreaterOrEqual(b.t, f.Outline, 2.0, "%+v", f)
	require.GreaterOrEqual(b.t, f.Contrast, 3.0, "%+v", f)
	require.True(b.t, f.InView, "%+v", f)
	require.Empty(b.t, f.Covered, "%+v", f)
	return f
}

// tabTo presses Tab until the thing of that kind and name has the focus, which is
// visible at every stop on the way.
func (b *tab) tabTo(tag, name string) {
	b.t.Helper()
	var passed []string
	for range 80 {
		b.press(kb.Tab)
		if value[bool](b, "document.activeElement === document.body") {
			continue // the browser's own stop, between the page's end and start
		}
		f := b.requireFocusShown()
		if f.Tag == tag && (f.Name == name || strings.HasPrefix(f.Name, name+" ") || strings.HasPrefix(f.Name, name+",")) {
			return
		}
		passed = append(passed, f.Tag+" "+f.Name)
	}
	require.Fail(b.t, "no Tab leads there", "%s %q; passed: %q", tag, name, passed)
}

// focusIsOn waits until the focus is on what has that name.
func (b *tab) focusIsOn(name string) {
	b.t.Helper()
	b.holds("document.activeElement !== document.body && named(document.activeElement) === %s", name)
}

// goes presses a key that leads to another page.
func (b *tab) goes(key string) {
	b.t.Helper()
	b.leads(func() { b.press(key) })
}

// Everything that a key's life needs can be done by keyboard alone: signing in,
// creating a key, copying it, rotating and revoking it. One always sees where the
// focus is, and it goes where the eye goes: to the first field, to what was wrong,
// to what has been done.
func TestByKeyboard(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(1)

	b.open("/sign-in")
	b.focusIsOn("E-mail")
	b.requireFocusShown()
	b.press(o.owner)
	b.tabTo("input", "Password")
	b.press("a wrong password")
	b.goes(kb.Enter)
	b.focusIsOn("The e-mail or the password is not right.")
	b.tabTo("input", "E-mail")
	require.Equal(t, o.owner, value[string](b, "document.activeElement.value"))
	b.tabTo("input", "Password")
	b.press(password)
	b.tabTo("button", "Show")
	b.press(" ")
	require.Equal(t, "text", value[string](b, "document.getElementById('password').type"))
	b.tabTo("button", "Sign in")
	b.goes(" ")

	// The first stop of every page leads over the navigation.
	b.press(kb.Tab)
	require.Equal(t, "Skip to content", b.requireFocusShown().Name)
	b.press(kb.Enter)
	b.holds("document.activeElement.id === 'main'")
	b.tabTo("a", "Create key")
	b.goes(kb.Enter)

	// A form that was refused shows what to put right.
	b.tabTo("input", "Name")
	b.press("Production")
	b.tabTo("input", "Never")
	b.press(kb.ArrowDown)
	require.Equal(t, "In 30 days on", b.requireFocusShown().Name[:len("In 30 days on")])
	b.press(kb.ArrowUp + kb.ArrowUp)
	require.Equal(t, "On a date", b.requireFocusShown().Name)
	b.tabTo("button", "Create key")
	b.goes(kb.Enter)
	b.focusIsOn("Last day")
	b.requireFocusShown()
	require.Equal(t, "true", value[string](b, "document.activeElement.getAttribute('aria-invalid')"))
	tomorrow := time.Now().UTC().AddDate(0, 0, 1)
	b.press(tomorrow.Format("01022006")) // month, day and year, as the browser's language has them
	b.tabTo("button", "Create key")
	b.goes(" ")
	require.Equal(t, tomorrow.AddDate(0, 0, 1).Truncate(24*time.Hour), o.keys()[0].ExpiresAt.UTC())

	// The key is selected whole as one comes to it.
	text := b.newKey()
	b.tabTo("textarea", "The key")
	require.Equal(t, text, value[string](b, "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"))
	b.tabTo("a", "I have copied the key")
	b.goes(kb.Enter)

	b.tabTo("a", "Rotate Production")
	b.goes(kb.Enter)
	b.tabTo("button", "Create key")
	b.goes(kb.Enter)
	renewed := b.newKey()
	b.tabTo("a", "I have updated my application")
	b.goes(kb.Enter)
	b.sees("Step 3 of 4")
	b.tabTo("summary", "Update your application") // folded, and open to who wants to see it
	b.press(" ")
	b.sees("You said that your application has the new key.")
	b.tabTo("summary", "See that the new key works")
	require.Equal(t, http.StatusOK, call(t, text, "ledger/1.0"))
	require.Equal(t, http.StatusOK, call(t, renewed, "ledger/2.0"))
	b.sees("by ledger/1.0")
	f := b.requireFocusShown() // the page has changed below it
	require.Equal(t, "summary", f.Tag)
	require.Contains(t, f.Name, "See that the new key works")
	age(t, o.keyNamed("Production", 0).ID, 61)
	b.sees("Safe to revoke.")
	b.tabTo("button", "Revoke old key")
	b.goes(kb.Enter)
	b.sees("All done: the new key works, and the old one is revoked.")
	require.Equal(t, models.KeyRevoked, o.keyNamed("Production", 0).State())
	require.Equal(t, models.KeyActive, o.keyNamed("Production", 1).State())
}

// keyNamed is the nth of the keys with a name, the oldest first.
func (o *organization) keyNamed(name string, n int) models.APIKey {
	o.t.Helper()
	keys := o.keys()
	for i := len(keys) - 1; i >= 0; i-- {
		if keys[i].Name != name {
			continue
		}
		if n == 0 {
			return keys[i]
		}
		n--
	}
	require.Fail(o.t, "there is no such key", name)
	return models.APIKey{}
}
