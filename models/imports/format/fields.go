package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// recorder puts the text of fields into a record, in memory that it uses
// again.
type recorder struct {
	record Record
	date   *dateFormat
	amount *amountFormat

	negative     bool // by what stands elsewhere than in the amount
	dateBuffer   [len(time.DateOnly)]byte
	amountBuffer []byte
}

// field is one of the fields of a record that a layout has to find.
type field int

const (
	fieldCVR field = iota
	fieldRegNumber
	fieldAccountNumber
	fieldTransferType
	fieldDispositionDate
	fieldCount
	fieldAmount
	fieldTotal // how many there are
)

var fieldNames = [fieldTotal]string{
	"cvr", "regNumber", "accountNumber", "transferType", "dispositionDate", "count", "amountDkk",
}

const (
	cvrDigits        = 8
	regDigits        = 4
	accountDigits    = 10
	transferTypeMost = 100
	countMost        = 1<<53 - 1
)

// put checks a field's text and sets it in the record, or says what is wrong
// with it.
func (r *recorder) put(f field, text []byte) (reason string) {
	r.record.Texts[f] = text
	switch f {
	case fieldCVR:
		r.record.CVR, reason = text, checkCVR(text)
	case fieldRegNumber:
		r.record.RegNumber, reason = text, checkRegNumber(text)
	case fieldAccountNumber:
		r.record.AccountNumber, reason = text, checkAccountNumber(text)
	case fieldTransferType:
		r.record.TransferType, reason = text, checkTransferType(text)
	case fieldDispositionDate:
		r.record.DispositionDate, reason = r.date.parse(&r.dateBuffer, text)
	case fieldCount:
		r.record.Count, reason = parseCount(text)
	case fieldAmount:
		r.record.Amount, reason = r.amount.parse(r.amountBuffer[:0], text, r.negative)
		r.amountBuffer = r.record.Amount
	}
	return reason
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsDigits reports whether text consists of least to most ASCII digits.
func IsDigits(text []byte, least, most int) bool {
	for _, c := range text {
		if !isDigit(c) {
			return false
		}
	}
	return least <= len(text) && len(text) <= most
}

var (
	checkCVR           = ruleOfDigits(cvrDigits, cvrDigits, "exactly 8 digits", quoted)
	checkRegNumber     = ruleOfDigits(regDigits, regDigits, "exactly 4 digits", described)
	checkAccountNumber = ruleOfDigits(1, accountDigits, "1 to 10 digits", described)
)

func ruleOfDigits(least, most int, expected string, show func([]byte) string) func([]byte) string {
	return func(text []byte) (reason string) {
		if IsDigits(text, least, most) {
			return ""
		}
		return "expected " + expected + ", found " + show(text)
	}
}

func checkTransferType(text []byte) (reason string) {
	if len(text) == 0 {
		return "must not be empty"
	}
	if len(text) > transferTypeMost && characters(text) > transferTypeMost {
		return fmt.Sprintf("expected at most %d characters, found %s", transferTypeMost, quoted(text))
	}
	return ""
}

// parseCount reads an integer from 0 to countMost.
func parseCount(text []byte) (count int64, reason string) {
	significant := bytes.TrimLeft(text, "0")
	if count = number(significant); !IsDigits(text, 1, len(text)) || len(significant) > 16 || count > countMost {
		return 0, fmt.Sprintf("expected an integer from 0 to %d, found %s", int64(countMost), quoted(text))
	}
	return count, ""
}

// described says what a bank number looks like without quoting it.
func described(text []byte) string {
	switch {
	case len(text) == 0:
		return "nothing"
	case IsDigits(text, 1, 1):
		return "1 digit"
	case IsDigits(text, 1, len(text)):
		return fmt.Sprintf("%d digits", len(text))
	}
	return fmt.Sprintf("%d characters, not all digits", characters(text))
}

// dateFormat is how a date is written: the parts of its pattern.
type dateFormat struct {
	pattern string // as it was given
	pointed bool   // a point follows the short name of the month
	parts   []datePart
}

// datePart is a part of a pattern: a number, the name of a month, or else a text as it is.
type datePart struct {
	text        string // in the pattern
	unit        int
	least, most int // digits of a number
	highest     int
	names       map[string]int
}

const (
	unitPassedOver = iota // the time of day, and what stands between numbers
	unitYear
	unitMonth
	unitDay
	unitYearDay
	unitTotal // how many there are
)

// dateParts are the parts that a pattern may have. Where several fit, the first is meant.
var dateParts = []datePart{
	{"YYYY", unitYear, 4, 4, 9999, nil},
	{"CYY", unitYear, 3, 3, 199, nil}, // from 1900 to 2099
	{"YY", unitYear, 2, 2, 99, nil},   // from 1980 to 2079
	{"MMMM", unitMonth, 0, 0, 0, numbered("januar january", "februar february", "marts march", "april", "maj may",
		"juni june", "juli july", "august", "september", "oktober october", "november", "december")},
	{"MMM", unitMonth, 0, 0, 0, numbered("jan", "feb", "mar", "apr", "maj may", "jun", "jul", "aug", "sep sept",
		"okt oct", "nov", "dec")},
	{"MM", unitMonth, 2, 2, 12, nil},
	{"mi", unitPassedOver, 2, 2, 59, nil},
	{"M", unitMonth, 1, 2, 12, nil},
	{"DDD", unitYearDay, 3, 3, 366, nil},
	{"DD", unitDay, 2, 2, 31, nil},
	{"D", unitDay, 1, 2, 31, nil},
	{"HH", unitPassedOver, 2, 2, 23, nil},
	{"SS", unitPassedOver, 2, 2, 60, nil},
	{"F", unitPassedOver, 1, 9, 999_999_999, nil},
}

// minutes makes of MM in a time of day what no pattern in capitals has.
var minutes = strings.NewReplacer("HH:MM", "HH:mi", "HH.MM", "HH.mi", "HHMM", "HHmi")

func numbered(names ...string) map[string]int {
	numbers := map[string]int{}
	for i, several := range names {
		for name := range strings.FieldsSeq(several) {
			numbers[name] = i + 1
		}
	}
	return numbers
}

var isoDate, _ = newDateFormat("YYYY-MM-DD")

// newDateFormat takes a pattern such as YYYYMMDD, ddMMyy or D. MMM YYYY.
func newDateFormat(pattern string) (_ *dateFormat, ok bool) {
	upper := strings.ToUpper(pattern)
	f, units := &dateFormat{pattern: pattern, pointed: strings.Contains(upper, "MMM.")}, [unitTotal]int{}
	endless := false // where the last number ends, only what follows it shows
	for rest := minutes.Replace(upper); rest != ""; {
		part, c := datePart{text: rest[:1]}, rune(rest[0]) // as it stands
		at := slices.IndexFunc(dateParts, func(p datePart) bool { return strings.HasPrefix(rest, p.text) })
		if at >= 0 {
			part = dateParts[at]
		} else if c > unicode.MaxASCII || unicode.IsDigit(c) || unicode.IsLetter(c) && c != 'T' && c != 'Z' {
			return nil, false
		}
		if endless && part.most > 0 {
			return nil, false
		}
		endless = part.least < part.most
		units[part.unit]++
		f.parts, rest = append(f.parts, part), rest[len(part.text):]
	}
	units[unitPassedOver] = 0
	return f, units == [unitTotal]int{unitYear: 1, unitMonth: 1, unitDay: 1} ||
		units == [unitTotal]int{unitYear: 1, unitYearDay: 1}
}

// parse reads a date into its canonical form, in buffer if it is written otherwise.
func (f *dateFormat) parse(buffer *[len(time.DateOnly)]byte, text []byte) (date []byte, reason string) {
	if units, ok := f.cut(text); ok && units[unitYear] >= 1900 {
		month := time.Month(max(1, units[unitMonth]))
		day := time.Date(units[unitYear], month, units[unitDay]+units[unitYearDay], 0, 0, 0, 0, time.UTC)
		if day.Day() == units[unitDay] && int(day.Month()) == units[unitMonth] ||
			day.YearDay() == units[unitYearDay] && day.Year() == units[unitYear] {
			if f == isoDate {
				return text, ""
			}
			return day.AppendFormat(buffer[:0], time.DateOnly), ""
		}
	}
	return nil, fmt.Sprintf("expected a date from 1900 to 9999 in the format %s, found %s", f.pattern, quoted(text))
}

// cut reads the numbers of a date's parts, and reports whether it has them all.
func (f *dateFormat) cut(text []byte) (units [unitTotal]int, ok bool) {
	for i := range f.parts {
		part, n, size := &f.parts[i], 0, 0
		switch {
		case part.most > 0:
			for size < min(part.most, len(text)) && isDigit(text[size]) {
				n = n*10 + int(text[size]-'0')
				size++
			}
			ok = size >= part.least && n <= part.highest
		case part.names != nil:
			var name [10]byte // one more than the longest
			for size < min(len(name), len(text)) && text[size]|0x20 >= 'a' && text[size]|0x20 <= 'z' {
				name[size] = text[size] | 0x20
				size++
			}
			n, ok = part.names[string(name[:size])]
			if part.text == "MMM" && !f.pointed && bytes.HasPrefix(text[size:], []byte(".")) {
				size++
			}
		default:
			size, ok = len(part.text), bytes.HasPrefix(text, []byte(part.text))
		}
		if !ok {
			return units, false
		}
		switch {
		case part.text == "CYY", part.text == "YY" && n >= 80:
			n += 1900
		case part.text == "YY":
			n += 2000
		}
		units[part.unit], text = n, text[size:]
	}
	return units, len(text) == 0
}
