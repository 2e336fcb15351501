package imports

import (
	"fmt"
	"strconv"
	"strings"

	"dispo/models/imports/format"
)

// BadFile is the error of a file that was refused for bad lines. Nothing of it was
// stored. A line appears once for each of its bad fields.
type BadFile struct {
	Filename string
	Lines    []format.BadLine // the first badLinesShown, in the file's order
	More     int64            // the number of further ones

	count int64 // of lines, each counted once
	last  int64 // the number of the latest line

	notUTF8 bool
}

const (
	badLinesShown = 20
	badLinesMost  = 1000
)

// add counts a bad line. It returns the file as an error when there are so many that
// reading further is of no use.
func (f *BadFile) add(line format.BadLine) error {
	if line.Line != f.last {
		f.count, f.last = f.count+1, line.Line
	}
	if len(f.Lines) < badLinesShown {
		f.Lines = append(f.Lines, line)
	} else {
		f.More++
	}
	f.notUTF8 = f.notUTF8 || strings.Contains(line.Reason, "UTF-8")
	if f.count > badLinesMost {
		return f
	}
	return nil
}

// Error lists the bad lines with number, field and reason, each on a line of its
// own.
func (f *BadFile) Error() string {
	var text strings.Builder
	many, noun := strconv.FormatInt(f.count, 10), "bad lines"
	switch {
	case f.count > badLinesMost:
		many = "more than 1,000"
	case f.count == 1:
		noun = "bad line"
	}
	fmt.Fprintf(&text, "%s has %s %s, so nothing of it was imported:", f.Filename, many, noun)
	for _, line := range f.Lines {
		fmt.Fprintf(&text, "\n  %s", line)
	}
	switch {
	case f.count > badLinesMost:
		text.WriteString("\n  and more")
	case f.More > 0:
		fmt.Fprintf(&text, "\n  and %d more", f.More)
	}
	if f.notUTF8 {
		text.WriteString(
			"\n  If the file is Latin-1, convert it with `iconv -f WINDOWS-1252 -t UTF-8`. A delivery can also be read by a layout that names its encoding.",
		)
	}
	return text.String()
}
