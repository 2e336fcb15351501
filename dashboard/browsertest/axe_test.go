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

// axe is axe-core's script, which finds what keeps people with disabilities from
// using a page.
var axe = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile(filepath.Join("..", "..", ".build", "axe", "axe.min.js"))
	return string(text), err
})

// fault is something that axe-core finds wrong.
type fault struct {
	Rule, Help string
	Nodes      []string
}

// faults runs axe-core on the page as it looks now.
func (b *tab) faults() []fault {
	b.t.Helper()
	script, err := axe()
	require.NoError(b.t, err, "axe-core is missing: `make test` fetches it, and then runs this")
	if !value[bool](b, "'axe' in window") {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error { return chromedp.Evaluate(script+"; true", nil).Do(ctx) }))
	}
	return value[[]fault](b, `(await axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}})).violations
		.map(v => ({Rule: v.id, Help: v.help, Nodes: v.nodes.map(n => n.html + ' ' + n.failureSummary.replace(/\s+/g, ' '))}))`)
}

// inspect looks at the page wide and narrow, light and dark: there is no fault
// that axe-core finds, and nothing has to be scrolled sideways.
func (b *tab) inspect(state string) {
	b.t.Helper()
	for _, l := range []look{wide, narrow} {
		b.size(l)
		for _, scheme := range []string{"dark", "light"} {
			b.colours(scheme)
			b.holds("matchMedia('(prefers-color-scheme: ' + %s + ')').matches", scheme)
			b.inspectNow(state + ", " + scheme)
		}
	}
	b.size(wide)
}

// inspectNow is inspect in the present size and colours.
func (b *tab) inspectNow(state string) {
	b.t.Helper()
	for _, f := range b.faults() {
		assert.Fail(b.t, f.Help, "%s (%s at %d px): %s\n%s", state, b.path(), b.width, f.Rule, strings.Join(f.Nodes, "\n"))
	}
	b.requireNoSidewaysScroll(state)
}

// requireNoSidewaysScroll demands that the page is no wider than the window.
func (b *tab) requireNoSidewaysScroll(state string) {
	b.t.Helper()
	wider := value[[]string](b, `document.scrollingElement.scrollWidth <= %[1]s ? [] : [
		document.scrollingElement.scrollWidth + ' px wide',
		...[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > %[1]s).map(e => e.outerHTML.slice(0, 120))]`, b.width)
	assert.Empty(b.t, wider, "%s: %s has to be scrolled sideways", state, b.path())
}

// axe-core is there, and finds a fault where there is one; so is a page found out
// that is too wide, and one that goes against the content security policy.
func TestInspectionFindsFaults(t *testing.T) {
	together(t)
	b := newTab(t)
	b.open("/sign-in")
	require.Empty(t, b.faults())
	value[bool](b, "document.querySelector('label').remove() ?? true")
	found := b.faults()
	require.Len(t, found, 1)
	require.Equal(t, "label", found[0].Rule)

	verdict := &verdict{TB: t}
	probe := &tab{t: verdict, ctx: b.ctx, look: b.look}
	probe.requireNoSidewaysScroll("as it is")
	require.False(t, verdict.bad)
	value[bool](b, "Boolean(document.querySelector('main').append('x'.repeat(1000)) ?? true)")
	probe.requireNoSidewaysScroll("too wide")
	require.True(t, verdict.bad)

	require.Empty(t, b.logged)
	value[bool](b, "document.body.setAttribute('style', 'color: red') ?? true")
	value[bool](b, "setTimeout(() => { throw new Error('a mistake') }) > 0")
	b.until(func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return strings.Contains(strings.Join(b.logged, "\n"), "Content Security Policy") && strings.Contains(strings.Join(b.logged, "\n"), "a mistake")
	}, "complaints")
	b.mu.Lock()
	b.logged = nil
	b.mu.Unlock()
}

// verdict is a test that only notes whether it would have failed.
type verdict struct {
	testing.TB
	bad bool
}

func (v *verdict) Errorf(string, ...any) { v.bad = true }
