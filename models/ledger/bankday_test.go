package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/ledger"
)

// Banks are closed on weekends, on public holidays, and on the days that they have agreed
// on. Store Bededag is a day like others since 2024.
func TestBankDays(t *testing.T) {
	t.Parallel()
	for day, open := range map[string]bool{
		"2026-01-01": false, "2026-01-02": true, "2026-11-21": false, "2026-11-22": false, "2026-11-23": true,
		// Easter.
		"2026-04-01": true, "2026-04-02": false, "2026-04-03": false, "2026-04-06": false, "2026-04-07": true,
		"2027-03-25": false, "2027-03-26": false, "2027-03-29": false, "2024-03-28": false, "2024-04-01": false,
		// Store Bededag.
		"2023-05-05": false, "2024-04-26": true, "2026-05-01": true, "2027-04-23": true,
		// Ascension Day, the day after, and Whit Monday.
		"2026-05-13": true, "2026-05-14": false, "2026-05-15": false, "2026-05-25": false, "2026-05-26": true,
		"2027-05-06": false, "2027-05-07": false, "2027-05-17": false,
		// Grundlovsdag.
		"2025-06-05": false, "2026-06-05": false, "2026-06-04": true, "2028-06-05": false,
		// Christmas. A holiday on a weekend moves to no other day.
		"2025-12-23": true, "2025-12-24": false, "2025-12-25": false, "2025-12-26": false, "2025-12-29": true, "2025-12-31": false,
		"2027-12-24": false, "2027-12-27": true, "2027-12-31": false, "2028-01-03": true, "2022-01-03": true,
	} {
		date, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		require.Equal(t, open, ledger.BankDay(date), day)
	}
	copenhagen, err := time.LoadLocation("Europe/Copenhagen")
	require.NoError(t, err)
	require.False(t, ledger.BankDay(time.Date(2026, 6, 4, 22, 30, 0, 0, time.UTC).In(copenhagen)),
		"the day is that of the time's zone")
}
