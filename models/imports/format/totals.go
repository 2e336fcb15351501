package format

import (
	"bytes"
	"fmt"
)

// total is a line of a layout of the operator's own that says how much there is before
// it: in its section, which is all since the section total before it, or in the file.
type total struct {
	prefix   []byte // nil for none
	required bool
	figures  [figureTotal]int // the indexes of their places; 0 for those that it does not tell
	amount   *amountFormat
	absolute bool // the sum is that of the amounts without their signs
}

// totalScope is what a total covers.
type totalScope int

const (
	scopeSection totalScope = iota
	scopeFile
	scopeTotal // how many there are
)

var scopeNames = [scopeTotal]string{"section", "file"}

// totalFigure is one of the figures that a total may tell.
type totalFigure int

const (
	figureRecords totalFigure = iota // the number of records
	figureLines                      // the number of lines, its own included
	figureAmount                     // the sum of amountDkk
	figureTotal                      // how many there are
)

var figureNames = [figureTotal]string{"records", "lines", "amountDkk"}

// totalDigits is how many digits may stand before the decimals of a sum.
const totalDigits = 16

// tally is what a total must agree with.
type tally struct {
	records int64
	amount  Sum
	bad     int64 // bad lines of the file before the first of its records, but for totals
}

// addUp adds a record to what the totals must agree with, or says why it must not stand
// here.
func (t *table) addUp(record *Record) (reason string) {
	if t.fileTotal > 0 {
		return fmt.Sprintf("there is a record after the file's total on line %d", t.fileTotal)
	}
	for scope := range t.totals {
		total, tally := &t.totals[scope], &t.tallies[scope]
		tally.records++
		switch {
		case total.amount == nil:
		case total.absolute:
			tally.amount.Add(bytes.TrimPrefix(record.Amount, []byte("-")))
		default:
			tally.amount.Add(record.Amount)
		}
	}
	return ""
}

