package main

import (
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"dispo/models/imports"
	"dispo/models/imports/format"
)

type layoutCommands struct {
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

func (c *layoutCheckCommand) Run(e *environment) error {
	layout, err := readLayout(c.Layout)
	if err != nil {
		return err
	}
	var shown int64
	found, err := imports.Check(e.ctx, c.File, layout, func(record *format.Record) error {
		if shown++; shown > c.Records {
			return nil
		}
		fmt.Fprintf(e.streams.out, "line %d: %s\n", record.Index+1, printable(string(record.RawLine)))
		table := tabwriter.NewWriter(e.streams.out, 0, 0, 2, ' ', 0)
		fmt.Fprintf(
			table,
			"  cvr\t%s\n  regNumber\t%s\n  accountNumber\t%s\n  transferType\t%s\n  dispositionDate\t%s\n  count\t%d\n  amountDkk\t%s\n\n",
			record.CVR,
			record.RegNumber,
			record.AccountNumber,
			printable(string(record.TransferType)),
			record.DispositionDate,
			record.Count,
			record.Amount,
		)
		return table.Flush()
	})
	if err != nil {
		return interruption(e, err)
	}
	for _, name := range found.Names {
		fmt.Fprintf(e.streams.out, "delivery: %s\n", printable(name))
	}
	fmt.Fprintf(e.streams.out, "%s: %s, read with the layout %s\n", printable(imports.Filename(c.File)),
		count(found.Records, "record", "records"), printable(found.Layout))
	return nil
}
