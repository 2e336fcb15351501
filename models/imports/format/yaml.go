package format

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// The greatest figures of a layout.
const (
	maxColumns  = 10_000
	maxDecimals = 6
	maxSkip     = 1_000_000
	maxName     = 40

	maxIdentityFields = 10
	maxIdentityValue  = 200
)

// layoutFile is a layout of the operator's own as its YAML says it. docs/layouts.md
// explains the keys.
type layoutFile struct {
	Name      string `yaml:"name"`
	Format    string `yaml:"format"`
	Encoding  string `yaml:"encoding"`
	LineEnd   string `yaml:"line_end"`
	SkipLines int    `yaml:"skip_lines"`
	Width     *int   `yaml:"width"`

	Delimiter *string `yaml:"delimiter"`
	Quote     *bool   `yaml:"quote"`
	Header    *bool   `yaml:"header"`
	Columns   *int    `yaml:"columns"`

	Records  *recordsFile          `yaml:"records"`
	Ignore   texts                 `yaml:"ignore"`
	Fields   map[string]*placeFile `yaml:"fields"`
	Identity map[string]*placeFile `yaml:"identity"`
	Totals   *struct {
		Section *totalFile `yaml:"section"`
		File    *totalFile `yaml:"file"`
	} `yaml:"totals"`
}

type recordsFile struct {
	Prefix texts `yaml:"prefix"`
	Start  *int  `yaml:"start"`
	Column *int  `yaml:"column"`
}

type placeFile struct {
	Start    *int    `yaml:"start"`
	Length   *int    `yaml:"length"`
	Column   column  `yaml:"column"`
	Value    *string `yaml:"value"`
	FromLine string  `yaml:"from_line"`

	ZeroPadded bool   `yaml:"zero_padded"`
	DateFormat string `yaml:"date_format"`

	Decimals           *int      `yaml:"decimals"`
	DecimalSeparator   *string   `yaml:"decimal_separator"`
	ThousandsSeparator *string   `yaml:"thousands_separator"`
	Sign               *signFile `yaml:"sign"`
	Absolute           bool      `yaml:"absolute"`
}

type signFile struct {
	Start    *int    `yaml:"start"`
	Length   *int    `yaml:"length"`
	Column   column  `yaml:"column"`
	At       string  `yaml:"at"`
	Negative *string `yaml:"negative"`
	Positive string  `yaml:"positive"`
}

type totalFile struct {
	Prefix    string     `yaml:"prefix"`
	Required  *bool      `yaml:"required"`
	Records   *placeFile `yaml:"records"`
	Lines     *placeFile `yaml:"lines"`
	AmountDKK *placeFile `yaml:"amountDkk"`
}

// texts is a text, or a list of them.
type texts []string

func (t *texts) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.SequenceNode {
		return node.Decode((*[]string)(t))
	}
	*t = texts{""}
	return node.Decode(&(*t)[0])
}

// column is a column's number, or its name in the header.
type column struct {
	number int
	name   string
	set    bool
}

func (c *column) UnmarshalYAML(node *yaml.Node) error {
	c.set = true
	if node.ShortTag() == "!!int" {
		return node.Decode(&c.number)
	}
	return node.Decode(&c.name)
}

// ParseLayout reads a layout of the operator's own, for fixed-width or delimited files:
// YAML with the keys of docs/layouts.md. Its error names the line or the key, and what is
// expected there.
func ParseLayout(text []byte) (*Layout, error) {
	var file layoutFile
	if err := yaml.Load(text, &file, yaml.WithKnownFields()); err != nil {
		return nil, explainYAML(err)
	}
	p := &layoutParser{file: &file}
	layout := p.layout()
	return layout, p.err
}

var (
	yamlField = regexp.MustCompile(`field (\S+) not found in type \S+`)
	yamlType  = regexp.MustCompile("cannot construct !!\\w+ ?(`.*`)? ?into (\\S+)")
)

// explainYAML returns the first mistake of a YAML file, without the names of Go's types.
func explainYAML(err error) error {
	first, known := errors.AsType[*yaml.LoadError](err)
	if all, several := errors.AsType[*yaml.LoadErrors](err); several && len(all.Errors) > 0 {
		first, known = all.Errors[0], true
	}
	if !known {
		return err
	}
	text := strings.TrimPrefix(first.Message, "yaml: ")
	if text == "no documents in stream" {
		return errors.New("the layout is empty")
	}
	if unknown := yamlField.FindStringSubmatch(text); unknown != nil {
		text = "unknown key " + unknown[1]
	}
	if wrong := yamlType.FindStringSubmatch(text); wrong != nil {
		expected := map[string]string{"int": "a whole number", "bool": "true or false", "string": "text", "[]string": "a list of texts"}[wrong[2]]
		if expected == "" {
			expected = "a mapping of keys to values"
		}
		text = "expected " + expected
		if wrong[1] != "" {
			text += ", found " + wrong[1]
		}
	}
	if first.Mark.Line > 0 {
		text = fmt.Sprintf("line %d: %s", first.Mark.Line, text)
	}
	return errors.New(text)
}

