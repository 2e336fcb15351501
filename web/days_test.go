package web

import (
	"strings"
	"testing"
)

// A bar is as high as its sum, whatever its size; withdrawn sums lie on top of it, and the
// usual one is a line. Days that took money back have no bar, but say so.
func TestDayBars(t *testing.T) {
	d := DayBars{Link: "/transactions", Days: []ReceivedDay{
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
	if !strings.Contains(d.summary, "110.00\u00a0DKK received. The most: 100.00\u00a0DKK, Monday 2026-11-16") {
		t.Error(d.summary)
	}
	huge := DayBars{Days: []ReceivedDay{{Day: "2026-11-16", Amount: "999999999999999999999999999999.00"}, {Day: "x", Amount: "x"}}}.draw(frame("/"))
	if huge.bars[0].served.height == "0.00" || strings.Contains(huge.bars[0].served.height, "-") {
		t.Errorf("%+v", huge.bars)
	}
	months := DayBars{ByMonth: true, Link: "/x", Days: []ReceivedDay{{Day: "2026-02-01", Amount: "1.00"}}}.draw(frame("/"))
	if months.bars[0].href != "/x?from=2026-02-01&to=2026-02-28" || months.bars[0].title != "February 2026: 1.00\u00a0DKK" || months.ticks[0].label != "Feb" {
		t.Errorf("%+v", months)
	}
}

// The overview names the full days after the newest that have less than usual, or that were
// withdrawn: the latest few, and neither ordinary days nor today.
func TestLaterDays(t *testing.T) {
	missing := func(day string) ReceivedDay {
		return ReceivedDay{Day: day, Amount: "0.00", UsualCount: 4, UsualAmount: "100.00"}
	}
	withdrawn := ReceivedDay{Day: "2026-11-15", Amount: "0.00", WithdrawnFiles: 1, WithdrawnCount: 2, WithdrawnAmount: "7.00", WithdrawnID: "id"}
	v := OverviewView{Frame: frame("/"), Newest: ReceivedDay{Day: "2026-11-13", Count: 1, Amount: "5.00"}}
	v.Bars.Days = []ReceivedDay{missing("2026-11-12"), v.Newest, {Day: "2026-11-14", Amount: "0.00"}, withdrawn, missing("2026-11-16"), missing("2026-11-20")}
	text := rendered(t, money(v))
	for _, word := range []string{"Monday 2026-11-16</a>:", "Nothing received", "Sunday 2026-11-15</a>:", "Withdrawn: 2 records of 7.00\u00a0DKK", "/days?day=2026-11-16&amp;month=2026-11#day-2026-11-16"} {
		if !strings.Contains(text, word) {
			t.Errorf("no %q in %s", word, text)
		}
	}
	if later := v.later(); len(later) != 2 || later[0].Day != "2026-11-15" {
		t.Error(later)
	}
	for range 10 {
		v.Bars.Days = append(v.Bars.Days, missing("2026-11-19"))
	}
	if later := v.later(); len(later) != laterShown || later[0].Day != "2026-11-19" {
		t.Error(later)
	}
	v.MoreRefused, v.RefusedToday = true, 100
	if text := rendered(t, attention(v)); !strings.Contains(text, "At least 100 requests were refused") {
		t.Error(text)
	}
}
