package dashboard

import (
	"slices"
	"time"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/web"
)

const (
	daysShown    = 14 // in the table
	waitingShown = 20

	withdrawnShown = 200 // companies' days of a withdrawn delivery
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
	view.Bars = dayBars(days, from, "/transactions")
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
	if file.WithdrawnAt != nil {
		var days []ledger.WithdrawnDay
		days, view.MoreWithdrawn, err = ledger.WithdrawnDays(r.Context(), tenant, r.ID, withdrawnShown)
		if err != nil {
			return err
		}
		for _, d := range days {
			view.Withdrawn = append(view.Withdrawn, web.WithdrawnDay{CVR: d.CVR, CompanyName: d.CompanyName, Day: apiDate(d.Day),
				Count: d.Count, Amount: d.AmountDKK, ReceivedCount: d.ReceivedCount, ReceivedAmount: d.ReceivedDKK})
		}
	} else {
		olderThan := position(r.Query("older"))
		items, more, err := ledger.ArrivedRecords(r.Context(), tenant, file, olderThan, pageSize)
		if err != nil {
			return err
		}
		view.Rows = transactionRows(items)
		path := "/deliveries/" + r.ID.String()
		if more {
			view.Pager.Next = path + "?older=" + positionText(items[len(items)-1].Position())
		}
		if olderThan != nil {
			view.Pager.Prev = path
		}
	}
	return r.Show(web.DeliveryPage(view))
}
