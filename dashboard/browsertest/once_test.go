package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// createKey opens the form and creates a key by it.
func (b *tab) createKey(name string) (text string) {
	b.t.Helper()
	b.open("/settings/api-keys/new")
	b.fill("Name", name)
	b.follow("button", "Create key")
	return b.newKey()
}

// history goes so many steps forward in the tab's history, or back.
func (b *tab) history(steps int64) {
	b.t.Helper()
	b.leads(func() {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			current, entries, err := page.GetNavigationHistory().Do(ctx)
			if err != nil {
				return err
			}
			return page.NavigateToHistoryEntry(entries[current+steps].ID).Do(ctx)
		}))
	})
}

// A key is shown once: neither sending the form again by a reload, nor going back
// and forward, shows it again or creates a second one.
func TestKeyIsShownOnce(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	b.signIn(o.owner)
	text := b.createKey("Production")

	b.reload()
	b.sees("This key has been shown already")
	b.seesNot(text)
	require.Len(t, o.keys(), 1)

	text = b.createKey("Archive")
	b.history(-1)
	b.sees("Create a key")
	b.seesNot(text)
	b.history(+1)
	b.seesNot(text)
	require.Len(t, o.keys(), 2)

	text = b.createKey("Third")
	b.follow("link", "I have copied the key")
	b.seesNot(text)
	b.history(-1)
	b.seesNot(text)
	require.Len(t, o.keys(), 3)
}

// The same holds for the key that a rotation makes.
func TestRotatedKeyIsShownOnce(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	old, _ := o.key("Production")
	b.signIn(o.owner)
	b.open("/settings/api-keys/" + old.ID.String() + "/rotate")
	b.follow("button", "Create key")
	text := b.newKey()
	b.reload()
	b.sees("Step 2 of 4")
	b.seesNot(text)
	require.Len(t, o.keys(), 2)
	b.follow("link", "I have updated my application")
	b.history(-1)
	b.seesNot(text)
	b.history(+1)
	b.seesNot(text)
	require.Len(t, o.keys(), 2)
}

// Whoever clicks again while the answer is on its way gets one key; with the
// script, it is shown all the same.
func TestDoubleClick(t *testing.T) {
	for name, script := range map[string]bool{"with script": true, "without script": false} {
		t.Run(name, func(t *testing.T) {
			together(t)
			b, o := newTab(t), newOrganization(t)
			if !script {
				b.withoutScript()
			}
			b.signIn(o.owner)
			b.open("/settings/api-keys/new")
			b.fill("Name", "Production")
			answers := b.holdAnswers("*/settings/api-keys/new")
			b.leads(func() {
				x, y := b.point("button", "Create key")
				b.do(chromedp.MouseClickXY(x, y))
				first := <-answers // so the key is created
				b.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
				b.letThrough(first, answers)
			})
			if script {
				b.newKey()
			} else {
				b.sees("This key has been shown already")
			}
			require.Len(t, o.keys(), 1)
		})
	}
}

// holdAnswers keeps the answers to requests for an address from the page, and tells
// of each as it has come from the service.
func (b *tab) holdAnswers(pattern string) <-chan fetch.RequestID {
	b.t.Helper()
	answers := make(chan fetch.RequestID, 10)
	chromedp.ListenTarget(b.ctx, func(event any) {
		if paused, ok := event.(*fetch.EventRequestPaused); ok {
			answers <- paused.RequestID
		}
	})
	b.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: pattern, RequestStage: fetch.RequestStageResponse}}))
	return answers
}

// letThrough lets an answer through to the page, and all that come after it.
func (b *tab) letThrough(first fetch.RequestID, answers <-chan fetch.RequestID) {
	through := func(id fetch.RequestID) {
		_ = chromedp.Run(b.ctx, fetch.ContinueResponse(id)) // nobody may wait for it any more
	}
	through(first)
	go func() {
		for {
			select {
			case id := <-answers:
				through(id)
			case <-b.ctx.Done():
				return
			}
		}
	}()
}

// The button copies the key, whole and nothing besides, and says so, to screen
// readers too. Where the browser forbids it, the old way serves.
func TestCopy(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	b.signIn(o.owner)
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
		b.holds("document.querySelector('[data-copy=key]').innerText === 'Copied'")
		b.holds("document.querySelector('#announce[role=status]').textContent === 'Copied'")
		require.Equal(t, text, value[string](b, "navigator.clipboard.readText()"))
	}
}
