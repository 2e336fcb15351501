package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"

	"dispo/models/imports"
	"dispo/models/imports/format"
)

type layoutCommands struct {
	Guess layoutGuessCommand `cmd:"" help:"Describe a delimited file with a header as a layout, as far as the file shows it."`
	Check layoutCheckCommand `cmd:"" help:"Check a delivery file, and show the values of its first records. Nothing is imported."`
}

type layoutCheckCommand struct {
	File    string `arg:"" help:"Delivery file. A .gz is unpacked."`
	Layout  string `help:"csv, os, or a file that describes the layout; by default, it is detected as for an import." placeholder:"LAYOUT"`
	Records int64  `help:"How many records to show." default:"3"`
}

// layoutMost is how many bytes a layout may have.
const layoutMost = 1 << 20

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
	} else if err == nil && info.Size() > layoutMost {
		return nil, fmt.Errorf("cannot use the layout %s: it is larger than 1 MB", path)
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

// isOdd reports whether a character is one that a file has if it is read in the wrong encoding:
// K@B, KÃ¸b.
func isOdd(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune(" &'()*+,./:;%_=-", r)
}

func (c *layoutCheckCommand) Run(e *environment) error {
	layout, err := readLayout(c.Layout)
	if err != nil {
		return err
	}
	if layout != nil && layout.Settings() != nil {
		fmt.Fprintf(e.streams.out, "layout %s:\n  %s\n\n", printable(layout.Name()),
			strings.Join(layout.Settings(), "\n  "))
	}
	var shown int64
	warned := false
	warn := func(text, where string, arguments ...any) {
		if at := strings.IndexFunc(text, isOdd); at >= 0 && !warned {
			where = fmt.Sprintf(where, arguments...)
			fmt.Fprintf(e.streams.err, "warning: %s: %q has %q, which is neither a letter nor a usual sign: "+
				"check the layout's encoding\n", where, text, string([]rune(text[at:])[0]))
			warned = true
		}
	}
	found, err := imports.Check(e.ctx, c.File, layout, func(record *format.Record) error {
		warn(string(record.TransferType), "line %d: transferType", record.Index+1)
		if shown++; shown > c.Records {
			return nil
		}
		return showRecord(e.streams.out, record)
	})
	if err != nil {
		return interruption(e, err)
	}
	for _, name := range found.Names {
		warn(name, "delivery")
		fmt.Fprintf(e.streams.out, "delivery: %s\n", printable(name))
	}
	if found.Filled > 0 {
		fmt.Fprintf(e.streams.out, "%s filled up with blanks\n", count(found.Filled, "line", "lines"))
	}
	fmt.Fprintf(e.streams.out, "%s: %s, read with the layout %s\n", printable(imports.Filename(c.File)),
		count(found.Records, "record", "records"), printable(found.Layout))
	return nil
}

// showRecord prints a record's line, its fields, and what stood there if that is another text.
func showRecord(to io.Writer, record *format.Record) error {
	fmt.Fprintf(to, "line %d: %s\n", record.Index+1, printable(string(record.RawLine)))
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for i, value := range record.Values() {
		fmt.Fprintf(table, "  %s\t%s", format.FieldNames[i], printable(string(value)))
		from := fmt.Sprintf("\tfrom %q", record.Texts[i])
		if i == len(record.Texts)-1 && len(record.Sign) > 0 {
			fmt.Fprintf(table, "%s (%s)", from, printable(string(record.Sign)))
		} else if string(record.Texts[i]) != string(value) {
			fmt.Fprint(table, from)
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintln(table)
	return table.Flush()
}
