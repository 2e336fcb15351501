package format

import (
	"bytes"
	"fmt"
)

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
