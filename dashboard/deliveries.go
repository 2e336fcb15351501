package dashboard

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/web"
)

const (
	daysShown    = 14 // in the table
	waitingShown = 20
)

func deliveryList(r *site.Request) error {
	before := r.IDIn("before")
	tenant := r.Tenant()
	arrivals, more, err := ledger.Arrivals(r.Context(), tenant, before, pageSize)
	if err != nil {
		return err
	}
	view := web.DeliveriesView{Frame: r.Frame}
	for _, a := range arrivals {
		view.Rows = append(view.Rows, deliveryRow(a))
	}
	if more {
		view.Pager.Next = pageLink("/deliveries", nil, "before", arrivals[len(arrivals)-1].ID)
	}
	if before != nil {
		view.Pager.Prev = "/deliveries"
		return r.Show(web.DeliveriesPage(view))
	}
	if view.LateBy, err = lateBy(r, tenant); err != nil {
		return err
	}
	waiting, err := ledger.Waiting(r.Context(), tenant, waitingShown)
	if err != nil {
		return err
	}
	view.Waiting = waitingRows(waiting)
	today := localDay(r)
	from := today.AddDate(0, 0, 1-barDays)
	days, err := receivedDays(r, tenant, "", from, today.AddDate(0, 0, daysAhead))
	if err != nil {
		return err
	}
	view.Bars = dayBars(days, from)
	view.Days = slices.DeleteFunc(days,
		func(d web.ReceivedDay) bool { return d.Day <= apiDate(today.AddDate(0, 0, -daysShown)) })
	return r.Show(web.DeliveriesPage(view))
}

func waitingRows(waiting []ledger.WaitingRecords) (rows []web.WaitingRow) {
	for _, w := range waiting {
		rows = append(rows, web.WaitingRow{CVR: w.CVR, Count: w.Count, Amount: w.AmountDKK,
			FirstDate: apiDate(w.FirstDate), LastDate: apiDate(w.LastDate)})
	}
	return rows
}

// lateBy returns when a delivery was expected that has not arrived, or zero.
func lateBy(r *site.Request, tenant models.Tenant) (time.Time, error) {
	late, err := ledger.LateDelivery(r.Context(), tenant, r.Now)
	if err != nil || late == nil {
		return time.Time{}, err
	}
	return late.By, nil
}

func deliveryRow(a ledger.Arrival) web.DeliveryRow {
	row := web.DeliveryRow{
		ID:          a.ID.String(),
		Filename:    a.Filename,
		Layout:      a.Layout,
		Count:       a.RecordCount,
		Amount:      a.TotalAmountDKK,
		ArrivedAt:   valueOf(a.CreatedAt),
		WithdrawnAt: valueOf(a.WithdrawnAt),
		Reason:      a.Reason,
		SentAgain:   a.SentAgain,
	}
	if a.FirstDate != nil && a.LastDate != nil {
		row.FirstDate, row.LastDate = apiDate(*a.FirstDate), apiDate(*a.LastDate)
	}
	return row
}

func deliveryShow(r *site.Request) error {
	tenant := r.Tenant()
	file, err := ledger.FindArrival(r.Context(), tenant, r.ID)
	if err != nil {
		return err
	}
	view := web.DeliveryView{Frame: r.Frame, Delivery: deliveryRow(file)}
	older := ""
	if file.WithdrawnAt != nil {
		older, err = withdrawnPage(r, tenant, &view)
	} else {
		items, more, readErr := ledger.ArrivedRecords(r.Context(), tenant, file, position(r.Query("older")), pageSize)
		err = readErr
		view.Rows = transactionRows(items)
		if more {
			older = positionText(items[len(items)-1].Position())
		}
	}
	if err != nil {
		return err
	}
	path := "/deliveries/" + r.ID.String()
	if older != "" {
		view.Pager.Next = path + "?older=" + older
	}
	if r.Query("older") != "" {
		view.Pager.Prev = path
	}
	return r.Show(web.DeliveryPage(view))
}

// withdrawnPage reads a page of what a withdrawn delivery had. It returns the position after
// which others follow, or "".
func withdrawnPage(r *site.Request, tenant models.Tenant, view *web.DeliveryView) (older string, err error) {
	rows, more, err := ledger.WithdrawnDays(r.Context(), tenant, r.ID, withdrawnPosition(r.Query("older")), pageSize)
	var last *web.WithdrawnDay
	for _, x := range rows {
		if last == nil || last.Day != apiDate(x.Day) {
			view.Withdrawn = append(view.Withdrawn, web.WithdrawnDay{Day: apiDate(x.Day), Withdrawn: web.Withdrawn(x.OfDay)})
			last = &view.Withdrawn[len(view.Withdrawn)-1]
		}
		last.Companies = append(last.Companies,
			web.WithdrawnCompany{CVR: x.CVR, Name: x.CompanyName, Withdrawn: web.Withdrawn(x.Withdrawn)})
		older = last.Day + "." + x.CVR
	}
	if !more {
		older = ""
	}
	return older, err
}

// withdrawnPosition reads a company's day, such as 2026-01-31.10000001. It returns nil for other text.
func withdrawnPosition(text string) *ledger.WithdrawnDay {
	day, cvr, _ := strings.Cut(text, ".")
	parsedDay, err := time.Parse(time.DateOnly, day)
	if _, cvrErr := strconv.ParseUint(cvr, 10, 32); err != nil || cvrErr != nil {
		return nil
	}
	return &ledger.WithdrawnDay{Day: parsedDay, CVR: cvr}
}
