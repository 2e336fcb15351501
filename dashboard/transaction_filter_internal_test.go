package dashboard

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/ledger"
	"dispo/web"
)

// The address of a ledger is read as people write days, amounts and CVRs (see also
// ledger.ParseAmount), and comes out in one form.
func TestTransactionFilter(t *testing.T) {
	t.Parallel()
	first, last := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)
	before, leap := last.AddDate(-1, 0, 0), time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	for address, want := range map[string]struct {
		filter ledger.TransactionFilter
		again  string
	}{
		"":                                  {},
		"unknown=1":                         {},
		"from=2026-10-01&to=2026-12-31":     {ledger.TransactionFilter{From: &first, To: &last}, "from=2026-10-01&to=2026-12-31"},
		"from=1.10.2026&to=31-12-2026":      {ledger.TransactionFilter{From: &first, To: &last}, "from=2026-10-01&to=2026-12-31"},
		"from=1+Oct&to=31+december+2026":    {ledger.TransactionFilter{From: &first, To: &last}, "from=2026-10-01&to=2026-12-31"},
		"to=Dec+31":                         {ledger.TransactionFilter{To: &before}, "to=2025-12-31"}, // nothing was received on a later day
		"to=29.+februar":                    {ledger.TransactionFilter{To: &leap}, "to=2024-02-29"},
		"type=+CARD+":                       {ledger.TransactionFilter{Type: "CARD"}, "type=CARD"},
		"cvr=DK94379792":                    {ledger.TransactionFilter{CVR: "94379792"}, "cvr=94379792"},
		"cvr=94+37+97+92":                   {ledger.TransactionFilter{CVR: "94379792"}, "cvr=94379792"},
		"amount=1.234,5":                    {ledger.TransactionFilter{AmountFrom: "1234.50", AmountTo: "1234.50"}, "amount=1.234%2C5"},
		"amount=100..200":                   {ledger.TransactionFilter{AmountFrom: "100.00", AmountTo: "200.00"}, "amount=100..200"},
		"amount=-200..-100":                 {ledger.TransactionFilter{AmountFrom: "-200.00", AmountTo: "-100.00"}, "amount=-200..-100"},
		"amount=12.000-12.500":              {ledger.TransactionFilter{AmountFrom: "12000.00", AmountTo: "12500.00"}, "amount=12.000-12.500"},
		"amount=12000+-+12500+kr.":          {ledger.TransactionFilter{AmountFrom: "12000.00", AmountTo: "12500.00"}, "amount=12000+-+12500+kr."},
		"amount=100+kr+til+200+kr":          {ledger.TransactionFilter{AmountFrom: "100.00", AmountTo: "200.00"}, "amount=100+kr+til+200+kr"},
		"amount=-200+to+-100":               {ledger.TransactionFilter{AmountFrom: "-200.00", AmountTo: "-100.00"}, "amount=-200+to+-100"},
		"amount=DKK+5":                      {ledger.TransactionFilter{AmountFrom: "5.00", AmountTo: "5.99"}, "amount=DKK+5"},
		"amount=100..":                      {ledger.TransactionFilter{AmountFrom: "100.00"}, "amount=100.."},
		"amount=2.875,25-+kr.":              {ledger.TransactionFilter{AmountFrom: "-2875.25", AmountTo: "-2875.25"}, "amount=2.875%2C25-+kr."},
		"amount=200-+..+100-":               {ledger.TransactionFilter{AmountFrom: "-200.00", AmountTo: "-100.00"}, "amount=200-+..+100-"},
		"amount=±5":                         {ledger.TransactionFilter{AmountFrom: "5.00", AmountTo: "5.99", Unsigned: true}, "amount=%C2%B15"},
		"amount=13564":                      {ledger.TransactionFilter{AmountFrom: "13564.00", AmountTo: "13564.99"}, "amount=13564"},
		"amount=13.564+kr.":                 {ledger.TransactionFilter{AmountFrom: "13564.00", AmountTo: "13564.99"}, "amount=13.564+kr."},
		"amount=13564,-":                    {ledger.TransactionFilter{AmountFrom: "13564.00", AmountTo: "13564.00"}, "amount=13564%2C-"},
		"amount=13564.00":                   {ledger.TransactionFilter{AmountFrom: "13564.00", AmountTo: "13564.00"}, "amount=13564.00"},
		"amount=-200":                       {ledger.TransactionFilter{AmountFrom: "-200.00", AmountTo: "-200.00"}, "amount=-200"},
		"amount=200-":                       {ledger.TransactionFilter{AmountFrom: "-200.00", AmountTo: "-200.00"}, "amount=200-"},
		"amount=..100":                      {ledger.TransactionFilter{AmountTo: "100.00"}, "amount=..100"},
		"from=2026-10-01&type=A%00B&amount": {ledger.TransactionFilter{From: &first, Type: "AB"}, "from=2026-10-01&type=AB"},
	} {
		filter, form := parsed(t, address)
		require.Equal(t, want.filter, filter, address)
		require.True(t, form.Valid(), address)
		require.Equal(t, want.again, form.Values().Encode(), address)
	}
}

// What is wrong in the address is said at its field. What was typed stays, and the other
// fields count.
func TestTransactionFilterErrors(t *testing.T) {
	t.Parallel()
	for address, problem := range map[string]string{
		"from=2026-02-30":               "Enter a day as year-month-day",
		"from=30+Feb":                   "Enter a day",
		"from=20+November+26":           "Enter a day",
		"from=yesterday":                "Enter a day",
		"to=0000-01-01":                 "Enter a day",
		"from=2026-10-02&to=2026-10-01": "before the first day",
		"amount=much":                   "Enter an amount",
		"amount=..":                     "Enter an amount",
		"amount=1..2..3":                "Enter an amount",
		"amount=1000000000000":          "Enter an amount",
		"amount=200..100":               "ends below its start",
		"amount=-1..-2":                 "ends below its start",
		"cvr=1234567":                   "8 digits",
		"cvr=123456789":                 "8 digits",
		"cvr=SE12345678":                "8 digits",
		"type=" + strings.Repeat("x", longestType+1): "Choose one",
	} {
		filter, form := parsed(t, address)
		require.False(t, form.Valid(), address)
		all := form.From.Error + form.To.Error + form.Type.Error + form.Amount.Error + form.CVR.Error
		require.Contains(t, all, problem, address)
		require.Equal(t, address, form.Values().Encode(), "nothing typed is lost")
		require.Empty(t, filter.CVR+filter.Type+filter.AmountFrom+filter.AmountTo, address)
	}
}

// Beside a negative amount, the positive ones are offered from there: a minus may have been meant
// as a range without an end.
func TestFromInstead(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]string{"-200": "200..", "200-": "200..", "-200,5": "200.50..", "200": "", "200..": "",
		"-200..-100": "", "±200": "", "": "", "..-200": ""} {
		filter, _ := parsed(t, url.Values{"amount": {amount}}.Encode())
		require.Equal(t, want, fromInstead(filter), amount)
	}
}

func parsed(t *testing.T, address string) (ledger.TransactionFilter, web.TransactionFilter) {
	values, err := url.ParseQuery(address)
	require.NoError(t, err)
	return transactionFilter(web.Frame{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}, values.Get)
}
