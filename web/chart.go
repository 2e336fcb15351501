package web

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
)

// ChartBy is the period that one bar of the chart covers.
type ChartBy string

const (
	ByHour ChartBy = "hour" // 48 bars, or the 24 of Chart.Day
	ByDay  ChartBy = "day"  // 30 bars
)

// Chart is requests over time.
type Chart struct {
	By ChartBy
	// Day limits a chart by hour to one local day, YYYY-MM-DD. Empty means the latest
	// 48 hours. The table by day links to it.
	Day string
	// KeyID limits the chart to one key; empty means all keys.
	KeyID string
	// Bars are in chronological order without gaps, ending with the current one.
	Bars []Bar
	// Limit is the hourly limit, if By is ByHour and the limit applies to the requests
	// that the bars count. Otherwise it is 0, and no line is drawn.
	Limit int64
}

// Bar counts the requests of one hour or day.
type Bar struct {
	Start   time.Time // of the hour, or midnight in UTC of a local day
	Served  int64     // requests let in
	Refused int64     // requests answered with 401 or 429, not included in Served
}

func (c Chart) period(f Frame) string {
	switch {
	case c.Day != "":
		return f.T("{day}, by hour", "day", f.dateText(c.Day))
	case c.By == ByDay:
		return f.T("Last 30 days, by day")
	}
	return f.T("Last 48 hours, by hour")
}

// headings are those of the table. By day, each row links to the day's hours.
func (c Chart) headings(f Frame) []templ.Component {
	served, refused := amountHeading(f.T("Answered")), amountHeading(f.T("Refused"))
	if c.By == ByDay {
		return []templ.Component{heading(f.T("Day")), served, refused, actionsHeading()}
	}
	return []templ.Component{heading(f.T("Hour")), served, refused}
}

// The chart's widths are percentages and its heights pixels. Text then keeps its
// size on a phone, and the page needs no inline styles.
const (
	chartHeight = 200 // of the bars
	chartFoot   = 24  // of a line of labels below
	chartSpace  = 16  // above the highest line
)

// height is that of the whole drawing, with its labels in one line or two.
func (d chartDrawing) height() string {
	if slices.ContainsFunc(d.ticks, func(t chartTick) bool { return t.day != "" }) {
		return strconv.Itoa(chartHeight + 2*chartFoot)
	}
	return strconv.Itoa(chartHeight + chartFoot)
}

type rectangle struct{ x, y, width, height string }

type chartBar struct {
	title           string
	href            string    // what the bar counts; may be empty
	usual           rectangle // a line across the bar; without a height if there is none
	column          rectangle // the full height, for hovering
	value           chartValue
	served, refused rectangle // of height 0 if there were none
	ahead           bool      // the day is to come
}

// chartValue is what appears at a bar.
type chartValue struct{ x, anchor, text string }

// valueAt returns the value above a bar whose middle is at x, in percent. It stays in the chart.
func valueAt(x float64, text string) chartValue {
	anchor := "middle"
	switch {
	case x < 40:
		anchor = "start"
	case x > 60:
		anchor = "end"
	}
	return chartValue{percent(x), anchor, text}
}

type chartLine struct {
	y, label, labelY string
}

type chartTick struct {
	x, anchor, label string
	minor            bool   // left out on a phone
	day              string // of a label that is an hour
	sameDay          bool   // as the label before it
}

type chartDrawing struct {
	bars            []chartBar
	lines           []chartLine // from zero upwards
	limit           *chartLine  // nil if not drawn
	limitAbove      bool        // the limit is too far above the bars to draw
	ticks           []chartTick
	served, refused int64  // totals
	peak            int64  // requests of the highest bar
	linked          bool   // the bars have links
	usual           bool   // bars have usual values
	withdrawn       bool   // bars have withdrawn sums
	summary         string // describes the chart to screen readers
}

// role is the role of the drawing: an image is one thing, and a group has parts.
func (d chartDrawing) role() string {
	if d.linked {
		return "group"
	}
	return "img"
}

// pattern is the id of the hatching. A page may have a chart of each kind.
func (d chartDrawing) pattern() string {
	if d.linked {
		return "day-hatch"
	}
	return "hatch"
}

