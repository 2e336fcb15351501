package ledger

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

var (
	wholeKroner  = regexp.MustCompile(`^(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,3}(?:,[0-9]{3})+)$`)
	amountSpaces = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\u2212", "-", "\u2013", "-")
)

// ParseAmount returns an amount as people write it, with a decimal point or a decimal
// comma, as decimal text with two decimals. The other sign, and spaces, may separate
// thousands: 1.234,50, 1,234.50 and -1234.5 are amounts. A minus may also stand at the end, as
// on Danish statements: 1.234,50- is negative. A dash for no øre is no minus: 100,- is 100.00.
func ParseAmount(text string) (string, bool) {
	digits, negative := strings.CutPrefix(strings.TrimSuffix(amountSpaces.Replace(text), ",-"), "-")
	if rest, ok := strings.CutSuffix(digits, "-"); ok && !negative {
		digits, negative = rest, true
	}
	whole, fraction := digits, "00"
	if at := strings.LastIndexAny(digits, ".,"); at >= 0 && len(digits)-at <= 3 {
		whole, fraction = digits[:at], (digits[at+1:] + "00")[:2]
		if strings.ContainsRune(whole, rune(digits[at])) { // it cannot be both signs
			return "", false
		}
	}
	whole = cmp.Or(whole, "0")
	if !wholeKroner.MatchString(whole) || strings.Trim(fraction, "0123456789") != "" ||
		!strings.ContainsAny(digits, "0123456789") {
		return "", false
	}
	whole = cmp.Or(strings.TrimLeft(strings.NewReplacer(".", "", ",", "").Replace(whole), "0"), "0")
	if len(whole) > 12 { // numeric(14, 2)
		return "", false
	}
	amount := whole + "." + fraction
	if negative && amount != "0.00" {
		amount = "-" + amount
	}
	return amount, true
}

// IsWhole reports whether people wrote an amount in whole kroner, without a sign or decimals, such
// as 13.564. A search for it also finds 13.564,12.
func IsWhole(text string) bool { return wholeKroner.MatchString(amountSpaces.Replace(text)) }

// CompareAmounts compares two amounts of ParseAmount: it is negative if a is less than b.
func CompareAmounts(a, b string) int {
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)
	return x.Cmp(y)
}

// MedianAmount returns the median of one or more amounts, rounded to two decimals.
func MedianAmount(amounts []string) string {
	sorted := slices.SortedFunc(slices.Values(amounts), CompareAmounts)
	middle, _ := new(big.Rat).SetString(SumAmounts([]string{sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]}))
	return middle.Quo(middle, big.NewRat(2, 1)).FloatString(2)
}

// SumAmounts returns the sum of amounts with two decimals, as of transactions.
func SumAmounts(amounts []string) string {
	sum := new(big.Rat)
	for _, amount := range amounts {
		value, _ := new(big.Rat).SetString(amount)
		sum.Add(sum, value)
	}
	return sum.FloatString(2)
}
