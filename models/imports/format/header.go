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
	t.splitter.detect(l.text)
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
	for i := range t.places {
		reason := t.places[i].resolve(names)
		if reason != "" && t.header == headerExact {
			reason += "; expected " + expectedNames
		}
		if reason != "" {
			return t.places[i].key, reason
		}
	}
	return "", ""
}

// resolve finds the column of a place in the header.
func (p *place) resolve(names []string) (reason string) {
	if p.name == "" {
		// Lines of other kinds may have more fields.
		if p.kind == kindRecord && p.carrier == nil && p.column >= len(names) {
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

// unknownColumn reports a column that does not belong here. A name with
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
