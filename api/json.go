package api

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// fieldWriter writes the fields of an object.
type fieldWriter interface {
	id(name string, id uuid.UUID)
	text(name, value string)
	number(name string, value int64)
	date(name string, value time.Time)
	instant(name string, value time.Time)
	null(name string)
}

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

func (w *jsonWriter) name(name string) {
	if w.body[len(w.body)-1] != '{' {
		w.raw(",")
	}
	w.body = append(append(append(w.body, '"'), name...), `":`...)
}

func (w *jsonWriter) text(name, value string) {
	w.name(name)
	for i := range len(value) {
		if c := value[i]; c < ' ' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(value) // a string can always be encoded
			w.body = append(w.body, quoted...)
			return
		}
	}
	w.body = append(append(append(w.body, '"'), value...), '"')
}

func (w *jsonWriter) id(name string, id uuid.UUID) {
	w.name(name)
	separator := byte('"')
	for _, part := range [][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		w.body = hex.AppendEncode(append(w.body, separator), part)
		separator = '-'
	}
	w.raw(`"`)
}

func (w *jsonWriter) number(name string, value int64) {
	w.name(name)
	w.body = strconv.AppendInt(w.body, value, 10)
}

func (w *jsonWriter) truth(name string, value bool) {
	w.name(name)
	w.body = strconv.AppendBool(w.body, value)
}

// nullable writes a field with write, or null.
func nullable[W fieldWriter, T any](w W, name string, value *T, write func(w W, name string, value T)) {
	if value != nil {
		write(w, name, *value)
		return
	}
	w.null(name)
}

func (w *jsonWriter) null(name string) {
	w.name(name)
	w.raw("null")
}

func (w *jsonWriter) date(name string, value time.Time) { w.time(name, value, time.DateOnly) }

func (w *jsonWriter) instant(name string, value time.Time) { w.time(name, value, instantLayout) }

func (w *jsonWriter) time(name string, value time.Time, layout string) {
	w.name(name)
	w.body = append(value.UTC().AppendFormat(append(w.body, '"'), layout), '"')
}

// instantLayout is RFC 3339, in UTC with milliseconds.
const instantLayout = "2006-01-02T15:04:05.000Z"

func instant(t time.Time) string { return t.UTC().Format(instantLayout) }
