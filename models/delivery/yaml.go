package delivery

import (
	"bytes"
	"fmt"
	"slices"
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
// Spaces around a field are taken off. Besides, some fields have:
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
		"header", "columns", "records", "ignore", "fields")
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
		s.fail("format", "is missing; expected fixed or delimited")
	}
	format := &tableFormat{fixed: s.choice("format", "fixed", "delimited") == "fixed", quotes: true, date: isoDate}
	if format.fixed {
		s.refuse("belongs to format: delimited", "delimiter", "quote", "header", "columns")
		format.width = s.number("width", 1, maxLine)
	} else {
		s.refuse("belongs to format: fixed", "width")
		s.delimited(format)
	}
	charset, ending := s.encoding(format)
	s.fields(format)
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
			s.fail("encoding", "unknown: %s; expected utf-8, or a single-byte encoding by its IANA name, such as iso-8859-1, windows-1252, ibm037 or ibm1047", quoted([]byte(name)))
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
			s.fail("line_end", "none needs format: fixed, a width, and a single-byte encoding")
		}
	}
	if !ok {
		s.fail("line_end", "the encoding has no such line end")
	}
	return charset, end
}

func (s section) delimited(format *tableFormat) {
	if !s.has("delimiter") {
		s.fail("delimiter", `is missing; expected the character between fields, such as ";" or "\t"`)
		return
	}
	delimiter := s.character("delimiter")
	if strings.ContainsFunc(delimiter, func(r rune) bool {
		return r > unicode.MaxASCII || r != '\t' && unicode.IsControl(r) || r == '"' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}) {
		s.fail("delimiter", "expected an ASCII character that is no letter, digit or double quote")
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
		s.refuse("is told by the header", "columns")
	case !s.has("columns"):
		s.fail("columns", "is missing; expected how many fields every record has, or header: true")
	}
}

func (s section) fields(format *tableFormat) {
	if !s.has("fields") {
		s.fail("fields", "is missing; expected where %s stand", strings.Join(fieldNames[:], ", "))
		return
	}
	fields := s.section("fields", fieldNames[:]...)
	constants := recorder{date: isoDate, amount: csvAmount}
	for f := range fieldTotal {
		if !fields.has(fieldNames[f]) {
			fields.fail(fieldNames[f], "is missing")
			return
		}
		keys := append(format.placeKeys(), "value", "from_line")
		one := fields.section(fieldNames[f], append(keys, fieldKeys[f]...)...)
		format.places[f] = one.place(format)
		switch {
		case one.has("value"):
			one.constant(f, &constants)
		case f == fieldDispositionDate:
			format.date = one.date()
		case f == fieldAmount:
			one.amount(format)
		case one.flag("zero_padded", false):
			format.places[f].mostZero = mostZero[f]
		}
	}
	format.constants = constants.record
}

// fieldKeys are the keys that a field has besides its place.
var fieldKeys = [fieldTotal][]string{
	fieldCVR:             {"zero_padded"},
	fieldRegNumber:       {"zero_padded"},
	fieldAccountNumber:   {"zero_padded"},
	fieldDispositionDate: {"date_format"},
	fieldAmount:          {"decimals", "decimal_separator", "thousands_separator", "sign"},
}

var mostZero = [fieldTotal]int{
	fieldCVR:           cvrDigits,
	fieldRegNumber:     regDigits,
	fieldAccountNumber: accountDigits,
}

func (f *tableFormat) placeKeys() []string {
	if f.fixed {
		return []string{"start", "length"}
	}
	return []string{"column", "start", "length"}
}

// place reads where a field stands, or that it is the same in every record.
func (s section) place(format *tableFormat) place {
	p := place{trim: true}
	if s.has("value") {
		p.constant = true
		for key := range s.values {
			if key != "value" {
				s.fail(key, "can't stand beside value")
			}
		}
		return p
	}
	if s.has("from_line") {
		p.carrier = []byte(s.text("from_line"))
	}
	if s.has("start") {
		p.start = s.number("start", 1, maxLine) - 1
	}
	p.length = s.number("length", 1, maxLine)
	if !format.fixed {
		s.column(format, &p)
		return p
	}
	for _, key := range format.placeKeys() {
		if !s.has(key) {
			s.fail(key, "is missing; expected start and length")
		}
	}
	if p.carrier == nil && format.width > 0 && p.start+p.length > format.width {
		s.fail("length", "the field ends behind the width of %d characters", format.width)
	}
	return p
}

func (s section) column(format *tableFormat, p *place) {
	node := s.values["column"]
	switch {
	case node == nil:
		s.fail("column", "is missing; expected the field's number, or its name in the header")
	case node.ShortTag() == "!!int":
		most := maxColumns
		if format.columns > 0 && p.carrier == nil {
			most = format.columns
		}
		p.column = s.number("column", 1, most) - 1
	case format.header == headerNone || p.carrier != nil:
		s.fail("column", "expected a number from 1 on; names need header: true, and a line that the header is for")
	default:
		p.name = s.text("column")
	}
}

func (s section) constant(f field, constants *recorder) {
	text := bytes.TrimSpace([]byte(s.text("value")))
	for _, c := range string(text) {
		if !allowed(c) {
			s.fail("value", "expected no control characters")
			return
		}
	}
	if reason := constants.put(f, text, false); reason != "" {
		s.fail("value", "%s", reason)
	}
}

func (s section) date() *dateFormat {
	if !s.has("date_format") {
		return isoDate
	}
	format, ok := newDateFormat(s.text("date_format"))
	if !ok {
		s.fail("date_format", "expected YYYY or YY, MM and DD, each once, such as YYYYMMDD, DDMMYY or DD-MM-YYYY")
		return isoDate
	}
	return format
}

