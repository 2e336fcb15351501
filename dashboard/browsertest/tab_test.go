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
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// together lets the test run beside others, as many as the machine can stand.
func together(t *testing.T) {
	t.Parallel()
	slots <- struct{}{}
	t.Cleanup(func() { <-slots })
}

// tab is a page in a browser of somebody's own: no cookie of another test's or
// person's is in it. Whatever goes wrong in its console fails the test.
type tab struct {
	t    testing.TB
	ctx  context.Context
	url  string // of the service, without a path
	look        // at present

	context cdp.BrowserContextID // what keeps its cookies apart

	mu        sync.Mutex
	documents map[network.RequestID]int64 // the status of every document
	status    int64                       // of the latest document
	logged    []string                    // what the browser complained of
	parts     map[network.RequestID]*part // what came over the network
}

func newTab(t testing.TB) *tab { return newTabOn(t, site.url) }

func newTabOn(t testing.TB, url string) *tab {
	t.Helper()
	browser := cdp.WithExecutor(chromium, chromedp.FromContext(chromium).Browser)
	own, err := target.CreateBrowserContext().Do(browser)
	require.NoError(t, err)
	t.Cleanup(func() { _ = target.DisposeBrowserContext(own).Do(browser) })
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(own).WithNewWindow(true).Do(browser)
	require.NoError(t, err)
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithTargetID(id))
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, url: url, context: own, documents: map[network.RequestID]int64{}, parts: map[network.RequestID]*part{}}
	chromedp.ListenTarget(ctx, b.heard)
	require.NoError(t, chromedp.Run(ctx)) // with the context that the tab lives as long as
	t.Cleanup(b.requireQuiet)
	b.do(emulation.SetFocusEmulationEnabled(true)) // several tabs stand in front at once
	b.size(wide)
	return b
}

// heard notes what the browser tells of the page.
func (b *tab) heard(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventResponseReceived:
		b.parts[e.RequestID] = &part{url: e.Response.URL}
		if e.Type == network.ResourceTypeDocument {
			b.documents[e.RequestID], b.status = e.Response.Status, e.Response.Status
		}
	case *network.EventLoadingFinished:
		if part := b.parts[e.RequestID]; part != nil {
			part.bytes = int64(e.EncodedDataLength)
		}
	case *runtime.EventExceptionThrown:
		b.logged = append(b.logged, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning || e.Type == runtime.APITypeAssert {
			b.logged = append(b.logged, fmt.Sprintf("console.%s: %v", e.Type, e.Args))
		}
	case *log.EventEntryAdded:
		// A page whose status is an error is a page all the same.
		if _, document := b.documents[e.Entry.NetworkRequestID]; document && e.Entry.Source == log.SourceNetwork {
			return
		}
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			b.logged = append(b.logged, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

// part is one of the files of a page.
type part struct {
	url   string
	bytes int64 // over the network, headers among them; 0: not finished, or had already
}

// received gives the bytes of all files that have come whole, by address.
func (b *tab) received() map[string]int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[string]int64{}
	for _, part := range b.parts {
		if part.bytes > 0 {
			all[part.url] = part.bytes
		}
	}
	return all
}

// requireQuiet demands that the browser has complained of nothing: no error of
// the script's, nothing against the content security policy, no missing file.
func (b *tab) requireQuiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.logged) > 0 {
		b.t.Errorf("the browser's console has:\n%s", strings.Join(b.logged, "\n"))
	}
	b.logged = nil
}

// do runs steps that must not fail.
func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	require.NoError(b.t, chromedp.Run(ctx, actions...))
}

