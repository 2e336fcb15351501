// Package format reads the delivery files in which a card network reports its
// dispositions: line by line, in memory that does not grow with the file, and
// with an error for every bad line that names the line, the field and the
// reason.
//
// How a line is cut into fields is a [Layout]: [CSV], [OS], or the operator's
// own from [ParseLayout].
package format

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Record is one disposition record. Its byte slices are valid only until the
// callback that was given it returns.
type Record struct {
	// Index is the zero-based number of the record's line in the file, every
	// line counted: skipped, blank and bad ones too.
	Index int64

	CVR           []byte // exactly 8 digits
	RegNumber     []byte // bank registration number, exactly 4 digits
	AccountNumber []byte // bank account number, 1 to 10 digits
	TransferType  []byte // as the file has it: UTF-8, 1 to 100 characters, no spaces around it

	DispositionDate []byte // YYYY-MM-DD, a real date of the years 1900 to 9999
	Count           int64  // 0 to 2^53-1, so that it survives as a JSON number

	// Amount is in kroner as canonical decimal text: at most 12 digits without
	// leading zeros, a point, two decimals, and a leading '-' where negative.
	// It fits numeric(14,2) and is never "-0.00".
	Amount []byte

	// RawLine is the whole line decoded to UTF-8, without its line end and
	// without a byte-order mark. It has LF between the lines of a record that has several.
	RawLine []byte

	// Texts are what the fields were read from, without blanks around it.
	Texts [fieldTotal][]byte
	// Sign is what says the sign of the amount in a place of its own, or "debit" or
	// "credit" where these have a place each.
	Sign []byte
}

// FieldNames are the names of a record's fields, in the order of Values and Texts.
var FieldNames = fieldNames[:]

// Values returns the fields as they are stored.
func (r *Record) Values() [][]byte {
	count := strconv.AppendInt(nil, r.Count, 10)
	return [][]byte{r.CVR, r.RegNumber, r.AccountNumber, r.TransferType, r.DispositionDate, count, r.Amount}
}

// Columns are the columns of a stored record, and how its text is written to each.
var Columns = []struct {
	Name   string
	Append func(text []byte, r *Record) []byte
}{
	{"record_index", func(text []byte, r *Record) []byte { return strconv.AppendInt(text, r.Index, 10) }},
	{"count", func(text []byte, r *Record) []byte { return strconv.AppendInt(text, r.Count, 10) }},
	{"disposition_date", func(text []byte, r *Record) []byte { return append(text, r.DispositionDate...) }},
	{"cvr", func(text []byte, r *Record) []byte { return append(text, r.CVR...) }},
	{"reg_number", func(text []byte, r *Record) []byte { return append(text, r.RegNumber...) }},
	{"account_number", func(text []byte, r *Record) []byte { return append(text, r.AccountNumber...) }},
	{"transfer_type", func(text []byte, r *Record) []byte { return append(text, r.TransferType...) }},
	{"amount_dkk", func(text []byte, r *Record) []byte { return append(text, r.Amount...) }},
	{"raw_line", func(text []byte, r *Record) []byte { return append(text, r.RawLine...) }},
}

// BadLine says what is wrong with a line. Its reason never quotes a bank
// registration or account number.
type BadLine struct {
	Line   int64  // 1-based, what an editor shows
	Field  string // the field's name; empty where the line as a whole is bad
	Reason string
}

// String returns the line's number, field and reason, such as "line 3: count: …".
func (l BadLine) String() string {
	if l.Field == "" {
		return fmt.Sprintf("line %d: %s", l.Line, l.Reason)
	}
	return fmt.Sprintf("line %d: %s: %s", l.Line, l.Field, l.Reason)
}

// Summary counts what [Layout.Read] read.
type Summary struct {
	Lines   int64 // lines of the file, of every kind
	Records int64 // calls of record
	Bad     int64 // calls of bad
	Filled  int64 // lines that were filled up with blanks, where the layout says trimmed
}

// Layout says how the lines of a delivery file are cut into fields. It is
// immutable: any number of goroutines may read with it at once.
type Layout struct {
	name    string
	charset *charset
	ending  ending
	skip    int64  // lines at the top that nobody looks at
	skipTo  []byte // if set, nobody looks at the lines before the first that starts with this
	parser  func(*sink) parser

	nuls      bool   // a line may have NULs where nobody reads them
	multiline []byte // if set, the delimiter of records that may span several lines
	settings  []string
}

