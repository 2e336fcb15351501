package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// tableFormat says how lines are cut into cells, and where in the cells the
// fields of a record stand. It reads delimited lines, and fixed-width ones as
// lines of a single cell.
type tableFormat struct {
	fixed     bool   // a line is one cell
	delimiter []byte // nil where the header shows it: a comma or a semicolon
	quotes    bool
	header    header
	columns   int  // cells of a record; 0 where the header tells
	width     int  // characters of a record; 0 for any number
	trimmed   bool // a record that has its line end may lack blanks at its end

	kinds    kinds
	places   []place // those of the fields in their order, then all others
	date     *dateFormat
	amount   *amountFormat
	identity []int // the indexes of the places that identify a delivery
	totals   [scopeTotal]total
}

// place is where a field or another figure stands.
type place struct {
	key  string // its name in reasons
	kind kind   // of the line that it stands on

	column int    // zero-based; set from name where that is given
	name   string // the column's, in the header
	start  int    // zero-based, in characters of the cell
	length int    // in characters; 0 for all from start on

	trim     bool // take white space off both ends
	mostZero int  // where positive, take leading zeros off what is longer than this

	carrier  []byte // where set, it stands on the latest line with this prefix
	constant bool   // it stands nowhere: it is the same in every record
	known    bool   // value is the constant, or what the latest carrier said
	value    []byte
}

func (f *tableFormat) parser(out *sink) parser {
	own := *f
	own.places = slices.Clone(f.places)
	return &table{
		tableFormat: own,
		out:         out,
		splitter:    splitter{delimiter: f.delimiter, quotes: f.quotes},
		recorder:    recorder{date: f.date, amount: f.amount},
		headerDue:   f.header != headerNone,
		topLine:     1,
		blanks:      bytes.Repeat([]byte(" "), own.width),
	}
}

// table is the reading of one file by a tableFormat, its own copy of which
// learns from the header and the carriers.
type table struct {
	tableFormat
	out      *sink
	splitter splitter
	recorder recorder

	headerDue bool
	unnamed   int   // columns at the end of the header
	topLine   int64 // the 1-based number of the line that says there must be more

	blanks, filled             []byte // to fill a line up, and the line
	isCredit                   bool   // the record's amount stands in the column of credits
	identityText, identityLast []byte // of this record, and of the one before

	tallies   [scopeTotal]tally
	disagreed int64 // how often totals were refused
	fileTotal int64 // the 1-based number of the line with the file's total; 0 before it
	lastLine  int64 // that of the last line that is not blank
}

const cutOff = "the last line has no line end: the file may be truncated; if it is complete, add a line end"

func (t *table) parse(l *line) error {
	if l.ended && (isBlank(l.text) || !t.fixed && t.splitter.isEmpty(l.text)) {
		return nil
	}
	if t.headerDue {
		return t.readHeader(l)
	}
	if missing := t.width - l.width(); t.trimmed && l.ended && missing > 0 {
		t.filled = append(append(t.filled[:0], l.text...), t.blanks[:missing]...)
		l.cut = l.width()
		l.text = t.filled
		t.out.summary.Filled++
	}
	t.lastLine = l.index + 1
	switch kind, carrier, reason := t.kindOf(l); {
	case reason != "":
		return t.out.reject(l.index+1, "", reason)
	case kind == kindIgnored:
		return nil
	case kind == kindCarrier:
		return t.carry(l, carrier)
	case kind == kindSectionTotal:
		return t.compare(l, scopeSection)
	case kind == kindFileTotal:
		return t.compare(l, scopeFile)
	}
	field, reason := t.fill(l)
	if reason == "" && t.identity != nil {
		field, reason = t.identify(l)
	}
	if reason == "" {
		field, reason = "", t.addUp(&t.recorder.record)
	}
	if reason != "" {
		return t.out.reject(l.index+1, field, reason)
	}
	t.recorder.record.Index = l.index
	t.recorder.record.RawLine = l.raw
	for i := 0; l.nuls && i < len(l.raw); i++ {
		if l.raw[i] == 0 {
			l.raw[i] = ' ' // no field has any of them
		}
	}
	return t.out.accept(&t.recorder.record)
}

// unreadable gives up where the header can't be had.
func (t *table) unreadable() error {
	if t.headerDue {
		return errStop
	}
	return nil
}

func (t *table) finish() error {
	switch {
	case t.fileTotal > 0:
		return nil
	case t.out.summary.Records > 0 || t.out.summary.Bad > 0:
		return t.refuseMissing()
	case t.headerDue:
		return t.out.reject(1, "", "the file has no header line")
	}
	return t.out.reject(t.topLine, "", "the file has no records; it may be truncated")
}

// cut sets a line's cells, or says why it has none.
func (t *table) cut(l *line) (reason string) {
	if t.fixed {
		l.cells = append(t.splitter.cells[:0], l.text)
		t.splitter.cells = l.cells
		return ""
	}
	l.cells, reason = t.splitter.split(l.text)
	return reason
}

