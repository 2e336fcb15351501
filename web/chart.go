package web

import (
	"fmt"
	"strconv"
	"time"
)

// The chart is drawn with its widths in percent and its heights in pixels: text
// in it keeps its size on a phone, and no style stands in the page.
const (
	chartHeight = 200 // of the bars; the labels of the time stand below
	chartFoot   = 28
)

type rectangle struct{ x, y, width, height string }

type chartBar struct {
	title           string
	whole           rectangle // from top to bottom, to point at
	served, refused rectangle // of no height where there were none
}

type chartLine struct {
	y, label, labelY string
}

type chartTick struct {
	x, anchor, label string
	at               string // the machine's time, where the script writes the reader's
	minor            bool   // left out on a phone
}

type chartDrawing struct {
	bars            []chartBar
	lines           []chartLine // from zero upwards
	limit           *chartLine  // nil: not drawn
	limitAbove      bool        // the limit lies far above what is drawn
	ticks           []chartTick
	served, refused int64
	most            int64 // the highest bar
	mostAt          Bar
}

func draw(c Chart, locale Locale) chartDrawing {
	var d chartDrawing
	for _, bar := range c.Bars {
		d.served += bar.Served
		d.refused += bar.Refused
		if all := bar.Served + bar.Refused; all > d.most {
			d.most, d.mostAt = all, bar
		}
	}
	top := d.most
	if c.Limit > 0 {
		// A limit four times as high as all bars would press them to the ground.
		if d.limitAbove = c.Limit > 4*d.most; !d.limitAbove {
			top = max(top, c.Limit)
		}
	}
	// A few requests are few, and look it.
	step, top := scale(max(top, 10))
	for value := int64(0); value <= top; value += step {
		d.lines = append(d.lines, line(value, top, locale))
	}
	if c.Limit > 0 && !d.limitAbove {
		limit := line(c.Limit, top, locale)
		d.limit = &limit
	}
	width := 100 / float64(max(1, len(c.Bars)))
	for i, bar := range c.Bars {
		x, served, refused := float64(i)*width, pixels(bar.Served, top), pixels(bar.Refused, top)
		d.bars = append(d.bars, chartBar{
			title:   barTitle(c, bar, locale),
			whole:   rect(x, width, 0, chartHeight),
			served:  rect(x+width*0.12, width*0.76, chartHeight-served, served),
			refused: rect(x+width*0.12, width*0.76, chartHeight-served-refused, refused),
		})
		if tick, ok := tickOf(c, i); ok {
			tick.x = percent(x + width/2)
			if tick.anchor == "end" {
				tick.x = "100%"
			}
			d.ticks = append(d.ticks, tick)
		}
	}
	return d
}

// scale finds round steps that reach a value: how far apart the lines are, and how
// high the last is.
func scale(value int64) (step, top int64) {
	step = 1
	for _, factor := range []int64{2, 5} {
		if value > 4*step {
			step = factor
		}
	}
	for base := int64(10); value > 4*step; base *= 10 {
		for _, factor := range []int64{1, 2, 5} {
			if value > 4*step {
				step = factor * base
			}
		}
	}
	return step, max(1, (value+step-1)/step) * step
}

// pixels is how high so many requests stand; a single one can be seen.
func pixels(value, top int64) float64 {
	if value == 0 {
		return 0
	}
	return max(2, float64(value)/float64(top)*(chartHeight-16))
}

func line(value, top int64, locale Locale) chartLine {
	y := chartHeight - float64(value)/float64(top)*(chartHeight-16)
	return chartLine{y: plain(y), labelY: plain(y - 4), label: number(value, locale)}
}

func rect(x, width, y, height float64) rectangle {
	return rectangle{percent(x), plain(y), percent(width), plain(height)}
}

// tickOf labels every so many bars, counted back from the present one.
func tickOf(c Chart, i int) (chartTick, bool) {
	last, start := len(c.Bars)-1, c.Bars[i].Start.UTC()
	if c.Day != "" {
		return chartTick{anchor: "middle", label: start.Format("15:04"), at: machineTime(start), minor: start.Hour()%12 != 0},
			start.Hour()%3 == 0
	}
	if i == last {
		label := "today"
		if c.By == ByHour {
			label = "now"
		}
		return chartTick{anchor: "end", label: label}, true
	}
	if c.By == ByHour {
		return chartTick{anchor: "middle", label: start.Format("15:04"), at: machineTime(start), minor: (last-i)%24 != 0},
			(last-i)%6 == 0 && i > 1
	}
	return chartTick{anchor: "middle", label: start.Format("2 Jan"), minor: (last-i)%14 != 0},
		(last-i)%7 == 0 && i > 0
}

func barTitle(c Chart, bar Bar, locale Locale) string {
	return barTime(c, bar.Start) + ": " + number(bar.Served, locale) + " served, " + number(bar.Refused, locale) + " refused"
}

func barTime(c Chart, start time.Time) string {
	if c.By == ByDay {
		return dayOf(start)
	}
	return shortTime(start)
}

// summary says what the chart shows, for who doesn't see it.
func (d chartDrawing) summary(c Chart, locale Locale) string {
	if d.most == 0 {
		return "Chart: no requests."
	}
	return fmt.Sprintf("Chart: %s served, %s refused; the most, %s, at %s. The table has each bar.",
		counted(d.served, locale, "request", "requests"), number(d.refused, locale), number(d.most, locale), barTime(c, d.mostAt.Start))
}

func (c Chart) period() string {
	switch {
	case c.Day != "":
		return c.Day + ", by hour"
	case c.By == ByDay:
		return "Last 30 days, by day"
	}
	return "Last 48 hours, by hour"
}

func percent(x float64) string { return plain(x) + "%" }

func plain(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
