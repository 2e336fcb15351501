package api

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models/ledger"
)

const bulkChunk = 64 << 10 // bytes of lines that are written at once

// bulkLines writes items as lines of a media type.
type bulkLines struct {
	to    io.Writer
	csv   bool
	lines []byte
}

// line returns a function that writes an item as a line, after the heading if there is one.
// It is nil if there are no lines.
func line[T any](l *bulkLines, write func(fieldWriter, *T)) func(*T) error {
	if l == nil {
		return nil
	}
	if l.csv {
		heading := csvWriter{names: true}
		write(&heading, new(T))
		l.lines = heading.end()
	}
	return func(x *T) error {
		if l.csv {
			w := csvWriter{lines: l.lines}
			write(&w, x)
			l.lines = w.end()
		} else {
			w := jsonWriter{body: append(l.lines, '{')}
			write(&w, x)
			l.lines = append(w.body, "}\n"...)
		}
		if len(l.lines) < bulkChunk {
			return nil
		}
		return l.flush()
	}
}

// end writes the line that proves the ones before it. CSV has none.
func (l *bulkLines) end(found ledger.Following) error {
	if !l.csv {
		w := jsonWriter{body: append(l.lines, `{"meta":`...)}
		w.object(func() {
			w.number("count", found.Count)
			if found.Amount != "" {
				w.text("amountDkk", found.Amount)
			}
			nullable(&w, "lastId", found.LastID, (*jsonWriter).id)
		})
		l.lines = append(w.body, "}\n"...)
	}
	return l.flush()
}

func (l *bulkLines) flush() error {
	_, err := l.to.Write(l.lines)
	l.lines = l.lines[:0]
	return err
}

// csvWriter writes the fields of objects, or their names, as lines of CSV (RFC 4180).
type csvWriter struct {
	lines []byte
	names bool
}

func (w *csvWriter) end() []byte { return append(w.lines, "\r\n"...) }

func (w *csvWriter) text(name, value string) {
	if n := len(w.lines); n > 0 && w.lines[n-1] != '\n' {
		w.lines = append(w.lines, ',')
	}
	if w.names {
		value = name
	}
	if strings.ContainsAny(value, "\",\r\n") {
		value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	}
	w.lines = append(w.lines, value...)
}

func (w *csvWriter) id(name string, id uuid.UUID)         { w.text(name, id.String()) }
func (w *csvWriter) number(name string, value int64)      { w.text(name, strconv.FormatInt(value, 10)) }
func (w *csvWriter) date(name string, value time.Time)    { w.text(name, value.Format(time.DateOnly)) }
func (w *csvWriter) instant(name string, value time.Time) { w.text(name, instant(value)) }
func (w *csvWriter) null(name string)                     { w.text(name, "") }
