package dashboard

import (
	"context"
	"slices"
	"time"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/web"
)

const (
	daysAhead  = 7  // days after today, shown if they have transactions
	usualWeeks = 16 // in which the days whose median is the usual are looked for
	barDays    = 30
	barMonths  = 12

	dayCompaniesShown = 100
)

// receivedDays reads what was received from one day to another, the latest first, beside what
// is usual on these weekdays: of a company, or of all if cvr is empty.
func receivedDays(r *site.Request, tenant models.Tenant, cvr string, from, to time.Time) ([]web.ReceivedDay, error) {
	today := localDay(r)
	known, err := ledger.ArrivalDays(r.Context(), tenant, cvr, from.AddDate(0, 0, -7*usualWeeks), from, to)
	if err != nil {
		return nil, err
	}
	return toReceivedDays(known, today, from, to), nil
}

// localDay is the organization's day.
func localDay(r *site.Request) time.Time {
	now := r.Now.In(r.Zone)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}

// toReceivedDays returns the days from one to another, the latest first. It leaves out those
// after today without transactions, and those before the first known one.
func toReceivedDays(known []ledger.ArrivalDay, today, from, to time.Time) (days []web.ReceivedDay) {
	byDay := map[time.Time]ledger.ArrivalDay{}
	first := today
	for _, day := range known {
		byDay[day.Day] = day
		if day.Count > 0 && day.Day.Before(first) {
			first = day.Day
		}
	}
	of := func(day time.Time) ledger.ArrivalDay {
		if found, ok := byDay[day]; ok {
			return found
		}
		return ledger.ArrivalDay{Day: day, AmountDKK: "0.00", WithdrawnDKK: "0.00"}
	}
	for day := to; !day.Before(from); day = day.AddDate(0, 0, -1) {
		found := of(day)
		if found.WithdrawnFiles == 0 && (day.After(today) && found.Count == 0 || day.Before(first)) {
			continue
		}
		row := toReceivedDay(found)
		var past []ledger.ArrivalDay // of the same weekday, the latest first
		for _, before := range weekdaysBefore(day, today) {
			if !before.Before(first) {
				past = append(past, of(before))
			}
		}
		row.UsualCount, row.UsualAmount = usual(past)
		row.Compared = len(past) >= ledger.ComparedLeast
		if day.Weekday()%6 != 0 && !ledger.BankDay(day) { // a bank holiday, not a weekend
			row.UsualCount, row.UsualAmount = 0, "0.00"
		}
		days = append(days, row)
	}
	return days
}

// weekdaysBefore returns the same weekday of the weeks before a day, the latest first. Today
// and later days are not full yet, and left out.
func weekdaysBefore(day, today time.Time) (days []time.Time) {
	for week := 1; week <= usualWeeks; week++ {
		if before := day.AddDate(0, 0, -7*week); before.Before(today) {
			days = append(days, before)
		}
	}
	return days
}

// comparedMost is how many transactions a day may have whose companies are compared with the
// days before: nine such days are read in a second.
const comparedMost = 50_000

// comparedDays returns the days that a day's companies are compared with: none for a day to
// come, which may still be delivered, and none where that would take too long.
func comparedDays(d web.ReceivedDay, day, today time.Time) []time.Time {
	if d.UsualCount == 0 || max(d.UsualCount, d.Count) > comparedMost || day.After(today) {
		return nil
	}
	return weekdaysBefore(day, today)
}

// usual returns the median of the latest of some days that have transactions. The number is
// zero if most days have none, and the sum is empty if too few days are known.
func usual(past []ledger.ArrivalDay) (count int64, amount string) {
	var counts []int64
	var amounts []string
	known := 0
	for ; known < len(past) && len(counts) < ledger.UsualDays; known++ {
		if past[known].Count > 0 {
			counts, amounts = append(counts, past[known].Count), append(amounts, past[known].AmountDKK)
		}
	}
	switch {
	case known < ledger.UsualLeast:
		return 0, ""
	case 2*len(counts) <= known:
		return 0, "0.00"
	}
	slices.Sort(counts)
	return (counts[(len(counts)-1)/2] + counts[len(counts)/2] + 1) / 2, ledger.MedianAmount(amounts)
}

