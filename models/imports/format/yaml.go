package format

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
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
	maxMarks    = 20

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
	SkipTo    string `yaml:"skip_to"`
	Width     *int   `yaml:"width"`
	Trimmed   bool   `yaml:"trimmed"`

	Delimiter *string `yaml:"delimiter"`
	Quote     *bool   `yaml:"quote"`
	Header    *bool   `yaml:"header"`
	Columns   *int    `yaml:"columns"`
	Multiline bool    `yaml:"multiline"`

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

// spotFile is where something stands in a line.
type spotFile struct {
	Start  *int   `yaml:"start"`
	Length *int   `yaml:"length"`
	Column column `yaml:"column"`
}

type placeFile struct {
	spotFile `yaml:",inline"`
	Value    *string `yaml:"value"`
	FromLine string  `yaml:"from_line"`

	ZeroPadded bool   `yaml:"zero_padded"`
	DateFormat string `yaml:"date_format"`

	Decimals           *int      `yaml:"decimals"`
	DecimalSeparator   *string   `yaml:"decimal_separator"`
	ThousandsSeparator *string   `yaml:"thousands_separator"`
	Currency           texts     `yaml:"currency"`
	Sign               *signFile `yaml:"sign"`
	Debit              *spotFile `yaml:"debit"`
	Credit             *spotFile `yaml:"credit"`
	Negative           string    `yaml:"negative"`
	Absolute           bool      `yaml:"absolute"`
}

type signFile struct {
	spotFile `yaml:",inline"`
	At       texts `yaml:"at"`
	Negative texts `yaml:"negative"`
	Positive texts `yaml:"positive"`
	Required bool  `yaml:"required"`
}

type totalFile struct {
	Prefix    string     `yaml:"prefix"`
	Required  *bool      `yaml:"required"`
	Records   *placeFile `yaml:"records"`
	Lines     *placeFile `yaml:"lines"`
	Counts    *placeFile `yaml:"counts"`
	AmountDKK *placeFile `yaml:"amountDkk"`
	Debits    *placeFile `yaml:"debits"`
	Credits   *placeFile `yaml:"credits"`
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
	var root yaml.Node
	err := yaml.Load(text, &root)
	if err == nil {
		err = root.Load(&file, yaml.WithKnownFields())
	}
	if err != nil {
		return nil, explainYAML(err)
	}
	p := &layoutParser{file: &file, root: &root}
	p.refuseOpen(&root, strings.Split(string(text), "\n"))
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
	root   *yaml.Node // the same with line numbers
	format tableFormat
	err    error

	charset *charset
	ending  ending
}

// refuse notes a mistake at a key if wrong.
func (p *layoutParser) refuse(wrong bool, key, format string, arguments ...any) {
	if !wrong || p.err != nil {
		return
	}
	p.err = errors.New(key + ": " + fmt.Sprintf(format, arguments...))
	if line := lineOf(p.root, key); line > 0 {
		p.err = fmt.Errorf("line %d: %w", line, p.err)
	}
}

// lineOf returns the line of a key such as fields.cvr.start, or of what it belongs to if it
// is missing; 0 if all of it is.
func lineOf(node *yaml.Node, key string) (line int) {
	if node.Kind == yaml.DocumentNode {
		node = node.Content[0]
	}
	for name := range strings.SplitSeq(key, ".") {
		if node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		found := false
		for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode && !found; i += 2 {
			if found = node.Content[i].Value == name; found {
				line, node = node.Content[i].Line, node.Content[i+1]
			}
		}
		if !found {
			break
		}
	}
	return line
}

