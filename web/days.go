package web

import (
	"math/big"
	"net/url"
	"strconv"
	"time"
)

// DayBars is what was received over time, as a chart.
type DayBars struct {
	// Days are in chronological order without gaps. By month, each is a month's first day.
	Days    []ReceivedDay
	ByMonth bool
	Link    string // a bar leads to this path, with its first and last day as from and to
	Switch  string // leads to the chart by the other period; empty if there is none
}

// link leads to what a bar counts.
func (b DayBars) link(d ReceivedDay) string {
	last := d.Day
	if first, err := time.Parse(time.DateOnly, d.Day); err == nil && b.ByMonth {
		last = first.AddDate(0, 1, -1).Format(time.DateOnly)
	}
	return b.Link + "?" + url.Values{"from": {d.Day}, "to": {last}}.Encode()
}

// name is the day with its weekday, or the month.
func (b DayBars) name(f Frame, d ReceivedDay) string {
	if b.ByMonth {
		return f.monthText(d.Day)
	}
	return d.weekday(f) + " " + f.dateText(d.Day)
}

// sum is what all bars add up to, as decimal text.
func (b DayBars) sum() string {
	total := new(big.Int)
	for _, d := range b.Days {
		total.Add(total, cents(d.Amount))
	}
	return decimal(total)
}

func (b DayBars) draw(f Frame) chartDrawing {
	d := chartDrawing{linked: true}
	var top int64
	var highest ReceivedDay
	for _, day := range b.Days {
		received := max(0, kroner(day.Amount))
		d.served += received
		d.refused += kroner(day.WithdrawnAmount)
		if received > d.peak {
			d.peak, highest = received, day
		}
		top = max(top, received+kroner(day.WithdrawnAmount), kroner(day.UsualAmount))
	}
	step, top := scale(max(top, 10))
	for value := int64(0); value <= top; value += step {
		d.lines = append(d.lines, newLine(value, top, f.Locale))
	}
	width := 100 / float64(max(1, len(b.Days)))
	for i, day := range b.Days {
		x, received, withdrawn := float64(i)*width, barHeight(max(0, kroner(day.Amount)), top), barHeight(kroner(day.WithdrawnAmount), top)
		bar := chartBar{
			title:   f.T("{day}: {amount} DKK", "day", b.name(f, day), "amount", f.Amount(day.Amount)),
			href:    b.link(day),
			column:  newRectangle(x, width, 0, chartHeight),
			served:  newRectangle(x+width*0.12, width*0.76, chartHeight-received, received),
			refused: newRectangle(x+width*0.12, width*0.76, chartHeight-received-withdrawn, withdrawn),
		}
		if day.WithdrawnFiles > 0 {
			bar.title += f.T(", and {amount} DKK withdrawn", "amount", f.Amount(day.WithdrawnAmount))
		}
		if day.UsualAmount != "" && day.UsualCount > 0 {
			bar.usual = newRectangle(x, width, chartHeight-barHeight(kroner(day.UsualAmount), top)-1, 2)
			bar.title += f.T(", usually {amount} DKK", "amount", f.Amount(day.UsualAmount))
			d.usual = true
		}
		d.bars = append(d.bars, bar)
		if tick, ok := b.tick(f, i); ok {
			tick.x = percent(x + width/2)
			d.ticks = append(d.ticks, tick)
		}
	}
	if d.peak == 0 {
		d.summary = f.T("Chart: nothing received.")
	} else {
		d.summary = f.T("Chart: {sum} DKK received. The most: {peak} DKK, {day}.", "sum", f.Amount(b.sum()), "peak", f.Amount(highest.Amount), "day", b.name(f, highest))
	}
	return d
}

// tick returns the label below bar i, if it has one: each month, or one day a week.
func (b DayBars) tick(f Frame, i int) (chartTick, bool) {
	start, err := time.Parse(time.DateOnly, b.Days[i].Day)
	if err != nil {
		return chartTick{}, false
	}
	back := len(b.Days) - 1 - i
	if b.ByMonth {
		return chartTick{anchor: "middle", label: f.ShortMonth(start), minor: back%3 != 0}, true
	}
	return chartTick{anchor: "middle", label: f.ShortDay(start), minor: back%14 != 3}, back%7 == 3
}

// kroner returns a decimal amount in whole kroner, for the height of a bar. It is rounded,
// and at most what a bar can show.
func kroner(amount string) int64 {
	whole := new(big.Int).Quo(cents(amount), big.NewInt(100))
	if !whole.IsInt64() {
		return 1 << 60
	}
	return whole.Int64()
}

// decimal returns an amount in øre as decimal text with two decimals.
func decimal(cents *big.Int) string {
	return new(big.Rat).SetFrac(cents, big.NewInt(100)).FloatString(2)
}

// monthText is the month of a day in words.
func (f Frame) monthText(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return f.Month(t)
}

// DaysView is the view of GET /days?month=YYYY-MM&day=YYYY-MM-DD: the days of a month. Both
// parameters are optional; the month defaults to the latest that has transactions.
type DaysView struct {
	Frame
	Month string // its first day, YYYY-MM-DD
	Bars  DayBars
	Days  []DayRow // the earliest first
	Count int64    // transactions of the month
	Pager Pager    // Prev leads to the month before
	// Download has the days of the month by transfer type.
	Download Download
}

// DayRow is a day of the list.
type DayRow struct {
	ReceivedDay
	Types []DayPart
	// LateBy is when a delivery was expected on this day, if none had arrived. NextAt is when
	// the next one arrived; zero if none has yet.
	LateBy, NextAt time.Time

	Open bool // Companies are shown
	// Companies are those with the largest sums. More reports whether there are others.
	Companies []DayPart
	More      bool
}

// DayPart is a part of a day: a company's or a transfer type's.
type DayPart struct {
	CVR    string // of a company
	Name   string
	Count  int64
	Amount string // decimal
}

// noted reports whether there is a note on the day.
func (d DayRow) noted() bool { return d.short() || d.WithdrawnFiles > 0 || !d.LateBy.IsZero() }

func (d DayRow) expanded() string { return strconv.FormatBool(d.Open) }

// month is the parameter that selects the page's month.
func (v DaysView) month() string { return v.Month[:len("2006-01")] }

// link leads to the page with a day's companies shown, or hidden if they are shown.
func (v DaysView) link(d DayRow) string {
	query := url.Values{"month": {v.month()}}
	if !d.Open {
		query.Set("day", d.Day)
	}
	return "/days?" + query.Encode() + "#day-" + d.Day
}
