package web

import (
	"strings"
	"testing"
)

// A bar is as high as its sum, whatever its size; withdrawn sums lie on top of it, and the
// usual one is a line. Days that took money back have no bar, but say so.
func TestDayBars(t *testing.T) {
	d := DayBars{Link: "/transactions", Days: []BookingDay{
		{Day: "2026-11-16", Amount: "100.00", UsualAmount: "50.00", UsualCount: 1},
		{Day: "2026-11-17", Amount: "50.00", WithdrawnFiles: 1, WithdrawnAmount: "50.00"},
		{Day: "2026-11-18", Amount: "-40.00", UsualAmount: "0.00"},
	}}.draw(frame("/"))
	whole, half := d.bars[0].served.height, d.bars[1].served.height
	if half != d.bars[1].refused.height || d.bars[1].refused.y != d.bars[0].served.y || whole == half {
		t.Errorf("%+v", d.bars)
	}
	if d.bars[0].usual.y == "" || d.bars[2].usual.y != "" || d.bars[2].served.height != "0.00" || !strings.Contains(d.bars[2].title, "40.00") || strings.Contains(d.bars[2].title, " 40.00") {
		t.Errorf("%+v", d.bars)
	}
	if !strings.Contains(d.summary, "110.00 DKK received; the most, 100.00 DKK, in Monday 2026-11-16") {
		t.Error(d.summary)
	}
	huge := DayBars{Days: []BookingDay{{Day: "2026-11-16", Amount: "999999999999999999999999999999.00"}, {Day: "x", Amount: "x"}}}.draw(frame("/"))
	if huge.bars[0].served.height == "0.00" || strings.Contains(huge.bars[0].served.height, "-") {
		t.Errorf("%+v", huge.bars)
	}
	months := DayBars{ByMonth: true, Link: "/x", Days: []BookingDay{{Day: "2026-02-01", Amount: "1.00"}}}.draw(frame("/"))
	if months.bars[0].href != "/x?from=2026-02-01&to=2026-02-28" || months.bars[0].title != "February 2026: 1.00 DKK" || months.ticks[0].label != "Feb" {
		t.Errorf("%+v", months)
	}
}
