package format

import (
	"bytes"
	"fmt"
)

// amountDigits is how many digits may stand before the decimals: those of
// numeric(14,2).
const amountDigits = 12

// signPlace is where an amount's sign stands.
type signPlace int

const (
	signLeading   signPlace = iota // before the digits
	signTrailing                   // after the digits
	signElsewhere                  // in a field of its own, or nowhere
)

// amountFormat is how a file writes an amount.
type amountFormat struct {
	point     []byte // the decimal separator; empty where decimals are implied
	thousands []byte // the separator between groups of three digits; empty for none

	// decimals is how many decimals the digits end with; -1 for none, one or
	// two, which needs a decimal separator. Those beyond two must be zeros.
	decimals int

	sign     signPlace
	negative []byte // what stands for negative
	positive []byte // what may stand for positive; empty where nothing stands

	digits int  // the most that may stand before the decimals; 0 for amountDigits
	padded bool // zeros may fill the amount up beyond its digits, and spaces part it from its sign

	expected string // for reasons
}

var csvAmount = &amountFormat{
	point:    []byte("."),
	decimals: -1,
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
	if !ok {
		return nil, f.reason(text)
	}
	amount = buffer
	if negative {
		amount = append(amount, '-')
	}
	amount, zero, ok := f.appendWhole(amount, whole)
	if !ok {
		return nil, f.reason(text)
	}
	amount = append(amount, '.', '0', '0')
	cents := amount[len(amount)-2:]
	// Where decimals are implied, missing digits are missing in front.
	missing := 0
	if len(f.point) == 0 {
		missing = f.decimals - len(decimals)
	}
	for i, c := range decimals {
		if c < '0' || c > '9' || c != '0' && missing+i >= len(cents) {
			return nil, f.reason(text)
		}
		if c != '0' {
			zero = false
			cents[missing+i] = c
		}
	}
	if negative && zero {
		amount = append(buffer, "0.00"...)
	}
	return amount, ""
}

func (f *amountFormat) most() int {
	if f.digits > 0 {
		return f.digits
	}
	return amountDigits
}

func (f *amountFormat) reason(text []byte) string {
	return fmt.Sprintf("expected %s; found %s", f.expected, quoted(text))
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
func (f *amountFormat) appendWhole(amount, whole []byte) (_ []byte, zero, ok bool) {
	most := f.most()
	if !f.padded && len(whole) > most {
		return nil, false, false
	}
	written, group, grouped := 0, 0, false
	for len(whole) > 0 {
		c := whole[0]
		if c >= '0' && c <= '9' {
			whole = whole[1:]
			group++
			if c == '0' && written == 0 {
				continue
			}
			if written++; written > most {
				return nil, false, false
			}
			amount = append(amount, c)
			continue
		}
		if len(f.thousands) == 0 || !bytes.HasPrefix(whole, f.thousands) || group == 0 || group > 3 || grouped && group < 3 {
			return nil, false, false
		}
		whole = whole[len(f.thousands):]
		group, grouped = 0, true
	}
	if grouped && group != 3 {
		return nil, false, false
	}
	if written == 0 {
		amount = append(amount, '0')
	}
	return amount, written == 0, true
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
	case len(f.point) > 0 && f.decimals < 0:
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
	f.expected += fmt.Sprintf("; at most %d digits before the decimals", f.most())
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
