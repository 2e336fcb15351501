package format

import (
	"bytes"
	"errors"
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
	Parts  []ExplainedPart
}

// ExplainedPart is a field, or another figure that the layout names.
type ExplainedPart struct {
	Name string
	// Start and Length say where the part stands, in characters from 1 on: in its column
	// if there is one, and else in the line. Length is 0 for the rest of the column. Start
	// is 0 if the part does not stand on this line; From then says where it comes from.
	Start, Length int
	Column        int // from 1; 0 in a fixed-width line
	From          string
	Text          string // what stands there
	Value         string // what would be stored; empty if nothing would
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
	explain(l *line, record *Record) (kind string, parts []ExplainedPart)
}

func (e *explanation) parse(l *line) error {
	e.record = nil
	stop := e.parser.parse(l)
	if stop != nil && !errors.Is(stop, errStop) {
		return stop
	}
	kind, parts := e.parser.(explainer).explain(l, e.record)
	if err := e.show(ExplainedLine{Number: l.index + 1, Text: string(l.text), Kind: kind, Parts: parts}); err != nil {
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

func (t *table) explain(l *line, record *Record) (kind string, parts []ExplainedPart) {
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
	switch which {
	case kindIgnored:
		return "ignored", nil
	case kindCarrier:
		parts = t.explainCarrier(l, carrier)
		return "values for the records after it", parts
	case kindSectionTotal:
		return "total of the section", t.explainTotal(l, &t.totals[scopeSection])
	case kindFileTotal:
		return "total of the file", t.explainTotal(l, &t.totals[scopeFile])
	}
	for f := range fieldTotal {
		part := t.explainPlace(l, fieldNames[f], &t.places[f])
		if record != nil {
			part.Value = record.value(f)
		}
		parts = append(parts, part)
	}
	if t.sign != nil {
		parts = append(parts, t.explainPlace(l, "amountDkk.sign", &t.sign.place))
	}
	for i := range t.identity {
		parts = append(parts, t.explainIdentity(l, &t.identity[i]))
	}
	return "record", parts
}

func (t *table) explainIdentity(l *line, f *identityField) ExplainedPart {
	part := t.explainPlace(l, "identity."+f.name, &f.place)
	switch {
	case f.place.constant:
		part.Value = string(f.value)
	case f.place.carrier != nil:
		part.Value = string(f.carried)
	default:
		part.Value = strings.TrimSpace(part.Text)
	}
	return part
}

func (t *table) explainCarrier(l *line, carrier []byte) (parts []ExplainedPart) {
	on := func(p place) bool { return string(p.carrier) == string(carrier) }
	for f := range fieldTotal {
		if place := t.places[f]; on(place) {
			place.carrier = nil
			parts = append(parts, t.explainPlace(l, fieldNames[f], &place))
		}
	}
	for i := range t.identity {
		if place := t.identity[i].place; on(place) {
			place.carrier = nil
			parts = append(parts, t.explainPlace(l, "identity."+t.identity[i].name, &place))
		}
	}
	return parts
}

func (t *table) explainTotal(l *line, total *total) (parts []ExplainedPart) {
	for figure, place := range total.figures {
		if place != nil {
			parts = append(parts, t.explainPlace(l, figureNames[figure], place))
		}
	}
	if total.sign != nil {
		parts = append(parts, t.explainPlace(l, "amountDkk.sign", &total.sign.place))
	}
	return parts
}

func (t *table) explainPlace(l *line, name string, p *place) ExplainedPart {
	part := ExplainedPart{Name: name}
	switch {
	case p.constant:
		part.From = "the same in every record"
		return part
	case p.carrier != nil:
		part.From = fmt.Sprintf("the latest line starting with %q", p.carrier)
		return part
	}
	part.Start, part.Length = p.start+1, p.length
	if !t.fixed {
		part.Column = p.column + 1
	}
	cells, _ := t.cut(l)
	whole := place{column: p.column, start: p.start, length: p.length}
	text, _ := whole.find(cells, l.ascii)
	part.Text = string(text)
	return part
}

func (p *osParser) explain(l *line, record *Record) (kind string, parts []ExplainedPart) {
	shape := osShapeOf(l.text)
	switch {
	case isBlank(l.text):
		return "blank", nil
	case bytes.HasPrefix(l.text, osTransportPrefix):
		return "line of the transport", nil
	case shape == nil || shape.width == 0:
		return "bad", nil
	}
	kind = shape.name
	if record != nil {
		kind += ", a record"
	}
	if l.width() != shape.width {
		return kind, nil
	}
	for _, named := range shape.named() {
		part := ExplainedPart{Name: named.name, Start: named.span.from + 1, Length: named.span.to - named.span.from, Text: string(named.span.of(l))}
		if f := slices.Index(fieldNames[:], named.name); f >= 0 && record != nil {
			part.Value = record.value(field(f))
		}
		parts = append(parts, part)
	}
	return kind, parts
}

type osNamed struct {
	name string
	span osSpan
}

// named returns the figures of a record in the order in which they stand.
func (s *osShape) named() (all []osNamed) {
	add := func(name string, span osSpan) {
		if !slices.ContainsFunc(all, func(n osNamed) bool { return n.span == span }) {
			all = append(all, osNamed{name, span})
		}
	}
	for _, shared := range s.shared {
		add(shared.name, shared.span)
	}
	for _, check := range s.checks {
		add(check.name, check.span)
	}
	switch s {
	case os1:
		add("deliveryId", osDeliveryID)
	case os2:
		add("type", osType)
	case os8:
		add(fieldNames[fieldCount], osCount)
		add(fieldNames[fieldAmount], osOre)
	case os9:
		add("type", osType)
	}
	slices.SortFunc(all, func(a, b osNamed) int { return a.span.from - b.span.from })
	return all
}
