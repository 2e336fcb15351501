package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
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
	var made *Record // by the line at hand
	out := &sink{bad: bad, record: func(r *Record) error {
		made = r
		return nil
	}}
	out.parsed = func(p parser, l *line) error {
		kind, fields := p.explain(l, made)
		made = nil
		return show(ExplainedLine{Number: l.index + 1, Text: string(l.text), Kind: kind, Fields: fields})
	}
	err := l.read(r, out)
	return out.summary, err
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
	for i := range t.places {
		p, value := &t.places[i], ""
		switch {
		case which == kindCarrier && !bytes.Equal(p.carrier, carrier), which != kindCarrier && p.kind != which:
			continue
		case i < int(fieldTotal) && record != nil:
			value = record.value(field(i))
		case slices.Contains(t.identity, i):
			value = string(p.value)
		}
		fields = append(fields, t.explainPlace(cells, l, p, which == kindCarrier, value))
	}
	return kindNames[which], fields
}

var kindNames = map[kind]string{
	kindRecord: "record", kindIgnored: "ignored", kindCarrier: "values for the records after it",
	kindSectionTotal: "total of the section", kindFileTotal: "total of the file",
}

// explainPlace says where a field stands, and what stands there. here says that it stands
// on this line, although records take it from an earlier one.
func (t *table) explainPlace(cells [][]byte, l *line, p *place, here bool, value string) ExplainedField {
	name := strings.TrimPrefix(strings.TrimPrefix(p.key, "totals.file."), "totals.section.")
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
	r := osRecordOf(l.text)
	switch {
	case isBlank(l.text):
		return "blank", nil
	case bytes.HasPrefix(l.text, osTransportPrefix):
		return "line of the transport", nil
	case r == nil || r.width == 0:
		return "bad", nil
	case record == nil:
		return r.name, nil
	}
	for f := range fieldTotal {
		fields = append(fields, ExplainedField{Name: fieldNames[f], Value: record.value(f)})
	}
	return r.name + ", a record", fields
}
