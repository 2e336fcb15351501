package ledger_test

import (
	"dispo/models/ledger"
	"testing"

	"github.com/stretchr/testify/require"
)

// Amounts are understood as Danes and as English write them. Text that
// could mean two amounts is refused.
func TestParseAmount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0.00", "-0": "0.00", "7": "7.00", "007": "7.00", "1234.50": "1234.50", "1234,5": "1234.50", "1.234,50": "1234.50",
		"1,234.50": "1234.50", "1.234": "1234.00", "1,234": "1234.00", "1.234.567,89": "1234567.89", " 1 234,50 ": "1234.50",
		"-1.234,50": "-1234.50", "\u22121234.5": "-1234.50", ",5": "0.50", "5,": "5.00", "1.234,50-": "-1234.50", "1.234,-": "1234.00", "999999999999.99": "999999999999.99",
	} {
		amount, ok := ledger.ParseAmount(text)
		require.True(t, ok, text)
		require.Equal(t, want, amount, text)
	}
	for _, text := range []string{"", "-", ".", ",", "x", "1x", "1.2345", "12.34.5", "1,23,45", "1.234.5", "1234.567,8", "--1", "1--", "-1-", "1e3", "1000000000000", "0x10", "١"} {
		_, ok := ledger.ParseAmount(text)
		require.False(t, ok, text)
	}
}

// Amounts compare as numbers, not as text.
func TestCompareAmounts(t *testing.T) {
	t.Parallel()
	ordered := []string{"-1000.00", "-9.10", "-9.00", "0.00", "0.01", "9.00", "10.00", "100.00"}
	for i, a := range ordered {
		for j, b := range ordered {
			require.Equal(t, i < j, ledger.CompareAmounts(a, b) < 0, "%s %s", a, b)
			require.Equal(t, i > j, ledger.CompareAmounts(a, b) > 0, "%s %s", a, b)
		}
	}
}
