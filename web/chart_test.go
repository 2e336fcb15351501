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
		step, top := scale(value)
		assert.True(t, top >= value && top%step == 0 && top/step <= 5 && (value <= 4 || top < 2*value+step),
			"scale(%d) = %d, %d", value, step, top)
		if digits := strings.TrimRight(number(step, English), "0,"); digits != "1" && digits != "2" && digits != "5" {
			t.Errorf("scale(%d) has the step %d, which is not round", value, step)
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
	if none := draw(Frame{}, Chart{By: ByDay, Bars: []Bar{{Start: now, Served: 20}}}); none.limit != nil ||
		none.limitAbove {
		t.Error("a limit is drawn although there is none")
	}
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
