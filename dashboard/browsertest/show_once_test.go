package browsertest

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"dispo/web"
)

// createKey creates a key through the form, and returns its text.
func (b *tab) createKey(name string) (text string) {
	b.t.Helper()
	b.open("/settings/api-keys/new")
	b.fill("Name", name)
	b.follow("button", "Create key")
	return b.shownKey()
}

// history moves in the tab's history, back if steps is negative.
func (b *tab) history(steps int64) {
	b.t.Helper()
	b.waitForPage(func() {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			current, entries, err := page.GetNavigationHistory().Do(ctx)
			if err != nil {
				return err
			}
			return page.NavigateToHistoryEntry(entries[current+steps].ID).Do(ctx)
		}))
	})
}

// A key is shown once. Reloading, which sends the form again, and going back and
// forward neither show it again nor create a second one.
func TestKeyIsShownOnce(t *testing.T) {
	parallel(t)
	b, o := ownerTab(t)
	text := b.createKey("Production")

	b.reload()
	b.waitForText("This key has been shown already")
	b.requireNoText(text)
	require.Len(t, o.keys(), 1)

	text = b.createKey("Archive")
	b.history(-1)
	b.waitForText("Create a key")
	b.requireNoText(text)
	b.history(+1)
	b.requireNoText(text)
	require.Len(t, o.keys(), 2)

	text = b.createKey("Third")
	b.follow("link", "I have copied the key")
	b.requireNoText(text)
	b.history(-1)
	b.waitForText("This key has been shown already")
	b.requireNoText(text)
	b.history(-1)
	b.waitForText("Create a key")
	require.Len(t, o.keys(), 3)
}

// A link, or a form beside the page's own, asks before it leaves a page with a new key. It does not
// once the key was copied.
func TestLeavingANewKeyAsks(t *testing.T) {
	parallel(t)
	b, _ := ownerTab(t)
	questions, answers := make(chan string, 1), make(chan bool, 1)
	chromedp.ListenTarget(b.ctx, func(event any) {
		if asked, ok := event.(*page.EventJavascriptDialogOpening); ok {
			questions <- asked.Message
			go func() { _ = chromedp.Run(b.ctx, page.HandleJavaScriptDialog(<-answers)) }()
		}
	})
	text := b.createKey("Production")
	for _, click := range []func(){
		func() { b.click("link", "Companies") },
		func() { b.click("link", "the key’s page") },
		func() { b.click("button", "Dansk") },
	} {
		answers <- false
		click()
		require.Equal(t, "Leave this page? The key won’t be shown again.", <-questions)
		require.Equal(t, text, b.shownKey())
	}
	answers <- true
	b.follow("link", "Companies")
	require.NotEmpty(t, <-questions)

	b.createKey("Archive")
	b.clickOn("[data-copy=key]")
	b.waitForText("Copied")
	b.follow("link", "Companies")
	b.createKey("Third")
	b.follow("link", "I have copied the key")
	require.Empty(t, questions)
}

// Going back to a page that showed something once does not send its form again, or ask
// whether to.
func TestBackSendsNoFormAgain(t *testing.T) {
	parallel(t)
	b, o := ownerTab(t)
	b.open("/settings/members")
	b.fill("E-mail", o.email("new"))
	b.follow("button", "Invite")
	b.waitForText("Send this link")
	b.follow("link", "Back to members")
	b.history(-1)
	b.waitForText("Invite a member")

	b.enroll()
	b.open("/profile/second-factor/recovery-codes")
	b.follow("button", "Create new codes")
	b.waitForText("Your old codes no longer work.")
	b.navigate("Overview")
	b.history(-1)
	b.waitForText("Where you are signed in")
}

// Signing out removes what the browser has stored of the site, its copies of the answers,
// and what going back would show. What the user chose for this browser stays.
func TestSigningOutClearsTheBrowser(t *testing.T) {
	parallel(t)
	b, o := ownerTab(t)
	b.open("/profile")
	b.clickOn("#slash")
	cached := func() bool { // whether it has a copy of a file that no other page needs
		return mustEval[bool](
			b,
			fmt.Sprintf(
				`fetch(%q).then(r => r.text()).then(() => performance.getEntriesByType('resource').at(-1).transferSize === 0)`,
				web.Assets()[5].Path),
		)
	}
	require.False(t, cached())
	require.True(t, cached())
	mustEval[string](b, "localStorage.left = sessionStorage.left = 'behind'")
	b.follow("button", "Sign out")
	b.waitForText("You are signed out.")
	require.False(t, cached())
	require.Zero(t, mustEval[int](b, "localStorage.length + sessionStorage.length"))
	require.Contains(t, mustEval[string](b, "document.cookie"), "dispo_slash=off")
	b.history(-1) // the browser may have cached the page
	require.Contains(t, b.path(), "/sign-in")
	b.requireNoText(o.Name)
}

// Clicking again before the response arrives creates only one key. With the script,
// the page still shows it.
func TestDoubleClickCreatesOneKey(t *testing.T) {
	for name, script := range map[string]bool{"with script": true, "without script": false} {
		t.Run(name, func(t *testing.T) {
			parallel(t)
			b, o := newTab(t), newOrganization(t)
			if !script {
				b.withoutScript()
			}
			b.signIn(o.owner)
			b.open("/settings/api-keys/new")
			b.fill("Name", "Production")
			held := b.holdResponses("*/settings/api-keys/new")
			b.waitForPage(func() {
				x, y := b.point("button", "Create key")
				b.do(chromedp.MouseClickXY(x, y))
				<-held // the key is created
				b.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)), fetch.Disable())
			})
			if script {
				b.shownKey()
			} else {
				b.waitForText("This key has been shown already")
			}
			require.Len(t, o.keys(), 1)
		})
	}
}

// holdResponses holds back the responses for a URL pattern until fetch.Disable. It says on the
// channel when there is one.
func (b *tab) holdResponses(pattern string) <-chan struct{} {
	b.t.Helper()
	held := make(chan struct{}, 10)
	chromedp.ListenTarget(b.ctx, func(event any) {
		if _, ok := event.(*fetch.EventRequestPaused); ok {
			held <- struct{}{}
		}
	})
	b.do(
		fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: pattern, RequestStage: fetch.RequestStageResponse}}))
	return held
}

// The button copies exactly the key, and confirms it, also to screen readers. It
// works even if the browser denies access to the clipboard API.
func TestCopyButtonCopiesKey(t *testing.T) {
	parallel(t)
	b, _ := ownerTab(t)
	permission := func(name string, setting browser.PermissionSetting) {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			return browser.SetPermission(&browser.PermissionDescriptor{Name: name}, setting).
				WithBrowserContextID(b.context).WithOrigin(b.url).Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
		}))
	}
	permission("clipboard-read", browser.PermissionSettingGranted)
	for _, setting := range []browser.PermissionSetting{browser.PermissionSettingGranted, browser.PermissionSettingDenied} {
		text := b.createKey("Production " + string(setting))
		permission("clipboard-write", setting)
		b.clickOn("[data-copy=key]")
		b.waitForTrue("document.querySelector('[data-copy=key]').innerText === 'Copied'")
		b.waitForTrue("document.querySelector('#announce[role=status]').textContent === 'Copied'")
		require.Equal(t, text, mustEval[string](b, "navigator.clipboard.readText()"))
	}
}