// DetectSize is how many of a file's first bytes [Detect] needs.
const DetectSize = 512

// Detect chooses between [OS] and [CSV] by a file's first bytes: a file that
// starts with "OS1" is an OS delivery, and so is one whose first line is that of
// a file transfer, if an OS1 follows it. Anything else is csv.
func Detect(head []byte) *Layout {
	if bytes.HasPrefix(head, osTransportPrefix) {
		_, head, _ = bytes.Cut(head, []byte("\n"))
		head = bytes.TrimLeft(head, " \t\r\n")
	}
	if bytes.HasPrefix(head, []byte("OS1")) {
		return OS()
	}
	return CSV()
}

// Name returns "csv", "os", or the name that a layout of the operator's own
// gives itself.
func (l *Layout) Name() string { return l.name }

// Settings says in words what a layout of the operator's own means, for people who compare it
// with a description: one setting each.
func (l *Layout) Settings() []string { return l.settings }

// Read calls record for every good record and bad for every bad line, in the
// file's order, to the end of r. A line is reported at most once; the end of
// an OS section or delivery may be reported for its count and for its amount.
// After a header line that can't be understood nothing else is read: every
// further line would only be bad for the same reason.
//
// A file without a single record is bad, because it can't be told from one
// that was cut off; only a complete OS delivery may be without.
//
// Read returns an error only where r fails or a callback returns one, and then
// exactly that error.
func (l *Layout) Read(r io.Reader, record func(*Record) error, bad func(BadLine) error) (Summary, error) {
	out := &sink{record: record, bad: bad}
	err := l.read(r, out)
	return out.summary, err
}

