package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	fixedTotals = fixedLayout + `
records: {prefix: ["1", "2"]}
ignore: H
totals:
  section:
    prefix: S
    records: {start: 2, length: 4}
    amountDkk: {start: 6, length: 10}
  file:
    prefix: T
    records: {start: 2, length: 4}
    lines: {start: 6, length: 4}
    amountDkk: {start: 10, length: 18, decimals: 2, sign: {at: trailing}}
`
	totalsRecord = "101508170000123450\n" // 1234.50
	totalsRefund = "20150817   -100000\n" // -1000.00
)

func sectionTotal(records int, ore string) string { return fmt.Sprintf("S%04d%10s\n", records, ore) }

func fileTotal(records, lines int, ore string) string {
	return fmt.Sprintf("T%04d%04d%18s\n", records, lines, ore)
}

// A file whose totals disagree with its records, or that has none where one is
// required, is bad; one whose totals agree is good.
func TestTotals(t *testing.T) {
	const (
		a      = totalsRecord
		b      = totalsRefund
		again  = "; the file may be incomplete"
		noFile = `the file has no total: expected a line starting with "T" at its end; the file may be truncated`
	)
	good := a + b + sectionTotal(2, "23450") + a + sectionTotal(1, "123450") + fileTotal(3, 6, "146900")
	optional := change(t, fixedTotals, "section:\n    prefix: S", "section:\n    required: false\n    prefix: S", "file:\n    prefix: T", "file:\n    required: false\n    prefix: T")
	absolute := change(t, fixedTotals, "amountDkk: {start: 6, length: 10}", "amountDkk: {start: 6, length: 10, decimals: 2, absolute: true}")
	tests := []struct {
		name, layout, file string
		records            int
		bad                []BadLine
	}{
		{"good", fixedTotals, good, 3, nil},
		{"no line end", fixedTotals, strings.TrimSuffix(good, "\n"), 3, nil},
		{"ignored lines count as lines", fixedTotals, "H\n\n" + a + sectionTotal(1, "123450") + "H\n" + fileTotal(1, 6, "123450") + "H\n\n", 1, nil},
		{"nothing", fixedTotals, fileTotal(0, 1, "0"), 0, nil},
		{"an empty section", fixedTotals, sectionTotal(0, "0") + fileTotal(0, 2, "0"), 0, nil},
		{"a negative sum", fixedTotals, b + sectionTotal(1, "-100000") + fileTotal(1, 3, "100000-"), 1, nil},
		{"without signs", absolute, a + b + sectionTotal(2, "223450") + fileTotal(2, 4, "23450"), 2, nil},

		{"too few records", fixedTotals, a + sectionTotal(2, "123450") + fileTotal(3, 4, "123450"), 1, []BadLine{
			{2, "totals.section.records", "the total says 2, but there are 1" + again},
			{3, "totals.file.records", "the total says 3, but there are 1" + again},
			{3, "totals.file.lines", "the total says 4, but there are 3" + again}}},
		{"another sum", fixedTotals, a + sectionTotal(1, "123451") + fileTotal(1, 3, "123450-"), 1, []BadLine{
			{2, "totals.section.amountDkk", "the total says 1234.51, but the records add up to 1234.50" + again},
			{3, "totals.file.amountDkk", "the total says -1234.50, but the records add up to 1234.50" + again}}},
		{"a section's records in another", fixedTotals, a + b + sectionTotal(1, "123450") + sectionTotal(1, "-100000") + fileTotal(2, 5, "23450"), 2, []BadLine{
			{3, "totals.section.records", "the total says 1, but there are 2" + again},
			{3, "totals.section.amountDkk", "the total says 1234.50, but the records add up to 234.50" + again},
			{4, "totals.section.records", "the total says 1, but there are 0" + again},
			{4, "totals.section.amountDkk", "the total says -1000.00, but the records add up to 0.00" + again}}},
		{"unreadable figures", fixedTotals, a + "Sx   x\n" + "T00010003\n", 1, []BadLine{
			{2, "totals.section.records", `expected an integer from 0 to 9007199254740991, found "x"`},
			{2, "totals.section.amountDkk", "missing or incomplete: the line is too short"},
			{3, "totals.file.amountDkk", "missing or incomplete: the line is too short"}}},
		{"a bad record explains its totals", fixedTotals, strings.Replace(a, "1", "1x", 1) + sectionTotal(1, "123450") + a + sectionTotal(2, "123450") + fileTotal(2, 5, "9"), 1, []BadLine{
			{1, "cvr", `expected exactly 8 digits, found "1x015081"`},
			{4, "totals.section.records", "the total says 2, but there are 1" + again}}},

		{"no totals", fixedTotals, a, 1, []BadLine{{1, "totals.file", noFile}}},
		{"no file total", fixedTotals, a + sectionTotal(1, "123450") + "\n", 1, []BadLine{{2, "totals.file", noFile}}},
		{"no section total", fixedTotals, a + sectionTotal(1, "123450") + b + fileTotal(2, 4, "23450"), 2, []BadLine{
			{4, "totals.section", `the last record has no total: expected a line starting with "S" after them; the file may be truncated`}}},
		{"a record after the file's total", fixedTotals, good + a, 3, []BadLine{{7, "", "there is a record after the file's total on line 6"}}},
		{"a total after the file's total", fixedTotals, good + sectionTotal(0, "0") + fileTotal(3, 7, "146900"), 3, []BadLine{
			{7, "totals.section", "there is a total after the file's total on line 6"},
			{8, "totals.file", "there is a total after the file's total on line 6"}}},

		{"optional, left out", optional, a + b, 2, nil},
		{"optional, of some", optional, a + sectionTotal(1, "123450") + b, 2, nil},
		{"optional, wrong", optional, a + fileTotal(2, 2, "123450"), 1, []BadLine{{2, "totals.file.records", "the total says 2, but there are 1" + again}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, mustParse(t, test.layout), test.file)
			assert.Equal(t, test.bad, bad)
			assert.Len(t, rows, test.records)
		})
	}
}

