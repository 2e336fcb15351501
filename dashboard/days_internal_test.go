package dashboard

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/ledger"
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
