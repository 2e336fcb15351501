package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// header says whether a file's first line names its columns.
type header int

const (
	headerNone  header = iota
	headerNamed        // it does; other columns may stand among those of the fields
	headerExact        // it does, and names the fields and nothing else
)

// readHeader learns from the header where the fields stand. Nothing of the
// file can be read by a header that is bad.
func (t *table) readHeader(l *line) error {
	if field, reason := t.learn(l); reason != "" {
		if err := t.out.reject(l.index+1, field, reason); err != nil {
			return err
		}
		return errStop
	}
	t.headerDue = false
	t.topLine = l.index + 1
	return nil
}

func (t *table) learn(l *line) (field, reason string) {
	if t.delimiter == 0 {
		t.splitter.delimiter = ','
		if bytes.IndexByte(l.text, ';') >= 0 {
			t.splitter.delimiter = ';'
		}
	}
	cells, reason := t.splitter.split(l.text)
	if reason != "" {
		return "", reason
	}
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = string(bytes.TrimSpace(cell))
	}
	t.columns = len(names)
	if t.header == headerExact {
		for i, name := range names {
			if !slices.Contains(fieldNames[:], name) {
				return "", unknownColumn(i, name)
			}
		}
	}
	for f := range fieldTotal {
		reason := t.places[f].resolve(names)
		if reason != "" && t.header == headerExact {
			reason += "; expected " + expectedNames
		}
		if reason != "" {
			return fieldNames[f], reason
		}
	}
	for i := range t.identity {
		if reason := t.identity[i].place.resolve(names); reason != "" {
			return "identity." + t.identity[i].name, reason
		}
	}
	for scope := range t.totals {
		if field, reason := t.totals[scope].resolve(names); reason != "" {
			return "totals." + scopeNames[scope] + "." + field, reason
		}
	}
	if t.sign != nil {
		sign := *t.sign
		t.sign = &sign
		if reason := sign.place.resolve(names); reason != "" {
			return fieldNames[fieldAmount], reason
		}
	}
	return "", ""
}

// resolve finds the columns of a total in the header. It changes copies, because the
// layout may read several files at once.
func (s *total) resolve(names []string) (field, reason string) {
	for figure, at := range s.figures {
		if at == nil || at.name == "" { // the line of a total may have more fields
			continue
		}
		own := *at
		if reason := own.resolve(names); reason != "" {
			return figureNames[figure], reason
		}
		s.figures[figure] = &own
	}
	if s.sign == nil {
		return "", ""
	}
	sign := *s.sign
	s.sign = &sign
	return figureNames[figureAmount], sign.place.resolve(names)
}

// resolve finds the column of a place in the header.
func (p *place) resolve(names []string) (reason string) {
	if p.constant || p.carrier != nil {
		return ""
	}
	if p.name == "" {
		if p.column >= len(names) {
			return fmt.Sprintf("expected column %d, but the header has only %d", p.column+1, len(names))
		}
		return ""
	}
	p.column = slices.Index(names, p.name)
	switch {
	case p.column < 0:
		return "the header has no column " + p.name
	case slices.Contains(names[p.column+1:], p.name):
		return fmt.Sprintf("the header has the column %s more than once", p.name)
	}
	return ""
}

var expectedNames = strings.Join(fieldNames[:], ", ") + " in any order, separated by commas or semicolons"

// unknownColumn tells of a column that has no business here. A name with
// digits is not shown: where the header is missing it is a value, perhaps a
// bank number.
func unknownColumn(i int, name string) string {
	shown := fmt.Sprintf("column %d of the header", i+1)
	if name == "" {
		shown += " has no name"
	} else if strings.ContainsAny(name, "0123456789") {
		shown += " is unknown and looks like a value"
	} else {
		shown += " is unknown: " + quoted([]byte(name))
	}
	return shown + "; expected " + expectedNames
}