func (s section) amount(format *tableFormat) {
	a := &amountFormat{
		point:     []byte(s.separator(format, "decimal_separator")),
		thousands: []byte(s.separator(format, "thousands_separator")),
		decimals:  s.number("decimals", 0, maxDecimals),
		padded:    true,
	}
	format.amount = a
	switch {
	case !s.has("decimals") && !s.has("decimal_separator"):
		s.fail("decimals", "is missing; expected how many decimals are implied, or decimal_separator")
	case !s.has("decimals"):
		a.decimals = -1
	case a.decimals == 0 && s.has("decimal_separator"):
		s.fail("decimals", "0 decimals have no decimal_separator")
	case a.decimals > 0 && !s.has("decimal_separator"):
		s.refuse("needs a decimal_separator, or decimals: 0", "thousands_separator")
	}
	if s.has("thousands_separator") && bytes.Equal(a.point, a.thousands) {
		s.fail("thousands_separator", "is the decimal_separator too")
	}
	s.section("sign", append(format.placeKeys(), "at", "negative", "positive")...).sign(format)
	a.describe()
}

// separator reads a character inside amounts.
func (s section) separator(format *tableFormat, key string) string {
	character := s.character(key)
	if strings.ContainsAny(character, `0123456789"`) {
		s.fail(key, "expected a character that is no digit and no double quote")
	}
	if !format.fixed && !format.quotes && character == string(rune(format.delimiter)) {
		s.fail(key, "is the delimiter too; that needs quote: true")
	}
	return character
}

func (s section) sign(format *tableFormat) {
	a := format.amount
	a.negative = []byte("-")
	if s.has("negative") {
		a.negative = []byte(strings.TrimSpace(s.text("negative")))
	}
	a.positive = []byte(strings.TrimSpace(s.text("positive")))
	if len(a.negative) == 0 || bytes.Equal(a.negative, a.positive) {
		s.fail("negative", "expected a text that is not blank and not that of positive")
	}
	if s.has("start") || s.has("length") || s.has("column") {
		s.refuse("can't stand beside the place of a field of its own", "at")
		a.sign = signElsewhere
		format.sign = &signField{place: s.place(format), negative: a.negative, positive: a.positive}
		return
	}
	switch s.choice("at", "leading", "trailing", "none") {
	case "trailing":
		a.sign = signTrailing
	case "none":
		a.sign = signElsewhere
		s.refuse("can't stand beside at: none", "negative", "positive")
	}
	if strings.ContainsFunc(string(a.negative)+string(a.positive), unicode.IsDigit) {
		s.fail("negative", "neither it nor positive can have digits where they stand with the amount's")
	}
}

// describe says for reasons what the format expects.
func (f *amountFormat) describe() {
	switch {
	case len(f.point) > 0 && f.decimals < 0:
		f.expected = fmt.Sprintf("an amount with %q before its decimals, of which there are none, one or two", f.point)
	case len(f.point) > 0:
		f.expected = fmt.Sprintf("an amount with %q before its %d decimals", f.point, f.decimals)
	case f.decimals > 0:
		f.expected = fmt.Sprintf("an amount in digits, the last %d of them decimals", f.decimals)
	default:
		f.expected = "an amount in digits, without decimals"
	}
	if f.decimals > 2 {
		f.expected += ", those beyond two zeros"
	}
	if len(f.thousands) > 0 {
		f.expected += fmt.Sprintf(", %q between groups of three digits", f.thousands)
	}
	switch f.sign {
	case signLeading:
		f.expected += fmt.Sprintf(", %q before it where it is negative", f.negative)
	case signTrailing:
		f.expected += fmt.Sprintf(", %q after it where it is negative", f.negative)
	}
	f.expected += fmt.Sprintf(", and at most %d digits before the decimals", amountDigits)
}

// kinds reads which lines are records. The fields must have been read, because
// some may stand on other lines.
func (s section) kinds(format *tableFormat) {
	keys := []string{"prefix", "start"}
	if !format.fixed {
		keys = append(keys, "column")
	}
	records := s.section("records", keys...)
	k := &format.kinds
	k.column = -1
	if records.has("column") {
		most := maxColumns
		if format.columns > 0 {
			most = format.columns
		}
		k.column = records.number("column", 1, most) - 1
	}
	if records.has("start") {
		k.start = records.number("start", 1, maxLine) - 1
	}
	if s.has("records") && !records.has("prefix") {
		records.fail("prefix", "is missing; expected what records start with")
	}
	for _, prefix := range records.texts("prefix") {
		records.addKind(k, "prefix", prefix, kindRecord)
		k.others = kindIgnored
	}
	for _, prefix := range s.texts("ignore") {
		s.addKind(k, "ignore", prefix, kindIgnored)
		if k.others == kindIgnored {
			k.others = kindNone
		}
	}
	var carriers []string
	for f := range fieldTotal {
		if prefix := string(format.places[f].carrier); prefix != "" && !slices.Contains(carriers, prefix) {
			carriers = append(carriers, prefix)
			s.addKind(k, "fields."+fieldNames[f]+".from_line", prefix, kindCarrier)
		}
	}
}

func (s section) addKind(k *kinds, key, prefix string, kind kind) {
	for _, p := range k.prefixes {
		if string(p.prefix) == prefix {
			s.fail(key, "%s already says what such a line is", quoted([]byte(prefix)))
		}
	}
	k.prefixes = append(k.prefixes, kindPrefix{prefix: []byte(prefix), kind: kind})
}
