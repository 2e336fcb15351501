// Package export writes tables as files to download: as CSV and XLSX for people, and as
// CSV and JSON Lines with the API's values for programs.
package export

import (
	"context"
	"io"
	"math/big"
	"mime"
	"strings"
	"time"
	"unicode"
)

// Kind is the kind of a column's values.
type Kind int

const (
	Text    Kind = iota
	Integer      // such as 12
	Decimal      // such as -1234.50
	Date         // YYYY-MM-DD
	Time         // RFC 3339 in UTC, with milliseconds
)

// Column is a column of files for programs, of files for people, or of both. The rows of
// its table are of type T.
type Column[T any] struct {
	Field string // its heading for programs, which is the API's field; empty if they get none
	Title string // its heading for people, in their language; empty if they get none
	Kind  Kind
	Value func(row *T) string // as the API writes it; empty for null
	Sum   bool                // a sheet ends in the sum of this column
}

// Summed returns the column with its sum below.
func (c Column[T]) Summed() Column[T] {
	c.Sum = true
	return c
}

// Table says what a file has.
type Table[T any] struct {
	Name    string // of the sheet; at most 25 characters
	Sum     string // the heading of the row of sums
	Columns []Column[T]
}

// columns returns the columns that files of the format have, each with its heading there
// as the title.
func (t Table[T]) columns(format Format) (columns []Column[T]) {
	for _, c := range t.Columns {
		if format == API || format == JSONLines {
			c.Title = c.Field
		}
		if c.Title != "" {
			columns = append(columns, c)
		}
	}
	return columns
}

// Source calls each with all rows of one moment, until it returns an error.
type Source[T any] func(ctx context.Context, each func(row *T) error) error

// Writer returns a function that writes a table's rows in a format. Times are those of the zone.
func Writer[T any](
	format Format, zone *time.Location, table Table[T], rows Source[T],
) func(context.Context, io.Writer) error {
	columns := table.columns(format)
	titles, kinds := make([]string, len(columns)), make([]Kind, len(columns))
	for i, column := range columns {
		titles[i], kinds[i] = column.Title, column.Kind
	}
	return func(ctx context.Context, f io.Writer) error {
		to := newTextWriter(f, format, titles, kinds, zone)
		if format == XLSX {
			book, err := newWorkbook(f, table.Name, titles, kinds, zone)
			if err != nil {
				return err
			}
			book.sum, book.sums = table.Sum, map[int]*big.Rat{}
			for i, column := range columns {
				if column.Sum {
					book.sums[i] = new(big.Rat)
				}
			}
			defer book.discard()
			to = book
		}
		values := make([]string, len(columns))
		err := rows(ctx, func(row *T) error {
			for i, column := range columns {
				values[i] = column.Value(row)
			}
			return to.row(values)
		})
		if err != nil {
			return err
		}
		return to.close()
	}
}

// Format is a form of a file, as it stands in addresses.
type Format string

const (
	XLSX Format = "xlsx" // a workbook (ISO/IEC 29500)
	// Danish is CSV as e-conomic reads it. Excel drops leading zeros of account numbers when
	// it opens CSV. Writing ="0287" would keep them there, but e-conomic and every other
	// program would read it as text with an equals sign, so the page recommends XLSX for Excel.
	Danish    Format = "csv-da"
	API       Format = "csv"   // CSV (RFC 4180) with exactly the API's values, for programs
	JSONLines Format = "jsonl" // a JSON object of strings in each line, for programs
)

var contentTypes = map[Format]string{
	XLSX:   "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	Danish: "text/csv; charset=utf-8", API: "text/csv; charset=utf-8", JSONLines: "application/jsonl; charset=utf-8",
}

// ContentType returns the media type, or "" if there is no such format.
func (f Format) ContentType() string { return contentTypes[f] }

const nameLength = 120 // characters; with the extension, any file system accepts them

// Disposition returns the Content-Disposition of a file with that name (RFC 6266). The
// name may be any text. Characters that a system does not allow in names are replaced.
func Disposition(name string, format Format) string {
	extension := strings.TrimSuffix(string(format), "-da")
	return mime.FormatMediaType("attachment", map[string]string{"filename": safeName(name) + "." + extension})
}

// safeName keeps letters, digits and single separators between them.
func safeName(name string) string {
	var parts []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.N, unicode.M) && !strings.ContainsRune(" ._", r)
	}) {
		if part = strings.Trim(strings.Join(strings.Fields(part), " "), " ."); part != "" {
			parts = append(parts, part)
		}
	}
	safe := []rune(strings.Join(parts, "-"))
	return string(safe[:min(len(safe), nameLength)])
}
