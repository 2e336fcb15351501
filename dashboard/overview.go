package dashboard

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/web"
)

const (
	chartHours    = 48
	chartDays     = 30
	refusalsShown = 5
	refusalsRead  = 100 // before identical ones are put together
)

func (c Config) overview(r *site.Request) error {
	tenant := r.Tenant()
	chart, query := chartOf(r, web.ChartBy(r.Query("by")))
	counts, err := keys.Counts(r.Context(), tenant, query)
	if err != nil {
		return err
	}
	listed, err := keys.List(r.Context(), tenant)
	if err != nil {
		return err
	}
	used, err := keys.ByKey(r.Context(), tenant, query)
	if err != nil {
		return err
	}
	refused, err := keys.Refusals(r.Context(), tenant, nil, refusalsRead)
	if err != nil {
		return err
	}
	chart.Bars = bars(query, counts)
	if chart.By == web.ByHour && c.Limits.PerKey == (query.KeyID != nil) {
		chart.Limit = cmp.Or(r.Session.Current.LimitHour, c.Limits.Hour)
	}
	view := web.OverviewView{Frame: r.Frame, Chart: chart}
	view.Ending, view.Expiring = view.Expiring, nil
	if err := money(r, &view); err != nil {
		return err
	}
	calling, err := keys.StillCalling(r.Context(), tenant, r.Now)
	if err != nil {
		return err
	}
	rows := keyRows(listed, nil, calling)
	for i, k := range listed {
		count := used[k.ID]
		if k.RevokedAt != nil && count.Requests == 0 {
			continue
		}
		view.Keys = append(view.Keys,
			web.KeyUse{KeyRow: rows[i], Served: count.Requests - count.Refused, Refused: count.Refused})
	}
	slices.SortStableFunc(view.Keys,
		func(a, b web.KeyUse) int { return cmp.Compare(b.Served+b.Refused, a.Served+a.Refused) })
	c.fillUse(r, &view, listed, rows)
	view.Refusals = refusalsOf(refused)
	for _, one := range refused {
		if !one.At.After(r.Now.Add(-24 * time.Hour)) {
			continue
		}
		view.RefusedToday++
		known := slices.ContainsFunc(view.Revoked, func(r web.Refusal) bool { return r.KeyID == one.KeyID.String() })
		if one.Reason == "revoked" && !known {
			view.Revoked = append(view.Revoked, refusal(one))
		}
	}
	view.MoreRefused = view.RefusedToday == refusalsRead // as many as are kept
	return r.Show(web.OverviewPage(view))
}

// fillUse fills in how much of the limits is used: by the organization or, if each key has
// limits of its own, by the chart's key, or else by the one that has the fewest requests left.
func (c Config) fillUse(r *site.Request, view *web.OverviewView, listed []keys.Detail, rows []web.KeyRow) {
	current := r.Session.Current
	view.Minute, view.Hour = c.Limits.Use(current.OrganizationID, current.Limits)
	left := func(minute, hour web.Use) int64 { return min(minute.Limit-minute.Used, hour.Limit-hour.Used) }
	for i, k := range listed {
		if !c.Limits.PerKey || k.LastUsedAt == nil || r.Now.Sub(*k.LastUsedAt) > time.Hour { // nothing of it is counted
			continue
		}
		minute, hour := c.Limits.Use(k.ID, current.Limits)
		if chosen := rows[i].ID == view.Chart.KeyID; chosen || view.UseOf.ID == "" ||
			left(minute, hour) < left(view.Minute, view.Hour) {
			view.UseOf, view.Minute, view.Hour = rows[i], minute, hour
			if chosen {
				return
			}
		}
	}
}

// money reads what was received: the last days, and the newest day up to today that has
// transactions.
func money(r *site.Request, view *web.OverviewView) error {
	tenant, today := r.Tenant(), localDay(r)
	from, to := today.AddDate(0, 0, 1-barDays), today.AddDate(0, 0, daysAhead)
	span, err := ledger.ReceivedSpan(r.Context(), tenant, today)
	if err != nil {
		return err
	}
	days, err := receivedDays(r, tenant, "", from, to)
	if err != nil {
		return err
	}
	view.Bars = dayBars(days, from)
	if view.Absent, err = absent(r, tenant, days); err != nil {
		return err
	}
	if view.LateBy, err = lateBy(r, tenant); err != nil {
		return err
	}
	waiting, err := ledger.Waiting(r.Context(), tenant, waitingShown)
	if err != nil {
		return err
	}
	view.Waiting = waitingRows(waiting)
	if view.Withdrawals, err = missing(r, tenant, days); err != nil || span.Newest == nil {
		return err
	}
	if span.Newest.Before(from) {
		if days, err = receivedDays(r, tenant, "", *span.Newest, *span.Newest); err != nil {
			return err
		}
	}
	for _, d := range days {
		if d.Day == apiDate(*span.Newest) {
			view.Newest = d
		}
	}
	if view.Newest.Day == apiDate(today) {
		by, err := ledger.DeliveredBy(r.Context(), tenant, r.Now)
		if err != nil {
			return err
		}
		view.SoFar = by == "" || r.Now.In(r.Zone).Format("15:04") < by || !view.LateBy.IsZero()
	}
	arrival, err := ledger.LatestArrival(r.Context(), tenant, *span.Newest)
	if err == nil {
		view.Arrived = deliveryRow(arrival)
	}
	if models.ErrorKind(err) == models.KindNotFound { // withdrawn meanwhile
		err = nil
	}
	return err
}