// refuseOpen refuses a key without a value, or with an empty one, which only positive may have.
// The comment on its line may have the choices.
func (p *layoutParser) refuseOpen(node *yaml.Node, lines []string) {
	for i, value := range node.Content {
		key, isValue := node.Content[max(0, i-1)], node.Kind == yaml.MappingNode && i%2 == 1
		empty := value.Kind == yaml.ScalarNode && value.Value == "" && key.Value != "positive"
		if isValue && (empty || value.ShortTag() == "!!null") && p.err == nil {
			p.err = fmt.Errorf("line %d: %s: has no value", key.Line, key.Value)
			if _, choices, found := strings.Cut(lines[min(key.Line, len(lines))-1], "# choose: "); found {
				p.err = fmt.Errorf("%w; choose %s", p.err, choices)
			}
		}
		p.refuseOpen(value, lines)
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
		places: make([]place, fieldTotal), date: isoDate, amount: csvAmount, trimmed: f.Trimmed,
	}
	if p.format.fixed {
		p.refuse(f.Delimiter != nil || f.Quote != nil || f.Header != nil || f.Columns != nil, "format",
			"delimiter, quote, header and columns are only allowed with format: delimited")
		p.refuse(f.Multiline, "multiline", "only allowed with format: delimited")
		p.format.width = p.within(f.Width, "width", 1, maxLine, 0)
	} else {
		p.refuse(f.Width != nil, "width", "only allowed with format: fixed")
		p.delimited()
	}
	p.charset, p.ending = p.encoding()
	p.fields()
	p.identity()
	p.totals()
	p.kinds()
	skip := p.within(&f.SkipLines, "skip_lines", 0, maxSkip, 0)
	if p.err != nil {
		return nil
	}
	layout := &Layout{
		name: name, charset: p.charset, ending: p.ending, skip: int64(skip), skipTo: []byte(f.SkipTo),
		parser: p.format.parser, nuls: true, settings: p.settings(),
	}
	if f.Multiline {
		layout.multiline = p.format.delimiter
	}
	return layout
}

// settings says in words what the layout means.
func (p *layoutParser) settings() (settings []string) {
	f := &p.format
	note := func(name, what string) { settings = append(settings, fmt.Sprintf("%-21s  %s", name, what)) }
	form := fmt.Sprintf("fields between %q", f.delimiter)
	if f.fixed {
		form = strings.TrimSuffix(fmt.Sprintf("fixed-width, %d characters", f.width), ", 0 characters")
	}
	note("format", form+", "+p.charset.name)
	told := p.root.Content[0].Content
	for i := 0; i+1 < len(told); i += 2 {
		key, value := told[i].Value, told[i+1]
		above := slices.Contains([]string{"name", "format", "encoding", "delimiter", "width"}, key)
		if value.Kind == yaml.ScalarNode && !above {
			note(key, strings.Trim(fmt.Sprintf("%q", value.Value), `"`))
		}
	}
	for _, k := range f.kinds.prefixes {
		note(kindNames[k.kind], fmt.Sprintf("lines with %q", k.prefix))
	}
	forms := map[int]string{int(fieldDispositionDate): ": " + f.date.pattern, int(fieldAmount): ": " + f.amount.expected}
	if f.amount.creditAt > 0 {
		forms[f.amount.creditAt] = ": a " + p.file.Fields["amountDkk"].Negative + " is negative"
	}
	for _, total := range f.totals {
		for _, figure := range total.figures {
			if figure.amount != nil {
				forms[figure.at] = ": " + figure.amount.expected
			}
			if figure.absolute {
				forms[figure.at] += "; of the amounts without their signs"
			}
		}
	}
	for i := range f.places {
		note(f.places[i].key, f.places[i].where(f.fixed)+forms[i])
	}
	return settings
}

// where says where a place is.
func (p *place) where(fixed bool) (text string) {
	if p.constant {
		return fmt.Sprintf("always %q", p.value)
	}
	if p.name != "" {
		text = fmt.Sprintf("column %q", p.name)
	} else if !fixed {
		text = fmt.Sprint("column ", p.column+1)
	}
	if p.length > 0 {
		text += fmt.Sprintf(" characters %d to %d", p.start+1, p.start+p.length)
	} else if p.start > 0 {
		text += fmt.Sprintf(" characters from %d on", p.start+1)
	}
	if p.carrier != nil {
		text += fmt.Sprintf(" of the line %q before it", p.carrier)
	}
	return strings.TrimSpace(text)
}

var delimiterForm = regexp.MustCompile("^[\t -!#-/:-@[-`{-~]{1,10}$")

