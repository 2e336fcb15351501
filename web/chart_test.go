package web

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The lines are at round numbers, not too many, and the last is above every bar.
func TestChartScale(t *testing.T) {
	for _, value := range []int64{0, 1, 3, 5, 9, 10, 41, 99, 100, 820, 1000, 1025, 9400, 99_999, 1 << 40} {
		a := newAxis(0, value)
		high := max(value, 10)
		assert.True(t, a.top >= high && a.top%a.step == 0 && a.top/a.step <= 5 && a.top < 2*high+a.step, "%d: %+v", value, a)
		assert.Contains(t, []string{"1", "2", "5"}, strings.TrimRight(English.Number(a.step), "0,"), "round at %d", value)
	}
}

// Large numbers of a scale are short enough for its margin, all in one unit, and keep their sign.
func TestChartLabels(t *testing.T) {
	for _, row := range []struct {
		low, high       int64
		english, danish string // of the lowest and the highest line
	}{
		{0, 820, "0 1,000", "0 1.000"},
		{0, 900_000, "0 1.0 m", "0 1,0 mio."},
		{0, 1_900_000, "0 2.0 m", "0 2,0 mio."},
		{0, 950_000_000, "0 1.0 bn", "0 1,0 mia."},
		{-2_500_000_000, 500_000_000, "\u22122.0 bn 1.0 bn", "\u22122,0 mia. 1,0 mia."},
		{-40, 60, "\u221240 60", "\u221240 60"},
	} {
		for language, want := range map[Locale]string{English: row.english, Danish: row.danish} {
			lines := newAxis(row.low, row.high).lines(language)
			assert.Equal(t, want, lines[0].label+" "+lines[len(lines)-1].label, row)
		}
	}
}

// A single refused request among thousands is visible.
func TestChartShowsSmallBars(t *testing.T) {
	d := draw(Frame{}, Chart{By: ByHour, Bars: []Bar{{Start: now, Served: 100_000, Refused: 1}}})
	assert.Equal(t, "2.00", d.bars[0].refused.height)
}

// The limit is a line if the bars come near it. A limit far above is not drawn, to
// not flatten the bars.
func TestChartLimit(t *testing.T) {
	near := draw(Frame{}, Chart{By: ByHour, Limit: 1000, Bars: []Bar{{Start: now, Served: 400}}})
	assert.True(t, near.limit != nil && !near.limitAbove, "a limit near the bars is drawn")
	far := draw(Frame{}, Chart{By: ByHour, Limit: 1000, Bars: []Bar{{Start: now, Served: 20}}})
	assert.True(t, far.limit == nil && far.limitAbove, "a limit far above the bars is not")
	none := draw(Frame{}, Chart{By: ByDay, Bars: []Bar{{Start: now, Served: 20}}})
	assert.True(t, none.limit == nil && !none.limitAbove, "no limit is drawn where there is none")
}

// The chart has a text summary, and a table with every bar.
func TestChartHasTextAlternatives(t *testing.T) {
	v := OverviewView{Frame: frame("/"), Chart: Chart{By: ByHour}}
	for i := range 48 {
		v.Chart.Bars = append(v.Chart.Bars, Bar{Start: now.Add(time.Duration(i-48) * time.Hour), Served: 350, Refused: 4})
	}
	d := draw(v.Frame, v.Chart)
	assert.Contains(t, d.summary, "16,800 requests answered, 192 refused")
	assert.Equal(t, 48+2, strings.Count(rendered(t, chartTable(v, d)), "<tr"))
	assert.Equal(t, "Chart: no requests.", draw(Frame{}, Chart{Bars: []Bar{{Start: now}}}).summary)
}
