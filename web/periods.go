package web

import "time"

// period is a range of days that people look for often.
type period struct {
	label    string
	from, to string // first and last day, YYYY-MM-DD
}

// periods are the months and quarters around the reader's day, and the year.
func periods(f Frame) []period {
	today := f.local(f.Now)
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	quarter := month.AddDate(0, -int(month.Month()-1)%3, 0)
	of := func(label string, from time.Time, months int) period {
		return period{label, from.Format(time.DateOnly), from.AddDate(0, months, -1).Format(time.DateOnly)}
	}
	return []period{of(f.T("This month"), month, 1), of(f.T("Last month"), month.AddDate(0, -1, 0), 1),
		of(f.T("This quarter"), quarter, 3), of(f.T("Last quarter"), quarter.AddDate(0, -3, 0), 3),
		of(f.T("This year"), time.Date(today.Year(), 1, 1, 0, 0, 0, 0, time.UTC), 12)}
}

// inPeriod is the address of the list in a period, with the rest of the filter.
func (l Ledger) inPeriod(p period) string {
	values := l.Filter.Values()
	values.Set("from", p.from)
	values.Set("to", p.to)
	return l.Path + "?" + values.Encode()
}

// shows reports whether the list's range of days is the period.
func (l Ledger) shows(p period) bool {
	return l.Filter.From.Value == p.from && l.Filter.To.Value == p.to
}
