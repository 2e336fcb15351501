package format

import (
	"strings"
	"unicode"
)

// The greatest figures of a layout.
const (
	maxColumns  = 10_000
	maxDecimals = 6
	maxSkip     = 1_000_000
	maxName     = 40
)

// ParseLayout reads a layout of the operator's own, for fixed-width or
// delimited files. Its error names the line, the key and what is expected
// there.
//
// Keys of the file as a whole:
//
//	name         what Layout.Name returns, at most 40 characters; "custom" if left out
//	format       fixed or delimited
//	encoding     utf-8 (the default), or a single-byte encoding by its IANA name, such as
//	             iso-8859-1, windows-1252, ibm037, ibm1047
//	line_end     lf (the default): lines end with LF or CRLF; nel: with NEL, as EBCDIC files
//	             do; none: records of width bytes follow each other without line ends
//	skip_lines   how many lines at the top nobody looks at
//	width        fixed: how many characters every record has. With it, a file that was cut
//	             off in its last line is noticed even where that line needs no line end;
//	             without it, the last line needs one
//	delimiter    delimited: the character between fields
//	quote        delimited: whether fields may stand in double quotes; true if left out
//	header       delimited: whether a line, after the skipped ones, names the columns
//	columns      delimited, without header: how many fields every record has
//	records      which lines are records; all that are not blank if left out:
//	               prefix  a text or a list of texts that records start with
//	               start   the character, from 1, where the prefix stands
//	               column  delimited: the field, from 1, that has the prefix
//	ignore       a text or a list of texts that other lines start with, at the same place.
//	             With it, a line that is neither is bad; without it, it is passed over.
//	             Where several prefixes fit, the longest decides
//	fields       cvr, regNumber, accountNumber, transferType, dispositionDate, count and
//	             amountDkk, each of them where it stands
//	identity     what identifies a delivery, such as its number and date: names of the
//	             operator's own, each of them where it stands. A delivery that comes again
//	             with the same identity is recognized. If left out, it is recognized by its
//	             records
//	totals       lines that say how much there is before them, which must agree:
//	               section  since the section total before it
//	               file     in the whole file. Nothing but ignored lines may follow
//
// A total has:
//
//	prefix       what its line starts with, at the same place as records.prefix
//	required     whether it must be there; true if left out. Then records that no section's
//	             total covers are bad, and so is a file without the file's total
//	records      the number of records: where it stands in the line
//	lines        file: the number of lines, with all that is ignored and itself
//	amountDkk    the sum of the amounts, with at most 16 digits before the decimals: where
//	             it stands, and decimals, separators and sign as below. Without these, it is
//	             written like the records' amounts. With absolute: true, the amounts count
//	             without their signs
//
// Where a field stands:
//
//	start        fixed: its first character, from 1
//	length       fixed: its characters
//	column       delimited: its number, from 1, or its name in the header. With start and
//	             length it is a part of that field; without length, the rest of it
//	value        instead: what it is in every record, written as in a csv delivery
//	from_line    besides: it does not stand in the record, but on the latest line before it
//	             that starts with this text, at the same place as records.prefix. That
//	             line is no record
//
// The places of identity are written alike; value is any text there. Spaces around a
// field are taken off. Besides, some fields have:
//
//	zero_padded  cvr, regNumber, accountNumber: zeros may fill it up on the left beyond the
//	             digits it can have
//	date_format  dispositionDate: YYYY or YY, MM and DD, with other characters between them
//	             as they stand; YYYY-MM-DD if left out. YY means 1980 to 2079
//	decimals             amountDkk: how many decimals it ends with, at most 6, those beyond
//	                     two being zeros
//	decimal_separator    amountDkk: the character before the decimals; these are implied if
//	                     left out. Without decimals: none, one or two of them
//	thousands_separator  amountDkk: the character that may stand between groups of three
//	sign                 amountDkk: how it says that it is negative:
//	                       at        leading (the default), trailing or none
//	                       start, length, column  instead of at: a field of its own
//	                       negative  what stands there where it is negative; "-" if left out
//	                       positive  what stands there otherwise; nothing if left out.
//	                                 Leading or trailing, it may be left out in the file
//
// Either decimals or decimal_separator must be there.
func ParseLayout(text []byte) (*Layout, error) {
	file, top := openLayout(text,
		"name", "format", "encoding", "line_end", "skip_lines", "width", "delimiter", "quote",
		"header", "columns", "records", "ignore", "fields", "identity", "totals")
	layout := top.layout()
	if file.err != nil {
		return nil, file.err
	}
	return layout, nil
}

