package format

import (
	"bytes"
	"fmt"
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
// with it. An amount whose sign stands elsewhere is negative where negative
// says so.
func (r *recorder) put(f field, text []byte, negative bool) (reason string) {
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
		if r.record.Amount, reason = r.amount.parse(r.amountBuffer[:0], text, negative); reason == "" {
			r.amountBuffer = r.record.Amount
		}
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

func checkCVR(text []byte) (reason string) {
	if IsDigits(text, cvrDigits, cvrDigits) {
		return ""
	}
	return "expected exactly 8 digits, found " + quoted(text)
}

func checkRegNumber(text []byte) (reason string) {
	if IsDigits(text, regDigits, regDigits) {
		return ""
	}
	return "expected exactly 4 digits, found " + described(text)
}

func checkAccountNumber(text []byte) (reason string) {
	if IsDigits(text, 1, accountDigits) {
		return ""
	}
	return "expected 1 to 10 digits, found " + described(text)
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

type dateFormat struct {
	pattern string // with YYYY or YY, MM and DD, as it was given
	layout  string // the same for package time
	short   bool   // its years have two digits
}

var isoDate = &dateFormat{pattern: "YYYY-MM-DD", layout: time.DateOnly}

// newDateFormat takes a pattern such as YYYYMMDD, ddMMyy or DD-MM-YYYY.
func newDateFormat(pattern string) (*dateFormat, bool) {
	layout := strings.ToUpper(pattern)
	year := [2]string{"YY", "06"}
	if strings.Contains(layout, "YYYY") {
		year = [2]string{"YYYY", "2006"}
	}
	literals := layout
	for _, part := range [][2]string{year, {"MM", "01"}, {"DD", "02"}} {
		if strings.Count(layout, part[0]) != 1 {
			return nil, false
		}
		layout = strings.Replace(layout, part[0], part[1], 1)
		literals = strings.Replace(literals, part[0], "", 1)
	}
	if strings.ContainsFunc(
		literals,
		func(r rune) bool { return r > unicode.MaxASCII || unicode.IsLetter(r) || unicode.IsDigit(r) },
	) {
		return nil, false
	}
	return &dateFormat{pattern: pattern, layout: layout, short: year[0] == "YY"}, true
}

// parse reads a date into its canonical form, in buffer if it is written otherwise. Two-digit years from 80 on are
// of the last century.
func (f *dateFormat) parse(buffer *[len(time.DateOnly)]byte, text []byte) (date []byte, reason string) {
	if f.hasShape(text) {
		day, err := time.Parse(f.layout, string(text))
		if year := day.Year(); f.short && year >= 1969 && year < 1980 {
			day = day.AddDate(100, 0, 0)
		}
		if err == nil && day.Year() >= 1900 {
			if f == isoDate {
				return text, ""
			}
			return day.AppendFormat(buffer[:0], time.DateOnly), ""
		}
	}
	return nil, fmt.Sprintf("expected a date from 1900 to 9999 in the format %s, found %s", f.pattern, quoted(text))
}

// hasShape reports whether a text has digits and other characters where the format does.
// Package time is less strict.
func (f *dateFormat) hasShape(text []byte) bool {
	if len(text) != len(f.layout) {
		return false
	}
	for i, c := range text {
		if want := f.layout[i]; isDigit(c) != isDigit(want) || !isDigit(c) && c != want {
			return false
		}
	}
	return true
}
