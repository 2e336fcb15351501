// Package export writes tables as files to download: as CSV for Danish spreadsheets, as
// CSV with the API's values, and as XLSX. The rows go to a temporary file as fast as the
// database returns them, and from there to the client, so that a slow client never keeps
// a connection to the database.
package export

// Kind is the kind of a column's values.
type Kind int

const (
	Text    Kind = iota
	Integer      // such as 12
	Decimal      // such as -1234.50
	Date         // YYYY-MM-DD
	Time         // RFC 3339 in UTC, with milliseconds
)

// Column is a column of a table whose rows are of type T.
type Column[T any] struct {
	Title string
	Kind  Kind
	Value func(row *T) string // as the API writes it; empty for null
}

// Table says what a file has.
type Table[T any] struct {
	Name    string // of the sheet; at most 25 characters
	Columns []Column[T]
}

func (t Table[T]) titles() []string {
	titles := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = c.Title
	}
	return titles
}

func (t Table[T]) kinds() []Kind {
	kinds := make([]Kind, len(t.Columns))
	for i, c := range t.Columns {
		kinds[i] = c.Kind
	}
	return kinds
}

// Format is a form of a file, as it stands in addresses.
type Format string

const (
	// Danish is CSV as Danish Excel and e-conomic read it.
	Danish Format = "csv-da"
	// API is CSV (RFC 4180) whose values are exactly the API's.
	API Format = "csv"
	// XLSX is a workbook (ISO/IEC 29500).
	XLSX Format = "xlsx"
)

// Formats are all formats.
var Formats = []Format{XLSX, Danish, API}

// Extension returns the extension of a file's name, with its dot.
func (f Format) Extension() string {
	if f == XLSX {
		return ".xlsx"
	}
	return ".csv"
}

// ContentType returns the media type.
func (f Format) ContentType() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv; charset=utf-8"
}
