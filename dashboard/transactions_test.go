package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
	"dispo/models/terms"
)

// recordLines returns records of a company: 120, on each of 12 days ten, of two types.
func recordLines(cvr string) (lines []string) {
	for i := range 120 {
		lines = append(lines,
			fmt.Sprintf("%s,1234,%010d,%s,2026-01-%02d,3,%d.50\n", cvr, i, []string{"CARD", "REFUND"}[i%2], 1+i/10, i))
	}
	return lines
}

// A bookkeeper pages through the newest transactions first, knows where they are, and
// gets there again by the address. Sums are those of the rows and of all that fit.
func TestTransactions(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	require.Contains(t, b.get("/transactions").text(), "No transactions yet.")
	s.Companies(t, a, "10000001", "10000002")
	s.Organization(t, "other", "10000003")
	s.deliver(t, "delivery.csv", append(recordLines("10000001"), recordLines("10000003")...)...)

	link := func(page *answer, label string) string {
		return page.page.Find("nav.pager a").
			FilterFunction(func(_ int, a *goquery.Selection) bool { return a.Text() == label }).
			AttrOr("href", "")
	}
	for _, path := range []string{"/transactions", "/companies/10000001"} {
		page := b.get(path)
		require.Contains(t, page.text("dl.sums"), "1–50 of 120 transactions")
		require.Contains(t, page.text("dl.sums"), "4,750.00 DKK") // 70.50 to 119.50
		require.Contains(t, page.text("dl.sums"), "7,200.00 DKK")
		require.Equal(t, "2026-01-12", page.page.Find("tbody time").First().Text())
		require.Empty(t, link(page, "Newer")+link(page, "Newest"))
		page = b.get(link(page, "Older"))
		require.Contains(t, page.text("dl.sums"), "51–100 of 120 transactions")
		require.Equal(t, path, link(page, "Newest"))
		middle := page.page.Find("tbody").Text()
		page = b.get(link(page, "Older"))
		require.Contains(t, page.text("dl.sums"), "101–120 of 120 transactions")
		require.Empty(t, link(page, "Older")+link(page, "Oldest"))
		require.Equal(t, middle, b.get(link(page, "Newer")).page.Find("tbody").Text())
		page = b.get(link(b.get(path), "Oldest"))
		require.Contains(t, page.text("dl.sums"), "71–120 of 120 transactions")

		page = b.get(path + "?from=2026-01-03&to=2026-01-04&type=CARD")
		require.Contains(t, page.text("dl.sums"), "1–10 of 10 transactions")
		require.Equal(t, "CARD", page.page.Find("select[name=type] option[selected]").Text())
		require.Equal(t, "2026-01-03", page.attr("input[name=from]", "value"))
		page = b.get(path + "?amount=100..109,5")
		require.Contains(t, page.text("dl.sums"), "1–10 of 10 transactions")
		require.Contains(t, b.get(path+"?amount=1000..").text(), "No matching transactions.")
		require.Contains(t, b.get(path+"?older=2020-01-01.00000000-0000-0000-0000-000000000000").text(),
			"This page is empty.")
		require.Contains(t, b.get(path+"?older=nonsense&newer=x&at=y").text("dl.sums"), "1–50 of 120")
	}
	require.Contains(t, b.get("/transactions?cvr=DK+10+00+00+01").text("dl.sums"), "of 120 transactions")
	for _, cvr := range []string{"10000002", "10000003", "99999999"} { // none, another organization's, nobody's
		require.Contains(t, b.get("/transactions?cvr="+cvr).text(), "No matching transactions.")
	}
	require.Contains(t, b.get("/companies/10000001?cvr=10000002").text("dl.sums"), "of 120 transactions",
		"the page is of one company")

	page := b.get("/transactions?from=yesterday&amount=much&cvr=12&type=CARD")
	require.Equal(t, http.StatusUnprocessableEntity, page.StatusCode)
	require.Equal(t, 3, page.count(".error"))
	for name, typed := range map[string]string{"from": "yesterday", "amount": "much", "cvr": "12"} {
		field := page.page.Find("input[name=" + name + "]")
		require.Equal(t, []string{typed, "text"}, []string{field.AttrOr("value", ""), field.AttrOr("type", "")}, name)
	}
	require.Contains(t, page.page.Find("select[name=type] option[selected]").Text(), "CARD")
	require.NotContains(t, page.text(), "2026-01-12")
}

// delivered is a site whose organization has got two records a day for weeks, none of
// yesterday's that stayed, and one that waits for its company. Another organization has got
// one a day.
type delivered struct {
	*site
	*browser
	links map[string]string // to the page of each delivery
	today time.Time
}

func newDelivered(t *testing.T) *delivered {
	t.Helper()
	s, a, b := ownerSite(t)
	d := &delivered{site: s, browser: b, links: map[string]string{}}
	require.Contains(t, d.get("/deliveries").text(), "No deliveries yet.")
	s.Companies(t, a, "10000001")
	s.user(t, s.Organization(t, "other", "10000002"), "owner@other.example", terms.Owner)
	d.today = modelstest.ValueAt[time.Time](t, s.URL, `SELECT (now() AT TIME ZONE 'Europe/Copenhagen')::date`)
	line := func(cvr string, back, number int) string {
		return fmt.Sprintf("%s,1234,%010d,CARD,%s,1,100.00\n", cvr, number, d.day(back))
	}
	var history []string
	for back := 2; back < 60; back++ {
		history = append(history, line("10000001", back, back), line("10000001", back, 1000+back),
			line("10000002", back, 2000+back))
	}
	s.deliver(t, "history.csv", history...)
	wrong := s.deliver(t, "wrong.csv", line("10000001", 1, 1), line("10000002", 1, 2))
	s.deliverTo(t, &a, "waiting.csv", line("10000009", 1, 3), line("10000001", 0, 4))
	s.deliver(t, "nobody.csv", line("10000008", 1, 5))
	s.withdraw(t, wrong, "The network sent it twice.")
	for _, link := range d.get("/deliveries").page.Find("section[aria-labelledby=files] tbody a").EachIter() {
		d.links[link.Text()] = link.AttrOr("href", "")
	}
	return d
}

