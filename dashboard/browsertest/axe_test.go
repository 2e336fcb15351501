package browsertest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axe is the script of axe-core, which finds accessibility violations.
var axe = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile(filepath.Join("..", "..", ".build", "axe", "axe.min.js"))
	return string(text), err
})

// violation is an accessibility violation that axe-core found.
type violation struct {
	Rule, Help string
	Nodes      []string
}

// Of a long list, axe-core looks at the first rows and bars: the others are like them.
const repeated = "tbody tr:nth-child(n+9), a.bar:nth-of-type(n+9)"

// Of texts that look alike, axe-core measures the contrast of the first, because that is most of
// its work: those of one color, in elements of the same classes and backgrounds.
const (
	contrastOfFirst = `; axe.configure({rules: [{id: 'color-contrast', selector: '[data-first]'}]})`
	markFirst       = `(looks => {
		for (const e of document.querySelectorAll('body, body *')) {
			if (!e.matches('input, select, textarea') && ![...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim()) || !e.checkVisibility()) continue
			let look = getComputedStyle(e).color
			for (let a = e; a; a = a.parentElement) {
				const style = getComputedStyle(a)
				look += [a.localName, a.getAttribute('class'), style.fontSize, style.backgroundColor, style.backgroundImage, style.opacity]
			}
			e.toggleAttribute('data-first', !looks.has(look))
			looks.add(look)
		}
	})(new Set())`
)

// Options of axe-core. What does not depend on the page is checked on the narrow menus alone,
// with every rule: the stylesheet holds for all orientations, which takes a second request for it.
const (
	everyRule      = `rules: {'target-size': {enabled: true}}`
	wideRules      = `rules: {'css-orientation-lock': {enabled: false}}`
	narrowAndLight = `runOnly: ['color-contrast', 'target-size']`
)

// requireNoViolations requires that axe-core finds no violation on the page in its current
// state, with these options.
func (b *tab) requireNoViolations(state, options string) {
	b.t.Helper()
	if !b.hasAxe { // sent once, for all of the tab's pages
		script, err := axe()
		require.NoError(b.t, err, "axe-core is missing; `make test` downloads it")
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument("window.loadAxe = () => {" + script + contrastOfFirst + "}").
				WithRunImmediately(true).Do(ctx)
			return err
		}))
		b.hasAxe = true
	}
	found := mustEval[[]violation](
		b,
		`'axe' in window || loadAxe(), `+markFirst+`, (await axe.run({exclude: [%s]}, {resultTypes: ['violations'], `+options+`})).violations
		.map(v => ({Rule: v.id, Help: v.help, Nodes: v.nodes.map(n => n.html + ' ' + n.failureSummary.replace(/\s+/g, ' '))}))`,
		repeated,
	)
	for _, v := range found {
		assert.Fail(b.t, v.Help, "%s (%s at %d px): %s\n%s", state, b.path(), b.width, v.Rule, strings.Join(v.Nodes, "\n"))
	}
}

// inspect checks the page: wide and dark with axe-core's rules, narrow and light for contrast
// and the size of targets. Nothing needs scrolling sideways, nor at the width between.
func (b *tab) inspect(state string) {
	b.t.Helper()
	b.setColorScheme("dark")
	b.requireNoViolations(state+", dark", wideRules)
	b.requireNoSidewaysScroll(state)
	b.setColorScheme("light")
	b.setViewport(narrow)
	b.requireNoViolations(state+", narrow", narrowAndLight)
	b.requireNoSidewaysScroll(state)
	b.setViewport(viewport{width: 768, height: 1024})
	b.requireNoSidewaysScroll(state)
	b.setViewport(wide)
}

// requireNoSidewaysScroll requires that the page is not wider than the window.
func (b *tab) requireNoSidewaysScroll(state string) {
	b.t.Helper()
	wider := mustEval[[]string](b, `document.scrollingElement.scrollWidth <= %[1]s ? [] : [
		document.scrollingElement.scrollWidth + ' px wide',
		...[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > %[1]s).map(e => e.outerHTML.slice(0, 120))]`, b.width)
	assert.Empty(b.t, wider, "%s: %s is wider than the window", state, b.path())
}
