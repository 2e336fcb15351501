package browsertest

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
)

// accessible returns the accessibility tree's nodes with one of the roles, as what
// screen readers say for them.
func (b *tab) accessible(roles ...string) (names []string) {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		nodes, err := accessibility.GetFullAXTree().Do(ctx)
		for _, node := range nodes {
			if role := textOf(node.Role); !node.Ignored && slices.Contains(roles, role) {
				names = append(names, role+" "+textOf(node.Name))
			}
		}
		return err
	}))
	return names
}

// textOf is the text that a property of the accessibility tree has, or "".
func textOf(value *accessibility.Value) (text string) {
	if value != nil {
		_ = json.Unmarshal(value.Value, &text) // anything else than text stays ""
	}
	return text
}

// The chart's table is there for screen readers, but not for Tab, until it is asked
// for. Then Tab goes into it. The navigation stays in view however far the page is scrolled.
func TestChartTableOpensOnDemand(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.key("Production")
	b.signIn(o.owner)
	b.open("/?by=day")
	zone := i18n.StoredZone("Europe/Copenhagen") // the organization's
	today := time.Now().In(zone).Format(time.DateOnly)
	shown := mustEval[string](b, "document.querySelector('#chart-table tbody time').textContent")
	hidden := "document.getElementById('chart-table').getBoundingClientRect().height < 2"
	require.Equal(t, today, mustEval[string](b, "document.querySelector('#chart-table tbody time').dateTime"))

	b.waitForTrue(hidden)
	require.Contains(t, b.accessible("rowheader"), "rowheader "+shown)
	b.tabTo("a", "Show as a table")
	b.press(kb.Tab)
	require.False(t, mustEval[bool](b, "document.getElementById('chart-table').contains(document.activeElement)"))
	b.waitForTrue(hidden)

	b.open("/?by=day")
	b.tabTo("a", "Show as a table")
	b.press(kb.Enter)
	b.waitForTrue("!(" + hidden + ")")
	mustEval[bool](b, "(scrollTo(0, document.body.scrollHeight), true)")
	b.waitForTrue("scrollY > 500")
	require.True(t, mustEval[bool](b, `['Dispo', 'Overview', 'API keys', 'Sign out'].every(name => {
		const e = [...find('link', name), ...find('button', name)][0]
		const box = e.getBoundingClientRect()
		return box.top >= 0 && box.bottom <= innerHeight && e.contains(document.elementFromPoint(box.left + 4, box.top + box.height / 2))
	})`), "the navigation has scrolled away")
	b.press(kb.Tab)
	require.Equal(t, "By hour on "+shown, b.requireFocusVisible().Name)
	b.tabTo("a", "Hide the table")
	b.press(kb.Enter)
	b.waitForTrue(hidden)
}

// On a wide screen a transaction and the filter are one line each, what a row opens
// moves nothing, and no heading covers the day that a link leads to. On a phone the filter is folded, unless it has an error. A table stays a table to screen readers there,
// where each row is shown as a card: with its name, its headings, and as many rows and cells
// as on a wide screen.
func TestLayout(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newBusyOrganization(t)
	b.signIn(o.owner)
	const heights = `[...document.querySelectorAll('.transactions tbody tr')].map(e => e.getBoundingClientRect().height)`
	for _, path := range []string{"/transactions?amount=1..&cvr=" + o.cvr, "/companies/" + o.cvr, "/deliveries/" + o.file()} {
		b.open(path)
		rows := mustEval[[]float64](b, heights)
		require.NotEmpty(t, rows)
		for _, height := range rows {
			require.InDelta(t, 40, height, 0.5, path)
		}
		where := mustEval[float64](b, "document.querySelector('.pager').getBoundingClientRect().top + scrollY")
		b.clickOn("tbody tr:first-child .delivered summary")
		b.waitForTrue("document.querySelector('.delivered').open")
		require.InDelta(t, where,
			mustEval[float64](b, "document.querySelector('.pager').getBoundingClientRect().top + scrollY"), 0.5, path)
	}
	b.setViewport(viewport{width: 1600, height: 200}) // so that the headings stick
	b.open("/days")
	b.open(mustEval[string](b, "document.querySelector('tbody .actions a').getAttribute('href')"))
	b.waitForTrue("scrollY > 0 && document.querySelector(':target') !== null")
	below := mustEval[float64](
		b,
		"document.querySelector(':target').getBoundingClientRect().top - document.querySelector('thead th').getBoundingClientRect().bottom",
	)
	require.GreaterOrEqual(t, below, 0.0, "the headings cover the day")
	b.setViewport(wide)
	b.open("/transactions?amount=1..&cvr=" + o.cvr)
	require.Less(t, mustEval[float64](b, "document.querySelector('.ledger-filter').getBoundingClientRect().height"), 80.0)
	roles := []string{"table", "caption", "row", "columnheader", "rowheader", "cell"}
	for _, path := range []string{"/companies", "/companies/" + o.cvr, "/settings/api-keys", "/settings/members", "/?by=day#chart-table"} {
		b.setViewport(viewport{width: 1600, height: 800}) // with all columns
		b.open(path)
		b.waitForTrue("getComputedStyle(document.querySelector('table tr')).display === 'table-row'")
		columns := b.accessible(roles...)
		require.Contains(t, columns, "rowheader "+mustEval[string](b, "textOf(document.querySelector('tbody th'))"), path)
		b.setViewport(narrow)
		b.waitForTrue("getComputedStyle(document.querySelector('table tbody tr')).display !== 'table-row'")
		require.Equal(t, columns, b.accessible(roles...), path)
	}
	b.open("/transactions?amount=1..&cvr=" + o.cvr)
	require.False(t, b.has("field", "From"))
	b.clickOn(".fold > summary")
	b.waitForTrue("find('field', 'From').length === 1")
	b.open("/transactions?amount=much")
	require.True(t, b.has("field", "Amount or range"))
}