func toReceivedDay(d ledger.ArrivalDay) web.ReceivedDay {
	row := web.ReceivedDay{Day: apiDate(d.Day), Count: d.Count, Amount: d.AmountDKK, Files: d.Files,
		WithdrawnFiles: d.WithdrawnFiles, WithdrawnCount: d.WithdrawnCount, WithdrawnAmount: d.WithdrawnDKK,
		SentAgain: d.SentAgain}
	if d.WithdrawnID != nil {
		row.WithdrawnID = d.WithdrawnID.String()
	}
	return row
}

// dayBars returns a bar for each day from one on to the latest known.
func dayBars(days []web.ReceivedDay, from time.Time) web.DayBars {
	known := map[string]web.ReceivedDay{}
	for _, d := range days {
		known[d.Day] = d
	}
	var bars web.DayBars
	for day := from; len(days) > 0 && apiDate(day) <= days[0].Day; day = day.AddDate(0, 0, 1) {
		bar, found := known[apiDate(day)]
		if !found {
			bar = toReceivedDay(ledger.ArrivalDay{Day: day, AmountDKK: "0.00", WithdrawnDKK: "0.00"})
		}
		bars.Days = append(bars.Days, bar)
	}
	return bars
}

// companyBars returns a company's last months or days, as the address says.
func companyBars(r *site.Request, tenant models.Tenant, cvr string) (web.DayBars, error) {
	path, today := "/companies/"+cvr, localDay(r)
	if r.Query("bars") == "days" {
		from := today.AddDate(0, 0, 1-barDays)
		days, err := receivedDays(r, tenant, cvr, from, today.AddDate(0, 0, daysAhead))
		bars := dayBars(days, from)
		bars.Link, bars.Switch = path, path
		return bars, err
	}
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	first := month.AddDate(0, 1-barMonths, 0)
	known, err := ledger.ArrivalMonths(r.Context(), tenant, cvr, first, today)
	bars := web.DayBars{Link: path, ByMonth: true, Switch: path + "?bars=days"}
	for ; !first.After(month); first = first.AddDate(0, 1, 0) {
		found := ledger.ArrivalDay{Day: first, AmountDKK: "0.00", WithdrawnDKK: "0.00"}
		for _, known := range known {
			if known.Day.Equal(first) {
				found = known
			}
		}
		bars.Days = append(bars.Days, toReceivedDay(found))
	}
	return bars, err
}