func (p *layoutParser) delimited() {
	f := p.file
	delimiter := or(f.Delimiter, "")
	p.refuse(!delimiterForm.MatchString(delimiter), "delimiter", `expected the 1 to 10 characters between fields, such `+
		`as ";" or "\t": ASCII characters other than letters, digits and double quotes`)
	p.refuse(f.Multiline && !or(f.Quote, true), "multiline", "requires quote: true")
	p.format.delimiter = []byte(delimiter)
	p.format.quotes = or(f.Quote, true)
	p.format.columns = p.within(f.Columns, "columns", 1, maxColumns, 0)
	if or(f.Header, false) {
		p.format.header = headerNamed
	}
	both := or(f.Header, false) == (f.Columns != nil)
	p.refuse(both, "columns", "expected either the number of fields per record, or header: true")
}

const unknownEncoding = "unknown encoding %s; expected utf-8 or the IANA name of a single-byte encoding, such as " +
	"iso-8859-1, windows-1252, ibm277 or ibm1047"

func (p *layoutParser) encoding() (*charset, ending) {
	name := cmp.Or(p.file.Encoding, "utf-8")
	charset, known := charsetByName(name)
	p.refuse(!known, "encoding", unknownEncoding, quoted([]byte(name)))
	lineEnd := p.oneOf(p.file.LineEnd, "line_end", "lf", "cr", "nel", "none")
	if p.err != nil {
		return utf8Charset, ending{}
	}
	end, found := ending{}, true
	switch lineEnd {
	case "none":
		end.width = p.format.width
		endless := end.width > 0 && charset.runes != nil
		p.refuse(!endless, "line_end", "none requires format: fixed, a width and a single-byte encoding")
	case "lf":
		before, _ := charset.byteOf('\r')
		end.before = []byte{before}
		fallthrough
	default:
		end.end, found = charset.byteOf(map[string]rune{"lf": '\n', "cr": '\r', "nel": '\u0085'}[lineEnd])
	}
	p.refuse(!found, "line_end", "the encoding has no such character")
	end.record = p.format.width
	p.refuse(p.file.Trimmed && (p.format.width == 0 || end.width > 0), "trimmed", "requires a width and line ends")
	return charset, end
}

