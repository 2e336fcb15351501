package imports

import (
	"fmt"
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
}

const badLinesShown = 20

func (f *BadFile) add(line format.BadLine) {
	if line.Line != f.last {
		f.count, f.last = f.count+1, line.Line
	}
	if len(f.Lines) < badLinesShown {
		f.Lines = append(f.Lines, line)
	} else {
		f.More++
	}
}

// Error lists the bad lines with number, field and reason, each on a line of its
// own.
func (f *BadFile) Error() string {
	var text strings.Builder
	noun := "bad line"
	if f.count > 1 {
		noun = "bad lines"
	}
	fmt.Fprintf(&text, "%s has %d %s, so nothing of it was imported:", f.Filename, f.count, noun)
	for _, line := range f.Lines {
		fmt.Fprintf(&text, "\n  line %d: ", line.Line)
		if line.Field != "" {
			fmt.Fprintf(&text, "%s: ", line.Field)
		}
		text.WriteString(line.Reason)
	}
	if f.More > 0 {
		fmt.Fprintf(&text, "\n  and %d more", f.More)
	}
	return text.String()
}
