package web

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A download has what is shown: with an amount, only the days that were searched.
func TestDownloadHasWhatIsShown(t *testing.T) {
	l := Ledger{Path: "/transactions", Filter: TransactionFilter{From: Field{Value: "2026-01-01"}, Amount: Field{Value: "100-200"}}}
	for since, expected := range map[string]string{"": "amount=100-200&from=2026-01-01", "2026-10-05": "amount=100-200&from=2026-10-05"} {
		l.Since = since
		assert.Equal(t, expected, l.download().Query, since)
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
		if got := strings.Count(open, "<li"); got != min(3, row.shown) || got+strings.Count(folded, "<li") != row.shown+row.others {
			t.Errorf("%+v: %d open: %s", row, got, text)
		}
		assert.Contains(t, folded, row.summary, row)
		assert.Equal(t, row.shown > 0, strings.Contains(open, "banner"), row)
	}
}
