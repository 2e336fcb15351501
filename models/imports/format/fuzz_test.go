package format

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The rules of a record's fields, written another way than the code checks
// them.
var (
	digitsRule = map[string]*regexp.Regexp{
		"cvr":           regexp.MustCompile(`^[0-9]{8}$`),
		"regNumber":     regexp.MustCompile(`^[0-9]{4}$`),
		"accountNumber": regexp.MustCompile(`^[0-9]{1,10}$`),
		"amountDkk":     regexp.MustCompile(`^-?(0|[1-9][0-9]{0,11})\.[0-9]{2}$`),
	}
	lowest  = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	highest = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
)

func checkRecord(t *testing.T, r row) {
	t.Helper()
	for name, value := range map[string]string{
		"cvr": r.CVR, "regNumber": r.RegNumber, "accountNumber": r.AccountNumber, "amountDkk": r.Amount,
	} {
		if !digitsRule[name].MatchString(value) {
			t.Errorf("%s: %q", name, value)
		}
	}
	if r.Amount == "-0.00" {
		t.Errorf("amountDkk: %q", r.Amount)
	}
	n := utf8.RuneCountInString(r.TransferType)
	if n < 1 || n > 100 || strings.TrimSpace(r.TransferType) != r.TransferType || !utf8.ValidString(r.TransferType) {
		t.Errorf("transferType: %q", r.TransferType)
	}
	if date, err := time.Parse(time.DateOnly, r.Date); err != nil || date.Before(lowest) || date.After(highest) {
		t.Errorf("dispositionDate: %q", r.Date)
	}
	if r.Count < 0 || r.Count > 1<<53-1 {
		t.Errorf("count: %d", r.Count)
	}
	if !utf8.ValidString(r.RawLine) ||
		strings.ContainsFunc(r.RawLine, func(r rune) bool { return r != '\t' && unicode.IsControl(r) }) {
		t.Errorf("rawLine: %q", r.RawLine)
	}
}

// checkReading reads a file and checks what holds of every reading: the rules
// of the fields, rising indexes, and the raw line, which decode makes of the
// file's line.
func checkReading(t *testing.T, layout *Layout, file []byte, decode func(line []byte) string) {
	lines := bytes.Split(file, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	rows, bad, summary := readAll(t, layout, bytes.NewReader(file))
	for i, r := range rows {
		if layout.multiline != nil {
			r.RawLine = strings.ReplaceAll(r.RawLine, "\n", " ")
		}
		checkRecord(t, r)
		if i > 0 && r.Index <= rows[i-1].Index {
			t.Errorf("index %d after %d", r.Index, rows[i-1].Index)
		}
		if decode == nil {
			continue
		}
		line := bytes.TrimSuffix(lines[r.Index], []byte("\r"))
		if int(r.Index) == len(lines)-1 && !bytes.HasSuffix(file, []byte("\n")) {
			line = bytes.TrimRight(lines[r.Index], padding)
		}
		if want := decode(line); r.RawLine != want {
			t.Errorf("line %d: %q, expected %q", r.Index, r.RawLine, want)
		}
	}
	for _, line := range bad {
		if line.Line < 1 || line.Line > max(1, summary.Lines) || line.Reason == "" || !utf8.ValidString(line.Reason) {
			t.Errorf("%+v", line)
		}
	}
	if len(rows) == 0 && len(bad) == 0 && layout.Name() != "os" {
		t.Error("neither a record nor a bad line")
	}
}

// addCases adds the files of the cases in a file.
func addCases(f *testing.F, name string) {
	_, cases := casesOf(f, "testdata/cases/"+name+".txt")
	for _, c := range cases {
		f.Add([]byte(c.file))
	}
}

// Whatever a csv file has in it, reading it does not panic, and every record
// obeys the rules.
func FuzzCSV(f *testing.F) {
	addCases(f, "csv")
	f.Fuzz(func(t *testing.T, file []byte) {
		checkReading(t, CSV(), file, func(line []byte) string {
			if bytes.HasPrefix(file, line) {
				return strings.TrimPrefix(string(line), "\ufeff")
			}
			return string(line)
		})
	})
}

// Whatever an os file has in it, reading it does not panic, every record obeys the
// rules, and a file without a bad line says itself where it ends: cut off in its last
// line, it is bad.
func FuzzOS(f *testing.F) {
	example, err := os.ReadFile("testdata/delivery.os.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example)
	addCases(f, "os")
	f.Fuzz(func(t *testing.T, file []byte) {
		checkReading(t, OS(), file, func(line []byte) string {
			text, err := charmap.Windows1252.NewDecoder().Bytes(line)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		})
		_, bad, _ := readAll(t, OS(), bytes.NewReader(file))
		whole := bytes.TrimRight(file, " \t\r\n"+padding)
		if len(bad) > 0 || len(whole) == 0 {
			return
		}
		last := whole[bytes.LastIndexByte(whole, '\n')+1:]
		if bytes.HasPrefix(last, osTransportPrefix) {
			return
		}
		if _, bad, _ := readAll(t, OS(), bytes.NewReader(whole[:len(whole)-len(last)/2-1])); len(bad) == 0 {
			t.Error("it is cut off, but no line is bad")
		}
	})
}

// Whatever a layout has in it, parsing it does not panic; and what a parsed
// one reads from whatever file obeys the rules.
func FuzzParseLayout(f *testing.F) {
	for _, name := range []string{"fixed", "delimited", "amounts", "dates", "lines"} {
		_, cases := casesOf(f, "testdata/cases/"+name+".txt")
		for _, c := range cases {
			f.Add([]byte(c.layout), []byte(c.file))
		}
	}
	f.Add([]byte("format: &a fixed\n<<: *a\nfields: {cvr: {value: !!binary x}}"), []byte("x"))
	f.Fuzz(func(t *testing.T, yaml, file []byte) {
		layout, err := ParseLayout(yaml)
		if err != nil {
			if layout != nil || err.Error() == "" {
				t.Error(layout, err)
			}
			return
		}
		checkReading(t, layout, file, nil)
	})
}
