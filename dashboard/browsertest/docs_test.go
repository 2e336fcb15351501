package browsertest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"dispo/web"
)

// Every page of the documentation is accessible, for visitors and for signed-in users.
func TestDocsAreAccessible(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	for _, page := range web.Docs() {
		if page.Path != "/docs/reference" { // which TestReferenceKeepsKeyInMemory inspects
			b.openAndInspect(page.Path)
		}
	}
	b.signIn(o.owner)
	b.openAndInspect("/docs/search?q=retry")
}

// Of a program in several languages one is shown, without the script too, and the arrow keys
// choose another.
func TestDocsTabs(t *testing.T) {
	parallel(t)
	b := newTab(t)
	b.withoutScript()
	b.open("/docs/samples")
	shown := func() string {
		return mustEval[string](b, "find('css', '.tabs > .code-box').map(e => textOf(e)).join()")
	}
	require.Contains(t, shown(), "import sqlite3")
	require.NotContains(t, shown(), "await")
	b.clickOn(".tabs > label:last-of-type")
	require.Contains(t, shown(), "await")
	b.press(kb.ArrowLeft)
	require.Contains(t, shown(), "package main")
}

// On a phone, the menu of the documentation opens, leads to another page and closes, with
// the keyboard alone. On a wide screen it is always there.
func TestDocsMenu(t *testing.T) {
	parallel(t)
	b := newTab(t)
	b.open("/docs")
	require.True(t, b.has("link", "Rate limits"))
	require.False(t, b.has("button", "All docs pages"))
	b.setViewport(narrow)
	b.open("/docs/support")
	require.False(t, b.has("main link", "Rate limits"))
	b.tabTo("button", "All docs pages")
	b.press("\r")
	b.waitForTrue("find('main link', 'Rate limits').length === 1")
	b.requireNoViolations("the menu of the documentation", everyRule)
	b.tabTo("button", "Close")
	b.press("\r")
	b.waitForTrue("find('main link', 'Rate limits').length === 0")
	b.click("button", "All docs pages")
	b.follow("main link", "Rate limits")
	require.Equal(t, "/docs/rate-limits", b.path())
}

// The reference shows every operation of the OpenAPI document, and its console sends
// requests with the key that was typed. The key goes to this service only, in a header: it
// is in no address, no storage and no cookie, and is gone when the page is left.
func TestReferenceKeepsKeyInMemory(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(2)
	_, key := o.key("Console")
	b.open("/docs/reference")
	b.waitForTrue("find('field', 'Your API key').length === 1")
	b.inspect("the reference")
	operations := mustEval[[]string](b,
		"[...new Set([...document.querySelectorAll('.opblock-summary-path')].map(e => e.dataset.path))]")
	require.ElementsMatch(t, mustEval[[]string](b, "Object.keys((await (await fetch('/api/openapi.json')).json()).paths)"),
		operations)

	const list = "#operations-Companies-listCompanies "
	const answer = list + ".live-responses-table .response"
	execute := func(texts ...string) {
		t.Helper()
		b.clickOn(list + ".execute")
		for _, text := range texts {
			b.waitForTrue("document.querySelector(%s)?.innerText.includes(%s)", answer, text)
		}
	}
	b.fill("Your API key", key)
	b.clickOn(list + ".opblock-summary-control")
	b.clickOn(list + ".try-out__btn")
	execute("200", o.cvr)
	b.inspect("an answer")
	b.requireKeyNowhere(key)
	require.NotContains(t, mustEval[string](b, "document.documentElement.outerHTML"), key, "nor does the page show it")

	b.reload() // which opens the operation again, by the address
	b.waitForTrue("find('field', 'Your API key').length === 1")
	b.waitForTrue("document.querySelector(%s)?.innerText.startsWith('limit')", list+".parameters tbody")
	require.Empty(t, mustEval[string](b, "find('field', 'Your API key')[0].value"))
	b.ignoreFailedRequests = true
	b.clickOn(list + ".try-out__btn")
	execute("401", "UNAUTHORIZED")
	b.fill("Your API key", key)
	execute("200", o.cvr)
	b.fill("Your API key", " ")
	execute("401", "The API key is missing")
	b.requireKeyNowhere(key)
	b.open("/docs/versions")
	b.requireKeyNowhere(key)
}

// requireKeyNowhere requires that the key is in nothing that outlives the page, that every
// request went to this service, and that no address has the key.
func (b *tab) requireKeyNowhere(key string) {
	b.t.Helper()
	stored := mustEval[string](
		b,
		`JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state,
		await indexedDB.databases(), await caches?.keys?.() ?? []])`,
	)
	require.NotContains(b.t, stored, key)
	require.Contains(b.t, stored, "[{},{},", "nothing is stored at all")
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		cookies, err := network.GetCookies().WithURLs([]string{b.url}).Do(ctx)
		for _, cookie := range cookies {
			require.NotContains(b.t, cookie.Value, key)
		}
		return err
	}))
	for _, requested := range mustEval[[]string](b, "[location.href, ...performance.getEntriesByType('resource').map(e => e.name)]") {
		require.True(b.t, strings.HasPrefix(requested, b.url+"/"), requested)
		require.NotContains(b.t, requested, key)
	}
}