// tools are what the tests' expressions use. Names are those that a screen reader
// would say, near enough.
const tools = `
const tidy = text => text.replace(/\s+/g, ' ').trim()
const visible = e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0
const said = e => {
	const texts = []
	const nodes = document.createTreeWalker(e, NodeFilter.SHOW_TEXT)
	while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest('[aria-hidden=true]')) texts.push(nodes.currentNode.data)
	return tidy(texts.join(' ')).replaceAll(' ,', ',')
}
const named = e => tidy(e.getAttribute('aria-label') ?? said(e.labels?.length ? e.labels[0] : e))
const kinds = {link: 'a[href]', button: 'button', summary: 'summary', field: 'input:not([type=hidden]), select, textarea'}
const find = (kind, name) => {
	if (kind === 'css') return [...document.querySelectorAll(name)].filter(visible)
	const inMain = kind.startsWith('main ')
	const all = [...document.querySelectorAll(kinds[kind.replace('main ', '')])].filter(e => visible(e) && (!inMain || e.closest('main')))
	const exact = all.filter(e => named(e) === name)
	return exact.length ? exact : all.filter(e => named(e).startsWith(name) && /^[^\p{L}\p{N}]/u.test(named(e).slice(name.length)))
}
`

// eval gives what an expression is in the page. Its error may be that the page is
// just being replaced by another one.
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
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	err = chromedp.Run(ctx, chromedp.Evaluate("(async () => {"+tools+"return ("+expression+")})()", &value,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value, err
}

// value is eval on a page that stands still.
func value[T any](b *tab, expression string, arguments ...any) T {
	b.t.Helper()
	got, err := eval[T](b, expression, arguments...)
	require.NoError(b.t, err)
	return got
}

// until waits for a condition.
func (b *tab) until(condition func() bool, about string, arguments ...any) {
	b.t.Helper()
	waitFor(b.t, condition, func() string {
		text, _ := eval[string](b, "location.pathname + location.search + '\\n' + document.body.innerText.slice(0, 1500)")
		return fmt.Sprintf(about, arguments...) + "; the page is " + text
	})
}

func waitFor(t testing.TB, condition func() bool, about func() string) {
	t.Helper()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !condition(); <-tick.C {
		if time.Now().After(deadline) {
			require.FailNow(t, "it did not come: "+about())
		}
	}
}

// holds waits until an expression is true in the page.
func (b *tab) holds(expression string, arguments ...any) {
	b.t.Helper()
	b.until(func() bool {
		holds, err := eval[bool](b, expression, arguments...)
		return err == nil && holds
	}, "%s %v", expression, arguments)
}

// sees waits until the page shows all of these texts.
func (b *tab) sees(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		b.holds("tidy(document.body.innerText).includes(%s)", text)
	}
}

// seesNot demands that none of these texts stands in the page, visible or not.
func (b *tab) seesNot(texts ...string) {
	b.t.Helper()
	source := value[string](b, "document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map(e => e.value)")
	for _, text := range texts {
		require.NotContains(b.t, source, text)
	}
}

// has tells whether there is something visible of this kind and name.
func (b *tab) has(kind, name string) bool {
	b.t.Helper()
	return value[int](b, "find(%s, %s).length", kind, name) > 0
}

// loader is another one for every document that the tab shows.
func (b *tab) loader() (id cdp.LoaderID) {
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		tree, err := page.GetFrameTree().Do(ctx)
		if err == nil {
			id = tree.Frame.LoaderID
		}
		return err
	}))
	return id
}

// leads does what leads to another document, and waits until that is there.
func (b *tab) leads(action func()) {
	b.t.Helper()
	before := b.loader()
	action()
	b.until(func() bool {
		if b.loader() == before {
			return false
		}
		state, err := eval[string](b, "document.readyState")
		return err == nil && state == "complete"
	}, "no other page came")
}

// open goes to a path by the address bar.
func (b *tab) open(path string) {
	b.t.Helper()
	b.leads(func() {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			_, _, _, _, err := page.Navigate(b.url + path).Do(ctx)
			return err
		}))
	})
}

func (b *tab) reload() {
	b.t.Helper()
	b.leads(func() { b.do(page.Reload()) })
}