// absentMost is how many transactions a day may have whose absent companies are looked for on each
// visit of the overview.
const absentMost = 10_000

// absent finds the companies that usually have transactions on the weekday of the last day before
// today that has any, and have none.
func absent(r *site.Request, tenant models.Tenant, days []web.ReceivedDay) (of web.AbsentCompanies, err error) {
	for _, d := range days { // the latest first
		if d.Day >= apiDate(localDay(r)) || d.Count == 0 {
			continue
		}
		day, err := time.Parse(time.DateOnly, d.Day)
		if err != nil || max(d.Count, d.UsualCount) > absentMost {
			return of, err
		}
		found, err := ledger.AbsentCompanies(r.Context(), tenant, day, web.AbsentNamed)
		of.Day = d
		for _, c := range found {
			of.Count, of.Usual = c.Count, c.SumDKK
			of.Named = append(of.Named, web.CompanyRow{CVR: c.CVR, Name: c.CompanyName})
		}
		return of, err
	}
	return of, nil
}

// missing reads why days have nothing left: the withdrawals from the first of them to the last.
func missing(r *site.Request, tenant models.Tenant, days []web.ReceivedDay) ([]web.Withdrawal, error) {
	var from, to *time.Time
	for _, d := range days { // the latest first
		if day, err := time.Parse(time.DateOnly, d.Day); err == nil && d.Count == 0 && d.WithdrawnFiles > 0 {
			from, to = &day, cmp.Or(to, &day)
		}
	}
	if from == nil {
		return nil, nil
	}
	return withdrawals(r, tenant, "", from, to)
}

// refusalsOf puts identical refused requests together, the latest first.
func refusalsOf(refused []keys.Refusal) (shown []web.Refusal) {
	at := map[web.Refusal]int{} // the index in shown
	for _, one := range refused {
		same := refusal(one)
		same.At = time.Time{}
		i, known := at[same]
		if !known {
			i, at[same] = len(shown), len(shown)
			same.At = one.At
			shown = append(shown, same)
		}
		shown[i].Count++
		shown[i].FirstAt = one.At
	}
	return shown[:min(len(shown), refusalsShown)]
}

func refusal(r keys.Refusal) web.Refusal {
	return web.Refusal{At: r.At, KeyID: r.KeyID.String(), KeyName: r.KeyName, KeyHint: r.KeyHint,
		Status: r.Status, Reason: r.Reason, Method: r.Method, Path: r.Path, Address: r.Address, UserAgent: r.UserAgent}
}

// chartOf reads from the parameters what the chart shows, by hour unless by says otherwise, and returns the query for it.
func chartOf(r *site.Request, by web.ChartBy) (web.Chart, keys.Query) {
	now := r.Now.In(r.Zone)
	chart := web.Chart{By: web.ByHour}
	end := now.Truncate(time.Hour).Add(time.Hour)
	query := keys.Query{Since: end.Add(-chartHours * time.Hour), Until: end}
	if day, err := time.ParseInLocation(time.DateOnly, r.Query("day"), r.Zone); err == nil {
		chart.Day = day.Format(time.DateOnly)
		query.Since, query.Until = day, day.AddDate(0, 0, 1)
	} else if by == web.ByDay {
		chart.By = web.ByDay
		first := time.Date(now.Year(), now.Month(), now.Day()+1-chartDays, 0, 0, 0, 0, r.Zone)
		query = keys.Query{Since: first, Until: first.AddDate(0, 0, chartDays), ByDay: true}
	}
	if id, err := uuid.Parse(r.Query("key")); err == nil {
		chart.KeyID = r.Query("key")
		query.KeyID = &id
	}
	return chart, query
}

// bars returns a bar for each hour or day, including those without requests. A day's begins
// at midnight in UTC, as that of keys.Count.
func bars(query keys.Query, counts []keys.Count) []web.Bar {
	at := map[int64]keys.Count{}
	for _, count := range counts {
		at[count.Start.Unix()] = count
	}
	var all []web.Bar
	add := func(start time.Time) {
		count := at[start.Unix()]
		all = append(all, web.Bar{Start: start, Served: count.Requests - count.Refused, Refused: count.Refused})
	}
	if query.ByDay {
		first, end := query.Since, query.Until
		for day := time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, time.UTC); day.Format(time.DateOnly) < end.Format(time.DateOnly); day = day.AddDate(0, 0, 1) {
			add(day)
		}
		return all
	}
	// The hours of UTC, which begin at half past in some time zones.
	for start := query.Since.Add(time.Hour - 1).Truncate(time.Hour); start.Before(query.Until); start = start.Add(time.Hour) {
		add(start)
	}
	return all
}
