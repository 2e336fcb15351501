package format

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// amountDigits is how many digits may stand before the decimals: those of
// numeric(14,2).
const amountDigits = 12

// amountFormat says how an amount is written: its digits, and what may stand around them.
type amountFormat struct {
	point     []byte // the decimal separator; empty where decimals are implied
	thousands []byte // the separator between groups of three digits; empty for none

	// decimals is how many decimals the digits end with; -1 for none, one or
	// two, which needs a decimal separator. Those beyond two must be zeros.
	decimals int

	// forms holds what an amount may look like, with a 0 for its digits, and whether it is
	// negative then.
	forms     map[string]bool
	followed  bool // something may follow the digits
	ambiguous bool // something that may stand around them, or for the last one, has two meanings
	// lastDigits, if not empty, holds the characters that may stand for the last digit.
	lastDigits map[rune]lastDigit

	signAt       int             // the index of the place of the sign's own field; 0 for none
	codes        map[string]bool // what may stand there, and whether it means negative
	codesInWords string          // for reasons

	creditAt       int  // the index of the place of credits, with debits at that of the amount; 0 for none
	creditNegative bool // credits are negative, rather than debits

	digits int  // the most that may stand before the decimals
	padded bool // zeros may fill the amount up beyond its digits

	signs    string // the texts of signs, for reasons
	expected string // for reasons
}

// lastDigit is what a character means that is a digit and the amount's sign.
type lastDigit struct {
	digit    byte
	negative bool
}

// signPlaces are the places of a sign, in words and by the forms of an amount there: 0 stands for its
// digits, ± for the text of the sign, ¤ for the currency, and ~ for blanks, which may be missing.
var signPlaces = []struct {
	name, inWords string
	forms         []string
}{
	{"leading", "± in front", []string{"±~0", "±~¤~0", "¤~±~0", "±~0~¤"}},
	{"trailing", "± at the end", []string{"0~±", "0~¤~±", "0~±~¤", "¤~0~±"}},
	{"brackets", "brackets around it", []string{"(~0~)", "¤~(~0~)", "(~0~)~¤", "(~¤~0~)", "(~0~¤~)"}},
	{"apart", "±", noSign},
	{"overpunch", "the last digit one of ±", noSign},
	{"none", "", noSign},
}

var noSign = []string{"0", "¤~0", "0~¤"}

var csvAmount = &amountFormat{
	point:    []byte("."),
	decimals: -1,
	digits:   amountDigits,
	forms:    map[string]bool{"0": false, "-0": true},
	expected: "an amount such as 1234.50 or -0.75; at most 12 digits before the point; no thousands separators",
}

// allow adds a form of an amount, with the text of its sign and with a currency, or without one if
// that is empty.
func (f *amountFormat) allow(form, sign, currency string, negative bool) {
	if before, after, found := strings.Cut(form, "~"); found {
		f.allow(before+after, sign, currency, negative)
		f.allow(before+" "+after, sign, currency, negative)
		return
	}
	if !strings.Contains(form, "±") {
		negative = strings.Contains(form, "(")
	}
	text := string(squeeze(nil, []byte(strings.ReplaceAll(strings.ReplaceAll(form, "¤", currency), "±", sign))))
	point := string(f.point)
	if point != "" && strings.Contains(text, point+"0") || strings.Contains(form, "¤") != (currency != "") {
		return // kr.50 is 50 or 0.50
	}
	f.followed = f.followed || !strings.HasSuffix(form, "0")
	note(f, f.forms, text, negative)
}

// note adds what a text means.
func note[K, V comparable](f *amountFormat, meanings map[K]V, text K, meaning V) {
	was, known := meanings[text]
	f.ambiguous = f.ambiguous || known && was != meaning
	meanings[text] = meaning
}

// squeeze appends a text with one blank for several, and for line breaks.
func squeeze(to, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if blank := unicode.Is(unicode.Zs, r) || r == '\n'; !blank {
			to = append(to, text[:size]...)
		} else if len(to) == 0 || to[len(to)-1] != ' ' {
			to = append(to, ' ')
		}
		text = text[size:]
	}
	return to
}

