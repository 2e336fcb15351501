package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// received is a site with two organizations that have transactions of five Mondays and a
// withdrawn Tuesday, and one that has none.
type received struct {
	*site
	a                  models.Organization
	b, foreign, nobody *browser
	latest             imports.DeliveryResult
}

// The days, the overview and a company's page show what was received.
func TestReceived(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Companies(t, a, "10000001", "10000002")
	foreign := s.member(t, s.Organization(t, "other", "10000003"), "owner@other.example", terms.Owner)
	s.deliver(t, "january.csv", dayLine("10000001", "CARD", "2026-01-05", "100.00"),
		dayLine("10000001", "CARD", "2026-01-12", "300.00"), dayLine("10000001", "CARD", "2026-01-19", "200.00"),
		dayLine("10000001", "CARD", "2026-01-26", "400.00"))
	latest := s.deliver(t, "february.csv", dayLine("10000001", "CARD", "2026-02-02", "50.00"),
		dayLine("10000002", "FEE", "2026-02-02", "-10.00"), dayLine("10000003", "CARD", "2026-02-02", "999.00"))
	s.withdraw(t, s.deliver(t, "wrong.csv", dayLine("10000001", "CARD", "2026-02-03", "70.00")), "sent twice")
	s.deliver(t, "correction.csv", dayLine("10000001", "CARD", "2026-01-26", "1.00"))
	s.deliverTo(t, &a, "held.csv", dayLine("10000009", "CARD", "2026-02-02", "5.00"))
	d := &received{
		s,
		a,
		b,
		foreign,
		s.member(t, s.Organization(t, "empty"), "owner@empty.example", terms.Owner),
		latest,
	}
	d.requireDays(t)
	d.requireOverview(t)
	d.requireCompanyBars(t)
}

