package api

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// jsonWriter writes JSON objects, field by field. encoding/json takes several times as
// long for a page.
type jsonWriter struct{ body []byte }

func (w *jsonWriter) raw(text string) { w.body = append(w.body, text...) }

// object writes an object with the fields that fields writes.
func (w *jsonWriter) object(fields func()) {
	w.raw("{")
	fields()
	w.raw("}")
}

// name begins a field.
func (w *jsonWriter) name(name string) {
	if w.body[len(w.body)-1] != '{' {
		w.raw(",")
	}
	w.body = append(append(append(w.body, '"'), name...), '"', ':')
}

func (w *jsonWriter) text(name, value string) {
	w.name(name)
	if strings.ContainsFunc(value, escaped) {
		quoted, _ := json.Marshal(value) // a string can always be encoded
		w.body = append(w.body, quoted...)
		return
	}
	w.body = append(append(append(w.body, '"'), value...), '"')
}

// escaped reports whether a character cannot stand in JSON as it is.
func escaped(r rune) bool { return r < ' ' || r == '"' || r == '\\' }

func (w *jsonWriter) number(name string, value int64) {
	w.name(name)
	w.body = strconv.AppendInt(w.body, value, 10)
}

func (w *jsonWriter) truth(name string, value bool) {
	w.name(name)
	w.body = strconv.AppendBool(w.body, value)
}

func (w *jsonWriter) null(name string) {
	w.name(name)
	w.raw("null")
}

func (w *jsonWriter) optional(name string, value *string) {
	if value == nil {
		w.null(name)
		return
	}
	w.text(name, *value)
}

func (w *jsonWriter) optionalNumber(name string, value *int64) {
	if value == nil {
		w.null(name)
		return
	}
	w.number(name, *value)
}

func (w *jsonWriter) date(name string, value time.Time) {
	w.text(name, value.UTC().Format(time.DateOnly))
}

// instant writes a time, or null.
func (w *jsonWriter) instant(name string, value *time.Time) {
	if value == nil {
		w.null(name)
		return
	}
	w.text(name, instant(*value))
}

// instant returns a time as "2026-01-31T12:00:00.000Z" (RFC 3339, in UTC with milliseconds).
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
