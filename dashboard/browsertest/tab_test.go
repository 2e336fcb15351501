package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// parallel runs the test in parallel with others, at most maxParallel at a time.
func parallel(t *testing.T) {
	t.Parallel()
	slots <- struct{}{}
	t.Cleanup(func() { <-slots })
}

// tab is a browser tab with its own cookies, as if in another person's browser.
// Errors and warnings in its console fail the test.
type tab struct {
	t        testing.TB
	ctx      context.Context
	url      string // base URL of the service
	viewport        // the current one

	context cdp.BrowserContextID // isolates its cookies

	mu        sync.Mutex
	documents map[network.RequestID]bool // the requests for them
	logged    []string                   // errors and warnings in the console

	hasAxe               bool // its pages have axe-core, as loadAxe
	ignoreFailedRequests bool // the page's script makes requests that are meant to fail
}

func newTab(t testing.TB) *tab {
	t.Helper()
	// Chromium opens the first tab of a context in a window, which chromedp does not ask for.
	browser := cdp.WithExecutor(chromium, chromedp.FromContext(chromium).Browser)
	own, err := target.CreateBrowserContext().Do(browser)
	require.NoError(t, err)
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(own).WithNewWindow(true).Do(browser)
	require.NoError(t, err)
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithTargetID(id))
	t.Cleanup(func() {
		cancel()
		_ = target.DisposeBrowserContext(own).Do(browser)
	})
	b := &tab{t: t, ctx: ctx, url: demo.url, context: own, documents: map[network.RequestID]bool{}}
	chromedp.ListenTarget(ctx, b.handleEvent)
	b.do(css.Disable(), dom.Disable())             // with which chromedp follows all changes of a page
	b.do(emulation.SetFocusEmulationEnabled(true)) // several tabs can have the focus at once
	t.Cleanup(b.requireNoConsoleErrors)
	b.setViewport(wide)
	return b
}

// handleEvent records what the browser reports about the page.
func (b *tab) handleEvent(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventResponseReceived:
		if e.Type == network.ResourceTypeDocument {
			b.documents[e.RequestID] = true
		}
	case *runtime.EventExceptionThrown:
		b.logged = append(b.logged, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning || e.Type == runtime.APITypeAssert {
			b.logged = append(b.logged, fmt.Sprintf("console.%s: %v", e.Type, e.Args))
		}
	case *log.EventEntryAdded:
		// The browser also reports a page with an error status, which tests expect.
		if (b.documents[e.Entry.NetworkRequestID] || b.ignoreFailedRequests) && e.Entry.Source == log.SourceNetwork {
			return
		}
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			b.logged = append(b.logged, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

// requireNoConsoleErrors requires that the browser reported no script error, no
// violation of the content security policy, and no missing file.
func (b *tab) requireNoConsoleErrors() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.logged) > 0 {
		b.t.Errorf("the browser's console shows:\n%s", strings.Join(b.logged, "\n"))
	}
	b.logged = nil
}

// do runs browser actions that must not fail.
func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Run(b.ctx, actions...))
}

// helpers are the JavaScript functions that the tests' expressions use. An element's
// name is roughly what a screen reader would say.
const helpers = `
const tidy = text => text.replace(/\s+/g, ' ').trim()
const visible = e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0
const textOf = e => {
	const texts = []
	const nodes = document.createTreeWalker(e, NodeFilter.SHOW_TEXT)
	while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest('[aria-hidden=true]')) texts.push(nodes.currentNode.data)
	return tidy(texts.join(' ')).replaceAll(' ,', ',')
}
const nameOf = e => tidy(e.getAttribute('aria-label') ?? textOf(e.labels?.length ? e.labels[0] : e))
const kinds = {link: 'a[href]', button: 'button', summary: 'summary', field: 'input:not([type=hidden]), select, textarea'}
// the only element of this kind and name, in view and not covered, or undefined
const reach = (kind, name) => {
	const [e, other] = find(kind, name)
	if (!e || other) return
	e.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'})
	const box = e.getClientRects()[0]
	const at = {e, X: box.left + box.width / 2, Y: box.top + box.height / 2}
	const top = document.elementFromPoint(at.X, at.Y)
	return !top || e.contains(top) || top.contains(e) ? at : undefined
}
const find = (kind, name) => {
	if (kind === 'css') return [...document.querySelectorAll(name)].filter(visible)
	const inMain = kind.startsWith('main ')
	const all = [...document.querySelectorAll(kinds[kind.replace('main ', '')])].filter(e => visible(e) && (!inMain || e.closest('main')))
	const exact = all.filter(e => nameOf(e) === name)
	return exact.length ? exact : all.filter(e => nameOf(e).startsWith(name) && /^[^\p{L}\p{N}]/u.test(nameOf(e).slice(name.length)))
}
`

