// Package export writes tables as files to download: as CSV and XLSX for people, and as
// CSV and JSON Lines with the API's values for programs. The rows go to a temporary file
// as fast as the database returns them, and from there to the client, so that a slow
// client never keeps a connection to the database.
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

func (t Table[T]) heading() (titles []string, kinds []Kind) {
	for _, c := range t.Columns {
		titles, kinds = append(titles, c.Title), append(kinds, c.Kind)
	}
	return titles, kinds
}

// Format is a form of a file, as it stands in addresses.
type Format string

const (
	XLSX      Format = "xlsx"   // a workbook (ISO/IEC 29500)
	Danish    Format = "csv-da" // CSV as Danish Excel and e-conomic read it
	API       Format = "csv"    // CSV (RFC 4180) with exactly the API's values, for programs
	JSONLines Format = "jsonl"  // a JSON object of strings in each line, for programs
)

var contentTypes = map[Format]string{
	XLSX:   "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	Danish: "text/csv; charset=utf-8", API: "text/csv; charset=utf-8", JSONLines: "application/jsonl; charset=utf-8",
}

// Known reports whether there is such a format.
func (f Format) Known() bool { return contentTypes[f] != "" }

// ContentType returns the media type.
func (f Format) ContentType() string { return contentTypes[f] }

// ForPrograms reports whether values have exactly the API's form.
func (f Format) ForPrograms() bool { return f == API || f == JSONLines }
