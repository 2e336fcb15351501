package main

import (
	"bytes"
	_ "embed" // for layout_guess.yaml
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/encoding/charmap"

	"dispo/models/imports"
	"dispo/models/imports/format"
)

type layoutGuessCommand struct {
	File string `arg:"" help:"Delivery file with delimiters and a line that names the columns. A .gz is unpacked."`
}

// guessMost is how many bytes of a file are looked at.
const guessMost = 128 << 10

func (c *layoutGuessCommand) Run(e *environment) error {
	head, err := imports.Head(e.ctx, c.File, guessMost)
	if err != nil {
		return err
	}
	if end := bytes.LastIndexAny(head, "\r\n"); len(head) == guessMost && end > 0 {
		head = head[:end+1]
	}
	g := guess{file: head}
	if err := yaml.Load(guessedFields, &g.fields); err != nil {
		return err
	}
	if format.Detect(head) == format.OS() {
		return fmt.Errorf("%s is an OS delivery, which needs no layout", c.File)
	}
	if g.findHeader(); g.records == 0 {
		return fmt.Errorf("cannot guess the layout of %s: it has no header with names between delimiters, and records "+
			"below it; docs/layouts.md says how to describe it", c.File)
	}
	fmt.Fprintf(e.streams.out, "# Guessed from %s of %s. What the file leaves open follows \"choose\": write one of the\n"+
		"# choices instead; a {value: ...} is an example. Then try the layout with `dispo layout check`.\n%sfields:\n",
		count(int64(g.records), "line", "lines"), printable(imports.Filename(c.File)), g.chooseEncoding())
	for _, field := range g.fields {
		fmt.Fprintf(e.streams.out, "  %s: %s\n", field.Field, g.place(field))
	}
	return nil
}

// chooseEncoding returns the keys above the fields, with the encodings that read all records if
// that is open.
func (g *guess) chooseEncoding() string {
	var fitting []string
	for _, encoding := range []string{"windows-1252", "iso-8859-1", "ibm865", "macintosh"} {
		if len(g.read(strings.Replace(g.keys, openEncoding, encoding, 1), "", "")) == g.records {
			fitting = append(fitting, encoding)
		}
	}
	return strings.Replace(g.keys, openEncoding, "# choose: "+strings.Join(fitting, " or "), 1)
}

//go:embed layout_guess.yaml
var guessedFields []byte

// guess tries layouts on the start of a file, and keeps what reads most of it.
type guess struct {
	file    []byte
	keys    string // of the layout, above the fields
	records int    // that it reads
	columns []string
	fields  []guessedField
}

// guessedField is explained in layout_guess.yaml.
type guessedField struct {
	Field     string
	Found     []struct{ Columns, Places []string }
	Forms     [][]string
	Otherwise string
}

// read returns what a layout reads, record by record. All fields but one are the same in
// every record.
func (g *guess) read(keys, field, place string) (records []string) {
	keys += "fields:\n"
	for _, f := range g.fields {
		at := f.Otherwise
		if f.Field == field {
			at = place
		}
		keys += "  " + f.Field + ": " + at + "\n"
	}
	layout, err := format.ParseLayout([]byte(keys))
	if err != nil {
		return nil
	}
	_, _ = layout.Read(bytes.NewReader(g.file), func(r *format.Record) error {
		records = append(records, fmt.Sprintf("%d %s", r.Index, r.Values()))
		return nil
	}, func(format.BadLine) error { return nil })
	return records
}

// findHeader finds the line with the names of the columns: most lines after it have as many
// fields. A number is no name.
func (g *guess) findHeader() {
	keys, text := decode(g.file)
	if !strings.Contains(text, "\n") {
		keys, text = keys+"line_end: cr\n", strings.ReplaceAll(text, "\r", "\n")
	}
	lines := strings.Split(text, "\n")
	for skip, line := range lines[:min(len(lines), 20)] {
		for _, delimiter := range []string{";", ",", "\t", "|", "||", "~", "^"} {
			columns := strings.Split(strings.TrimRight(line, "\" \r"+delimiter), delimiter)
			for i, name := range columns {
				columns[i] = strings.Trim(name, "\" ")
			}
			if len(columns) == 1 || slices.ContainsFunc(columns, isNoName) {
				continue
			}
			for _, more := range []string{"", "quote: false\n", "multiline: true # a field in quotes has line breaks\n"} {
				try := fmt.Sprintf("%sdelimiter: %q\nheader: true\n%s", keys, delimiter, more)
				if skip > 0 {
					try += fmt.Sprintf("skip_lines: %d # above the header\n", skip)
				}
				records := len(g.read(try, "", ""))
				if records > g.records || records == g.records && len(columns) > len(g.columns) {
					g.keys, g.columns, g.records = try, columns, records
				}
			}
		}
	}
}

