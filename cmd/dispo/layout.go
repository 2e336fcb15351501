package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"dispo/models/imports"
	"dispo/models/imports/format"
)

type layoutCommands struct {
	Check layoutCheckCommand `cmd:"" help:"Show how a layout cuts a delivery file's first lines into fields. Nothing is imported."`
}

type layoutCheckCommand struct {
	File   string `arg:"" help:"Delivery file. A .gz is unpacked; - is standard input."`
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
	for i, bad := range check.bad {
		if i == 0 {
			fmt.Fprintln(check.out)
		}
		fmt.Fprintf(check.out, "line %d: %s\n", bad.Line, mistake(bad))
	}
	if more := summary.Bad - int64(len(check.bad)); more > 0 {
		fmt.Fprintf(check.out, "and %d more mistakes\n", more)
	}
	fmt.Fprintf(check.out, "\n%s: %s, %s\n", count(summary.Lines, "line", "lines"), count(summary.Records, "record", "records"), count(summary.Bad, "mistake", "mistakes"))
	if summary.Bad > 0 {
		return errReported
	}
	return nil
}

// layoutCheck prints lines, and keeps the first mistakes.
type layoutCheck struct {
	out   io.Writer
	lines int64
	kinds map[string]bool // that were shown
	bad   []format.BadLine
}

const layoutCheckMistakes = 20

func (c *layoutCheck) note(line format.BadLine) error {
	if len(c.bad) < layoutCheckMistakes {
		c.bad = append(c.bad, line)
	}
	return nil
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
	fmt.Fprintf(c.out, "\nline %d: %s\n  %s\n", line.Number, line.Kind, printable(line.Text))
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, field := range line.Fields {
		found := ""
		if field.Text != "" {
			found = strconv.Quote(field.Text)
		}
		if field.Value != "" {
			found += "\t→ " + printable(field.Value)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", field.Name, field.Place, found)
	}
	return table.Flush()
}