// layoutParser makes a layout of its file. It keeps the first mistake, so that what
// follows is a list of values and not of checks.
type layoutParser struct {
	file   *layoutFile
	format tableFormat
	err    error
}

// refuse notes a mistake at a key if wrong.
func (p *layoutParser) refuse(wrong bool, key, format string, arguments ...any) {
	if wrong && p.err == nil {
		p.err = fmt.Errorf(key+": "+format, arguments...)
	}
}

// within returns a number, which must be in bounds, or the default if it is missing.
func (p *layoutParser) within(n *int, key string, least, most, otherwise int) int {
	if n == nil {
		return otherwise
	}
	p.refuse(*n < least || *n > most, key, "expected an integer from %d to %d", least, most)
	return *n
}

// oneOf returns one of the choices. The default is the first.
func (p *layoutParser) oneOf(text, key string, options ...string) string {
	if text == "" {
		return options[0]
	}
	p.refuse(!slices.Contains(options, text), key, "expected %s, found %s", listed(options), quoted([]byte(text)))
	return text
}

// or returns a value that may be missing.
func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !allowed(r) })
}

func (p *layoutParser) layout() *Layout {
	f := p.file
	name := cmp.Or(f.Name, "custom")
	p.refuse(utf8.RuneCountInString(name) > maxName, "name", "expected at most %d characters", maxName)
	p.refuse(f.Format == "", "format", "missing; expected fixed or delimited")
	p.format = tableFormat{
		fixed: p.oneOf(f.Format, "format", "fixed", "delimited") == "fixed", quotes: true,
		places: make([]place, fieldTotal), date: isoDate, amount: csvAmount,
	}
	if p.format.fixed {
		p.refuse(f.Delimiter != nil || f.Quote != nil || f.Header != nil || f.Columns != nil, "format",
			"delimiter, quote, header and columns are only allowed with format: delimited")
		p.format.width = p.within(f.Width, "width", 1, maxLine, 0)
	} else {
		p.refuse(f.Width != nil, "width", "only allowed with format: fixed")
		p.delimited()
	}
	charset, ending := p.encoding()
	p.fields()
	p.identity()
	p.totals()
	p.kinds()
	skip := p.within(&f.SkipLines, "skip_lines", 0, maxSkip, 0)
	if p.err != nil {
		return nil
	}
	return &Layout{name: name, charset: charset, ending: ending, skip: int64(skip), parser: p.format.parser}
}

func (p *layoutParser) delimited() {
	f := p.file
	delimiter := or(f.Delimiter, "")
	p.refuse(
		utf8.RuneCountInString(delimiter) != 1,
		"delimiter",
		`expected the one character between fields, such as ";" or "\t"`,
	)
	p.refuse(strings.ContainsFunc(delimiter, func(r rune) bool {
		return r > unicode.MaxASCII || r != '\t' && unicode.IsControl(r) || r == '"' || unicode.IsLetter(r) ||
			unicode.IsDigit(r)
	}), "delimiter", "expected an ASCII character other than a letter, digit or double quote")
	if p.err != nil {
		return
	}
	p.format.delimiter = delimiter[0]
	p.format.quotes = or(f.Quote, true)
	p.format.columns = p.within(f.Columns, "columns", 1, maxColumns, 0)
	if or(f.Header, false) {
		p.format.header = headerNamed
	}
	p.refuse(
		or(f.Header, false) == (f.Columns != nil),
		"columns",
		"expected either the number of fields per record, or header: true",
	)
}

func (p *layoutParser) encoding() (*charset, ending) {
	name := cmp.Or(p.file.Encoding, "utf-8")
	charset, known := charsetByName(name)
	p.refuse(
		!known,
		"encoding",
		"unknown encoding %s; expected utf-8 or the IANA name of a single-byte encoding, such as iso-8859-1, windows-1252, ibm037 or ibm1047",
		quoted([]byte(name)),
	)
	lineEnd := p.oneOf(p.file.LineEnd, "line_end", "lf", "nel", "none")
	if p.err != nil {
		return nil, ending{}
	}
	var end ending
	found := true
	switch lineEnd {
	case "lf":
		end.end, found = charset.byteOf('\n')
		end.before, _ = charset.byteOf('\r')
	case "nel":
		end.end, found = charset.byteOf('\u0085')
	case "none":
		end.width = p.format.width
		p.refuse(
			end.width == 0 || charset.runes == nil,
			"line_end",
			"none requires format: fixed, a width and a single-byte encoding",
		)
	}
	p.refuse(!found, "line_end", "the encoding has no such character")
	return charset, end
}