func rowsOf(page *goquery.Selection) (rows []string) {
	for _, row := range page.EachIter() {
		var cells []string
		for _, cell := range row.Find("th, td").EachIter() {
			cells = append(cells, squeeze(cell.Text()))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return rows
}

// The days show what was received: each day's sum as the API has it, by type and by company,
// beside what is usual and what was withdrawn, with nothing of another organization.
func (d *received) requireDays(t *testing.T) {
	t.Helper()
	b, foreign := d.b, d.foreign
	page := b.get("/days")
	require.Equal(t, "Days in February 2026", page.text("h1"))
	days := rowsOf(page.page.Find("tbody tr"))
	require.Equal(t, []string{ // the latest first
		"2026-02-09 Monday|0.00|200.00|0||0|Nothing received No delivery file has records of this day.|Companies on 2026-02-09",
		"2026-02-03 Tuesday|0.00||0||0|Withdrawn: 1 record of 70.00 DKK|",
		"2026-02-02 Monday|40.00|250.00|2|CARD: 50.00 FEE: −10.00|1|Unusually low|Companies on 2026-02-02",
	}, days[len(days)-3:])
	require.Equal(t, []string{"Total|40.00||2|"}, rowsOf(page.page.Find("tfoot tr")))
	received, err := ledger.Days(t.Context(), d.Service.Tenant(d.a.ID), "", ledger.DayCursor{Limit: 100})
	require.NoError(t, err)
	require.Len(t, received.Items, 5)
	for _, item := range received.Items {
		day := item.DispositionDate.Format(time.DateOnly)
		cells := b.get("/days?month=" + day[:7]).page.Find("#day-" + day + " td")
		require.Equal(t, []string{item.AmountDKK, fmt.Sprint(item.Count)}, []string{cells.Eq(0).Text(), cells.Eq(2).Text()},
			day)
	}

	bars := page.page.Find("a.bar")
	require.Equal(t, 28, bars.Length())
	require.Equal(t, "Monday 2026-02-02: 40.00\u00a0DKK, usually 250.00\u00a0DKK", bars.Eq(1).AttrOr("aria-label", ""))
	require.Equal(t, page.attr("#day-2026-02-02 .actions a", "href"), bars.Eq(1).AttrOr("href", ""), "by company")
	require.Equal(t, "Tuesday 2026-02-03: 0.00\u00a0DKK, and 70.00\u00a0DKK withdrawn",
		bars.Eq(2).AttrOr("aria-label", ""))
	require.Equal(t, 1, bars.Eq(2).Find("rect.refused").Length())

	link := page.attr("#day-2026-02-02 .actions a", "href")
	open := b.get(link)
	require.Equal(t, "/transactions?from=2026-02-02&to=2026-02-02", open.attr("#day-2026-02-02 th a", "href"))
	require.Equal(
		t,
		[]string{"Company 10000001 10000001|50.00|250.00|1|||Unusually low 200.00 DKK less than usual|",
			"Company 10000002 10000002|−10.00||1||||"},
		rowsOf(open.page.Find("tr.inside:has(th)")),
	)
	require.Equal(t,
		[]string{"Company 10000001 10000001|0.00|200.00|0|||Nothing received 200.00 DKK less than usual|"},
		rowsOf(b.get("/days?month=2026-02&day=2026-02-09").page.Find("tr.inside:has(th)")))
	require.Contains(t, open.text("tr.inside td[colspan]"),
		"the companies’ figures need not add up to the day’s. The companies furthest below their usual sum stand first.")
	require.Equal(t, "Disposition date, company", open.page.Find("thead th").First().Text())
	require.Equal(t, "/companies/10000001?from=2026-02-02&to=2026-02-02",
		open.page.Find("tr.inside a").First().AttrOr("href", ""))

	january := b.get(page.attr("a[rel=prev]", "href"))
	require.Equal(t, []string{"Total|1,001.00||5|"}, rowsOf(january.page.Find("tfoot tr")))
	require.Zero(t, january.count("a[rel=prev]"))
	require.NotContains(t, january.text("thead"), "By type") // there is one
	require.Equal(t, "Days in February 2026", b.get(january.attr("a[rel=next]", "href")).text("h1"))
	var months []string
	for _, option := range january.page.Find("select[name=month] option").EachIter() {
		months = append(months, option.AttrOr("value", "")+option.AttrOr("selected", "-"))
	}
	require.Equal(t, []string{"2026-02-", "2026-01"}, months)
	require.Contains(t, b.get("/days?month=2020-01").text(), "Nothing was received for this month.")
	require.Equal(t, "Days in February 2026", b.get("/days?month=x&day=x").text("h1"))

	rows := readCSV(t, b.get("/days/export?format=csv&month=2026-02").body, ',')
	require.Equal(
		t,
		[][]string{
			{"dispositionDate", "transferType", "count", "amountDkk"},
			{"2026-02-02", "CARD", "1", "50.00"},
			{"2026-02-02", "FEE", "1", "-10.00"},
		},
		rows,
	)
	require.Contains(t, b.get("/settings/audit-log").text("tbody tr:first-child"),
		"Downloaded days CSV for programs, as in the API, from 2026-02-01, to 2026-02-28")

	theirs := foreign.get(link)
	require.Equal(t, []string{"Total|999.00||1|"}, rowsOf(theirs.page.Find("tfoot tr")))
	require.Equal(t, []string{"Company 10000003 10000003|999.00||1|||"}, rowsOf(theirs.page.Find("tr.inside:has(th)")))
	require.Equal(t, 2, len(readCSV(t, foreign.get("/days/export?format=csv&month=2026-02").body, ',')))
	require.Contains(t, d.nobody.get("/days").text(), "No transactions yet.")
}

// The overview shows money first, with or without keys, and then what needs attention.
func (d *received) requireOverview(t *testing.T) {
	t.Helper()
	s, a, b := d.site, d.a, d.b
	page := b.get("/")
	require.Contains(t, page.text("section[aria-labelledby=received] .figure"), "40.00 DKK")
	text := page.text("section[aria-labelledby=received]")
	require.Contains(
		t,
		text,
		"2 transactions whose money is available from 2026-02-02, their disposition date. Usually 250.00 DKK on a Monday: compare by company. The latest delivery came",
	)
	require.Contains(t, text, "Unusually low")
	latest := "section[aria-labelledby=received] a[href='/deliveries/" + s.fileID(t, a, d.latest.ID) + "']"
	require.Equal(t, 1, page.count(latest))
	require.Contains(t, page.text("section[aria-labelledby=attention]"),
		"1 record of 5.00 DKK is held, because there is no company with the CVR 10000009.")
	require.Contains(t, page.text(), "No requests yet.")

	expiring, _ := s.Key(t, a)
	rotating, _ := s.Key(t, a)
	s.execute(t, `UPDATE api_keys SET name = 'Ends', expires_at = now() + interval '3 days' WHERE id = $1`, expiring.ID)
	s.execute(t, `UPDATE api_keys SET name = 'Old' WHERE id = $1`, rotating.ID)
	successor, _ := s.Key(t, a)
	s.execute(t, `UPDATE api_keys SET successor_of = $1 WHERE id = $2`, rotating.ID, successor.ID)
	s.execute(t, `INSERT INTO refused_requests SELECT $1, gen_random_uuid(), now() - make_interval(hours => n), $2, 429,
		'', 'GET', '/', '', '' FROM unnest(ARRAY[1, 2, 30]) n`, a.ID, expiring.ID)
	attention := b.get("/").text("section[aria-labelledby=attention] li")
	require.Contains(t, attention, "Ends …"+expiring.Hint+" stops working after")
	require.Contains(t, attention, "The rotation of Old …"+rotating.Hint+" is not finished. Go on with it")
	require.Contains(t, attention, "2 requests were refused in the last 24 hours.")

	theirs := d.foreign.get("/")
	require.Contains(t, theirs.text(".figure"), "999.00 DKK")
	require.Zero(t, theirs.count("section[aria-labelledby=attention]"))
	require.Contains(t, d.nobody.get("/").text(), "No transactions yet.")
}

// A day to come never hides today, on any page: not on the overview, not on the page of
// days, not on that of deliveries. What it has is to come, and not received. Companies that
// usually have transactions and have none stand first, in the order of what is missing.
func TestDayToCome(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Companies(t, a, "10000001", "10000002", "10000003", "10000004")
	foreign := s.member(t, s.Organization(t, "other", "10000005"), "owner@other.example", terms.Owner)
	today, err := time.Parse(time.DateOnly,
		modelstest.ValueAt[string](t, s.URL, `SELECT (now() AT TIME ZONE 'Europe/Copenhagen')::date::text`))
	require.NoError(t, err)
	day := func(back int) string { return today.AddDate(0, 0, -back).Format(time.DateOnly) }
	s.deliver(t, "ahead.csv", dayLine("10000001", "REFUND", day(-1), "-5474.95"),
		dayLine("10000005", "CARD", day(-1), "3.00"))
	require.Contains(t, b.get("/").text(), "Nothing has been received up to today.")
	var history []string
	for week := 1; week < 11; week++ {
		history = append(history, dayLine("10000001", "CARD", day(7*week), "100.00"),
			dayLine("10000002", "CARD", day(7*week), "1500.00"), dayLine("10000005", "CARD", day(7*week), "1.00"))
		if week < 4 {
			history = append(history, dayLine("10000003", "CARD", day(7*week), fmt.Sprint(week*1000, ".00")))
		}
		if week > 5 { // not on most of the last eight
			history = append(history, dayLine("10000004", "CARD", day(7*week), "9000.00"))
		}
	}
	s.deliver(t, "history.csv", history...)
	const waits, low = "Nothing received yet", "Unusually low so far"
	note := func(path, row, day string) (found string) {
		for _, text := range rowsOf(b.get(path).page.Find(row)) {
			if strings.HasPrefix(text, day) {
				found += text
			}
		}
		return found
	}
	pages := map[string]string{
		"/days?month=" + day(0)[:7]: "tbody tr",
		"/deliveries":               "section[aria-labelledby=days] tbody tr",
	}
	bankDay := ledger.BankDay(today) || today.Weekday() == time.Saturday ||
		today.Weekday() == time.Sunday // a bank holiday has no usual
	for path, row := range pages {
		require.Equal(t, bankDay, strings.Contains(note(path, row, day(0)), waits), path)
	}
	require.Equal(t, bankDay, strings.Contains(b.get("/").text("section[aria-labelledby=days] .points"), waits))
	require.NotContains(t, b.get("/").text("main"), "Nothing received No")

	s.deliver(t, "today.csv", dayLine("10000001", "CARD", day(0), "110.00"))
	page := b.get("/")
	require.Equal(t, "110.00 DKK so far", page.text("section[aria-labelledby=received] .figure"))
	require.Contains(t, page.text("section[aria-labelledby=days] .points"), "To come −5,474.95 DKK so far")
	require.NotContains(t, page.text(".points"), low)
	require.Equal(t, bankDay, strings.Contains(page.text("section[aria-labelledby=received]"), low))
	require.Equal(
		t,
		bankDay,
		strings.Contains(page.text("section[aria-labelledby=attention]"),
			"1 transaction of 110.00 DKK, usually 3 of 4,100.00 DKK. See which companies are missing"),
	)
	for path, row := range pages {
		require.Equal(t, bankDay, strings.Contains(note(path, row, day(0)), low), path)
		if path == "/deliveries" || day(-1)[:7] == day(0)[:7] {
			ahead := note(path, row, day(-1))
			require.Contains(t, ahead, "To come", path)
			require.NotContains(t, ahead, "nusually", path)
			require.Contains(t, b.get(path).text(".legend"), "−5,474.95 DKK to come", path)
		}
		require.NotContains(t, b.get(path).text("main"), "Nothing received No", path)
	}
	bar := page.page.Find("a.bar").Last()
	require.Equal(t, today.AddDate(0, 0, 1).Format("Monday 2006-01-02")+": −5,474.95\u00a0DKK, to come",
		bar.AttrOr("aria-label", ""))
	require.Equal(t, 1, bar.Find("rect.ahead").Length())
	require.Contains(t, b.get(bar.AttrOr("href", "")).text("tr.inside"), "Company 10000001", "from the overview")
	require.Equal(t, bar.AttrOr("href", ""), b.get("/deliveries").page.Find("a.bar").Last().AttrOr("href", ""))
	require.Contains(t, b.get("/days").text("h1"), today.Format("January 2006"))
	if bankDay {
		require.Equal(t, []string{
			"Company 10000003 10000003|0.00|2,000.00|0||Nothing received yet|",
			"Company 10000002 10000002|0.00|1,500.00|0||Nothing received yet|",
			"Company 10000001 10000001|110.00|100.00|1|||",
		}, rowsOf(b.get("/days?month="+day(0)[:7]+"&day="+day(0)).page.Find("tr.inside:has(th)")))
		require.Equal(t, []string{"Company 10000005 10000005|0.00|1.00|0||Nothing received yet|"},
			rowsOf(foreign.get("/days?month="+day(0)[:7]+"&day="+day(0)).page.Find("tr.inside:has(th)")))
	}
	require.Equal(t, []string{"Company 10000001 10000001|−5,474.95||1|||"},
		rowsOf(b.get("/days?month="+day(-1)[:7]+"&day="+day(-1)).page.Find("tr.inside:has(th)")))
	require.Equal(t, []string{"Company 10000005 10000005|3.00||1|||"},
		rowsOf(foreign.get("/days?month="+day(-1)[:7]+"&day="+day(-1)).page.Find("tr.inside:has(th)")))
}

// Of the companies of a day below its usual sum, those furthest below theirs stand first. The first
// of them says by how much, also if it has more than half.
func TestDayCompaniesStandByWhatIsMissing(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Companies(t, a, "10000001", "10000002", "10000003", "10000004", "10000005")
	var lines []string
	for _, monday := range []string{"2026-01-05", "2026-01-12", "2026-01-19", "2026-01-26"} {
		lines = append(lines, dayLine("10000001", "CARD", monday, "100.00"), dayLine("10000002", "CARD", monday, "1000.00"),
			dayLine("10000003", "CARD", monday, "50.00"), dayLine("10000004", "CARD", monday, "5000.00"))
	}
	s.deliver(t, "usual.csv", append(lines, dayLine("10000002", "CARD", "2026-02-02", "600.00"),
		dayLine("10000003", "CARD", "2026-02-02", "20.00"), dayLine("10000004", "CARD", "2026-02-02", "5000.00"),
		dayLine("10000005", "CARD", "2026-02-02", "-7000.00"), dayLine("10000005", "CARD", "2026-02-03", "-10.00"))...)
	companies := func(day string) []string {
		return rowsOf(b.get("/days?month=2026-02&day=" + day).page.Find("tr.inside:has(th)"))
	}
	require.Equal(t, []string{
		"Company 10000002 10000002|600.00|1,000.00|1||400.00 DKK less than usual|",
		"Company 10000001 10000001|0.00|100.00|0||Nothing received 100.00 DKK less than usual|",
		"Company 10000003 10000003|20.00|50.00|1||Unusually low 30.00 DKK less than usual|",
		"Company 10000005 10000005|−7,000.00||1|||",
		"Company 10000004 10000004|5,000.00|5,000.00|1|||",
	}, companies("2026-02-02"))
	require.Equal(t, []string{"Company 10000005 10000005|−10.00||1|||"}, companies("2026-02-03"))
}

// Of the companies of a day that is not below its usual sum, the largest sums stand first, whether
// they are above their usual or below. Only those that the overview names as absent stand before
// them, so that they are found where it leads to.
func TestDayCompaniesStandBySumOnAnOrdinaryDay(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Companies(t, a, "10000001", "10000002", "10000003", "10000004")
	monday := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	var lines []string
	for week := 1; week <= 8; week++ {
		day := monday.AddDate(0, 0, -7*week).Format(time.DateOnly)
		lines = append(lines, dayLine("10000001", "CARD", day, "1000.00"), dayLine("10000002", "CARD", day, "500.00"),
			dayLine("10000003", "CARD", day, "20.00"))
		if week <= 5 { // too seldom for it to be absent
			lines = append(lines, dayLine("10000004", "CARD", day, "90.00"))
		}
	}
	s.deliver(t, "usual.csv", append(lines, dayLine("10000001", "CARD", "2026-02-02", "900.00"),
		dayLine("10000002", "CARD", "2026-02-02", "800.00"))...)
	page := b.get("/days?month=2026-02&day=2026-02-02")
	require.Equal(t, []string{
		"Company 10000003 10000003|0.00|20.00|0||Nothing received 20.00 DKK less than usual|",
		"Company 10000001 10000001|900.00|1,000.00|1|||",
		"Company 10000002 10000002|800.00|500.00|1|||",
		"Company 10000004 10000004|0.00|90.00|0||Nothing received 90.00 DKK less than usual|",
	}, rowsOf(page.page.Find("tr.inside:has(th)")))
	require.Contains(t, page.text("tr.inside td[colspan]"), "then the largest sums.")
}

// A company's page has its months of a year or its last days as bars, and of no other one.
func (d *received) requireCompanyBars(t *testing.T) {
	t.Helper()
	today := modelstest.ValueAt[string](t, d.URL, `SELECT (now() AT TIME ZONE 'Europe/Copenhagen')::date::text`)
	day, err := time.Parse(time.DateOnly, today)
	require.NoError(t, err)
	d.deliver(t, "today.csv", dayLine("10000001", "CARD", today, "12.00"), dayLine("10000002", "CARD", today, "30.00"),
		dayLine("10000001", "CARD", day.AddDate(0, 0, 40).Format(time.DateOnly), "9.00"))
	first := day.AddDate(0, 0, 1-day.Day())
	for address, want := range map[string][]any{
		"/companies/10000001":           {12, day.Format("January 2006") + ": 12.00\u00a0DKK", "from=" + first.Format(time.DateOnly) + "&to=" + today},
		"/companies/10000001?bars=days": {30, day.Format("Monday 2006-01-02") + ": 12.00\u00a0DKK", "from=" + today + "&to=" + today},
	} {
		bars := d.b.get(address).page.Find("a.bar")
		last := bars.Last()
		require.Equal(t, want, []any{bars.Length(), last.AttrOr("aria-label", ""),
			strings.TrimPrefix(last.AttrOr("href", ""), "/companies/10000001?")})
		require.Equal(t, http.StatusOK, d.b.get(last.AttrOr("href", "")).StatusCode)
	}
}

// A delivery that is late is said on the overview, on the page of deliveries and on its
// day, which keeps it when the next one has come. Without an expected time, nothing is said.
func TestLateDeliveryIsSaid(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Companies(t, a, "10000001")
	earlier := time.Now().AddDate(0, 0, -40)
	result := s.deliver(t, "delivery.csv", dayLine("10000001", "CARD", earlier.Format(time.DateOnly), "1.00"))
	s.execute(t, `UPDATE delivery_files SET created_at = $1 WHERE delivery_id = $2`, earlier, result.ID)
	const late, missed, next = "The delivery expected by", "No delivery had arrived by 00:00.", "The next one came"
	require.NotContains(t, b.get("/").text("main")+b.get("/deliveries").text("main"), late)

	s.execute(t, `UPDATE organizations SET expected_by = '00:00', expected_since = '2020-01-01'`)
	day, err := ledger.LateDelivery(t.Context(), s.Service.Tenant(a.ID), time.Now())
	require.NoError(t, err)
	row := func() string {
		return b.get("/days?month=" + day.Day.Format("2006-01")).text("#day-" + day.Day.Format(time.DateOnly))
	}
	require.Contains(t, b.get("/").text("section[aria-labelledby=attention]"), late)
	require.Contains(t, b.get("/deliveries").text(".banner"), late)
	require.Contains(t, row(), missed)
	require.NotContains(t, row(), next)

	s.Delivery(t, "10000001", 1)
	require.NotContains(t, b.get("/").text("main")+b.get("/deliveries").text("main"), late)
	require.Contains(t, row(), missed)
	require.Contains(t, row(), next)
}
