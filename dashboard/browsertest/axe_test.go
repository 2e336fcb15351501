package browsertest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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

// violations runs axe-core on the page in its current state.
func (b *tab) violations() []violation {
	b.t.Helper()
	script, err := axe()
	require.NoError(b.t, err, "axe-core is missing; `make test` downloads it")
	if !mustEval[bool](b, "'axe' in window") {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error { return chromedp.Evaluate(script+"; true", nil).Do(ctx) }))
	}
	return mustEval[[]violation](b, `(await axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}})).violations
		.map(v => ({Rule: v.id, Help: v.help, Nodes: v.nodes.map(n => n.html + ' ' + n.failureSummary.replace(/\s+/g, ' '))}))`)
}

// inspect checks the page wide and narrow, light and dark: axe-core finds no
// violation, and nothing needs scrolling sideways.
func (b *tab) inspect(state string) {
	b.t.Helper()
	for _, v := range []viewport{wide, narrow} {
		b.setViewport(v)
		for _, scheme := range []string{"dark", "light"} {
			b.setColorScheme(scheme)
			b.waitForTrue("matchMedia('(prefers-color-scheme: ' + %s + ')').matches", scheme)
			b.inspectNow(state + ", " + scheme)
		}
	}
	b.setViewport(wide)
}

// inspectNow is inspect in the current viewport and color scheme.
func (b *tab) inspectNow(state string) {
	b.t.Helper()
	for _, v := range b.violations() {
		assert.Fail(b.t, v.Help, "%s (%s at %d px): %s\n%s", state, b.path(), b.width, v.Rule, strings.Join(v.Nodes, "\n"))
	}
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

// The checks of these tests detect accessibility violations, pages that are too wide,
// violations of the content security policy, and script errors.
func TestInspectFindsViolations(t *testing.T) {
	parallel(t)
	b := newTab(t)
	b.open("/sign-in")
	require.Empty(t, b.violations())
	mustEval[bool](b, "document.querySelector('label').remove() ?? true")
	found := b.violations()
	require.Len(t, found, 1)
	require.Equal(t, "label", found[0].Rule)

	recorder := &failureRecorder{TB: t}
	probe := &tab{t: recorder, ctx: b.ctx, viewport: b.viewport}
	probe.requireNoSidewaysScroll("unchanged")
	require.False(t, recorder.failed)
	mustEval[bool](b, "Boolean(document.querySelector('main').append('x'.repeat(1000)) ?? true)")
	probe.requireNoSidewaysScroll("too wide")
	require.True(t, recorder.failed)

	require.Empty(t, b.logged)
	mustEval[bool](b, "document.body.setAttribute('style', 'color: red') ?? true")
	mustEval[bool](b, "setTimeout(() => { throw new Error('test error') }) > 0")
	b.waitUntil(func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return strings.Contains(strings.Join(b.logged, "\n"), "Content Security Policy") && strings.Contains(strings.Join(b.logged, "\n"), "test error")
	}, "the console errors")
	b.mu.Lock()
	b.logged = nil
	b.mu.Unlock()
}

// failureRecorder is a test that only records whether it failed.
type failureRecorder struct {
	testing.TB
	failed bool
}

func (r *failureRecorder) Errorf(string, ...any) { r.failed = true }