func (p *layoutParser) fields() {
	p.refuse(p.file.Fields == nil, "fields", "missing; expected %s", listed(fieldNames[:]))
	for name := range p.file.Fields {
		p.refuse(
			!slices.Contains(fieldNames[:], name),
			"fields",
			"unknown field %s; expected %s",
			name,
			listed(fieldNames[:]),
		)
	}
	constants := recorder{date: isoDate, amount: csvAmount}
	for i, name := range fieldNames {
		f, key := field(i), "fields."+name
		at := p.file.Fields[name]
		if p.refuse(at == nil, key, "missing"); p.err != nil {
			return
		}
		found := p.place(at, key, name, kindRecord)
		p.only(at, key, f)
		switch {
		case at.Value != nil:
			p.refuse(hasControl(*at.Value), key+".value", "must not contain control characters")
			const negative = false // only a sign that is read says so
			reason := constants.put(f, found.value, negative)
			p.refuse(reason != "", key+".value", "%s", reason)
		case f == fieldDispositionDate && at.DateFormat != "":
			format, ok := newDateFormat(at.DateFormat)
			p.refuse(
				!ok,
				key+".date_format",
				"expected YYYY or YY, MM and DD, each once, such as YYYYMMDD, DDMMYY or DD-MM-YYYY",
			)
			p.format.date = format
		case f == fieldAmount:
			p.format.amount = p.amount(at, key, found)
		case at.ZeroPadded:
			found.mostZero = mostZero[f]
		}
		p.format.places[f] = found
	}
}

var mostZero = [fieldTotal]int{fieldCVR: cvrDigits, fieldRegNumber: regDigits, fieldAccountNumber: accountDigits}

// only refuses the keys of other fields.
func (p *layoutParser) only(at *placeFile, key string, f field) {
	p.refuse(
		at.ZeroPadded && (f == fieldTotal || mostZero[f] == 0),
		key+".zero_padded",
		"only allowed for cvr, regNumber and accountNumber",
	)
	p.refuse(at.DateFormat != "" && f != fieldDispositionDate, key+".date_format", "only allowed for dispositionDate")
	amount := at.Decimals != nil || at.DecimalSeparator != nil || at.ThousandsSeparator != nil || at.Sign != nil
	p.refuse(amount && f != fieldAmount, key, "decimals, separators and sign are only allowed for amountDkk")
	p.refuse(at.Value != nil && (amount || at.ZeroPadded || at.DateFormat != ""), key, "nothing is allowed with value")
}

// place reads where something stands on lines of a kind, or that it is the same in every
// record. key is its place in the layout, name its name in reasons.
func (p *layoutParser) place(at *placeFile, key, name string, kind kind) place {
	found := place{key: name, kind: kind, trim: true}
	if at.Value != nil {
		p.refuse(
			at.Start != nil || at.Length != nil || at.Column.set || at.FromLine != "",
			key,
			"nothing is allowed with value",
		)
		found.constant, found.known, found.value = true, true, []byte(strings.TrimSpace(*at.Value))
		return found
	}
	if at.FromLine != "" {
		found.carrier = []byte(at.FromLine)
	}
	// Lines of other kinds may be longer than a record, and have more fields.
	ofRecord := found.carrier == nil && kind == kindRecord
	found.start = p.within(at.Start, key+".start", 1, maxLine, 1) - 1
	found.length = p.within(at.Length, key+".length", 1, maxLine, 0)
	if p.format.fixed {
		p.refuse(at.Column.set, key+".column", "only allowed with format: delimited")
		p.refuse(at.Start == nil || at.Length == nil, key, "expected start and length")
		p.refuse(
			ofRecord && p.format.width > 0 && found.start+found.length > p.format.width,
			key+".length",
			"the field extends beyond the width of %d characters",
			p.format.width,
		)
		return found
	}
	p.refuse(!at.Column.set, key+".column", "missing; expected the column's number, or its name in the header")
	if found.name = at.Column.name; found.name != "" {
		p.refuse(
			p.format.header == headerNone || found.carrier != nil,
			key+".column",
			"expected a column number; a name requires header: true and no from_line",
		)
		return found
	}
	most := maxColumns
	if p.format.columns > 0 && ofRecord {
		most = p.format.columns
	}
	found.column = p.within(&at.Column.number, key+".column", 1, most, 0) - 1
	return found
}