// eval evaluates a JavaScript expression in the page. It fails if the page is just
// being replaced.
func eval[T any](b *tab, expression string, arguments ...any) (value T, err error) {
	quoted := make([]any, len(arguments))
	for i, argument := range arguments {
		text, err := json.Marshal(argument)
		if err != nil {
			return value, err
		}
		quoted[i] = string(text)
	}
	if len(arguments) > 0 {
		expression = fmt.Sprintf(expression, quoted...)
	}
	err = chromedp.Run(b.ctx, chromedp.Evaluate("(async () => {"+helpers+"return ("+expression+")})()", &value,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value, err
}

// mustEval is eval on a page that is not being replaced.
func mustEval[T any](b *tab, expression string, arguments ...any) T {
	b.t.Helper()
	got, err := eval[T](b, expression, arguments...)
	require.NoError(b.t, err)
	return got
}

// waitUntil waits for a condition, which it checks less and less often, because that costs the
// browser processor time. The description appears in the failure.
func (b *tab) waitUntil(condition func() bool, description string, arguments ...any) {
	b.t.Helper()
	for ctx, pause := modelstest.Context(b.t), 10*time.Millisecond; !condition(); pause = min(2*pause, 160*time.Millisecond) {
		if ctx.Err() != nil {
			text, _ := eval[string](b, "location.pathname + location.search + '\\n' + document.body.innerText.slice(0, 1500)")
			require.FailNow(b.t, "timed out waiting for: "+fmt.Sprintf(description, arguments...)+"; the page is "+text)
		}
		time.Sleep(pause)
	}
}

// waitForTrue waits until a JavaScript expression is true in the page.
func (b *tab) waitForTrue(expression string, arguments ...any) {
	b.t.Helper()
	b.waitUntil(func() bool {
		ok, err := eval[bool](b, expression, arguments...)
		return err == nil && ok
	}, "%s %v", expression, arguments)
}

// waitForText waits until the page shows all of the texts.
func (b *tab) waitForText(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		b.waitForTrue("tidy(document.body.innerText).includes(%s)", text)
	}
}

// requireNoText requires that the page contains none of the texts, visible or not.
func (b *tab) requireNoText(texts ...string) {
	b.t.Helper()
	source := mustEval[string](b,
		"document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map(e => e.value)")
	for _, text := range texts {
		require.NotContains(b.t, source, text)
	}
}

// has reports whether the page shows an element of this kind and name.
func (b *tab) has(kind, name string) bool {
	b.t.Helper()
	return mustEval[int](b, "find(%s, %s).length", kind, name) > 0
}

// documentID returns the ID of the current document. Every page load has a new one.
func (b *tab) documentID() (id cdp.LoaderID) {
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		tree, err := page.GetFrameTree().Do(ctx)
		if err == nil {
			id = tree.Frame.LoaderID
		}
		return err
	}))
	return id
}

// waitForPage runs an action that loads another page, and waits for that page.
func (b *tab) waitForPage(action func()) {
	b.t.Helper()
	before := b.documentID()
	action()
	b.waitUntil(func() bool {
		if b.documentID() == before {
			return false
		}
		state, err := eval[string](b, "document.readyState")
		return err == nil && state == "complete"
	}, "another page")
}

// open opens a path as if typed into the address bar.
func (b *tab) open(path string) {
	b.t.Helper()
	b.waitForPage(func() {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			_, _, _, _, err := page.Navigate(b.url + path).Do(ctx)
			return err
		}))
	})
}