func (s section) layout() *Layout {
	name := "custom"
	if s.has("name") {
		name = s.text("name")
	}
	if end, more := runeOffset([]byte(name), maxName); more && end < len(name) {
		s.fail("name", "expected at most %d characters", maxName)
	}
	if !s.has("format") {
		s.fail("format", "missing; expected fixed or delimited")
	}
	format := &tableFormat{fixed: s.choice("format", "fixed", "delimited") == "fixed", quotes: true, date: isoDate}
	if format.fixed {
		s.refuse("only allowed with format: delimited", "delimiter", "quote", "header", "columns")
		format.width = s.number("width", 1, maxLine)
	} else {
		s.refuse("only allowed with format: fixed", "width")
		s.delimited(format)
	}
	charset, ending := s.encoding(format)
	s.fields(format)
	s.identity(format)
	s.totals(format)
	s.kinds(format)
	return format.layout(name, charset, ending, int64(s.number("skip_lines", 0, maxSkip)))
}

// refuse tells that keys have no business here.
func (s section) refuse(why string, keys ...string) {
	for _, key := range keys {
		if s.has(key) {
			s.fail(key, "%s", why)
		}
	}
}

func (s section) encoding(format *tableFormat) (*charset, ending) {
	charset := utf8Charset
	if s.has("encoding") {
		name := s.text("encoding")
		found, ok := charsetByName(name)
		if !ok {
			s.fail("encoding", "unknown encoding %s; expected utf-8 or the IANA name of a single-byte encoding, such as iso-8859-1, windows-1252, ibm037 or ibm1047", quoted([]byte(name)))
			return charset, ending{}
		}
		charset = found
	}
	var end ending
	ok := true
	switch s.choice("line_end", "lf", "nel", "none") {
	case "lf":
		if end.end, ok = charset.byteOf('\n'); ok {
			end.before, _ = charset.byteOf('\r')
		}
	case "nel":
		end.end, ok = charset.byteOf('\u0085')
	case "none":
		end.width = format.width
		if !format.fixed || format.width == 0 || charset.runes == nil {
			s.fail("line_end", "none requires format: fixed, a width and a single-byte encoding")
		}
	}
	if !ok {
		s.fail("line_end", "the encoding has no such character")
	}
	return charset, end
}

func (s section) delimited(format *tableFormat) {
	if !s.has("delimiter") {
		s.fail("delimiter", `missing; expected the character between fields, such as ";" or "\t"`)
		return
	}
	delimiter := s.character("delimiter")
	if strings.ContainsFunc(delimiter, func(r rune) bool {
		return r > unicode.MaxASCII || r != '\t' && unicode.IsControl(r) || r == '"' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}) {
		s.fail("delimiter", "expected an ASCII character other than a letter, digit or double quote")
		return
	}
	if delimiter == "" {
		return
	}
	format.delimiter = delimiter[0]
	format.quotes = s.flag("quote", true)
	format.columns = s.number("columns", 1, maxColumns)
	switch {
	case s.flag("header", false):
		format.header = headerNamed
		s.refuse("not allowed with header: true", "columns")
	case !s.has("columns"):
		s.fail("columns", "missing; expected the number of fields per record, or header: true")
	}
}
