package format

import (
	"fmt"
	"strings"
)

// dateFormat is how a file writes a date: the parts YYYY or YY, MM and DD, and
// literal characters between them.
type dateFormat struct {
	pattern    string // as it was given
	literal    []byte // the byte that must stand at each place; 0 where a digit does
	year       int    // where the year starts
	yearDigits int
	month      int
	day        int
}

var isoDate = mustDateFormat("YYYY-MM-DD")

func mustDateFormat(pattern string) *dateFormat {
	format, ok := newDateFormat(pattern)
	if !ok {
		panic("delivery: bad date format " + pattern)
	}
	return format
}

// newDateFormat takes a pattern such as YYYYMMDD, ddMMyy or DD-MM-YYYY.
func newDateFormat(pattern string) (*dateFormat, bool) {
	f := &dateFormat{pattern: pattern, literal: make([]byte, len(pattern)), year: -1, month: -1, day: -1}
	upper := strings.ToUpper(pattern)
	if len(upper) != len(pattern) {
		return nil, false
	}
	for i := 0; i < len(upper); {
		c := upper[i]
		run := len(upper[i:]) - len(strings.TrimLeft(upper[i:], string(rune(c))))
		switch {
		case c == 'Y' && (run == 4 || run == 2) && f.year < 0:
			f.year, f.yearDigits = i, run
		case c == 'M' && run == 2 && f.month < 0:
			f.month = i
		case c == 'D' && run == 2 && f.day < 0:
			f.day = i
		case c == 'Y' || c == 'M' || c == 'D':
			return nil, false
		default:
			run = 1
			f.literal[i] = pattern[i]
		}
		i += run
	}
	return f, f.year >= 0 && f.month >= 0 && f.day >= 0
}

// parse reads a date into its canonical form, in buffer if it is written
// otherwise. Two-digit years from 80 on are of the last century.
func (f *dateFormat) parse(buffer *[10]byte, text []byte) (date []byte, reason string) {
	year, month, day, ok := f.split(text)
	if !ok {
		return nil, fmt.Sprintf("expected a date in the format %s, found %s", f.pattern, quoted(text))
	}
	if year < 1900 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return nil, fmt.Sprintf("expected a valid date from 1900 to 9999 in the format %s, found %s", f.pattern, quoted(text))
	}
	if f == isoDate {
		return text, ""
	}
	*buffer = [10]byte{
		digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), '-',
		digit(month / 10), digit(month), '-',
		digit(day / 10), digit(day),
	}
	return buffer[:], ""
}

func (f *dateFormat) split(text []byte) (year, month, day int, ok bool) {
	if len(text) != len(f.literal) {
		return 0, 0, 0, false
	}
	for i, c := range text {
		if literal := f.literal[i]; literal == 0 && (c < '0' || c > '9') || literal != 0 && c != literal {
			return 0, 0, 0, false
		}
	}
	year = number(text[f.year : f.year+f.yearDigits])
	if f.yearDigits == 2 {
		year += 1900
		if year < 1980 {
			year += 100
		}
	}
	return year, number(text[f.month : f.month+2]), number(text[f.day : f.day+2]), true
}

// number reads a few digits that are known to be digits.
func number(digits []byte) (n int) {
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}

func digit(n int) byte { return byte('0' + n%10) }

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
