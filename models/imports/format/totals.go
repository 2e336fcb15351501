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
	figures  []figure
}

// figure is a figure that a total tells.
type figure struct {
	of       totalFigure
	at       int           // the index of its place
	amount   *amountFormat // nil for a number
	absolute bool          // the sum is that of the amounts without their signs
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
	figureCounts                     // the sum of count
	figureAmount                     // the sum of amountDkk
	figureDebits                     // of those that are debits, which are positive here
	figureCredits                    // of those that are credits, which are positive here
	figureTotal                      // how many there are
)

var figureNames = [figureTotal]string{"records", "lines", "counts", "amountDkk", "debits", "credits"}

// totalDigits is how many digits may stand before the decimals of a sum.
const totalDigits = 16

// tally is what a total must agree with.
type tally struct {
	numbers [figureAmount]int64
	sums    [figureTotal]Sum
	bad     int64 // bad lines of the file before the first of its records, but for totals
}

// addUp adds a record to what the totals must agree with, or says why it must not stand
// here.
func (t *table) addUp(record *Record) (reason string) {
	if t.fileTotal > 0 {
		return fmt.Sprintf("there is a record after the file's total on line %d", t.fileTotal)
	}
	negative := record.Amount[0] == '-'
	if t.amount.creditAt == 0 {
		t.isCredit = negative == t.amount.creditNegative
	}
	for scope := range t.totals {
		if t.totals[scope].prefix == nil {
			continue
		}
		tally := &t.tallies[scope]
		tally.numbers[figureRecords]++
		tally.numbers[figureCounts] = min(tally.numbers[figureCounts]+record.Count, countMost+1)
		for _, figure := range t.totals[scope].figures {
			switch sum := &tally.sums[figure.of]; {
			case figure.of == figureAmount:
				sum.add(record.Amount, negative && !figure.absolute)
			case figure.amount != nil && t.isCredit == (figure.of == figureCredits):
				sum.add(record.Amount, negative != (t.isCredit == t.amount.creditNegative))
			}
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
	if reason := t.cut(l); reason != "" {
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
	before.numbers[figureLines] = l.index + 1
	for _, figure := range total.figures {
		place := &t.places[figure.at]
		text, reason := place.find(l)
		if reason == "" && (before.bad == bad || figure.of == figureLines) { // no bad line explains it
			reason = t.disagreement(figure, text, l, &before)
		}
		if reason != "" {
			if err := t.disagree(l.index+1, place.key, reason); err != nil {
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
func (t *table) disagreement(figure figure, text []byte, l *line, tally *tally) (reason string) {
	var said, found string
	if figure.amount != nil {
		var sum []byte
		negative, reason := t.sign(figure.amount, l)
		if reason == "" {
			sum, reason = figure.amount.parse(nil, text, negative)
		}
		if reason != "" {
			return reason
		}
		said, found = string(sum), tally.sums[figure.of].String()
	} else {
		number, wrong := parseCount(text)
		said, found, reason = fmt.Sprint(number), fmt.Sprint(tally.numbers[figure.of]), wrong
	}
	verb := "there are"
	if figure.of >= figureCounts {
		verb = "the records add up to"
	}
	if reason == "" && said != found {
		reason = fmt.Sprintf("the total says %s, but %s %s; the file may be incomplete", said, verb, found)
	}
	return reason
}

const (
	noFileTotal    = "the file has no total: expected a line starting with %q at its end; the file may be truncated"
	noSectionTotal = "the last %s no total: expected a line starting with %q after them; the file may be truncated"
)

// refuseOpen refuses records at the end of the file that no section total covers.
func (t *table) refuseOpen(line int64) error {
	section, open := &t.totals[scopeSection], t.tallies[scopeSection].numbers[figureRecords]
	if section.prefix == nil || !section.required || open == 0 {
		return nil
	}
	last := "record has"
	if open > 1 {
		last = fmt.Sprintf("%d records have", open)
	}
	return t.disagree(line, "totals.section", fmt.Sprintf(noSectionTotal, last, section.prefix))
}

// refuseMissing refuses a file that ends without its totals.
func (t *table) refuseMissing() error {
	if file := &t.totals[scopeFile]; file.prefix != nil && file.required {
		return t.out.reject(t.lastLine, "totals.file", fmt.Sprintf(noFileTotal, file.prefix))
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

// kindNames are for people who look at a layout.
var kindNames = [...]string{"record", "ignored", "from_line", "section total", "file total"}

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
		if l.nuls && bytes.IndexByte(mark[:min(len(p.prefix), len(mark))], 0) >= 0 {
			return 0, nil, "control character U+0000 where the prefix stands"
		}
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
	text, last := l.flat(l.text), true
	if column := t.kinds.column; column >= 0 {
		reason := t.cut(l)
		switch {
		case reason != "" && !l.ended:
			return nil, false, cutOff
		case reason != "":
			return nil, false, reason
		case column >= len(l.cells):
			return nil, true, ""
		}
		text, last = l.flat(l.cells[column]), column == len(l.cells)-1
	}
	if t.kinds.start > 0 {
		text, _ = part(text, l.ascii, t.kinds.start, 0)
	}
	return text, last, ""
}

func (k *kinds) expected() string {
	var prefixes []string
	for _, p := range k.prefixes {
		prefixes = append(prefixes, string(p.prefix))
	}
	where := "the line"
	if k.column >= 0 {
		where = fmt.Sprintf("field %d", k.column+1)
	}
	if k.start > 0 {
		return fmt.Sprintf("expected %s to have %s at character %d", where, inQuotes(prefixes), k.start+1)
	}
	return fmt.Sprintf("expected %s to start with %s", where, inQuotes(prefixes))
}
