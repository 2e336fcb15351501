package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// CSV reads delimited deliveries with a header line.
//
// The header has exactly the names cvr, regNumber, accountNumber,
// transferType, dispositionDate, count and amountDkk in any order, parted by
// commas or by semicolons; the lines after it are parted alike. Fields may
// stand in double quotes as RFC 4180 has it, but without line breaks. Dates
// are YYYY-MM-DD; amounts have a decimal point, no decimals or one or two, and
// no thousands separators. The encoding is UTF-8; a byte-order mark is
// accepted. Lines end with LF or CRLF; blank lines are passed over, and so are lines of
// nothing but delimiters, which are a spreadsheet's empty rows. Where the header ends with
// delimiters, every line does.
//
// A last line without a line end is bad, because the file may have been cut
// off in it, unless amountDkk is the last column and has two decimals there.
func CSV() *Layout { return csvLayout }

var csvLayout = &Layout{
	name:    "csv",
	charset: utf8Charset,
	ending:  ending{end: '\n', before: []byte("\r")},
	parser:  csvFormat().parser,
}

func csvFormat() *tableFormat {
	f := &tableFormat{quotes: true, header: headerExact, date: isoDate, amount: csvAmount}
	for field, name := range fieldNames {
		f.places = append(f.places, place{key: name, name: name, trim: field == int(fieldTransferType)})
	}
	return f
}

// Rows reads a file that is not a delivery, but is written like a csv one: it calls row
// for each line that is not blank, the header first, and bad for each that cannot be cut
// into as many cells as the header. The cells are valid until row returns. Rows returns an error only where r
// fails or a callback returns one.
func Rows(r io.Reader, row func(line int64, cells [][]byte) error, bad func(BadLine) error) error {
	layout := Layout{charset: csvLayout.charset, ending: csvLayout.ending, parser: func(out *sink) parser {
		return &rowParser{out: out, row: row, splitter: splitter{quotes: true}}
	}}
	return layout.read(r, &sink{bad: bad})
}

type rowParser struct {
	splitter
	out              *sink
	row              func(line int64, cells [][]byte) error
	columns, unnamed int // of the header; 0 before it
}

func (p *rowParser) parse(l *line) error {
	if p.isEmpty(l.text) {
		return nil
	}
	p.detect(l.text)
	cells, reason := p.split(l.text)
	if reason == "" && p.columns == 0 {
		p.columns, p.unnamed = len(cells), unnamed(cells)
	}
	if reason == "" {
		reason = misfit(cells, p.columns, p.unnamed)
	}
	if reason != "" {
		return p.out.reject(l.index+1, "", reason)
	}
	return p.row(l.index+1, cells[:p.columns-p.unnamed])
}

// unnamed counts the columns without a name at the end of a header, which has others.
func unnamed(header [][]byte) (n int) {
	for n < len(header) && isBlank(header[len(header)-1-n]) {
		n++
	}
	return n % len(header)
}

// misfit says what is wrong with the cells of a record under a header with so many columns,
// some of them unnamed at its end.
func misfit(cells [][]byte, columns, unnamed int) (reason string) {
	if len(cells) != columns {
		return fmt.Sprintf("expected %d fields, found %d", columns, len(cells))
	}
	for i := columns - unnamed; i < columns; i++ {
		if !isBlank(cells[i]) {
			return fmt.Sprintf("field %d must be empty, because its column has no name", i+1)
		}
	}
	return ""
}

func (p *rowParser) unreadable() error { return nil }
func (p *rowParser) finish() error     { return nil }

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
	cells, reason := t.splitter.split(l.flat(l.text))
	if reason != "" {
		return "", reason
	}
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = string(bytes.TrimSpace(cell))
	}
	t.columns = len(names)
	if t.header == headerExact {
		t.unnamed = unnamed(cells)
		for i, name := range names[:t.columns-t.unnamed] {
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

// splitter cuts delimited lines into cells, in memory that it uses again.
type splitter struct {
	delimiter []byte
	quotes    bool // a cell may stand in double quotes, as RFC 4180 has it
	cells     [][]byte
	unquoted  []byte // what quoted cells with doubled quotes in them really say
}

// isEmpty reports whether a line has nothing but delimiters and blanks. Spreadsheets write
// such a line for an empty row.
func (s *splitter) isEmpty(line []byte) bool {
	if s.delimiter == nil {
		return len(bytes.Trim(line, " \t,;")) == 0
	}
	for len(line) > 0 {
		rest := bytes.TrimPrefix(bytes.TrimLeft(line, " \t"), s.delimiter)
		if len(rest) == len(line) {
			return false
		}
		line = rest
	}
	return true
}

// detect chooses the delimiter by a header, unless it is known: no column's name contains
// a semicolon.
func (s *splitter) detect(header []byte) {
	if s.delimiter == nil {
		s.delimiter = []byte(",")
		if bytes.IndexByte(header, ';') >= 0 {
			s.delimiter = []byte(";")
		}
	}
}

// split returns the cells of text; they are valid until the next call.
func (s *splitter) split(text []byte) (cells [][]byte, reason string) {
	s.cells, s.unquoted = s.cells[:0], s.unquoted[:0]
	quotes := s.quotes && bytes.IndexByte(text, '"') >= 0
	for more := true; more; {
		var cell []byte
		if quotes && len(text) > 0 && text[0] == '"' {
			if cell, text, reason = s.unquote(text[1:]); reason != "" {
				return nil, reason
			}
			last := len(text) == 0
			if text, more = bytes.CutPrefix(text, s.delimiter); !more && !last {
				return nil, "text after a closing double quote"
			}
		} else if cell, text, more = bytes.Cut(text, s.delimiter); quotes && bytes.IndexByte(cell, '"') >= 0 {
			return nil, "double quote inside an unquoted field; quote the whole field and double the quote"
		}
		s.cells = append(s.cells, cell)
	}
	return s.cells, ""
}

const unclosed = "unclosed double quote; a field can't span lines"

// unquote reads a cell whose opening quote has been read, and returns what
// follows its closing quote.
func (s *splitter) unquote(text []byte) (cell, rest []byte, reason string) {
	from := len(s.unquoted)
	for {
		i := bytes.IndexByte(text, '"')
		switch {
		case i < 0:
			return nil, nil, unclosed
		case i+1 < len(text) && text[i+1] == '"':
			s.unquoted = append(s.unquoted, text[:i+1]...)
			text = text[i+2:]
		case len(s.unquoted) == from:
			return text[:i], text[i+1:], ""
		default:
			s.unquoted = append(s.unquoted, text[:i]...)
			return s.unquoted[from:], text[i+1:], ""
		}
	}
}
