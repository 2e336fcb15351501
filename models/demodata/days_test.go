package demodata

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Easter is on the dates of published calendars.
func TestEasterSunday(t *testing.T) {
	for _, want := range []time.Time{
		date(2024, time.March, 31), date(2025, time.April, 20), date(2026, time.April, 5),
		date(2027, time.March, 28), date(2028, time.April, 16), date(2038, time.April, 25),
	} {
		require.Equal(t, want, easterSunday(want.Year()))
	}
}

// Banks are closed on Danish bank holidays and open on the adjacent days.
func TestBankHoliday(t *testing.T) {
	tests := map[string]bool{
		"2026-01-01": true, "2026-01-02": false,
		"2026-04-01": false, "2026-04-02": true, "2026-04-03": true, "2026-04-06": true, "2026-04-07": false,
		"2026-05-01": false, // Great Prayer Day has been a working day since 2024
		"2026-05-13": false, "2026-05-14": true, "2026-05-15": true, "2026-05-25": true, "2026-05-26": false,
		"2026-06-05": true, "2026-06-08": false,
		"2026-12-23": false, "2026-12-24": true, "2026-12-25": true, "2026-12-30": false, "2026-12-31": true,
	}
	for text, want := range tests {
		day, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		require.Equal(t, want, bankHoliday(day), text)
	}
}

// The newest week is the last one whose last banking day is not after lastDay, for any
// day of the week.
func TestBankingWeeksEnd(t *testing.T) {
	tests := []struct{ lastDay, newest string }{
		{"2026-11-19", "2026-11-13"},
		{"2026-11-20", "2026-11-20"},
		{"2026-11-22", "2026-11-20"},
		{"2026-11-23", "2026-11-20"},
		{"2026-03-31", "2026-03-27"},
		{"2026-04-01", "2026-04-01"}, // the Wednesday before Easter
		{"2026-12-31", "2026-12-30"},
	}
	for _, tt := range tests {
		lastDay, err := time.Parse(time.DateOnly, tt.lastDay)
		require.NoError(t, err)
		weeks := bankingWeeks(lastDay, 3)
		require.Len(t, weeks, 3)
		require.Equal(t, tt.newest, newestDay(weeks).Format(time.DateOnly), tt.lastDay)
	}
}