func draw(f Frame, c Chart) chartDrawing {
	var d chartDrawing
	var peakBar Bar
	for _, bar := range c.Bars {
		d.served += bar.Served
		d.refused += bar.Refused
		if all := bar.Served + bar.Refused; all > d.peak {
			d.peak, peakBar = all, bar
		}
	}
	top := d.peak
	if c.Limit > 0 {
		// A line for a limit over four times the peak would flatten the bars.
		if d.limitAbove = c.Limit > 4*d.peak; !d.limitAbove {
			top = max(top, c.Limit)
		}
	}
	// The scale reaches at least 10, so that a few requests look like few.
	scale := newAxis(0, top)
	d.lines = scale.lines(f.Locale)
	if c.Limit > 0 && !d.limitAbove {
		limit := scale.line(c.Limit, f.Locale)
		d.limit = &limit
	}
	width := 100 / float64(max(1, len(c.Bars)))
	for i, bar := range c.Bars {
		x := float64(i) * width
		servedY, served := scale.bar(bar.Served, 0)
		refusedY, refused := scale.bar(bar.Refused, served)
		d.bars = append(d.bars, chartBar{
			title: f.T("{time}: {served} answered, {refused} refused", "time", barTime(f, c, bar.Start), "served", bar.Served,
				"refused", bar.Refused),
			column:  newRectangle(x, width, 0, chartHeight),
			served:  newRectangle(x+width*0.12, width*0.76, servedY, served),
			value:   valueAt(x+width/2, barTime(f, c, bar.Start)+": "+f.Number(bar.Served+bar.Refused)),
			refused: newRectangle(x+width*0.12, width*0.76, refusedY, refused),
		})
		if tick, ok := tickAt(f, c, i); ok {
			tick.x = percent(x + width/2)
			if tick.anchor == "end" {
				tick.x = "100%"
			}
			if n := len(d.ticks); n > 0 {
				tick.sameDay = tick.day == d.ticks[n-1].day
			}
			d.ticks = append(d.ticks, tick)
		}
	}
	d.summary = d.summarize(f, c, peakBar)
	return d
}

// lineStep returns a round distance between lines, of which at most four are below value.
func lineStep(value int64) int64 {
	step := int64(1)
	for base := int64(1); value > 4*step; base *= 10 {
		for _, factor := range []int64{1, 2, 5} {
			if value > 4*step {
				step = factor * base
			}
		}
	}
	return step
}

// axis is a scale from bottom, at most 0, to top, with a line every step.
type axis struct{ bottom, step, top int64 }

// newAxis returns a scale that has both values.
func newAxis(low, high int64) axis {
	if low == 0 {
		high = max(high, 10)
	}
	step := lineStep(max(high, -low))
	return axis{low, step, (high + step - 1) / step * step}
}

func (a axis) y(value int64) float64 {
	return chartHeight - float64(value-a.bottom)/float64(a.top-a.bottom)*(chartHeight-chartSpace)
}

// bar returns the upper edge and the height of a bar on top of one of some height, in
// pixels. That of a negative value is below the line, and below another one. A single
// request stays visible.
func (a axis) bar(value int64, on float64) (y, height float64) {
	switch height = max(2, math.Abs(a.y(0)-a.y(value))); {
	case value == 0:
		return a.y(0) - on, 0
	case value < 0:
		return a.y(0) + on, max(4, height)
	}
	return a.y(0) - on - height, height
}

func (a axis) lines(locale Locale) (lines []chartLine) {
	for value := a.bottom / a.step * a.step; value <= a.top; value += a.step {
		line := a.line(value, locale)
		line.label = locale.RoundNumber(value, a.top, -a.bottom)
		lines = append(lines, line)
	}
	return lines
}

func (a axis) line(value int64, locale Locale) chartLine {
	y := a.y(value)
	return chartLine{y: twoDecimals(y), labelY: twoDecimals(y - 4), label: locale.Number(value)}
}

func newRectangle(x, width, y, height float64) rectangle {
	return rectangle{percent(x), twoDecimals(y), percent(width), twoDecimals(height)}
}

// tickAt returns the label below bar i, if it has one. Labels are at regular
// distances, counted back from the current bar.
func tickAt(f Frame, c Chart, i int) (chartTick, bool) {
	last, start := len(c.Bars)-1, f.local(c.Bars[i].Start)
	hour := chartTick{anchor: "middle", label: f.Clock(start), day: f.ShortDay(start)}
	switch {
	case c.Day != "":
		hour.minor = start.Hour()%12 != 0
		return hour, start.Hour()%3 == 0
	case i == last && c.By == ByHour:
		return chartTick{anchor: "end", label: f.T("now")}, true
	case i == last:
		return chartTick{anchor: "end", label: f.T("today")}, true
	case c.By == ByHour:
		hour.minor = (last-i)%24 != 0
		return hour, (last-i)%6 == 0 && i > 1
	}
	day := c.Bars[i].Start.UTC()
	return chartTick{anchor: "middle", label: f.ShortDay(day), minor: (last-i)/7%2 == 0},
		day.Weekday() == time.Monday && i > 0 && last-i > 2
}

// barTime is the bar's hour or day where the organization is.
func barTime(f Frame, c Chart, start time.Time) string {
	if c.By == ByDay {
		return f.Date(start.UTC())
	}
	return f.Time(f.local(start))
}

func (d chartDrawing) summarize(f Frame, c Chart, peak Bar) string {
	if d.peak == 0 {
		return f.T("Chart: no requests.")
	}
	return f.N(d.served,
		"Chart: {n} request answered, {refused} refused; the most, {peak}, at {time}. The table has each bar.",
		"Chart: {n} requests answered, {refused} refused; the most, {peak}, at {time}. The table has each bar.", "refused",
		d.refused, "peak", d.peak, "time", barTime(f, c, peak.Start))
}

func percent(x float64) string { return twoDecimals(x) + "%" }

func twoDecimals(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