func (b *tab) reload() {
	b.t.Helper()
	b.waitForPage(func() { b.do(page.Reload()) })
}

// path is the current path and query.
func (b *tab) path() string {
	return strings.TrimPrefix(mustEval[string](b, "location.href"), b.url)
}

// requireStatus requires the HTTP status of the current document.
func (b *tab) requireStatus(status int) {
	b.t.Helper()
	require.Equal(b.t, status, mustEval[int](b, "performance.getEntriesByType('navigation')[0].responseStatus"))
}

// point scrolls the only element of this kind and name into view, and returns its
// center. It waits until nothing covers it.
func (b *tab) point(kind, name string) (x, y float64) {
	b.t.Helper()
	var at *struct{ X, Y float64 }
	b.waitUntil(func() (ok bool) {
		var err error
		at, err = eval[*struct{ X, Y float64 }](b, "(at => at ? {X: at.X, Y: at.Y} : null)(reach(%s, %s))", kind, name)
		return err == nil && at != nil
	}, "one %s %q to click", kind, name)
	return at.X, at.Y
}

// click clicks a link, button, summary or field with the mouse. The kind "main link"
// excludes links outside the main element, such as the navigation's.
func (b *tab) click(kind, name string) {
	b.t.Helper()
	x, y := b.point(kind, name)
	b.do(chromedp.MouseClickXY(x, y))
}

// clickOn clicks the element that a CSS selector finds, for elements without a name.
func (b *tab) clickOn(selector string) {
	b.t.Helper()
	b.click("css", selector)
}

// follow clicks an element that loads another page, and waits for that page. It does so by
// script, because a page that updates itself may move the element away before the mouse is there.
func (b *tab) follow(kind, name string) {
	b.t.Helper()
	b.waitForPage(func() { b.waitForTrue("(at => Boolean(at && (at.e.click(), true)))(reach(%s, %s))", kind, name) })
}

// fill replaces the content of the field with this label.
func (b *tab) fill(label, text string) {
	b.t.Helper()
	b.click("field", label)
	b.do(selectAll(), input.InsertText(text))
}

func selectAll() chromedp.Action {
	return input.DispatchKeyEvent(input.KeyDown).
		WithKey("a").
		WithCode("KeyA").
		WithModifiers(input.ModifierCtrl).
		WithCommands([]string{"selectAll"})
}

// choose selects the option whose text starts with option.
func (b *tab) choose(label, option string) {
	b.t.Helper()
	chosen := mustEval[bool](b, `(() => {
		const select = find('field', %s)[0]
		const option = [...select.options].find(o => o.text.startsWith(%s))
		if (option) select.value = option.value
		return Boolean(option)
	})()`, label, option)
	require.True(b.t, chosen, "%s has no option %s", label, option)
}

// viewport is the size of the window.
type viewport struct {
	width, height int64
	narrow        bool
}

var (
	wide   = viewport{width: 1280, height: 800}
	tablet = viewport{width: 700, height: 1000}
	narrow = viewport{width: 320, height: 640, narrow: true}
)

// setViewport resizes the window. A narrow one behaves like a phone: its scrollbars
// take no space, and it zooms out if a page is too wide.
func (b *tab) setViewport(v viewport) {
	b.t.Helper()
	b.do(emulation.SetDeviceMetricsOverride(v.width, v.height, 1, v.narrow))
	b.viewport = v
}

func (b *tab) setColorScheme(scheme string) {
	b.t.Helper()
	b.do(
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// withoutScript disables JavaScript for the pages loaded from now on.
func (b *tab) withoutScript() {
	b.t.Helper()
	b.do(emulation.SetScriptExecutionDisabled(true))
}

// signIn signs in with the tests' password.
func (b *tab) signIn(email string) {
	b.t.Helper()
	b.open("/sign-in")
	b.fill("E-mail", email)
	b.fill("Password", password)
	b.follow("button", "Sign in")
}

// navigate opens a page through the navigation, using the menu if there is one.
func (b *tab) navigate(label string) {
	b.t.Helper()
	if b.has("button", "Menu") {
		b.click("button", "Menu")
	}
	b.follow("link", label)
}