// day returns the day so many days back.
func (d *delivered) day(back int) string { return d.today.AddDate(0, 0, -back).Format(time.DateOnly) }

// The deliveries answer why a day is short: which files came, with the
// organization's own records alone, what is missing beside the usual, what was withdrawn
// and why, and what waits for a company. The lists of transactions say what was withdrawn, too.
func TestDeliveries(t *testing.T) {
	t.Parallel()
	d := newDelivered(t)
	page := d.get("/deliveries")
	text := page.text()
	require.Contains(t, text, "Held: 1 record of 100.00 DKK. Organization a has no company")
	require.Contains(t, text, "10000009")
	require.NotContains(t, text, "10000008", "it may concern another organization")
	require.NotContains(t, text, "nobody.csv")
	yesterday := page.text("section[aria-labelledby=days] tbody tr:contains('" + d.day(1) + "')")
	require.NotContains(t, yesterday, "Nothing received", "it was, and was withdrawn")
	for _, path := range []string{"/", "/search?q=" + d.day(1)} {
		require.Contains(t, d.get(path).text(".banner"), "Reason: The network sent it twice.", path)
	}
	require.Contains(t, yesterday, "200.00", "the usual sum")
	require.Contains(t, yesterday, "Withdrawn: 1 record of 100.00 DKK")
	require.Contains(t, yesterday, "0, and 1 withdrawn")
	files := page.text("section[aria-labelledby=files] tbody")
	require.Contains(t, files, "history.csv11,600.00116"+d.day(59)+" to "+d.day(2),
		"other organizations' records do not count")
	require.Contains(t, files, "The network sent it twice.")

	d.requireWithdrawnIsSaid(t)
	d.requireEachRecordOnce(t)
	page = d.get(d.links["wrong.csv"])
	require.Contains(t, page.text(), "The network sent it twice.")
	require.Contains(t, page.text(), "The operator of this service withdrew this delivery on")
	require.Contains(t, strings.ReplaceAll(page.text("tbody tr"), " ", ""), "10000001100.0010.000",
		"withdrawn, and received now")
	require.NotContains(t, page.text(), "10000002")

	foreign := d.site.signedIn(t, "owner@other.example")
	for name, link := range d.links {
		require.Equal(t, http.StatusNotFound, foreign.get(link).StatusCode, name)
	}
	require.NotContains(t, foreign.get("/deliveries").text(), "10000009")
	require.Contains(t, foreign.get("/deliveries").text(), "5,800.00")
	require.Equal(t, http.StatusNotFound, d.get("/deliveries/x").StatusCode)
}

// requireEachRecordOnce pages through the records of a delivery.
func (d *delivered) requireEachRecordOnce(t *testing.T) {
	t.Helper()
	page := d.get(d.links["history.csv"])
	require.Equal(t, 50, page.count("tbody tr"))
	require.Contains(t, page.text("tbody tr:first-child pre"), "10000001,1234,")
	rows := map[string]bool{}
	for pages := 1; ; pages++ {
		for _, record := range page.page.Find("tbody pre").EachIter() {
			rows[record.Text()] = true
		}
		next, more := page.page.Find("a[rel=next]").Attr("href")
		if !more {
			require.Equal(t, 3, pages)
			break
		}
		page = d.get(next)
	}
	require.Len(t, rows, 116, "each record once, as delivered")
	for record := range rows {
		require.True(t, strings.HasPrefix(record, "10000001,"), record)
	}
}

// requireWithdrawnIsSaid requires that the lists say what is missing of the days shown, and
// fold what is missing of others.
func (d *delivered) requireWithdrawnIsSaid(t *testing.T) {
	t.Helper()
	note := "It had 1 record of 100.00 DKK, of all types, for " + d.day(1) + ". Reason: The network"
	for path, shown := range map[string]bool{
		"/transactions": true,
		"/transactions?from=" + d.day(1) + "&to=" + d.day(1): true,
		"/transactions?to=" + d.day(2):                       false,
		"/transactions?from=" + d.day(0):                     false,
		"/transactions?at=oldest":                            true,
		"/transactions?cvr=10000009":                         false,
		"/companies/10000001":                                true,
		"/companies/10000001?to=" + d.day(2):                 false,
	} {
		list := d.get(path)
		require.Equal(t, shown, strings.Contains(list.text(), note), path)
		require.Equal(t, shown, strings.Contains(list.text(), "The network sent it twice."), path)
		if shown {
			withdrawn := list.page.Find("section[aria-label='Withdrawn deliveries']")
			require.Equal(t, d.links["wrong.csv"], withdrawn.Find("a").AttrOr("href", ""), path)
			require.Equal(t, path == "/transactions?at=oldest", withdrawn.Find("details").Length() == 1, path)
		}
	}
}
