package dashboard

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/web"
)

const (
	chartHours    = 48
	chartDays     = 30
	refusalsShown = 20
)

func (h *handler) overview(v *visit) error {
	tenant := h.tenant(v)
	chart, wanted := chartOf(v)
	counts, err := tenant.Usage(v.UserContext(), wanted)
	if err != nil {
		return err
	}
	byKey, err := tenant.UsageByKey(v.UserContext(), wanted.Since, wanted.Until)
	if err != nil {
		return err
	}
	refused, err := tenant.RefusedRequests(v.UserContext(), refusalsShown)
	if err != nil {
		return err
	}
	chart.Bars = bars(wanted, counts)
	if chart.By == web.ByHour && h.Limits.PerKey == (wanted.KeyID != nil) {
		chart.Limit = h.Limits.Hour
	}
	view := web.OverviewView{Frame: v.frame, Chart: chart}
	counted := v.session.Current.OrganizationID
	for _, k := range byKey {
		if h.Limits.PerKey && wanted.KeyID != nil && k.ID == *wanted.KeyID { // one of theirs, as it stands here
			counted = k.ID
		}
		view.Keys = append(view.Keys, web.KeyUse{ID: k.ID.String(), Name: k.Name, Hint: k.Hint, State: web.KeyState(k.State()),
			Served: k.Requests - k.Refused, Refused: k.Refused})
	}
	view.Minute, view.Hour = h.Limits.Use(counted)
	for _, r := range refused {
		view.Refusals = append(view.Refusals, web.Refusal{At: r.At, KeyName: r.KeyName, KeyHint: r.KeyHint,
			Status: r.Status, Method: r.Method, Path: r.Path, Address: r.Address, UserAgent: r.UserAgent})
	}
	return v.show(web.OverviewPage(view))
}

// chartOf reads what the chart is to show, and which requests it counts.
func chartOf(v *visit) (web.Chart, models.UsageQuery) {
	now := v.frame.Now.UTC()
	chart := web.Chart{By: web.ByHour}
	end := now.Truncate(time.Hour).Add(time.Hour)
	wanted := models.UsageQuery{Since: end.Add(-chartHours * time.Hour), Until: end}
	if day, err := time.Parse(time.DateOnly, v.Query("day")); err == nil {
		chart.Day = day.Format(time.DateOnly)
		wanted.Since, wanted.Until = day, day.AddDate(0, 0, 1)
	} else if v.Query("by") == string(web.ByDay) {
		chart.By = web.ByDay
		end := now.Truncate(24*time.Hour).AddDate(0, 0, 1)
		wanted = models.UsageQuery{Since: end.AddDate(0, 0, -chartDays), Until: end, ByDay: true}
	}
	if id, err := uuid.Parse(v.Query("key")); err == nil {
		chart.KeyID = strings.Clone(v.Query("key"))
		wanted.KeyID = &id
	}
	return chart, wanted
}

// bars fills the hours or days without requests in.
func bars(wanted models.UsageQuery, counts []models.UsageCount) []web.Bar {
	step := time.Hour
	if wanted.ByDay {
		step = 24 * time.Hour
	}
	at := map[int64]models.UsageCount{}
	for _, count := range counts {
		at[count.Start.Unix()] = count
	}
	var all []web.Bar
	for start := wanted.Since; start.Before(wanted.Until); start = start.Add(step) {
		count := at[start.Unix()]
		all = append(all, web.Bar{Start: start, Served: count.Requests - count.Refused, Refused: count.Refused})
	}
	return all
}