var (
	digits  = regexp.MustCompile(`\d`)
	letters = regexp.MustCompile(`\pL`)
)

// isNoName reports whether a text is a value rather than a column's name.
func isNoName(text string) bool {
	return len(letters.FindAllString(text, -1)) <= len(digits.FindAllString(text, -1))
}

// openEncoding stands for an encoding that has to be chosen. It has a character for each byte.
const openEncoding = "ibm865 # open"

// decode chooses the encoding, by what the letters beyond ASCII are in it.
func decode(file []byte) (keys, text string) {
	encoding, text := "utf-8", strings.TrimPrefix(string(file), "\ufeff")
	if !utf8.Valid(file) {
		encoding = "windows-1252 # in which all bytes beyond ASCII are Danish letters"
		text, _ = charmap.Windows1252.NewDecoder().String(text)
		if strings.ContainsFunc(text, func(r rune) bool {
			return r > unicode.MaxASCII && !strings.ContainsRune("æøåÆØÅéÉüÜöÖäÄ", r)
		}) {
			encoding = openEncoding
		}
	}
	return "format: delimited\nencoding: " + encoding + "\n", text
}

// place says where a field stands, if the columns' names tell and there is one way to read
// them. Otherwise it is a comment with the choices.
func (g *guess) place(field guessedField) string {
	places, named := g.places(field)
	var choices []string
	if named {
		choices = g.fitting(field, (g.records+1)/2, places...)
		if choices == nil {
			return "# no known form reads " + strings.Join(places, " or ") + ": see docs/layouts.md"
		}
		// A number may be that of thousands or have a point, and a part may be another.
		if len(choices) == 1 && !strings.Contains(choices[0], "start: ") && !strings.Contains(choices[0], " 0, thousands") {
			return choices[0]
		}
	} else {
		for _, place := range places {
			choices = append(choices, g.fitting(field, g.records, place)...)
		}
		choices = append(choices, field.Otherwise)
	}
	return "# choose: " + strings.Join(choices, " or ")
}

// places returns where a field may stand: in the columns that are called so, or else in any
// that no field is called.
func (g *guess) places(field guessedField) (places []string, named bool) {
	for _, found := range field.Found {
		var lists [][]string
		for _, names := range found.Columns {
			lists = append(lists, g.called(names))
		}
		columns := combinations(lists)
		for _, combination := range columns {
			for _, place := range found.Places {
				for _, column := range combination {
					place = strings.Replace(place, "%q", column, 1)
				}
				places = append(places, place)
			}
		}
		if places != nil {
			return places, len(columns) == 1
		}
	}
	var names string
	for _, field := range g.fields {
		for _, found := range field.Found {
			names += strings.Join(found.Columns, " ") + " "
		}
	}
	for i := range g.columns {
		if column := g.column(i); !slices.Contains(g.called(names), column) {
			places = append(places, "{column: "+column+"}")
		}
	}
	return places, false
}

// column returns the name of a column, or its number where the name could be another's or is
// not known.
func (g *guess) column(i int) string {
	name := g.columns[i]
	open := strings.Contains(g.keys, openEncoding) &&
		strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII })
	if open || slices.Index(g.columns, name) < i || slices.Contains(g.columns[i+1:], name) {
		return strconv.Itoa(i + 1)
	}
	return strconv.Quote(name)
}

// called returns the columns that have one of the names.
func (g *guess) called(names string) (columns []string) {
	for i, column := range g.columns {
		if slices.Contains(strings.Fields(names), strings.ToLower(strings.Join(letters.FindAllString(column, -1), ""))) {
			columns = append(columns, g.column(i))
		}
	}
	return columns
}

// combinations returns all ways to take one element of each list.
func combinations(lists [][]string) [][]string {
	all := [][]string{nil}
	for _, list := range lists {
		var longer [][]string
		for _, combination := range all {
			for _, element := range list {
				longer = append(longer, append(slices.Clone(combination), element))
			}
		}
		all = longer
	}
	return all
}

// fitting returns the places and forms that read most records, and at least so many: one for
// each way of reading them. A line without a cvr, such as a total, is no record.
func (g *guess) fitting(field guessedField, most int, places ...string) (fitting []string) {
	seen := map[string]bool{}
	for _, form := range combinations(append([][]string{places}, field.Forms...)) {
		place := strings.TrimSuffix(form[0], "}") + strings.Join(form[1:], "") + "}"
		records := g.read(g.keys, field.Field, place)
		if len(records) > most {
			most, fitting = len(records), nil
			clear(seen)
		}
		text := strings.Join(records, "\n")
		if len(records) < most || seen[text] || fitting != nil && strings.Contains(place, "start: ") {
			continue
		}
		seen[text], fitting = true, append(fitting, place)
	}
	if field.Field == "cvr" && fitting != nil {
		g.records = most
	}
	return fitting
}
