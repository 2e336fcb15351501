package format

import "io"

// CSV reads delimited deliveries with a header line.
//
// The header has exactly the names cvr, regNumber, accountNumber,
// transferType, dispositionDate, count and amountDkk in any order, parted by
// commas or by semicolons; the lines after it are parted alike. Fields may
// stand in double quotes as RFC 4180 has it, but without line breaks. Dates
// are YYYY-MM-DD; amounts have a decimal point, no decimals or one or two, and
// no thousands separators. The encoding is UTF-8; a byte-order mark is
// accepted. Lines end with LF or CRLF; blank lines are passed over.
//
// A last line without a line end is bad, because the file may have been cut
// off in it, unless amountDkk is the last column and has two decimals there.
func CSV() *Layout { return csvLayout }

var csvLayout = &Layout{
	name:    "csv",
	charset: utf8Charset,
	ending:  ending{end: '\n', before: '\r'},
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
// into cells. The cells are valid until row returns. Rows returns an error only where r
// fails or a callback returns one.
func Rows(r io.Reader, row func(line int64, cells [][]byte) error, bad func(BadLine) error) error {
	layout := Layout{charset: csvLayout.charset, ending: csvLayout.ending, parser: func(out *sink) parser {
		return &rowParser{out: out, row: row, splitter: splitter{quotes: true}}
	}}
	return layout.read(r, &sink{bad: bad})
}

type rowParser struct {
	splitter
	out *sink
	row func(line int64, cells [][]byte) error
}

func (p *rowParser) parse(l *line) error {
	if isBlank(l.text) {
		return nil
	}
	p.detect(l.text)
	cells, reason := p.split(l.text)
	if reason != "" {
		return p.out.reject(l.index+1, "", reason)
	}
	return p.row(l.index+1, cells)
}

func (p *rowParser) unreadable() error { return nil }
func (p *rowParser) finish() error     { return nil }
