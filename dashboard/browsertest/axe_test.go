package browsertest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

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

// requireNoViolations requires that axe-core finds no violation on the page in its current
// state, of these rules or of all.
func (b *tab) requireNoViolations(state string, rules ...string) {
	b.t.Helper()
	script, err := axe()
	require.NoError(b.t, err, "axe-core is missing; `make test` downloads it")
	if !mustEval[bool](b, "'axe' in window") {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error { return chromedp.Evaluate(script+"; true", nil).Do(ctx) }))
	}
	found := mustEval[[]violation](b, `(await axe.run(document, {resultTypes: ['violations'], ...(%[1]s.length ? {runOnly: %[1]s} : {rules: {'target-size': {enabled: true}}})})).violations
		.map(v => ({Rule: v.id, Help: v.help, Nodes: v.nodes.map(n => n.html + ' ' + n.failureSummary.replace(/\s+/g, ' '))}))`, append([]string{}, rules...))
	for _, v := range found {
		assert.Fail(b.t, v.Help, "%s (%s at %d px): %s\n%s", state, b.path(), b.width, v.Rule, strings.Join(v.Nodes, "\n"))
	}
}

// inspect checks the page: wide and dark with all of axe-core's rules, narrow and light for
// contrast and the size of targets. Nothing needs scrolling sideways, nor at the width between.
func (b *tab) inspect(state string) {
	b.t.Helper()
	b.setColorScheme("dark")
	b.waitForTrue("matchMedia('(prefers-color-scheme: dark)').matches")
	b.inspectNow(state + ", dark")
	b.setColorScheme("light")
	b.setViewport(narrow)
	b.waitForTrue("matchMedia('(prefers-color-scheme: light)').matches")
	b.requireNoViolations(state+", narrow", "color-contrast", "target-size")
	b.requireNoSidewaysScroll(state)
	b.setViewport(viewport{width: 768, height: 1024})
	b.requireNoSidewaysScroll(state)
	b.setViewport(wide)
}

// inspectNow checks the page as it is, with all of axe-core's rules.
func (b *tab) inspectNow(state string) {
	b.t.Helper()
	b.requireNoViolations(state)
	b.requireNoSidewaysScroll(state)
}

// requireNoSidewaysScroll requires that the page is not wider than the window.
func (b *tab) requireNoSidewaysScroll(state string) {
	b.t.Helper()
	wider := mustEval[[]string](b, `document.scrollingElement.scrollWidth <= %[1]s ? [] : [
		document.scrollingElement.scrollWidth + ' px wide',
		...[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > %[1]s).map(e => e.outerHTML.slice(0, 120))]`, b.width)
	assert.Empty(b.t, wider, "%s: %s is wider than the window", state, b.path())
}
