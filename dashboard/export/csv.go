package export

import (
	"strings"
	"time"
)

const byteOrderMark = "\ufeff"

// lines appends rows to a file's text.
type lines interface {
	begin(text []byte, titles []string) []byte
	row(text []byte, values []string) []byte
}

// apiLines writes CSV whose values nothing changes.
type apiLines struct{}

func (apiLines) begin(text []byte, titles []string) []byte { return appendRecord(text, ',', titles) }

func (apiLines) row(text []byte, values []string) []byte { return appendRecord(text, ',', values) }

// danishLines writes CSV as Danish spreadsheets read it.
type danishLines struct {
	kinds []Kind
	zone  *time.Location // of times
}

func (danishLines) begin(text []byte, titles []string) []byte {
	return appendRecord(append(text, byteOrderMark...), ';', titles)
}

func (d danishLines) row(text []byte, values []string) []byte {
	for i, kind := range d.kinds {
		values[i] = d.cell(kind, values[i])
	}
	return appendRecord(text, ';', values)
}

// cell turns the API's form of a value into the Danish one. It moves characters, and
// parses no amount.
func (d danishLines) cell(kind Kind, value string) string {
	switch {
	case value == "":
		return ""
	case kind == Text:
		return withoutFormula(value)
	case kind == Decimal:
		return strings.Replace(value, ".", ",", 1)
	case kind == Date && len(value) == len(time.DateOnly):
		return value[8:] + "-" + value[5:7] + "-" + value[:4]
	case kind == Time:
		if at, err := time.Parse(time.RFC3339, value); err == nil {
			return at.In(d.zone).Format("02-01-2006 15:04:05")
		}
	}
	return value
}

// withoutFormula keeps spreadsheets from running text as a formula.
func withoutFormula(text string) string {
	if text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		return "'" + text
	}
	return text
}

// appendRecord appends a line (RFC 4180). encoding/csv cannot be used, because with
// these line ends it changes the line ends in values.
func appendRecord(text []byte, separator byte, values []string) []byte {
	special := string(separator) + "\"\r\n"
	for i, value := range values {
		if i > 0 {
			text = append(text, separator)
		}
		// Some programs drop spaces at the ends of a value without quotes.
		if !strings.ContainsAny(value, special) && value == strings.TrimSpace(value) {
			text = append(text, value...)
			continue
		}
		text = append(text, '"')
		text = append(text, strings.ReplaceAll(value, `"`, `""`)...)
		text = append(text, '"')
	}
	return append(text, '\r', '\n')
}