func (p *layoutParser) fields() {
	all := listed(fieldNames[:])
	p.refuse(p.file.Fields == nil, "fields", "missing; expected %s", all)
	for name := range p.file.Fields {
		p.refuse(!slices.Contains(fieldNames[:], name), "fields."+name, "unknown field; expected %s", all)
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
			reason := constants.put(f, found.value)
			p.refuse(reason != "", key+".value", "%s", reason)
		case f == fieldDispositionDate && at.DateFormat != "":
			format, ok := newDateFormat(at.DateFormat)
			p.refuse(!ok, key+".date_format", "expected a year, month and day such as YYYYMMDD or D-M-YYYY, or YYYYDDD")
			p.format.date = format
		case f == fieldAmount:
			p.refuse(at.Absolute, key+".absolute", "only allowed for amountDkk of a total")
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
	padded := at.ZeroPadded && (f == fieldTotal || mostZero[f] == 0)
	p.refuse(padded, key+".zero_padded", "only allowed for cvr, regNumber and accountNumber")
	p.refuse(at.DateFormat != "" && f != fieldDispositionDate, key+".date_format", "only allowed for dispositionDate")
	amount := at.Decimals != nil || at.DecimalSeparator != nil || at.ThousandsSeparator != nil || at.Sign != nil ||
		at.Currency != nil || at.Debit != nil || at.Credit != nil || at.Negative != "" || at.Absolute
	p.refuse(amount && f != fieldAmount, key, "the keys of amounts are only allowed for amountDkk")
	p.refuse(at.Value != nil && (amount || at.ZeroPadded || at.DateFormat != ""), key, "nothing is allowed with value")
}

// place reads where something stands on lines of a kind, or that it is the same in every
// record. key is its place in the layout, name its name in reasons.
func (p *layoutParser) place(at *placeFile, key, name string, kind kind) place {
	found := place{key: name, kind: kind, trim: true}
	placed := at.spotFile != (spotFile{}) || at.FromLine != ""
	if at.Value != nil {
		p.refuse(placed, key, "nothing is allowed with value")
		found.constant, found.known, found.value = true, true, []byte(strings.TrimSpace(*at.Value))
		return found
	}
	if at.FromLine != "" {
		found.carrier = []byte(at.FromLine)
	}
	if at.Debit != nil {
		p.refuse(placed, key, "start, length, column and from_line are not allowed with debit and credit")
		at, key = &placeFile{spotFile: *at.Debit}, key+".debit"
	}
	// Lines of other kinds may be longer than a record, and have more fields.
	ofRecord := found.carrier == nil && kind == kindRecord
	found.start = p.within(at.Start, key+".start", 1, maxLine, 1) - 1
	found.length = p.within(at.Length, key+".length", 1, maxLine, 0)
	if p.format.fixed {
		p.refuse(at.Column.set, key+".column", "only allowed with format: delimited")
		p.refuse(at.Start == nil || at.Length == nil, key, "expected start and length")
		beyond := ofRecord && p.format.width > 0 && found.start+found.length > p.format.width
		p.refuse(beyond, key+".length", "the field extends beyond the width of %d characters", p.format.width)
		return found
	}
	p.refuse(!at.Column.set, key+".column", "missing; expected the column's number, or its name in the header")
	if found.name = at.Column.name; found.name != "" {
		unnamed := p.format.header == headerNone || found.carrier != nil
		p.refuse(unnamed, key+".column", "expected a column number; a name requires header: true and no from_line")
		return found
	}
	most := maxColumns
	if p.format.columns > 0 && ofRecord {
		most = p.format.columns
	}
	found.column = p.within(&at.Column.number, key+".column", 1, most, 0) - 1
	return found
}

const missingDecimals = "missing; expected the number of implied decimals, or decimal_separator"

// amount reads how the amount that stands at a place is written.
func (p *layoutParser) amount(at *placeFile, key string, of place) *amountFormat {
	a := &amountFormat{
		point:          p.separator(at.DecimalSeparator, key+".decimal_separator"),
		thousands:      p.separator(at.ThousandsSeparator, key+".thousands_separator"),
		decimals:       p.within(at.Decimals, key+".decimals", 0, maxDecimals, -1),
		digits:         amountDigits,
		padded:         true,
		forms:          map[string]bool{},
		codes:          map[string]bool{},
		lastDigits:     map[rune]lastDigit{},
		creditNegative: p.oneOf(at.Negative, key+".negative", "debit", "credit") == "credit",
	}
	implied, groups := a.point == nil, key+".thousands_separator"
	p.refuse(implied && at.Decimals == nil, key+".decimals", missingDecimals)
	p.refuse(!implied && a.decimals == 0, key+".decimals", "must not be 0 with a decimal_separator")
	p.refuse(implied && a.decimals > 0 && a.thousands != nil, groups, "requires a decimal_separator or decimals: 0")
	p.refuse(!implied && string(a.point) == string(a.thousands), groups, "must differ from decimal_separator")
	sign := or(at.Sign, signFile{})
	if at.Debit != nil || at.Credit != nil {
		p.refuse(sign.spotFile != spotFile{}, key+".sign", "must not be a field of its own with debit and credit")
		p.refuse(at.Negative == "", key+".negative", "missing; expected debit or credit")
		if p.refuse(at.Debit == nil || at.Credit == nil, key, "expected both debit and credit"); p.err != nil {
			return a
		}
		a.creditAt = p.keep(p.place(&placeFile{spotFile: *at.Credit}, key+".credit", of.key+".credit", of.kind))
		if at.Sign == nil {
			sign.At = texts{"none"}
		}
	}
	p.sign(&sign, a, key, of, p.marks(at.Currency, key+".currency", a, currencyForm()))
	a.describe()
	return a
}

// What may stand within and beside the digits of an amount, so that nobody takes it for
// something else.
var (
	separatorForm = pattern(`^[^\pL\pN\pC\p{Pd}\p{Ps}\p{Pe}\p{Sm}"]$`)
	currencyForm  = pattern(`^(\(` + noNumber + `\p{Pd}\p{Sm}]+\)|` + noNumber + `\p{Pd}\p{Sm}]+)$`)
	signForm      = pattern(`^(\(` + noNumber + `]+\)|` + noNumber + `]*)$`)
	overpunchForm = pattern(`^[\pL{}\[\]?!:]*$`)
)

const noNumber = `[^()\pN\pC`

// pattern compiles a regular expression when it is first needed. Those with classes of Unicode take
// long, and most commands read no layout.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// separator reads a character inside amounts.
func (p *layoutParser) separator(text *string, key string) []byte {
	if text == nil {
		return nil
	}
	wrong := !separatorForm().MatchString(*text)
	p.refuse(wrong, key, "expected one character that is no letter, digit, sign, bracket or quote")
	delimiter := !p.format.fixed && !p.format.quotes && *text == string(p.format.delimiter)
	p.refuse(delimiter, key, "must differ from the delimiter unless quote is true")
	return []byte(*text)
}

// marks reads texts that may stand beside an amount's digits, in a form, or elsewhere if that
// is nil. A separator may only be the point of an abbreviation.
func (p *layoutParser) marks(list texts, key string, a *amountFormat, form *regexp.Regexp) (marks []string) {
	p.refuse(len(list) > maxMarks, key, "expected at most %d texts", maxMarks)
	separators := ".," + string(a.point) + string(a.thousands)
	for _, text := range list {
		mark := string(squeeze(nil, []byte(strings.TrimSpace(text))))
		p.refuse(len(mark) > maxName || hasControl(mark), key, "expected at most %d bytes of text", maxName)
		word := strings.TrimRight(mark, separators)
		end, _ := utf8.DecodeLastRuneInString(word)
		whole := strings.TrimLeft(mark, separators) == mark && (word == mark || unicode.IsLetter(end))
		p.refuse(form != nil && (!whole || !form.MatchString(mark)), key,
			"expected a text that nobody takes for a part of a number or its sign, found %s", quoted([]byte(mark)))
		marks = append(marks, mark)
	}
	return marks
}

// sign reads how the amount that stands at a place says that it is negative, and which
// currencies may stand beside it.
func (p *layoutParser) sign(at *signFile, a *amountFormat, key string, of place, currencies []string) {
	key += ".sign"
	places, form := at.At, signForm()
	if at.spotFile != (spotFile{}) {
		p.refuse(places != nil, key+".at", "not allowed with start, length or column")
		a.signAt = p.keep(p.place(&placeFile{spotFile: at.spotFile}, key, of.key+".sign", of.kind))
		places, form = texts{"apart"}, nil
	} else if len(places) < 2 {
		places = texts{p.oneOf(strings.Join(places, ""), key+".at", "leading", "trailing", "brackets", "overpunch", "none")}
	}
	overpunch := slices.Contains(places, "overpunch")
	if overpunch {
		form = overpunchForm()
	}
	negative, positive := p.marks(at.Negative, key+".negative", a, form), p.marks(at.Positive, key+".positive", a, form)
	switch given := len(negative)+len(positive) > 0; {
	case places[0] == "none" || len(places) == 1 && places[0] == "brackets":
		p.refuse(given, key+".negative", "not allowed with at: %s", places[0])
		fallthrough
	case !overpunch && len(negative) == 0:
		negative = []string{"-"}
	case overpunch && !given:
		negative, positive = p.overpunched()
	}
	switch blank := len(positive) == 0 || slices.Contains(positive, ""); {
	case at.Required:
		p.refuse(blank, key+".required", "requires positive, which must not be blank then")
	case overpunch:
		positive = append(positive, "0123456789")
	case len(positive) == 0 && a.signAt > 0:
		positive = []string{""}
	}
	codes, inWords := slices.Concat(negative, positive), []string(nil)
	for _, place := range signPlaces {
		if slices.Contains(places, place.name) && place.inWords != "" {
			inWords = append(inWords, place.inWords)
		} else if !slices.Contains(places, place.name) && (place.name != "none" || at.Required) {
			continue
		}
		for i, code := range codes {
			for _, form := range place.forms {
				for _, currency := range append(currencies, "") {
					a.allow(form, code, currency, i < len(negative))
				}
			}
		}
	}
	several := len(places) > 1 && (overpunch || len(inWords) < len(places))
	p.refuse(several, key+".at", "expected one place, or several of leading, trailing and brackets")
	for i, code := range codes {
		note(a, a.codes, code, i < len(negative))
		if overpunch {
			ten := []rune(code)
			p.refuse(len(ten) != 10, key, "expected ten characters, which stand for a last digit of 0 to 9")
			for digit, r := range ten {
				note(a, a.lastDigits, r, lastDigit{byte('0' + digit), i < len(negative)})
			}
		}
		wrong := a.ambiguous || slices.Contains(currencies, code) || code == "" && i < len(negative)
		p.refuse(wrong, key+".negative", "must not be blank, or the same as positive or currency")
	}
	a.codesInWords = inQuotes(codes)
	if len(inWords) > 0 {
		words := strings.Replace(listed(inWords), "±", inQuotes(negative), 1)
		a.signs = "; " + strings.ReplaceAll(words, "± ", "") + " if negative"
		if overpunch || len(at.Positive) > 0 {
			a.signs += ", " + inQuotes(positive) + " if positive"
		}
	}
	if at.Required {
		a.signs += "; the sign must be there"
	}
	if len(currencies) > 0 {
		a.signs += "; " + inQuotes(currencies) + " may stand beside it"
	}
}

// overpunched returns the characters of a last digit of COBOL from 0 to 9: in EBCDIC, those of
// the bytes D0 to D9 for negative amounts, and of C0 to C9 for positive ones.
func (p *layoutParser) overpunched() (negative, positive []string) {
	if runes := p.charset.runes; runes != nil && runes[0xF0] == '0' {
		return []string{string(runes[0xD0:0xDA])}, []string{string(runes[0xC0:0xCA])}
	}
	return []string{"}JKLMNOPQR"}, []string{"{ABCDEFGHI"}
}

// keep adds a place that is no field's, and returns its index.
func (p *layoutParser) keep(found place) int {
	p.format.places = append(p.format.places, found)
	return len(p.format.places) - 1
}

// identity reads what identifies a delivery, in the order of the names.
func (p *layoutParser) identity() {
	names := slices.Sorted(maps.Keys(p.file.Identity))
	wrong := p.file.Identity != nil && (len(names) == 0 || len(names) > maxIdentityFields)
	p.refuse(wrong, "identity", "expected 1 to %d names, each with its place", maxIdentityFields)
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
		wrong := at.Value != nil && (value == "" || len(value) > maxIdentityValue || hasControl(value))
		p.refuse(wrong, key+".value", "expected 1 to %d bytes of text without control characters", maxIdentityValue)
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
	figures := [figureTotal]*placeFile{at.Records, at.Lines, at.Counts, at.AmountDKK, at.Debits, at.Credits}
	p.refuse(figures == [figureTotal]*placeFile{}, key, "expected one of %s", listed(figureNames[:]))
	total := &p.format.totals[scope]
	total.prefix, total.required = []byte(at.Prefix), or(at.Required, true)
	for i, at := range figures {
		if at == nil {
			continue
		}
		key := key + "." + figureNames[i]
		p.refuse(at.Value != nil || at.FromLine != "", key, "must stand on the line of the total")
		sides := at.Debit != nil || at.Credit != nil || at.Negative != ""
		p.refuse(sides, key, "debit, credit and negative are not allowed; debits and credits are totals too")
		p.refuse(at.Absolute && totalFigure(i) != figureAmount, key+".absolute", "only allowed for amountDkk of a total")
		place, field := p.place(at, key, key, kind), fieldCount
		found := figure{of: totalFigure(i), at: p.keep(place), absolute: at.Absolute}
		if found.of >= figureAmount {
			field, found.amount = fieldAmount, p.totalAmount(at, key, place, found.of)
		}
		p.only(at, key, field)
		total.figures = append(total.figures, found)
	}
}

// totalAmount reads how a sum is written: as the records' amounts, unless it says.
func (p *layoutParser) totalAmount(at *placeFile, key string, found place, figure totalFigure) *amountFormat {
	format := *p.format.amount
	if at.Decimals != nil || at.DecimalSeparator != nil {
		format = *p.amount(at, key, found)
	} else {
		apart := figure == figureAmount && format.signAt+format.creditAt > 0
		p.refuse(p.format.places[fieldAmount].constant || apart, key+".decimals", missingDecimals)
		half := at.ThousandsSeparator != nil || at.Sign != nil || at.Currency != nil
		p.refuse(half, key, "thousands_separator, currency and sign require decimals or decimal_separator")
		format.signAt = 0
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
	used := slices.ContainsFunc(k.prefixes, func(other kindPrefix) bool { return string(other.prefix) == prefix })
	p.refuse(used, key, "%s is already used as a prefix", quoted([]byte(prefix)))
	k.prefixes = append(k.prefixes, kindPrefix{prefix: []byte(prefix), kind: kind})
}
