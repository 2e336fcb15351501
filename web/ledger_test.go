package web

import "testing"

// A download has what is shown: with an amount, only the days that were searched.
func TestDownloadHasWhatIsShown(t *testing.T) {
	l := Ledger{Path: "/transactions", Filter: TransactionFilter{From: Field{Value: "2026-01-01"}, Amount: Field{Value: "100-200"}}}
	for since, expected := range map[string]string{"": "amount=100-200&from=2026-01-01", "2026-10-05": "amount=100-200&from=2026-10-05"} {
		l.Since = since
		if got := l.download().Query; got != expected {
			t.Errorf("since %q: got %q, want %q", since, got, expected)
		}
	}
}
