package dashboard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/web"
)

// The usual is the median of the weekday's last eight days with transactions, whatever lies
// between them. It is unknown of a weekday with less than three, and nothing where most days
// have none, and on bank holidays. Neither today nor later days count.
func TestUsualOfWeekday(t *testing.T) {
	today := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		weeks  string // sums of the weeks before, the latest first; - for none
		count  int64
		amount string
	}{
		{"", 0, ""},
		{"1.00 2.00", 0, ""},
		{"1.00 9.00 2.00", 1, "2.00"},
		{"1.00 2.00 9.00 4.00", 1, "3.00"},
		{"0.01 0.02 0.02 0.01", 1, "0.02"}, // half an øre is rounded up
		{"-1.00 -4.00 -2.00 -3.00", 1, "-2.50"},
		{"9.00 10.00 100.00", 1, "10.00"},
		{"1.00 1.00 1.00 1.00 3.00 3.00 3.00 3.00 9.00 9.00 9.00 9.00", 1, "2.00"}, // not the ninth
		{"- 1.00 - 1.00 1.00 3.00 3.00 3.00 3.00 9.00", 1, "3.00"},                 // holidays
		{"- 1.00 - 1.00 1.00 1.00 5.00 5.00 5.00 5.00 9.00", 1, "3.00"},
		{"1.00 - - 1.00", 0, "0.00"},
		{"- - -", 0, "0.00"},
		{"5.00 - - - 5.00 - - - 5.00 - - - 5.00", 0, "0.00"},
	} {
		known := []ledger.ArrivalDay{{Day: today, Count: 1, AmountDKK: "7777.00"}}
		for i, sum := range strings.Fields(row.weeks) {
			day := ledger.ArrivalDay{Day: today.AddDate(0, 0, -7*(i+1)), Count: 1, AmountDKK: sum}
			if sum == "-" {
				day.Count, day.AmountDKK = 0, "0.00"
			}
			known = append(known, day)
		}
		if strings.HasSuffix(row.weeks, "-") { // what is known begins before
			known = append(known, ledger.ArrivalDay{Day: known[len(known)-1].Day.AddDate(0, 0, -1), Count: 1, AmountDKK: "1.00"})
		}
		day := toReceivedDays(known, today, today, today)[0]
		require.Equal(t, []any{row.count, row.amount}, []any{day.UsualCount, day.UsualAmount}, row.weeks)
		next := toReceivedDays(known, today, today.AddDate(0, 0, 7), today.AddDate(0, 0, 7))
		require.Empty(t, next, "a day to come without transactions")
	}
	ascension := time.Date(2026, 5, 14, 0, 0, 0, 0, time.UTC) // a Thursday
	var thursdays []ledger.ArrivalDay
	for week := 1; week < 9; week++ {
		thursdays = append(thursdays, ledger.ArrivalDay{Day: ascension.AddDate(0, 0, -7*week), Count: 4, AmountDKK: "1.00"})
	}
	days := toReceivedDays(thursdays, today, ascension, ascension.AddDate(0, 0, 7))
	require.Equal(t, []int64{4, 0}, []int64{days[0].UsualCount, days[7].UsualCount})
}

// A day's companies are compared with days before, unless it is to come or so large that the
// page would not be read in time.
func TestComparedDays(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		count, usual int64
		day          time.Time
		compared     bool
	}{
		{100, 100, today, true}, {0, comparedMost, today, true}, {100, 100, today.AddDate(0, 0, 7), false},
		{100, 0, today, false}, {comparedMost + 1, 100, today, false}, {100, comparedMost + 1, today, false},
	} {
		require.Equal(t, row.compared,
			comparedDays(web.ReceivedDay{Count: row.count, UsualCount: row.usual}, row.day, today) != nil, "%+v", row)
	}
}

// A chart has a bar for each local day, and by hour one for each hour that begins on the
// day, also when clocks change and where days begin during an hour of UTC.
func TestBars(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone, day    string
		hours        int
		first, tenth string // in UTC
	}{
		{"UTC", "2026-03-29", 24, "2026-03-29T00:00:00Z", "2026-04-07T00:00:00Z"},
		{"Europe/Copenhagen", "2026-03-29", 23, "2026-03-28T23:00:00Z", "2026-04-07T00:00:00Z"},
		{"Europe/Copenhagen", "2026-10-25", 25, "2026-10-24T22:00:00Z", "2026-11-03T00:00:00Z"},
		{"Asia/Kolkata", "2026-03-29", 24, "2026-03-28T19:00:00Z", "2026-04-07T00:00:00Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		require.NoError(t, err)
		day, err := time.ParseInLocation(time.DateOnly, c.day, zone)
		require.NoError(t, err)
		hours := bars(keys.Query{Since: day, Until: day.AddDate(0, 0, 1)}, nil)
		require.Len(t, hours, c.hours)
		require.Equal(t, c.first, hours[0].Start.UTC().Format(time.RFC3339))
		days := bars(keys.Query{Since: day, Until: day.AddDate(0, 0, 10), ByDay: true}, nil)
		require.Len(t, days, 10)
		require.Equal(t, c.tenth, days[9].Start.UTC().Format(time.RFC3339))
	}
}

// Identical refused requests are one line with their number, and with when the first and
// the latest were. Any difference that the page shows makes another line.
func TestRefusalsOf(t *testing.T) {
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	request := func(minute int, change func(r *keys.Refusal)) keys.Refusal {
		r := keys.Refusal{KeyName: "Production", KeyHint: "TqP4"}
		r.At, r.Status, r.Method, r.Path = start.Add(time.Duration(minute)*time.Minute), 429, "GET", "/api/v1/companies"
		change(&r)
		return r
	}
	same := func(*keys.Refusal) {}
	other := func(r *keys.Refusal) { r.Address = "10.0.0.7" }
	shown := refusalsOf([]keys.Refusal{request(9, same), request(8, other), request(7, same), request(3, same)})
	require.Len(t, shown, 2)
	require.Equal(t, int64(3), shown[0].Count)
	require.Equal(t, start.Add(9*time.Minute), shown[0].At)
	require.Equal(t, start.Add(3*time.Minute), shown[0].FirstAt)
	require.Equal(t, int64(1), shown[1].Count)

	var many []keys.Refusal
	for n := range refusalsRead {
		many = append(many, request(-n, func(r *keys.Refusal) { r.Path = fmt.Sprint(n) }))
	}
	require.Len(t, refusalsOf(many), refusalsShown)
}
