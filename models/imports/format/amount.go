package format

import (
	"bytes"
	"fmt"
	"math/big"
)

// amountDigits is how many digits may stand before the decimals: those of
// numeric(14,2).
const amountDigits = 12

type signPlace int

const (
	signLeading   signPlace = iota // before the digits
	signTrailing                   // after the digits
	signElsewhere                  // in a field of its own, or nowhere
)

type amountFormat struct {
	point     []byte // the decimal separator; empty where decimals are implied
	thousands []byte // the separator between groups of three digits; empty for none

	// decimals is how many decimals the digits end with; -1 for none, one or
	// two, which needs a decimal separator. Those beyond two must be zeros.
	decimals int

	sign     signPlace
	signAt   int    // the index of the place of the sign's own field; 0 for none
	negative []byte // what stands for negative
	positive []byte // what may stand for positive; empty where nothing stands

	digits int  // the most that may stand before the decimals
	padded bool // zeros may fill the amount up beyond its digits, and spaces part it from its sign

	expected string // for reasons
}

var csvAmount = &amountFormat{
	point:    []byte("."),
	decimals: -1,
	digits:   amountDigits,
	negative: []byte("-"),
	expected: "an amount such as 1234.50 or -0.75; at most 12 digits before the point; no thousands separators",
}

// parse appends the canonical form of an amount to buffer. Whether an amount
// whose sign stands elsewhere is negative is for the caller to say.
func (f *amountFormat) parse(buffer, text []byte, negative bool) (amount []byte, reason string) {
	digits := text
	if f.sign != signElsewhere {
		digits, negative = f.cutSign(text)
	}
	whole, decimals, ok := f.cutDecimals(digits)
	amount = buffer
	if negative {
		amount = append(amount, '-')
	}
	if ok {
		amount, ok = f.appendWhole(amount, whole)
	}
	cents := [maxDecimals]byte{'0', '0', '0', '0', '0', '0'}
	if missing := f.decimals - len(decimals); len(f.point) == 0 && missing > 0 {
		copy(cents[missing:], decimals) // digits that are missing are missing in front
	} else {
		copy(cents[:], decimals)
	}
	if !ok || !IsDigits(decimals, 0, maxDecimals) || len(bytes.Trim(cents[2:], "0")) > 0 {
		return nil, fmt.Sprintf("expected %s; found %s", f.expected, quoted(text))
	}
	amount = append(amount, '.', cents[0], cents[1])
	if negative && !bytes.ContainsAny(amount, "123456789") {
		amount = amount[:copy(amount, amount[1:])]
	}
	return amount, ""
}

func (f *amountFormat) cutSign(text []byte) (digits []byte, negative bool) {
	cut := bytes.CutPrefix
	if f.sign == signTrailing {
		cut = bytes.CutSuffix
	}
	digits, negative = cut(text, f.negative)
	if !negative {
		digits, _ = cut(text, f.positive)
	}
	if f.padded {
		digits = bytes.Trim(digits, " ")
	}
	return digits, negative
}

// cutDecimals parts the digits before the decimals from the decimals, and
// reports whether these are as many as they must be.
func (f *amountFormat) cutDecimals(digits []byte) (whole, decimals []byte, ok bool) {
	if len(f.point) == 0 {
		at := max(0, len(digits)-f.decimals)
		return digits[:at], digits[at:], len(digits) > 0
	}
	whole, decimals, found := bytes.Cut(digits, f.point)
	switch {
	case len(whole) == 0:
		return nil, nil, false
	case f.decimals >= 0:
		return whole, decimals, found && len(decimals) == f.decimals
	case found:
		return whole, decimals, len(decimals) == 1 || len(decimals) == 2
	}
	return whole, nil, true
}

// appendWhole appends the digits before the decimals, without leading zeros
// and thousands separators.
func (f *amountFormat) appendWhole(amount, whole []byte) (_ []byte, ok bool) {
	if !f.padded && len(whole) > f.digits {
		return nil, false
	}
	start := len(amount)
	for more := len(whole) > 0; more; {
		group, first := whole, len(amount) == start
		if more = false; len(f.thousands) > 0 {
			group, whole, more = bytes.Cut(whole, f.thousands)
		}
		if !IsDigits(group, 1, len(group)) || len(group) != 3 && !first || len(group) > 3 && more {
			return nil, false
		}
		amount = append(amount, group...)
	}
	digits := bytes.TrimLeft(amount[start:], "0")
	if len(digits) == 0 {
		digits = []byte("0")
	}
	return append(amount[:start], digits...), len(digits) <= f.digits
}

// complete reports whether nothing can be missing at the end of an amount: it
// has all the decimals that there can be, and no sign would follow them.
func (f *amountFormat) complete(text []byte) bool {
	if len(f.point) == 0 || f.sign == signTrailing {
		return false
	}
	want := f.decimals
	if want < 0 {
		want = 2
	}
	at := bytes.LastIndex(text, f.point)
	return want > 0 && at >= 0 && len(text)-at-len(f.point) == want
}

// describe sets expected, what the format expects, for use in reasons.
func (f *amountFormat) describe() {
	switch {
	case f.decimals < 0:
		f.expected = fmt.Sprintf("an amount with up to 2 decimals after %q", f.point)
	case len(f.point) > 0:
		f.expected = fmt.Sprintf("an amount with %d decimals after %q", f.decimals, f.point)
	case f.decimals > 0:
		f.expected = fmt.Sprintf("an amount in digits, the last %d being decimals", f.decimals)
	default:
		f.expected = "an amount in digits, without decimals"
	}
	if f.decimals > 2 {
		f.expected += ", zero beyond the second"
	}
	f.expected += fmt.Sprintf("; at most %d digits before the decimals", f.digits)
	if len(f.thousands) > 0 {
		f.expected += fmt.Sprintf("; %q between groups of three digits", f.thousands)
	}
	switch f.sign {
	case signLeading:
		f.expected += fmt.Sprintf("; %q in front if negative", f.negative)
	case signTrailing:
		f.expected += fmt.Sprintf("; %q at the end if negative", f.negative)
	}
}

// Sum adds up amounts exactly. Its zero value is 0.
type Sum struct{ ore big.Int }

// Add adds an amount in its canonical form: digits, a point, two decimals, and a
// leading '-' where negative.
func (s *Sum) Add(amount []byte) {
	var ore int64
	for _, c := range amount {
		if isDigit(c) {
			ore = ore*10 + int64(c-'0')
		}
	}
	if amount[0] == '-' {
		ore = -ore
	}
	s.ore.Add(&s.ore, big.NewInt(ore))
}

// String returns the sum in kroner, with two decimals.
func (s *Sum) String() string {
	return new(big.Rat).SetFrac(&s.ore, big.NewInt(100)).FloatString(2)
}