// parse appends the canonical form of an amount to buffer. It is negative by what stands
// around its digits, or by what stands elsewhere; by both, it is positive.
func (f *amountFormat) parse(buffer, text []byte, negative bool) (amount []byte, reason string) {
	var plain, run [64]byte
	cut, marked, ok := f.cutSign(plain[:0], text)
	digits, point, fits := f.cutDigits(run[:0], cut)
	if ok && fits {
		cents, whole := [2]byte{'0', '0'}, bytes.TrimLeft(digits[:point], "0")
		beyond := digits[point+copy(cents[:], digits[point:]):]
		if len(whole) == 0 {
			whole = []byte("0")
		}
		if ok = len(whole) <= f.digits && len(bytes.Trim(beyond, "0")) == 0; ok {
			if negative != marked && (whole[0] != '0' || string(cents[:]) != "00") {
				buffer = append(buffer, '-')
			}
			return append(append(buffer, whole...), '.', cents[0], cents[1]), ""
		}
	}
	return nil, fmt.Sprintf("expected %s; found %s", f.expected, quoted(text))
}

// cutSign returns what stands from an amount's first digit to its last, in buffer if the last
// one is written otherwise. It reports what the rest says of the sign, and whether it may stand there.
func (f *amountFormat) cutSign(buffer, text []byte) (digits []byte, negative, ok bool) {
	var last lastDigit
	if len(f.lastDigits) > 0 {
		r, size := utf8.DecodeLastRune(text)
		if last, ok = f.lastDigits[r]; !ok {
			return nil, false, false
		}
		text = append(append(buffer, text[:len(text)-size]...), last.digit)
	}
	from, to := 0, len(text)
	for from < to && !isDigit(text[from]) {
		from++
	}
	for from < to && !isDigit(text[to-1]) {
		to--
	}
	var around [32]byte
	negative, ok = f.forms[string(squeeze(append(squeeze(around[:0], text[:from]), '0'), text[to:]))]
	return text[from:to], negative != last.negative, ok && from < to
}

// cutDigits appends the digits of a text without its separators, and returns how many stand
// before the decimals. It reports whether the separators and decimals are as they must be.
func (f *amountFormat) cutDigits(digits, text []byte) (_ []byte, point int, ok bool) {
	digits = append(digits, "000000"...) // digits that are missing are missing in front
	start := len(digits)
	point = -1
	group, grouped := 0, false // the digits since the last separator, and whether there is one
	for len(text) > 0 {
		size := 1
		switch {
		case isDigit(text[0]):
			digits, group = append(digits, text[0]), group+1
		case point >= 0 || grouped && group != 3:
			return digits, start, false
		case len(f.point) > 0 && bytes.HasPrefix(text, f.point):
			point, size = len(digits), len(f.point)
		case len(f.thousands) > 0 && group <= 3 && bytes.HasPrefix(text, f.thousands):
			group, grouped, size = 0, true, len(f.thousands)
		default:
			return digits, start, false
		}
		text = text[size:]
	}
	decimals := len(digits) - point
	// A 0.500 that is no half is not written so.
	whole := !grouped || group == 3 && (len(digits)-start > 5 || digits[start] != '0')
	switch {
	case len(f.point) == 0:
		point, ok = len(digits)-f.decimals, whole
	case point < 0:
		point, ok = len(digits), f.decimals < 0 && whole
	case f.decimals < 0:
		ok = decimals <= 2
	default:
		ok = decimals == f.decimals
	}
	return digits, point, ok && (f.padded || point-start <= f.digits)
}

// complete reports whether nothing can be missing at the end of an amount: it
// has all the decimals that there can be, and nothing may follow them.
func (f *amountFormat) complete(text []byte) bool {
	if len(f.point) == 0 || f.followed {
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
	f.expected += f.signs
}

// Sum adds up amounts exactly. Its zero value is 0.
type Sum struct{ ore big.Int }

// Add adds an amount in its canonical form: digits, a point, two decimals, and a
// leading '-' where negative.
func (s *Sum) Add(amount []byte) { s.add(amount, amount[0] == '-') }

// add adds the digits of an amount with another sign.
func (s *Sum) add(amount []byte, negative bool) {
	var ore int64
	for _, c := range amount {
		if isDigit(c) {
			ore = ore*10 + int64(c-'0')
		}
	}
	if negative {
		ore = -ore
	}
	s.ore.Add(&s.ore, big.NewInt(ore))
}

// String returns the sum in kroner, with two decimals.
func (s *Sum) String() string {
	return new(big.Rat).SetFrac(&s.ore, big.NewInt(100)).FloatString(2)
}