// monthOf reads the month from the address: its first and its last day. Without one, it is
// the latest up to today that has transactions, or the present one.
func monthOf(r *site.Request, span ledger.DaySpan) (first, last time.Time) {
	first, err := time.Parse("2006-01", r.Query("month"))
	if err != nil {
		day := localDay(r)
		if span.Newest != nil {
			day = *span.Newest
		}
		first = time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	return first, first.AddDate(0, 1, -1)
}

func dayList(r *site.Request) error {
	tenant := r.Tenant()
	span, err := ledger.ReceivedSpan(r.Context(), tenant, localDay(r))
	if err != nil {
		return err
	}
	first, last := monthOf(r, span)
	days, err := receivedDays(r, tenant, "", first, last)
	if err != nil {
		return err
	}
	before := first.AddDate(0, 0, -1)
	received, err := ledger.Days(r.Context(), tenant, "", ledger.DayCursor{After: &before, Limit: 31})
	if err != nil {
		return err
	}
	types := map[string][]web.DayPart{}
	for _, d := range received.Items {
		for i, name := range d.Types {
			part := web.DayPart{Name: name, Count: d.TypeCounts[i], Amount: d.TypeAmounts[i]}
			types[apiDate(d.DispositionDate)] = append(types[apiDate(d.DispositionDate)], part)
		}
	}
	until := last.AddDate(0, 0, daysAhead)
	if until.After(r.Now) {
		until = r.Now
	}
	lateDays, err := ledger.LateDays(r.Context(), tenant, first, until)
	if err != nil {
		return err
	}
	late := map[string]ledger.LateDay{}
	for _, d := range lateDays {
		late[apiDate(d.Day)] = d
	}
	month := first.Format("2006-01")
	view := web.DaysView{Frame: r.Frame, Month: apiDate(first), Bars: dayBars(days, first),
		Download: web.Download{Path: "/days/export", Query: "month=" + month, OneMonth: true}}
	var sums []string
	for _, d := range view.Bars.Days {
		view.Count += d.Count
		sums = append(sums, d.Amount)
		if d.Count == 0 && d.WithdrawnFiles == 0 && d.UsualCount == 0 && late[d.Day].By.IsZero() {
			continue
		}
		row := web.DayRow{ReceivedDay: d, Types: types[d.Day], LateBy: late[d.Day].By, NextAt: valueOf(late[d.Day].ArrivedAt)}
		if day, err := time.Parse(time.DateOnly, d.Day); err == nil && d.Day == r.Query("day") {
			order := ledger.BySum
			if d.BelowUsual() {
				order = ledger.ByShortfall
			}
			companies, more, err := ledger.DayCompanies(r.Context(), tenant, day, comparedDays(d, day, localDay(r)),
				order, dayCompaniesShown)
			if err != nil {
				return err
			}
			row.Open, row.More = true, more
			for _, c := range companies {
				company := web.DayCompany{CVR: c.CVR, Name: c.CompanyName,
					ReceivedDay: web.ReceivedDay{Day: d.Day, Count: c.Count, Amount: c.AmountDKK, UsualAmount: c.UsualDKK}}
				if c.UsualDKK != "" {
					company.UsualCount = 1 // some
				}
				row.Companies = append(row.Companies, company)
			}
		}
		view.Days = append(view.Days, row)
	}
	slices.Reverse(view.Days)
	view.Sum = ledger.SumAmounts(sums)
	view.Months = months(first, span)
	if span.First != nil && span.First.Before(first) {
		view.Pager.Prev = "/days?month=" + before.Format("2006-01")
	}
	if span.Last != nil && span.Last.After(last) {
		view.Pager.Next = "/days?month=" + last.AddDate(0, 0, 1).Format("2006-01")
	}
	return r.Show(web.DaysPage(view))
}

// mostMonths are to choose from: a mistaken date may be centuries away.
const mostMonths = 20 * 12

// months returns the months that can be chosen, the latest first: those of the span, and the one
// shown.
func months(shown time.Time, span ledger.DaySpan) (all []string) {
	if span.First == nil {
		return nil
	}
	last := time.Date(span.Last.Year(), span.Last.Month(), 1, 0, 0, 0, 0, time.UTC)
	for month := last; !month.AddDate(0, 1, -1).Before(*span.First) && len(all) < mostMonths; month = month.AddDate(0, -1, 0) {
		all = append(all, apiDate(month))
	}
	if !slices.Contains(all, apiDate(shown)) {
		all = append(all, apiDate(shown))
	}
	return all
}

func dayExport(r *site.Request) error {
	tenant := r.Tenant()
	span, err := ledger.ReceivedSpan(r.Context(), tenant, localDay(r))
	if err != nil {
		return err
	}
	first, last := monthOf(r, span)
	month := first.Format("2006-01")
	days := web.TransactionFilter{From: web.Field{Value: apiDate(first)}, To: web.Field{Value: apiDate(last)}}
	what := exported{models.ActionDayExport, days.Describe(), r.T("days {month}", "month", month)}
	return sendExport(r, what, dayTable(r.Frame), func(ctx context.Context, each func(*models.DailyTotal) error) error {
		return ledger.EachDayTotal(ctx, tenant, first, last, each)
	})
}