// fill sets the fields of the record from a line, or says what is wrong with
// one of them or with the line.
func (t *table) fill(l *line) (field, reason string) {
	reason = t.cut(l)
	switch {
	case !l.ended && t.width == 0 && (reason != "" || !t.complete(l)):
		return "", cutOff
	case reason != "":
		return "", reason
	case t.width > 0 && l.width() != t.width:
		return "", widthReason(l, t.width)
	case !t.fixed:
		if reason := misfit(l.cells, t.columns, t.unnamed); reason != "" {
			return "", reason
		}
	}
	for f := range fieldAmount {
		p := &t.places[f]
		text, reason := p.text(l)
		if reason == "" {
			reason = t.recorder.put(f, text)
		}
		if reason != "" {
			return p.key, reason
		}
	}
	return t.places[fieldAmount].key, t.fillAmount(l)
}

// fillAmount sets the record's amount. Where debits and credits have a place each, it is the
// one that is used.
func (t *table) fillAmount(l *line) (reason string) {
	if t.amount.creditAt > 0 {
		return t.fillSide(l)
	}
	text, reason := t.places[fieldAmount].text(l)
	if reason == "" {
		t.recorder.negative, reason = t.sign(t.amount, l)
	}
	if reason == "" {
		reason = t.recorder.put(fieldAmount, text)
	}
	return reason
}

var sides = [...][]byte{[]byte("debit"), []byte("credit")}

func (t *table) fillSide(l *line) (reason string) {
	r, texts, used := &t.recorder, [2][]byte{}, [2]bool{}
	put := func(side int) (reason string) {
		t.isCredit = side == 1
		r.negative, r.record.Sign = t.isCredit == t.amount.creditNegative, sides[side]
		return r.put(fieldAmount, texts[side])
	}
	for side, at := range [...]int{int(fieldAmount), t.amount.creditAt} {
		if texts[side], reason = t.places[at].text(l); reason == "" && len(texts[side]) > 0 {
			reason = put(side)
			used[side] = string(r.record.Amount) != "0.00"
		}
		if reason != "" {
			return reason
		}
	}
	switch used {
	case [2]bool{true, false}:
		return put(0)
	case [2]bool{false, true}:
		return put(1)
	}
	return fmt.Sprintf("expected an amount in either debit or credit, the other being empty or zero; found %s and %s",
		quoted(texts[0]), quoted(texts[1]))
}

// complete reports whether a delimited line without a line end can't have lost
// anything: it ends with an amount that has all its decimals.
func (t *table) complete(l *line) bool {
	place := &t.places[fieldAmount]
	last := len(l.cells) - 1 - t.unnamed
	if place.constant || place.carrier != nil || place.start > 0 || place.length > 0 ||
		len(l.cells) != t.columns || place.column != last {
		return false
	}
	text, _ := place.text(l)
	return t.amount.complete(text)
}

// sign reads the sign of an amount that has a place of its own.
func (t *table) sign(f *amountFormat, l *line) (negative bool, reason string) {
	if f.signAt == 0 {
		return false, ""
	}
	code, reason := t.places[f.signAt].text(l)
	if reason != "" {
		return false, "sign " + reason
	}
	t.recorder.record.Sign = code
	negative, known := f.codes[string(code)]
	if !known {
		reason = fmt.Sprintf("expected the sign %s, found %s", f.codesInWords, quoted(code))
	}
	return negative, reason
}

// carry keeps what a carrier holds for the records after it.
func (t *table) carry(l *line, carrier []byte) error {
	if reason := t.cut(l); reason != "" {
		return t.out.reject(l.index+1, "", reason)
	}
	for i := range t.places {
		p := &t.places[i]
		if !bytes.Equal(p.carrier, carrier) {
			continue
		}
		text, reason := p.find(l)
		if reason != "" {
			return t.out.reject(l.index+1, p.key, reason)
		}
		p.known, p.value = true, append(p.value[:0], text...)
	}
	return nil
}

// text returns what stands at the place for a line that is cut.
func (p *place) text(l *line) (text []byte, reason string) {
	switch {
	case p.known:
		return p.value, ""
	case p.carrier != nil:
		return nil, fmt.Sprintf("there is no line starting with %q before this one", p.carrier)
	}
	return p.find(l)
}

// find returns what stands at the place in a line that is cut.
func (p *place) find(l *line) (text []byte, reason string) {
	if p.column >= len(l.cells) {
		return nil, fmt.Sprintf("expected field %d, but the line has only %d", p.column+1, len(l.cells))
	}
	text = l.cells[p.column]
	if l.several && p.kind == kindRecord && !p.isFigure() { // a line break is no part of a figure
		text = l.flat(text)
	}
	if p.start > 0 || p.length > 0 {
		var ok bool
		if text, ok = part(text, l.ascii, p.start, p.length); !ok {
			return nil, "missing or incomplete: the line is too short"
		}
		if p.start < l.cut && l.cut < p.start+p.length && p.isFigure() {
			return nil, "the line ends inside the field"
		}
	}
	if p.trim {
		text = bytes.TrimSpace(text)
	}
	for p.mostZero > 0 && len(text) > p.mostZero && text[0] == '0' {
		text = text[1:]
	}
	if l.nuls && bytes.IndexByte(text, 0) >= 0 {
		return nil, "control character U+0000 in the field"
	}
	return text, ""
}

func (p *place) isFigure() bool { return p.key == "count" || strings.HasPrefix(p.key, "amountDkk") }

func widthReason(l *line, width int) string {
	reason := fmt.Sprintf("expected %d characters, found %d", width, l.width())
	if !l.ended {
		reason += " and no line end; the file may be truncated"
	}
	return reason
}
