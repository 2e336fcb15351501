package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"dispo/models/imports"
	"dispo/models/imports/format"
)

type layoutCommands struct {
	Check layoutCheckCommand `cmd:"" help:"Show how a layout cuts a delivery file's first lines into fields. Nothing is imported."`
}

type layoutCheckCommand struct {
	File   string `arg:"" help:"Delivery file. A .gz or .zip is unpacked; - is standard input."`
	Layout string `help:"csv, os, or a file that describes the layout; by default, it is detected as for an import." placeholder:"LAYOUT"`
	Lines  int64  `help:"How many lines to show. The first line of each further kind is shown too." default:"10"`
}

// readLayout returns the layout csv or os, or reads one of the operator's own from a
// file. It returns nil if none is named. That the file is a regular one is checked before
// opening: opening a named pipe would wait for a writer.
func readLayout(path string) (*format.Layout, error) {
	switch path {
	case "":
		return nil, nil
	case "csv":
		return format.CSV(), nil
	case "os":
		return format.OS(), nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, fmt.Errorf("cannot read the layout %s: it is not a regular file", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the layout %s: %w", path, errors.Unwrap(err))
	}
	layout, err := format.ParseLayout(text)
	if err != nil {
		return nil, fmt.Errorf("cannot use the layout %s: %w", path, err)
	}
	return layout, nil
}

func (c *layoutCheckCommand) Run(e *environment) error {
	layout, err := readLayout(c.Layout)
	if err != nil {
		return err
	}
	file, err := imports.Open(e.ctx, c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	if layout == nil {
		if layout, err = file.Detect(e.ctx); err != nil {
			return err
		}
	}
	source, err := file.Read(e.ctx)
	if err != nil {
		return err
	}
	check := layoutCheck{out: e.streams.out, lines: c.Lines, kinds: map[string]bool{}}
	fmt.Fprintf(check.out, "%s, read with the layout %s\n", printable(imports.Filename(c.File)), printable(layout.Name()))
	summary, err := layout.Explain(source, check.show, check.note)
	if err != nil {
		return interruption(e, err)
	}
	check.rest()
	fmt.Fprintf(check.out, "\n%s: %s, %s\n", count(summary.Lines, "line", "lines"), count(summary.Records, "record", "records"), count(summary.Bad, "mistake", "mistakes"))
	if summary.Bad > 0 {
		return errReported
	}
	return nil
}

// layoutCheck prints lines, each followed by its mistakes.
type layoutCheck struct {
	out   io.Writer
	lines int64
	kinds map[string]bool // that were shown
	bad   []format.BadLine
	more  int64 // mistakes that are not in bad
}

// layoutCheckMistakes is how many mistakes are shown beyond those of the lines shown.
const layoutCheckMistakes = 20

func (c *layoutCheck) note(line format.BadLine) error {
	if len(c.bad) < layoutCheckMistakes {
		c.bad = append(c.bad, line)
	} else {
		c.more++
	}
	return nil
}

// rest prints the mistakes of lines that were not shown.
func (c *layoutCheck) rest() {
	if len(c.bad) > 0 {
		fmt.Fprintln(c.out)
	}
	for _, bad := range c.bad {
		fmt.Fprintf(c.out, "line %d: %s\n", bad.Line, mistake(bad))
	}
	if c.more > 0 {
		fmt.Fprintf(c.out, "and %d more mistakes\n", c.more)
	}
}

func mistake(bad format.BadLine) string {
	if bad.Field == "" {
		return printable(bad.Reason)
	}
	return bad.Field + ": " + printable(bad.Reason)
}

func (c *layoutCheck) show(line format.ExplainedLine) error {
	if line.Number > c.lines && c.kinds[line.Kind] {
		return nil
	}
	c.kinds[line.Kind] = true
	fmt.Fprintf(c.out, "\nline %d: %s\n", line.Number, line.Kind)
	c.showText(printable(strings.ReplaceAll(line.Text, "\t", " ")), line.Parts)
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	letters := lettersOf(line.Parts)
	for i, part := range line.Parts {
		fmt.Fprintf(table, "  %s\t%s\t%s%s\n", place(part, letters[i]), part.Name, found(part), stored(part))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var other []format.BadLine
	for _, bad := range c.bad {
		if bad.Line == line.Number {
			fmt.Fprintf(c.out, "  mistake: %s\n", mistake(bad))
		} else {
			other = append(other, bad)
		}
	}
	c.bad = other
	return nil
}

// lettersOf returns the letter of each part that stands in a fixed-width line, and a
// space for the others.
func lettersOf(parts []format.ExplainedPart) []byte {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	of, used := make([]byte, len(parts)), 0
	for i, part := range parts {
		of[i] = ' '
		if part.Start > 0 && part.Column == 0 {
			of[i] = letters[used%len(letters)]
			used++
		}
	}
	return of
}

// showText prints a line. A fixed-width line stands between a ruler and the letters of
// its parts.
func (c *layoutCheck) showText(text string, parts []format.ExplainedPart) {
	width := utf8.RuneCountInString(text)
	marks := bytes.Repeat([]byte(" "), width)
	for i, letter := range lettersOf(parts) {
		for at := parts[i].Start - 1; letter != ' ' && at < min(parts[i].Start-1+parts[i].Length, width); at++ {
			marks[at] = letter
		}
	}
	marks = bytes.TrimRight(marks, " ")
	if len(marks) == 0 {
		fmt.Fprintf(c.out, "  %s\n", text)
		return
	}
	var tens, ones strings.Builder
	for at := 1; at <= width; at++ {
		ones.WriteByte('0' + byte(at%10))
		if at%10 == 0 {
			fmt.Fprintf(&tens, "%10d", at)
		}
	}
	fmt.Fprintf(c.out, "  %s\n  %s\n  %s\n  %s\n", &tens, &ones, text, marks)
}

// place says where a part stands.
func place(part format.ExplainedPart, letter byte) string {
	span := fmt.Sprintf("%d-%d", part.Start, part.Start+part.Length-1)
	switch {
	case part.Start == 0:
		return "-"
	case part.Column == 0:
		return fmt.Sprintf("%c  %s", letter, span)
	case part.Length > 0:
		return fmt.Sprintf("column %d, %s", part.Column, span)
	case part.Start > 1:
		return fmt.Sprintf("column %d, from %d", part.Column, part.Start)
	}
	return fmt.Sprintf("column %d", part.Column)
}

func found(part format.ExplainedPart) string {
	if part.Start == 0 {
		return part.From
	}
	return fmt.Sprintf("%q", part.Text)
}

func stored(part format.ExplainedPart) string {
	if part.Value == "" {
		return ""
	}
	return "\t→ " + printable(part.Value)
}
