package export

import (
	"encoding/json"
	"io"
	"strings"
	"time"
)

const (
	byteOrderMark = "\ufeff"
	chunk         = 64 << 10 // bytes of text that are written at once
	flushPeriod   = 200 * time.Millisecond
)

// writer writes rows to a file in one format.
type writer interface {
	row(values []string) error
	close() error // writes what is left
}

// textWriter writes a format whose rows are lines of text.
type textWriter struct {
	to      io.Writer
	line    func(text []byte, values []string) []byte
	text    []byte
	flushed time.Time
}

// newTextWriter returns a writer of lines, the heading first. It writes the heading with
// the first row, so that an error before that row leaves nothing written.
func newTextWriter(to io.Writer, format Format, titles []string, kinds []Kind, zone *time.Location) writer {
	w := &textWriter{to: to}
	switch format {
	case JSONLines:
		w.line = func(text []byte, values []string) []byte { return appendObject(text, titles, values) }
	case Danish:
		w.text = appendRecord([]byte(byteOrderMark), ';', titles)
		w.line = func(text []byte, values []string) []byte {
			for i, kind := range kinds {
				values[i] = danish(kind, values[i], zone)
			}
			return appendRecord(text, ';', values)
		}
	default:
		w.text = appendRecord(nil, ',', titles)
		w.line = func(text []byte, values []string) []byte { return appendRecord(text, ',', values) }
	}
	return w
}

// row writes what there is after a moment, too, so that it can be sent.
func (w *textWriter) row(values []string) error {
	w.text = w.line(w.text, values)
	if len(w.text) < chunk && time.Since(w.flushed) < flushPeriod {
		return nil
	}
	return w.close()
}

func (w *textWriter) close() error {
	_, err := w.to.Write(w.text)
	w.text, w.flushed = w.text[:0], time.Now()
	return err
}

// danish turns the API's form of a value into the Danish one. It moves characters, and
// parses no amount.
func danish(kind Kind, value string, zone *time.Location) string {
	switch {
	case value == "":
		return ""
	case kind == Text && strings.IndexAny(value, "=+-@\t\r＝＋－＠") == 0:
		return "'" + value // so that spreadsheets do not run it as a formula; they take full-width signs for one, too
	case kind == Decimal:
		return strings.Replace(value, ".", ",", 1)
	case kind == Date && len(value) == len(time.DateOnly):
		return value[8:] + "-" + value[5:7] + "-" + value[:4]
	case kind == Time:
		if at, err := time.Parse(time.RFC3339, value); err == nil {
			return at.In(zone).Format("02-01-2006 15:04:05")
		}
	}
	return value
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

// appendObject appends a line of JSON.
func appendObject(text []byte, names, values []string) []byte {
	object := map[string]string{}
	for i, name := range names {
		object[name] = values[i]
	}
	line, _ := json.Marshal(object) // strings never fail
	return append(append(text, line...), '\n')
}