func (l *Layout) read(r io.Reader, out *sink) error {
	lines, decoder, parser := newLines(r, l.ending), decoder{charset: l.charset, nuls: l.nuls}, l.parser(out)
	defer func() { out.summary.Lines = lines.count }()
	refuse := func(line int64, reason string) error {
		if err := out.reject(line, "", reason); err != nil {
			return err
		}
		return parser.unreadable()
	}
	var line line
	splitter := splitter{delimiter: l.multiline, quotes: true}
	begun := len(l.skipTo) == 0
	var padding int64 // lines of nothing but padding, and blank ones after: the first is bad unless the file ends there
	var first rune    // of that line
	for lines.next() {
		if lines.count <= l.skip {
			continue
		}
		if begun && lines.padding && (padding > 0 || len(lines.raw) > 0) {
			if padding++; padding == 1 {
				first = rune(lines.raw[0])
			}
			continue
		}
		var err error
		if padding > 0 {
			err, padding = refuse(lines.count-padding, fmt.Sprintf("control character %U at character 1", first)), 0
		}
		line.index, line.ended = lines.count-1, lines.ended
		reason := decoder.decode(lines, &line)
		if line.raw = line.text; !begun && (reason != "" || !bytes.HasPrefix(line.text, l.skipTo)) {
			continue
		}
		begun = true
		if reason == "" && l.multiline != nil {
			reason = decoder.join(lines, &line, &splitter)
		}
		if err == nil && reason != "" {
			err = refuse(line.index+1, reason)
		} else if err == nil {
			err = parser.parse(&line)
		}
		if errors.Is(err, errStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	lines.count -= padding
	switch {
	case !errors.Is(lines.err, io.EOF):
		return lines.err
	case lines.count == 0:
		return out.reject(1, "", "the file is empty")
	case !begun:
		return out.reject(lines.count, "", fmt.Sprintf("no line starts with %q, as skip_to says", l.skipTo))
	}
	return parser.finish()
}

// A parser makes records of one file's lines. Any of its methods may return
// errStop to leave the rest of the file unread.
type parser interface {
	parse(*line) error
	// unreadable is called for a line whose text cannot be read, which has been
	// reported already.
	unreadable() error
	finish() error
}

var errStop = errors.New("the rest of the file can't be understood")

// line is one line of the file as a parser gets it.
type line struct {
	index int64  // zero-based
	text  []byte // decoded to UTF-8
	raw   []byte // what a record says that it was: the same, unless it was filled up
	ascii bool   // text is ASCII, so that bytes are characters
	ended bool   // a line end followed, or the line is as long as every line must be
	nuls  bool   // text has NULs
	cells [][]byte
	cut   int // how many characters the line had before it was filled up; 0 if it was not

	several bool   // it spans several lines, and text has LF between them
	blanked []byte // what texts of it are with blanks for these
}

// flat returns a text of the line with a blank for each line break.
func (l *line) flat(text []byte) []byte {
	if !l.several {
		return text
	}
	at := len(l.blanked)
	for _, b := range text {
		if b == '\n' {
			b = ' '
		}
		l.blanked = append(l.blanked, b)
	}
	return l.blanked[at:]
}

func (l *line) width() int {
	if l.ascii {
		return len(l.text)
	}
	return characters(l.text)
}

// sink passes records and bad lines on, and counts them.
type sink struct {
	record  func(*Record) error
	bad     func(BadLine) error
	summary Summary

	identities identities
}

func (s *sink) accept(record *Record) error {
	s.summary.Records++
	return s.record(record)
}

func (s *sink) reject(line int64, field, reason string) error {
	s.summary.Bad++
	return s.bad(BadLine{Line: line, Field: field, Reason: reason})
}

// identitiesMost is how many deliveries one file may hold, because they are kept in
// memory.
const identitiesMost = 1000

// Identity says which delivery a file is.
type Identity struct {
	// Names lists the deliveries that the file says it holds, each once, in words such
	// as "supplierCvr=12345674, deliveryId=42". It is empty where the layout names
	// nothing that identifies a delivery.
	Names []string
	// RecordsSHA256 is a hash over the records' places and fields, without their raw
	// lines. So it is the same whatever a file's line ends and encoding are.
	RecordsSHA256 [sha256.Size]byte
}

// Identify is [Layout.Read], and also returns which delivery the file is.
func (l *Layout) Identify(r io.Reader, record func(*Record) error, bad func(BadLine) error) (Summary, Identity, error) {
	hash := sha256.New()
	records := bufio.NewWriterSize(hash, 16<<10)
	out := &sink{bad: bad, record: func(r *Record) error {
		hashRecord(records, r)
		return record(r)
	}}
	err := l.read(r, out)
	_ = records.Flush()
	identity := Identity{RecordsSHA256: [sha256.Size]byte(hash.Sum(nil))}
	if !out.identities.anonymous {
		identity.Names = out.identities.texts
	}
	return out.summary, identity, err
}

// identities collects which deliveries a file says that it holds.
type identities struct {
	texts     []string // in the file's order
	anonymous bool     // one of them does not say which it is
}

// identify notes a delivery, in words such as "supplierCvr=12345674,
// deliveryId=42"; empty for one that does not say which it is. It returns the reason
// to refuse the file.
func (s *identities) identify(text string) (reason string) {
	switch {
	case text == "":
		s.anonymous = true
	case slices.Contains(s.texts, text):
	case len(s.texts) == identitiesMost:
		return fmt.Sprintf("the file holds more than %d deliveries; split it", identitiesMost)
	default:
		s.texts = append(s.texts, text)
	}
	return ""
}

// identify notes the delivery that a record belongs to, or says why nobody knows.
func (t *table) identify(l *line) (field, reason string) {
	text := t.identityText[:0]
	for i, at := range t.identity {
		p := &t.places[at]
		value, reason := p.text(l)
		if reason == "" && (len(value) == 0 || len(value) > maxIdentityValue) {
			reason = fmt.Sprintf("expected 1 to %d bytes, because it identifies the delivery; found %d",
				maxIdentityValue, len(value))
		}
		if reason != "" {
			return p.key, reason
		}
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(append(append(text, p.key[len("identity."):]...), '='), value...)
	}
	t.identityText = text
	// Records follow each other with the same identity.
	if bytes.Equal(text, t.identityLast) {
		return "", ""
	}
	t.identityLast = append(t.identityLast[:0], text...)
	return "identity", t.out.identities.identify(string(text))
}

// hashRecord adds a parsed record to a hash, which so does not depend on how a file writes
// records: on line ends, encoding, quotes or spaces around a field. No field contains a line
// feed, so it can end each. A hash never fails.
func hashRecord(to *bufio.Writer, r *Record) {
	_, _ = to.Write(append(strconv.AppendInt(to.AvailableBuffer(), r.Index, 10), '\n'))
	for _, field := range [...][]byte{r.CVR, r.RegNumber, r.AccountNumber, r.TransferType, r.DispositionDate, r.Amount} {
		_, _ = to.Write(field)
		_ = to.WriteByte('\n')
	}
	_, _ = to.Write(append(strconv.AppendInt(to.AvailableBuffer(), r.Count, 10), '\n'))
}