// amount reads how the amount that stands at a place is written.
func (p *layoutParser) amount(at *placeFile, key string, of place) *amountFormat {
	a := &amountFormat{
		point:     p.separator(at.DecimalSeparator, key+".decimal_separator"),
		thousands: p.separator(at.ThousandsSeparator, key+".thousands_separator"),
		decimals:  p.within(at.Decimals, key+".decimals", 0, maxDecimals, -1),
		digits:    amountDigits,
		padded:    true,
	}
	p.refuse(
		at.Decimals == nil && a.point == nil,
		key+".decimals",
		"missing; expected the number of implied decimals, or decimal_separator",
	)
	p.refuse(a.decimals == 0 && a.point != nil, key+".decimals", "must not be 0 with a decimal_separator")
	p.refuse(
		a.decimals > 0 && a.point == nil && a.thousands != nil,
		key+".thousands_separator",
		"requires a decimal_separator or decimals: 0",
	)
	p.refuse(
		a.point != nil && string(a.point) == string(a.thousands),
		key+".thousands_separator",
		"must differ from decimal_separator",
	)
	p.sign(at.Sign, a, key+".sign", of)
	a.describe()
	return a
}

// separator reads a character inside amounts.
func (p *layoutParser) separator(text *string, key string) []byte {
	if text == nil {
		return nil
	}
	p.refuse(
		utf8.RuneCountInString(*text) != 1 || strings.ContainsAny(*text, `0123456789"`),
		key,
		"expected a single character other than a digit or double quote",
	)
	p.refuse(
		!p.format.fixed && !p.format.quotes && *text == string(rune(p.format.delimiter)),
		key,
		"must differ from the delimiter unless quote is true",
	)
	return []byte(*text)
}

// sign reads how the amount that stands at a place says that it is negative.
func (p *layoutParser) sign(at *signFile, a *amountFormat, key string, of place) {
	a.negative = []byte("-")
	if at == nil {
		return
	}
	a.negative = []byte(strings.TrimSpace(or(at.Negative, "-")))
	a.positive = []byte(strings.TrimSpace(at.Positive))
	p.refuse(
		len(a.negative) == 0 || string(a.negative) == string(a.positive),
		key+".negative",
		"must not be blank or the same as positive",
	)
	if at.Start != nil || at.Length != nil || at.Column.set {
		p.refuse(at.At != "", key+".at", "not allowed with start, length or column")
		a.sign = signElsewhere
		a.signAt = p.keep(
			p.place(&placeFile{Start: at.Start, Length: at.Length, Column: at.Column}, key, of.key+".sign", of.kind),
		)
		return
	}
	switch p.oneOf(at.At, key+".at", "leading", "trailing", "none") {
	case "trailing":
		a.sign = signTrailing
	case "none":
		a.sign = signElsewhere
		p.refuse(at.Negative != nil || at.Positive != "", key+".negative", "not allowed with at: none")
	}
	p.refuse(
		strings.ContainsFunc(string(a.negative)+string(a.positive), unicode.IsDigit),
		key+".negative",
		"negative and positive must not contain digits unless the sign is a field of its own",
	)
}

// keep adds a place that is no field's, and returns its index.
func (p *layoutParser) keep(found place) int {
	p.format.places = append(p.format.places, found)
	return len(p.format.places) - 1
}

// identity reads what identifies a delivery, in the order of the names.
func (p *layoutParser) identity() {
	names := slices.Sorted(maps.Keys(p.file.Identity))
	p.refuse(
		p.file.Identity != nil && (len(names) == 0 || len(names) > maxIdentityFields),
		"identity",
		"expected 1 to %d names, each with its place",
		maxIdentityFields,
	)
	for _, name := range names {
		key, at := "identity."+name, p.file.Identity[name]
		p.refuse(len(name) > maxName || name == "" || strings.ContainsFunc(name, func(c rune) bool {
			return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_'
		}), key, "expected a name of at most %d ASCII letters, digits and underscores", maxName)
		if p.refuse(at == nil, key, "expected its place"); p.err != nil {
			return
		}
		p.only(at, key, fieldTotal)
		found := p.place(at, key, key, kindRecord)
		value := string(found.value)
		p.refuse(
			at.Value != nil && (value == "" || len(value) > maxIdentityValue || hasControl(value)),
			key+".value",
			"expected 1 to %d bytes of text without control characters",
			maxIdentityValue,
		)
		p.format.identity = append(p.format.identity, p.keep(found))
	}
}