// path is where the tab is.
func (b *tab) path() string {
	return strings.TrimPrefix(value[string](b, "location.href"), b.url)
}

// requireStatus demands the status of the document that is shown.
func (b *tab) requireStatus(status int64) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Equal(b.t, status, b.status)
}

// point is the middle of the one thing of that kind and name, scrolled into view,
// where nothing covers it.
func (b *tab) point(kind, name string) (x, y float64) {
	b.t.Helper()
	var at struct {
		Count   int
		Covered string
		X, Y    float64
	}
	b.until(func() bool {
		var err error
		at, err = eval[struct {
			Count   int
			Covered string
			X, Y    float64
		}](b, `(() => {
			const found = find(%s, %s)
			if (found.length !== 1) return {Count: found.length}
			const e = found[0]
			e.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'})
			const box = e.getClientRects()[0]
			const x = box.left + box.width / 2, y = box.top + box.height / 2
			const top = document.elementFromPoint(x, y)
			return {Count: 1, X: x, Y: y, Covered: !top || e.contains(top) || top.contains(e) ? '' : top.outerHTML}
		})()`, kind, name)
		return err == nil && at.Count == 1 && at.Covered == ""
	}, "one %s %q to click", kind, name)
	return at.X, at.Y
}

// click clicks with the mouse, on a link, a button, a summary or a field, or on a
// "main link", where the navigation has one of the same name.
func (b *tab) click(kind, name string) {
	b.t.Helper()
	x, y := b.point(kind, name)
	b.do(chromedp.MouseClickXY(x, y))
}

// clickOn clicks what a selector finds, for what has no name of its own.
func (b *tab) clickOn(selector string) {
	b.t.Helper()
	b.click("css", selector)
}

// follow clicks what leads to another page, and waits for that.
func (b *tab) follow(kind, name string) {
	b.t.Helper()
	b.leads(func() { b.click(kind, name) })
}

// fill types into the field with that label, over what stands there.
func (b *tab) fill(label, text string) {
	b.t.Helper()
	b.click("field", label)
	b.do(selectAll(), input.InsertText(text))
}

func selectAll() chromedp.Action {
	return input.DispatchKeyEvent(input.KeyDown).WithKey("a").WithCode("KeyA").WithModifiers(input.ModifierCtrl).WithCommands([]string{"selectAll"})
}

// choose picks an option of a select by its text's start.
func (b *tab) choose(label, option string) {
	b.t.Helper()
	chosen := value[bool](b, `(() => {
		const select = find('field', %s)[0]
		const option = [...select.options].find(o => o.text.startsWith(%s))
		if (option) select.value = option.value
		return Boolean(option)
	})()`, label, option)
	require.True(b.t, chosen, "%s has no %s", label, option)
}

// look is how wide the window is, and what colours the person prefers.
type look struct {
	width, height int64
	narrow        bool
}

var (
	wide   = look{width: 1280, height: 800}
	narrow = look{width: 320, height: 640, narrow: true}
)

// size makes the window that large. The narrow one is a phone's, whose scrollbars
// take no room, and which zooms out where a page is too wide.
func (b *tab) size(l look) {
	b.t.Helper()
	b.do(emulation.SetDeviceMetricsOverride(l.width, l.height, 1, l.narrow))
	b.look = l
}

func (b *tab) colours(scheme string) {
	b.t.Helper()
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// withoutScript turns scripts off for all pages that come.
func (b *tab) withoutScript() {
	b.t.Helper()
	b.do(emulation.SetScriptExecutionDisabled(true))
}

// signIn signs in by the form.
func (b *tab) signIn(email string) {
	b.t.Helper()
	b.open("/sign-in")
	b.fill("E-mail", email)
	b.fill("Password", password)
	b.follow("button", "Sign in")
}

// navigate goes to a page by the navigation.
func (b *tab) navigate(label string) {
	b.t.Helper()
	if b.has("button", "Menu") {
		b.click("button", "Menu")
	}
	b.follow("link", label)
}
