package web

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A download has what is shown: with an amount, only the days that were searched.
func TestDownloadHasWhatIsShown(t *testing.T) {
	filter := TransactionFilter{From: Field{Value: "2026-01-01"}, Amount: Field{Value: "100-200"}}
	l := Ledger{Path: "/transactions", Filter: filter}
	for since, expected := range map[string]string{"": "amount=100-200&from=2026-01-01", "2026-10-05": "amount=100-200&from=2026-10-05"} {
		l.Since = since
		assert.Equal(t, expected, l.download().Query, since)
	}
}

// Where the sum is not known, the list with a filter says to narrow it: not the search.
func TestUnknownSum(t *testing.T) {
	for _, searched := range []bool{false, true} {
		text := rendered(t, ledgerSums(frame("/"), Ledger{Linked: searched, Count: 10_000, More: true}))
		assert.Contains(t, text, "Known up to 10,000 transactions.")
		assert.Equal(t, !searched, strings.Contains(text, "Narrow the filter."))
	}
}

// All withdrawals are named: the latest few of the days shown at once, the others folded.
func TestWithdrawalsAreAllNamed(t *testing.T) {
	for _, row := range []struct {
		shown, others int
		summary       string
	}{{0, 0, ""}, {1, 0, ""}, {3, 0, ""}, {4, 0, "1 more withdrawn delivery<"}, {2, 1, "1 more withdrawn delivery<"}, {5, 4, "6 more withdrawn deliveries<"}, {0, 2, "2 more withdrawn deliveries<"}} {
		text := rendered(t, withdrawals(frame("/"), make([]Withdrawal, row.shown), make([]Withdrawal, row.others)...))
		open, folded, _ := strings.Cut(text, "<details")
		if got := strings.Count(open, "<li"); got != min(3, row.shown) ||
			got+strings.Count(folded, "<li") != row.shown+row.others {
			t.Errorf("%+v: %d open: %s", row, got, text)
		}
		assert.Contains(t, folded, row.summary, row)
		assert.Equal(t, row.shown > 0, strings.Contains(open, "banner"), row)
	}
	assert.Contains(t, rendered(t, withdrawals(frame("/"), []Withdrawal{{Reason: "wrong"}})), "Reason: wrong")
	assert.Contains(t, rendered(t, withdrawals(frame("/"), []Withdrawal{{Reason: "retention"}})),
		"Reason: transactions are not kept for longer")
}

// The periods are whole months, quarters and years of the reader's calendar day.
func TestPeriods(t *testing.T) {
	for now, expected := range map[string][]string{
		"2026-11-22T12:00:00Z": {"2026-11-01 2026-11-30", "2026-10-01 2026-10-31", "2026-10-01 2026-12-31", "2026-07-01 2026-09-30", "2026-01-01 2026-12-31"},
		"2027-12-31T23:30:00Z": {"2028-01-01 2028-01-31", "2027-12-01 2027-12-31", "2028-01-01 2028-03-31", "2027-10-01 2027-12-31", "2028-01-01 2028-12-31"},
		"2028-03-31T21:00:00Z": {"2028-03-01 2028-03-31", "2028-02-01 2028-02-29", "2028-01-01 2028-03-31", "2027-10-01 2027-12-31", "2028-01-01 2028-12-31"},
	} {
		at, err := time.Parse(time.RFC3339, now)
		require.NoError(t, err)
		var ranges []string
		for _, p := range periods(Frame{Now: at, Zone: copenhagen}) {
			ranges = append(ranges, p.from+" "+p.to)
		}
		require.Equal(t, expected, ranges, now)
	}
}

// A period keeps the rest of the filter.
func TestPeriodKeepsTheFilter(t *testing.T) {
	filter := TransactionFilter{From: Field{Value: "2020-01-01"}, Type: Field{Value: "CARD"}}
	l := Ledger{Path: "/transactions", Filter: filter}
	require.Equal(t, "/transactions?from=2026-10-01&to=2026-12-31&type=CARD",
		l.inPeriod(period{from: "2026-10-01", to: "2026-12-31"}))
}
