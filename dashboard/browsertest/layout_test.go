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

	"dispo/models"
)

// The navigation stays in view however far a page is scrolled.
func TestNavigationStaysInView(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(60)
	b.signIn(o.owner)
	b.open("/companies")
	b.do(chromedp.Evaluate("scrollTo(0, document.body.scrollHeight)", nil))
	b.waitForTrue("scrollY > 500")
	require.True(t, mustEval[bool](b, `['Dispo', 'Overview', 'API keys', 'Sign out'].every(name => {
		const e = [...find('link', name), ...find('button', name)][0]
		const box = e.getBoundingClientRect()
		return box.top >= 0 && box.bottom <= innerHeight && e.contains(document.elementFromPoint(box.left + 4, box.top + box.height / 2))
	})`), "the navigation has scrolled away")
}

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

// A table stays a table to screen readers on a phone, where each row is shown as a
// card: with its name, its headings, and as many rows and cells as on a wide screen.
func TestTablesStayTablesOnPhones(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.companies(3)
	o.delivery(3)
	o.key("Production")
	b.signIn(o.owner)
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
}

// The chart's table is there for screen readers, but not for Tab, until it is asked
// for. Then Tab goes into it.
func TestChartTableOpensOnDemand(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	o.key("Production")
	b.signIn(o.owner)
	b.open("/?by=day")
	zone, err := models.Location("Europe/Copenhagen") // the organization's
	require.NoError(t, err)
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
	b.press(kb.Tab)
	require.Equal(t, "By hour on "+shown, b.requireFocusVisible().Name)
	b.tabTo("a", "Hide the table")
	b.press(kb.Enter)
	b.waitForTrue(hidden)
}
