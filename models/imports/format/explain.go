package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ExplainedLine is a line of a file as a layout cuts it.
type ExplainedLine struct {
	Number int64  // 1-based
	Text   string // decoded, without its line end
	Kind   string // in words, such as "record" or "ignored"
	Fields []ExplainedField
}

// ExplainedField is a field, or another figure that the layout names.
type ExplainedField struct {
	Name  string
	Place string // in words, such as "1-8" or "column 2"
	Text  string // what stands there
	Value string // what would be stored; empty if nothing would
}

// Explain is [Layout.Read] for people who want to know how a file is cut. It calls show
// for every line after the skipped ones, and before that bad for each mistake in the line.
func (l *Layout) Explain(r io.Reader, show func(ExplainedLine) error, bad func(BadLine) error) (Summary, error) {
	e := &explanation{show: show}
	out := &sink{bad: bad, record: func(r *Record) error {
		e.record = r
		return nil
	}}
	explained := *l
	explained.parser = func(out *sink) parser {
		e.parser = l.parser(out)
		return e
	}
	err := explained.read(r, out)
	return out.summary, err
}

// explanation is a parser that also shows what the layout's own parser does.
type explanation struct {
	parser
	show   func(ExplainedLine) error
	record *Record // that the line at hand makes; nil if it makes none
}

// An explainer is a parser that can say how it has just cut a line. record is what it
// made of the line, or nil.
type explainer interface {
	explain(l *line, record *Record) (kind string, fields []ExplainedField)
}

func (e *explanation) parse(l *line) error {
	e.record = nil
	stop := e.parser.parse(l)
	if stop != nil && !errors.Is(stop, errStop) {
		return stop
	}
	kind, fields := e.parser.(explainer).explain(l, e.record)
	if err := e.show(ExplainedLine{Number: l.index + 1, Text: string(l.text), Kind: kind, Fields: fields}); err != nil {
		return err
	}
	return stop
}

// value returns a field of a record as text.
func (r *Record) value(f field) string {
	return string([fieldTotal][]byte{
		fieldCVR: r.CVR, fieldRegNumber: r.RegNumber, fieldAccountNumber: r.AccountNumber, fieldTransferType: r.TransferType,
		fieldDispositionDate: r.DispositionDate, fieldCount: fmt.Appendf(nil, "%d", r.Count), fieldAmount: r.Amount,
	}[f])
}

func (t *table) explain(l *line, record *Record) (kind string, fields []ExplainedField) {
	switch {
	case isBlank(l.text):
		return "blank", nil
	case t.headerDue || t.header != headerNone && l.index+1 == t.topLine:
		return "header", nil
	}
	which, carrier, reason := t.kindOf(l)
	if reason != "" {
		return "bad", nil
	}
	cells, _ := t.cut(l)
	add := func(name string, p place, value string) {
		if which != kindCarrier || string(p.carrier) == string(carrier) {
			fields = append(fields, t.explainPlace(cells, l, name, p, which == kindCarrier, value))
		}
	}
	switch which {
	case kindIgnored:
		return "ignored", nil
	case kindSectionTotal, kindFileTotal:
		kind, scope := "total of the section", scopeSection
		if which == kindFileTotal {
			kind, scope = "total of the file", scopeFile
		}
		for figure, place := range t.totals[scope].figures {
			if place != nil {
				add(figureNames[figure], *place, "")
			}
		}
		return kind, fields
	}
	for f := range fieldTotal {
		value := ""
		if record != nil {
			value = record.value(f)
		}
		add(fieldNames[f], t.places[f], value)
	}
	if t.sign != nil {
		add("amountDkk.sign", t.sign.place, "")
	}
	for _, f := range t.identity {
		add("identity."+f.name, f.place, string(f.value)+string(f.carried))
	}
	if which == kindCarrier {
		return "values for the records after it", fields
	}
	return "record", fields
}

// explainPlace says where a field stands, and what stands there. here says that it stands
// on this line, although records take it from an earlier one.
func (t *table) explainPlace(cells [][]byte, l *line, name string, p place, here bool, value string) ExplainedField {
	switch {
	case p.constant:
		return ExplainedField{Name: name, Place: "every record", Value: value}
	case p.carrier != nil && !here:
		return ExplainedField{Name: name, Place: fmt.Sprintf("the latest line starting with %q", p.carrier), Value: value}
	}
	where := ""
	if !t.fixed {
		where = fmt.Sprintf("column %d", p.column+1)
	}
	if p.length > 0 {
		where = strings.TrimPrefix(where+fmt.Sprintf(", %d-%d", p.start+1, p.start+p.length), ", ")
	} else if p.start > 0 {
		where += fmt.Sprintf(", from %d", p.start+1)
	}
	whole := place{column: p.column, start: p.start, length: p.length}
	text, _ := whole.find(cells, l.ascii)
	return ExplainedField{Name: name, Place: where, Text: string(text), Value: value}
}

func (p *osParser) explain(l *line, record *Record) (kind string, fields []ExplainedField) {
	shape := osShapeOf(l.text)
	switch {
	case isBlank(l.text):
		return "blank", nil
	case bytes.HasPrefix(l.text, osTransportPrefix):
		return "line of the transport", nil
	case shape == nil || shape.width == 0:
		return "bad", nil
	case record == nil:
		return shape.name, nil
	}
	for f := range fieldTotal {
		fields = append(fields, ExplainedField{Name: fieldNames[f], Value: record.value(f)})
	}
	return shape.name + ", a record", fields
}
