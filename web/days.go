package web

import (
	"cmp"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
)

// DayBars is what was received over time, as a chart.
type DayBars struct {
	// Days are in chronological order without gaps. By month, each is a month's first day.
	Days    []ReceivedDay
	ByMonth bool
	// Link is the path that a bar leads to, with the bar's first and last day as from and to. If it is
	// empty, the bar leads to its day by company.
	Link   string
	Switch string // path of the same chart by month instead of by day, or the reverse; may be empty
}

// link leads to what a bar counts. The present month ends today.
func (b DayBars) link(f Frame, d ReceivedDay) string {
	if b.Link == "" {
		return d.path()
	}
	last := d.Day
	if first, err := time.Parse(time.DateOnly, d.Day); err == nil && b.ByMonth {
		last = min(first.AddDate(0, 1, -1).Format(time.DateOnly), f.today())
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

// shortName is the day or the month without its year.
func (b DayBars) shortName(f Frame, d ReceivedDay) string {
	day, err := time.Parse(time.DateOnly, d.Day)
	switch {
	case err != nil:
		return ""
	case b.ByMonth:
		return f.ShortMonth(day)
	}
	return f.ShortDay(day)
}

// sums are what the bars up to today add up to, and the later ones, as decimal text.
func (b DayBars) sums(f Frame) (received, ahead string) {
	sums := map[bool]*big.Int{false: new(big.Int), true: new(big.Int)}
	for _, d := range b.Days {
		sums[d.ahead(f)].Add(sums[d.ahead(f)], cents(d.Amount))
	}
	return decimal(sums[false]), decimal(sums[true])
}

// period is the days up to today; empty if there are none.
func (b DayBars) period(f Frame) string {
	var first, last string
	for _, d := range b.Days {
		if !d.ahead(f) {
			last = f.dateText(d.Day)
			if b.ByMonth {
				last = f.monthText(d.Day)
			}
			first = cmp.Or(first, last)
		}
	}
	if first == last {
		return first
	}
	return f.T("{first} to {last}", "first", first, "last", last)
}

func (b DayBars) draw(f Frame) chartDrawing {
	d := chartDrawing{linked: true}
	var lowest, top int64
	var highest ReceivedDay // of those that have something
	for _, day := range b.Days {
		received, withdrawn := kroner(day.Amount), day.stillWithdrawn()
		d.withdrawn = d.withdrawn || withdrawn != 0
		if cents(day.Amount).Sign() != 0 && !day.ahead(f) && (highest.Day == "" || received > kroner(highest.Amount)) {
			highest = day
		}
		lowest = min(lowest, received, withdrawn, received+withdrawn, kroner(day.UsualAmount))
		top = max(top, received, withdrawn, received+withdrawn, kroner(day.UsualAmount))
	}
	scale := newAxis(lowest, top)
	d.lines = scale.lines(f.Locale)
	width := 100 / float64(max(1, len(b.Days)))
	for i, day := range b.Days {
		x, inner := float64(i)*width, width*0.76
		y, height := scale.bar(kroner(day.Amount), 0)
		bar := chartBar{
			title:  f.T("{day}: {amount} DKK", "day", b.name(f, day), "amount", f.Amount(day.Amount)),
			href:   b.link(f, day),
			ahead:  day.ahead(f),
			column: newRectangle(x, width, 0, chartHeight),
			served: newRectangle(x+width*0.12, inner, y, height),
			value:  valueAt(x+width/2, b.shortName(f, day)+": "+f.Amount(day.Amount)),
		}
		if (kroner(day.Amount) < 0) != (day.stillWithdrawn() < 0) { // on the other side
			height = 0
		}
		y, height = scale.bar(day.stillWithdrawn(), height)
		bar.refused = newRectangle(x+width*0.12, inner, y, height)
		if bar.ahead {
			bar.title += f.T(", to come")
		}
		if day.WithdrawnFiles > 0 {
			bar.title += f.T(", and {amount} DKK withdrawn", "amount", f.Amount(day.WithdrawnAmount))
			if day.SentAgain {
				bar.title += f.T(", sent again since")
			}
		}
		if day.UsualAmount != "" && day.UsualCount > 0 {
			bar.usual = newRectangle(x, width, scale.y(kroner(day.UsualAmount))-1, 2)
			bar.title += f.T(", usually {amount} DKK", "amount", f.Amount(day.UsualAmount))
			d.usual = true
		}
		d.bars = append(d.bars, bar)
		if tick, ok := b.tick(f, i); ok {
			tick.x = percent(x + width/2)
			d.ticks = append(d.ticks, tick)
		}
	}
	if highest.Day == "" {
		d.summary = f.T("Chart: nothing received.")
	} else {
		received, _ := b.sums(f)
		d.summary = f.T("Chart: {sum} DKK received. The most: {peak} DKK, {day}.", "sum", f.Amount(received), "peak",
			f.Amount(highest.Amount), "day", b.name(f, highest))
	}
	return d
}

// stillWithdrawn is what was withdrawn and not sent again, in kroner.
func (d ReceivedDay) stillWithdrawn() int64 {
	if d.SentAgain {
		return 0
	}
	return kroner(d.WithdrawnAmount)
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
	return chartTick{anchor: "middle", label: f.ShortDay(start), minor: back/7%2 != 0}, start.Weekday() == time.Monday
}

// kroner returns a decimal amount in whole kroner, for the height of a bar. It is rounded,
// and within what a bar can show.
func kroner(amount string) int64 {
	whole := new(big.Int).Quo(cents(amount), big.NewInt(100))
	if !whole.IsInt64() {
		return int64(whole.Sign()) << 60
	}
	return min(max(whole.Int64(), -1<<60), 1<<60)
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
	// Months are the first days of the months to choose from, the latest first.
	Months []string
	Bars   DayBars
	Days   []DayRow // the latest first
	Count  int64    // transactions of the month
	Sum    string   // theirs, decimal
	Pager  Pager    // Prev leads to the month before
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
	// Companies are those with the largest sums first, after those that usually have transactions
	// and have none. If the day is below its usual, those furthest below theirs stand first.
	// More reports whether there are others.
	Companies []DayCompany
	More      bool
}

// DayCompany is a company's part of a day, beside what is usual.
type DayCompany struct {
	CVR, Name string
	ReceivedDay
}

// DayPart is a transfer type's part of a day.
type DayPart struct {
	Name   string
	Count  int64
	Amount string // decimal
}

func (d DayRow) expanded() string { return strconv.FormatBool(d.Open) }

// usual reports whether something is usual for one of the companies.
func (d DayRow) usual() bool {
	return slices.ContainsFunc(d.Companies, func(c DayCompany) bool { return c.UsualAmount != "" })
}

// byType reports whether a day has several transfer types.
func (v DaysView) byType() bool {
	return slices.ContainsFunc(v.Days, func(d DayRow) bool { return len(d.Types) > 1 })
}

func (v DaysView) headings() []templ.Component {
	first := v.T("Disposition date")
	if slices.ContainsFunc(v.Days, func(d DayRow) bool { return d.Open }) {
		first = v.T("Disposition date, company")
	}
	headings := []templ.Component{heading(first), amountHeading(v.T("Sum, DKK")), amountHeading(v.T("Usual")),
		amountHeading(v.T("Transactions"))}
	if v.byType() {
		headings = append(headings, heading(v.T("By type, DKK")))
	}
	return append(headings, amountHeading(v.T("Files")), heading(v.T("Remark")), actionsHeading())
}

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
