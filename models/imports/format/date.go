package format

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

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
