package dashboard

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"dispo/models/ledger"
	"dispo/web"
)

const (
	bookingDays  = 14 // shown
	bookingAhead = 7  // days after today, shown if they have transactions
	usualWeeks   = 8  // from which the usual is known
	usualLeast   = 3  // of these weeks that must be known
	waitingShown = 20

	withdrawnShown = 200 // companies' days of a withdrawn delivery
)

func (h *handler) deliveryList(r *request) error {
	var before *uuid.UUID
	if id, err := uuid.Parse(r.query("before")); err == nil {
		before = &id
	}
	tenant := h.tenant(r)
	arrivals, more, err := ledger.Arrivals(r.context(), tenant, before, pageSize)
	if err != nil {
		return err
	}
	view := web.DeliveriesView{Frame: r.frame}
	for _, a := range arrivals {
		view.Rows = append(view.Rows, deliveryRow(a))
	}
	if more {
		view.Pager.Next = pageLink("/deliveries", nil, "before", arrivals[len(arrivals)-1].ID)
	}
	if before != nil {
		view.Pager.Prev = "/deliveries"
		return r.show(web.DeliveriesPage(view))
	}
	late, err := ledger.LateDelivery(r.context(), tenant, r.frame.Now)
	if err != nil {
		return err
	}
	if late != nil {
		view.LateBy = late.By
	}
	waiting, err := ledger.Waiting(r.context(), tenant, waitingShown)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		view.Waiting = append(view.Waiting, web.WaitingRow{CVR: w.CVR, Count: w.Count, Amount: w.AmountDKK,
			FirstDate: apiDate(w.FirstDate), LastDate: apiDate(w.LastDate)})
	}
	now := r.frame.Now.In(r.frame.Zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	days, err := ledger.ArrivalDays(r.context(), tenant, today.AddDate(0, 0, -bookingDays-7*usualWeeks), today.AddDate(0, 0, 1-bookingDays), today.AddDate(0, 0, bookingAhead))
	if err != nil {
		return err
	}
	view.Days = bookings(days, today)
	return r.show(web.DeliveriesPage(view))
}

// bookings returns the latest days, beside what is usual on their weekdays.
func bookings(known []ledger.ArrivalDay, today time.Time) (days []web.BookingDay) {
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
		return ledger.ArrivalDay{AmountDKK: "0.00"}
	}
	for back := -bookingAhead; back < bookingDays; back++ {
		day := today.AddDate(0, 0, -back)
		found := of(day)
		if found.WithdrawnFiles == 0 && (back < 0 && found.Count == 0 || day.Before(first)) {
			continue
		}
		row := web.BookingDay{Day: day.Format(time.DateOnly), Count: found.Count, Amount: found.AmountDKK, Files: found.Files,
			WithdrawnFiles: found.WithdrawnFiles, WithdrawnCount: found.WithdrawnCount, WithdrawnAmount: found.WithdrawnDKK}
		if found.WithdrawnID != nil {
			row.WithdrawnID = found.WithdrawnID.String()
		}
		var counts []int64
		var amounts []string
		for week := 1; week <= usualWeeks; week++ {
			if past := day.AddDate(0, 0, -7*week); !past.Before(first) && past.Before(today) {
				counts, amounts = append(counts, of(past).Count), append(amounts, of(past).AmountDKK)
			}
		}
		if len(counts) >= usualLeast {
			slices.Sort(counts)
			slices.SortFunc(amounts, ledger.CompareAmounts)
			row.UsualCount, row.UsualAmount = counts[len(counts)/2], amounts[len(amounts)/2]
		}
		days = append(days, row)
	}
	return days
}

func deliveryRow(a ledger.Arrival) web.DeliveryRow {
	row := web.DeliveryRow{ID: a.ID.String(), Filename: a.Filename, Layout: a.Layout, Count: a.RecordCount, Amount: a.TotalAmountDKK,
		ArrivedAt: valueOf(a.CreatedAt), WithdrawnAt: valueOf(a.WithdrawnAt), Reason: a.Reason}
	if a.FirstDate != nil && a.LastDate != nil {
		row.FirstDate, row.LastDate = apiDate(*a.FirstDate), apiDate(*a.LastDate)
	}
	return row
}

func (h *handler) deliveryShow(r *request) error {
	tenant := h.tenant(r)
	file, err := ledger.FindArrival(r.context(), tenant, r.id)
	if err != nil {
		return err
	}
	view := web.DeliveryView{Frame: r.frame, Delivery: deliveryRow(file)}
	if file.WithdrawnAt != nil {
		var days []ledger.WithdrawnDay
		days, view.MoreWithdrawn, err = ledger.WithdrawnDays(r.context(), tenant, r.id, withdrawnShown)
		if err != nil {
			return err
		}
		for _, d := range days {
			view.Withdrawn = append(view.Withdrawn, web.WithdrawnDay{CVR: d.CVR, CompanyName: d.CompanyName, Day: apiDate(d.Day),
				Count: d.Count, Amount: d.AmountDKK, BookedCount: d.BookedCount, BookedAmount: d.BookedDKK})
		}
	} else {
		olderThan := position(r.query("older"))
		items, more, err := ledger.ArrivedRecords(r.context(), tenant, file, olderThan, pageSize)
		if err != nil {
			return err
		}
		view.Rows = transactionRows(items)
		path := "/deliveries/" + r.id.String()
		if more {
			view.Pager.Next = path + "?older=" + positionText(items[len(items)-1].Position())
		}
		if olderThan != nil {
			view.Pager.Prev = path
		}
	}
	return r.show(web.DeliveryPage(view))
}