// totals reads where a file says how much there must be.
func (p *layoutParser) totals() {
	if p.file.Totals == nil {
		return
	}
	section, file := p.file.Totals.Section, p.file.Totals.File
	p.refuse(section == nil && file == nil, "totals", "expected file, section or both")
	p.refuse(section != nil && section.Lines != nil, "totals.section.lines", "only allowed for the total of the file")
	p.total(scopeSection, section, kindSectionTotal)
	p.total(scopeFile, file, kindFileTotal)
}

func (p *layoutParser) total(scope totalScope, at *totalFile, kind kind) {
	if at == nil {
		return
	}
	key := "totals." + scopeNames[scope]
	p.refuse(at.Prefix == "", key+".prefix", "missing; expected the text that the total's line starts with")
	p.refuse(at.Records == nil && at.Lines == nil && at.AmountDKK == nil, key, "expected records, amountDkk or both")
	total := &p.format.totals[scope]
	total.prefix, total.required = []byte(at.Prefix), or(at.Required, true)
	for figure, at := range [figureTotal]*placeFile{at.Records, at.Lines, at.AmountDKK} {
		if at == nil {
			continue
		}
		key := key + "." + figureNames[figure]
		p.refuse(at.Value != nil || at.FromLine != "", key, "must stand on the line of the total")
		found, of := p.place(at, key, key, kind), fieldCount
		total.figures[figure] = p.keep(found)
		if totalFigure(figure) == figureAmount {
			of = fieldAmount
			total.absolute = at.Absolute
			total.amount = p.totalAmount(at, key, found)
		}
		p.only(at, key, of)
	}
}

// totalAmount reads how a sum is written: as the records' amounts, unless it says.
func (p *layoutParser) totalAmount(at *placeFile, key string, found place) *amountFormat {
	format := *p.format.amount
	if at.Decimals != nil || at.DecimalSeparator != nil {
		format = *p.amount(at, key, found)
	} else {
		p.refuse(
			p.format.places[fieldAmount].constant || format.signAt > 0,
			key+".decimals",
			"missing; expected the number of implied decimals, or decimal_separator",
		)
		p.refuse(
			at.ThousandsSeparator != nil || at.Sign != nil,
			key,
			"thousands_separator and sign require decimals or decimal_separator",
		)
	}
	format.digits = totalDigits
	format.describe()
	return &format
}

// kinds reads which lines are records. The fields must have been read, because some may
// stand on other lines.
func (p *layoutParser) kinds() {
	k := &p.format.kinds
	k.column = -1
	if records := p.file.Records; records != nil {
		p.refuse(records.Column != nil && p.format.fixed, "records.column", "only allowed with format: delimited")
		k.column = p.within(records.Column, "records.column", 1, cmp.Or(p.format.columns, maxColumns), 0) - 1
		k.start = p.within(records.Start, "records.start", 1, maxLine, 1) - 1
		p.refuse(len(records.Prefix) == 0, "records.prefix", "missing; expected the text that records start with")
		for _, prefix := range records.Prefix {
			p.kind("records.prefix", prefix, kindRecord)
		}
		k.others = kindIgnored
	}
	for _, prefix := range p.file.Ignore {
		p.kind("ignore", prefix, kindIgnored)
		if k.others == kindIgnored {
			k.others = kindNone
		}
	}
	var carriers []string
	for i := range p.format.places {
		key, prefix := p.format.places[i].key+".from_line", string(p.format.places[i].carrier)
		if i < int(fieldTotal) {
			key = "fields." + key
		}
		if prefix != "" && !slices.Contains(carriers, prefix) {
			carriers = append(carriers, prefix)
			p.kind(key, prefix, kindCarrier)
		}
	}
	for scope, kind := range [scopeTotal]kind{kindSectionTotal, kindFileTotal} {
		if prefix := p.format.totals[scope].prefix; prefix != nil {
			p.kind("totals."+scopeNames[scope]+".prefix", string(prefix), kind)
		}
	}
}

func (p *layoutParser) kind(key, prefix string, kind kind) {
	k := &p.format.kinds
	p.refuse(prefix == "", key, "expected a text that is not empty")
	p.refuse(
		slices.ContainsFunc(k.prefixes, func(other kindPrefix) bool { return string(other.prefix) == prefix }),
		key,
		"%s is already used as a prefix",
		quoted([]byte(prefix)),
	)
	k.prefixes = append(k.prefixes, kindPrefix{prefix: []byte(prefix), kind: kind})
}