func (t *table) compare(l *line, scope totalScope) error {
	total, before := &t.totals[scope], t.tallies[scope]
	name := "totals." + scopeNames[scope]
	if t.fileTotal > 0 {
		return t.disagree(l.index+1, name, fmt.Sprintf("there is a total after the file's total on line %d", t.fileTotal))
	}
	cells, reason := t.cut(l)
	if reason != "" {
		return t.disagree(l.index+1, name, reason)
	}
	bad := t.out.summary.Bad - t.disagreed
	if scope == scopeFile {
		if err := t.refuseOpen(l.index + 1); err != nil {
			return err
		}
		t.fileTotal = l.index + 1
	}
	t.tallies[scopeSection] = tally{bad: bad}
	for figure, at := range total.figures {
		if at == 0 {
			continue
		}
		text, reason := t.places[at].find(cells, l.ascii)
		if reason == "" {
			reason = t.disagreement(total, totalFigure(figure), text, cells, l, &before)
			if before.bad < bad && totalFigure(figure) != figureLines {
				reason = "" // a bad line explains it
			}
		}
		if reason != "" {
			if err := t.disagree(l.index+1, t.places[at].key, reason); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *table) disagree(line int64, field, reason string) error {
	t.disagreed++
	return t.out.reject(line, field, reason)
}

// disagreement says how a figure of a total differs from that of the file.
func (t *table) disagreement(
	total *total,
	figure totalFigure,
	text []byte,
	cells [][]byte,
	l *line,
	tally *tally,
) (reason string) {
	if figure == figureAmount {
		negative, reason := t.negative(total.amount, cells, l.ascii)
		var said []byte
		if reason == "" {
			said, reason = total.amount.parse(nil, text, negative)
		}
		if found := tally.amount.String(); reason == "" && string(said) != found {
			reason = fmt.Sprintf("the total says %s, but the records add up to %s; the file may be incomplete", said, found)
		}
		return reason
	}
	found := tally.records
	if figure == figureLines {
		found = l.index + 1
	}
	said, reason := parseCount(text)
	if reason == "" && said != found {
		reason = fmt.Sprintf("the total says %d, but there are %d; the file may be incomplete", said, found)
	}
	return reason
}

// refuseOpen refuses records at the end of the file that no section total covers.
func (t *table) refuseOpen(line int64) error {
	section := &t.totals[scopeSection]
	tally := &t.tallies[scopeSection]
	if section.prefix == nil || !section.required || tally.records == 0 {
		return nil
	}
	last := "record has"
	if tally.records > 1 {
		last = fmt.Sprintf("%d records have", tally.records)
	}
	return t.disagree(
		line,
		"totals.section",
		fmt.Sprintf(
			"the last %s no total: expected a line starting with %q after them; the file may be truncated",
			last,
			section.prefix,
		),
	)
}

// refuseMissing refuses a file that ends without its totals.
func (t *table) refuseMissing() error {
	if file := &t.totals[scopeFile]; file.prefix != nil && file.required {
		return t.out.reject(
			t.lastLine,
			"totals.file",
			fmt.Sprintf(
				"the file has no total: expected a line starting with %q at its end; the file may be truncated",
				file.prefix,
			),
		)
	}
	return t.refuseOpen(t.lastLine)
}

// kinds says which lines are records, by what stands at one place in them. Of
// several prefixes that fit, the longest decides.
type kinds struct {
	column   int // zero-based cell; -1 for the line as a whole
	start    int // zero-based character
	prefixes []kindPrefix
	// others is the kind of a line that no prefix fits; kindNone makes it bad.
	others kind
}

type kindPrefix struct {
	prefix []byte
	kind   kind
}

type kind int

const (
	kindRecord kind = iota // the kind of every line where there are no prefixes
	kindIgnored
	kindCarrier // it holds fields of the records that follow
	kindSectionTotal
	kindFileTotal
	kindNone
)

// kindOf returns a line's kind, and for a carrier the prefix that made it one.
func (t *table) kindOf(l *line) (kind kind, carrier []byte, reason string) {
	if len(t.kinds.prefixes) == 0 {
		return t.kinds.others, nil, ""
	}
	mark, last, reason := t.mark(l)
	if reason != "" {
		return 0, nil, reason
	}
	best := kindPrefix{kind: t.kinds.others}
	for _, p := range t.kinds.prefixes {
		if bytes.HasPrefix(mark, p.prefix) && len(p.prefix) > len(best.prefix) {
			best = p
		}
		if !l.ended && last && len(mark) < len(p.prefix) && bytes.HasPrefix(p.prefix, mark) {
			return 0, nil, cutOff
		}
	}
	if best.kind == kindNone {
		return 0, nil, "neither a record nor a line to ignore: " + t.kinds.expected()
	}
	return best.kind, best.prefix, ""
}

// mark returns what stands where the prefixes are looked for, and whether the
// line ends with it.
func (t *table) mark(l *line) (mark []byte, last bool, reason string) {
	text, last := l.text, true
	if column := t.kinds.column; column >= 0 {
		cells, reason := t.cut(l)
		switch {
		case reason != "" && !l.ended:
			return nil, false, cutOff
		case reason != "":
			return nil, false, reason
		case column >= len(cells):
			return nil, true, ""
		}
		text, last = cells[column], column == len(cells)-1
	}
	if t.kinds.start > 0 {
		text, _ = part(text, l.ascii, t.kinds.start, 0)
	}
	return text, last, ""
}

func (k *kinds) expected() string {
	names := make([]string, len(k.prefixes))
	for i, p := range k.prefixes {
		names[i] = fmt.Sprintf("%q", p.prefix)
	}
	where := "the line"
	if k.column >= 0 {
		where = fmt.Sprintf("field %d", k.column+1)
	}
	if k.start > 0 {
		return fmt.Sprintf("expected %s to have %s at character %d", where, listed(names), k.start+1)
	}
	return fmt.Sprintf("expected %s to start with %s", where, listed(names))
}