// A delimited layout names the columns of its totals like those of its fields.
func TestDelimitedTotals(t *testing.T) {
	layout := mustParse(t, `format: delimited
delimiter: ";"
header: true
fields:
  cvr: {column: CVR}
  regNumber: {value: "0001"}
  accountNumber: {value: 1}
  transferType: {value: Visa}
  dispositionDate: {value: 2026-01-31}
  count: {value: 1}
  amountDkk: {column: Beløb, decimal_separator: ",", thousands_separator: "."}
totals: {file: {prefix: I alt, amountDkk: {column: Beløb}, records: {column: 4}}}
`)
	for _, head := range []string{"CVR;Beløb;Tekst\n", "Tekst;CVR;Beløb\n"} { // one layout reads several files
		line := func(first, second, third string) string {
			if strings.HasPrefix(head, "CVR") {
				return first + ";" + second + ";" + third
			}
			return first + ";" + first + ";" + second
		}
		file := head + line("10150817", "1.234,50", "") + "\n" + line("10150817", "-0,50", "") + "\n" + line("I alt", "1.234,00", "") + ";2\n"
		rows, bad, _ := readText(t, layout, file)
		assert.Empty(t, bad)
		assert.Len(t, rows, 2)
	}
	_, bad, _ := readText(t, layout, "Beløb\n")
	assert.Len(t, bad, 1)
	_, bad, _ = readText(t, layout, "CVR;Beløb;Tekst\n10150817;1,00;\nI alt;9.999.999.999.999.999,00;;1\n")
	assert.Equal(t, []BadLine{{3, "totals.file.amountDkk", "the total says 9999999999999999.00, but the records add up to 1.00; the file may be incomplete"}}, bad)
}

// A file with a required total that is cut off anywhere is bad, unless only its last
// line end is missing.
func TestTotalsCutOff(t *testing.T) {
	layout := mustParse(t, fixedTotals)
	file := totalsRecord + totalsRefund + sectionTotal(2, "23450") + totalsRecord + sectionTotal(1, "123450") + fileTotal(3, 6, "146900 ")
	for end := 1; end < len(file)-2; end++ {
		_, bad, _ := readText(t, layout, file[:end])
		require.NotEmpty(t, bad, "cut at %d: %q", end, file[:end])
	}
}

// A mistake in totals is told with its line, its key and what is expected.
func TestLayoutTotalsMistakes(t *testing.T) {
	tests := []struct{ name, totals, want string }{
		{"neither", "{}", "totals: expected file, section or both"},
		{"no prefix", "{file: {records: {start: 1, length: 2}}}", "totals.file.prefix: missing; expected the text that the total's line starts with"},
		{"no figure", "{file: {prefix: T}}", "totals.file: expected records, amountDkk or both"},
		{"lines of a section", "{section: {prefix: T, lines: {start: 1, length: 2}}}", "totals.section.lines: only allowed for the total of the file"},
		{"a prefix of records", "{file: {prefix: '1', records: {start: 1, length: 2}}}", `totals.file.prefix: "1" is already used as a prefix`},
		{"the same prefix", "{file: {prefix: T, records: {start: 1, length: 2}}, section: {prefix: T, records: {start: 1, length: 2}}}", `totals.file.prefix: "T" is already used as a prefix`},
		{"a constant", "{file: {prefix: T, records: {value: 2}}}", "totals.file.records: must stand on the line of the total"},
		{"a sign without decimals", "{file: {prefix: T, amountDkk: {start: 1, length: 2, sign: {at: none}}}}", "totals.file.amountDkk: thousands_separator and sign require decimals or decimal_separator"},
		{"not a flag", "{file: {prefix: T, required: 1, records: {start: 1, length: 2}}}", "line 11: expected true or false, found `1`"},
		{"no length", "{file: {prefix: T, records: {start: 1}}}", "totals.file.records: expected start and length"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseLayout([]byte(fixedLayout + "records: {prefix: '1'}\ntotals: " + test.totals + "\n"))
			assert.ErrorContains(t, err, test.want)
		})
	}
	own := change(t, fixedLayout, "decimals: 2}", "decimals: 2, sign: {start: 19, length: 1}}") + "totals: {file: {prefix: T, amountDkk: {start: 2, length: 9}}}\n"
	_, err := ParseLayout([]byte(own))
	assert.ErrorContains(t, err, "totals.file.amountDkk.decimals: missing; expected the number of implied decimals, or decimal_separator")
}
