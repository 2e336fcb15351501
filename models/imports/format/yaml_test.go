package format

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
)

// ebcdicOf makes a layout for records without line ends, and a file of it.
func ebcdicOf(t testing.TB, records int) (*Layout, []byte) {
	t.Helper()
	layout, err := ParseLayout([]byte(`
format: fixed
encoding: ibm1047
line_end: none
width: 70
fields:
  cvr: {start: 1, length: 8}
  regNumber: {start: 9, length: 4}
  accountNumber: {start: 13, length: 10}
  transferType: {start: 23, length: 10}
  dispositionDate: {start: 33, length: 8, date_format: YYYYMMDD}
  count: {start: 41, length: 10}
  amountDkk: {start: 51, length: 15, decimals: 2, sign: {start: 66, length: 1, negative: D, positive: K}}
`))
	require.NoError(t, err)
	var file bytes.Buffer
	for i := range records {
		fmt.Fprintf(&file, "%08d%04d%010d%-10s%s%010d%015d%s%4s", 10_000_000+i, i%10_000, i, "KØB", "20260131", i%500, i, "K", "")
	}
	encoded, err := charmap.CodePage1047.NewEncoder().Bytes(file.Bytes())
	require.NoError(t, err)
	return layout, encoded
}

// The layouts beside this test, which the documentation shows, read the files
// beside them.
func TestParseLayoutExamples(t *testing.T) {
	tests := map[string]struct {
		rows  []row
		lines int64
	}{
		"fixed": {[]row{
			{1, "10150817", "1234", "0012345678", "VISA", "2026-01-31", "-1234.50", 3, "D001015081712340001234567" + "8VISA      000003000000123450-Køb"},
			{2, "12345674", "4180", "12", "DANKORT €9", "2026-01-31", "0.05", 0, "D00123456744180         12DANKORT €9000000000000000005+  –"},
			{4, "12345674", "4180", "1234567890", "DANKORT", "2026-02-01", "9999999999.99", 100, "D0012345674418001234567890DANKORT   000100999999999999+   "},
		}, 6},
		"delimited": {[]row{
			{2, "10150817", "1234", "0012345678", "Dankort", "2026-01-31", "1234.50", 1, `10150817;"Jensens Køb; Salg";1234-0012345678;31-01-2026;"1.234,50"`},
			{3, "12345674", "4180", "12", "Dankort", "2026-02-01", "-12.00", 1, `12345674;Café Ørsted;4180-12;01-02-2026;-12,00`},
		}, 5},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + name + ".yaml")
			require.NoError(t, err)
			layout, err := ParseLayout(text)
			require.NoError(t, err)
			assert.Equal(t, "example-"+name, layout.Name())
			file, err := os.ReadFile("testdata/" + name + ".txt")
			require.NoError(t, err)
			rows, bad, summary := readText(t, layout, string(file))
			assert.Empty(t, bad)
			assert.Equal(t, test.rows, rows)
			assert.Equal(t, test.lines, summary.Lines)
		})
	}
}

const (
	fixedLayout = `format: fixed
fields:
  cvr: {start: 1, length: 8}
  regNumber: {value: "0001"}
  accountNumber: {value: 1}
  transferType: {value: Visa}
  dispositionDate: {value: 2026-01-31}
  count: {value: 1}
  amountDkk: {start: 9, length: 10, decimals: 2}
`
	delimitedLayout = `format: delimited
delimiter: "|"
columns: 3
fields:
  cvr: {column: 1}
  regNumber: {value: "0001"}
  accountNumber: {value: 1}
  transferType: {column: 2}
  dispositionDate: {value: 2026-01-31}
  count: {value: 1}
  amountDkk: {column: 3, decimal_separator: "."}
`
)

// change replaces old, which must be there once, or fails the test.
func change(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.Equal(t, 1, strings.Count(text, pairs[i]), pairs[i])
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func mustParse(t testing.TB, yaml string) *Layout {
	t.Helper()
	layout, err := ParseLayout([]byte(yaml))
	require.NoError(t, err, yaml)
	return layout
}

// A layout is called what it calls itself, or custom.
func TestLayoutName(t *testing.T) {
	name := strings.Repeat("ø", 40)
	assert.Equal(t, name, mustParse(t, fixedLayout+"name: "+name).Name())
	assert.Equal(t, "custom", mustParse(t, fixedLayout).Name())
}

// A layout can say which lines are records, and what the others are; what is
// neither is bad only where the layout says what to ignore.
func TestLayoutRecords(t *testing.T) {
	fixed := func(keys string) string { return fixedLayout + keys + "\n" }
	delimited := func(keys string) string { return delimitedLayout + keys + "\n" }
	const (
		f = "1015081700000123450"
		d = "10150817|Visa|1234.50"
	)
	tests := []struct {
		name, layout, file string
		indexes            []int64
		bad                []BadLine
	}{
		{"all lines", fixedLayout, f[:18] + "\n" + "  \n" + f[:18] + "\n", []int64{0, 2}, nil},
		{"no line", fixed("records: {prefix: X}"), f + "\n", nil, []BadLine{{1, "", "the file has no records; it may be truncated"}}},
		{"skipped lines are not looked at", fixed("skip_lines: 2"), "\x00\xff\n" + strings.Repeat("x", maxLine+1) + "\n" + f[:18] + "\n", []int64{2}, nil},
		{"a prefix, others are passed over", fixed("records: {prefix: 1}"), "H\n" + f[:18] + "\nT\n", []int64{1}, nil},
		{"prefixes", fixed(`records: {prefix: ["10", "20"]}`), f[:18] + "\n2" + f[1:18] + "\n3" + f[1:18] + "\n1\n", []int64{0, 1}, nil},
		{"a prefix further on", fixed(`records: {prefix: X, start: 19}`), f[:18] + "X\n" + f[:18] + "Y\n" + f[:18] + "\nX\n", []int64{0}, nil},
		{"neither", fixed("records: {prefix: 1}\nignore: [H, T]"), "H\n" + f[:18] + "\nX\n", []int64{1},
			[]BadLine{{3, "", `neither a record nor a line to ignore: expected the line to start with "1", "H" or "T"`}}},
		{"ignored, all others are records", fixed("ignore: '#'"), "# note\n" + f[:18] + "\n", []int64{1}, nil},
		{"the longest prefix decides", fixed("records: {prefix: 1}\nignore: ['12']"), f[:18] + "\n12\n", []int64{0}, nil},

		{"delimited prefix", delimited("records: {prefix: '1'}"), "x|\"\n" + d + "\n", []int64{1}, nil},
		{"delimited prefix in a column", delimited("records: {prefix: Vi, column: 2}\nignore: M"), d + "\n" + "1|Maestro|2\n" + "1|Xx\n" + "1\n", []int64{0},
			[]BadLine{{3, "", `neither a record nor a line to ignore: expected field 2 to start with "Vi" or "M"`},
				{4, "", `neither a record nor a line to ignore: expected field 2 to start with "Vi" or "M"`}}},
		{"delimited prefix in a column that can't be found", delimited("records: {prefix: Vi, column: 2}"), d + "\n" + "\"|Visa\n", []int64{0},
			[]BadLine{{2, "", "unclosed double quote; a field can't span lines"}}},

		{"carried, before there is any", change(t, fixedLayout, "{value: 2026-01-31}", "{from_line: H, start: 2, length: 10}"), f[:18] + "\nH2026-01-31\n" + f[:18] + "\n", []int64{2},
			[]BadLine{{1, "dispositionDate", `there is no line starting with "H" before this one`}}},
		{"carried, cut short", change(t, fixedLayout, "{value: 2026-01-31}", "{from_line: H, start: 2, length: 10}"), "H2026-01-31\n" + f[:18] + "\nH2026-01-3\n", []int64{1},
			[]BadLine{{3, "dispositionDate", "missing or incomplete: the line is too short"}}},
		{"carried, delimited", change(t, delimitedLayout, "{value: 2026-01-31}", "{from_line: H, column: 4}"), "H|||2026-01-31\n" + d + "\n", []int64{1}, nil},
		{"carried, delimited, wider than the header", change(t, delimitedLayout, "columns: 3", "header: true", "{value: 2026-01-31}", "{from_line: H, column: 4}"), "a|b|c\nH|||2026-01-31\n" + d + "\n", []int64{2}, nil},
		{"a prefix in a column under a header", change(t, delimited("records: {prefix: Vi, column: 2}"), "columns: 3", "header: true"), "a|b|c\n" + d + "\n1|Maestro|2\n", []int64{1}, nil},
		{"carried, delimited, too few", change(t, delimitedLayout, "{value: 2026-01-31}", "{from_line: H, column: 4}"), "H||2026-01-31\n" + d + "\n", nil,
			[]BadLine{{1, "dispositionDate", "expected field 4, but the line has only 3"}, {2, "dispositionDate", `there is no line starting with "H" before this one`}}},

		// A last line without a line end may be any line cut short.
		{"cut off, no width", fixedLayout, f[:18] + "\n" + f[:18], []int64{0}, []BadLine{{2, "", cutOff}}},
		{"not cut off, width", fixed("width: 18"), f[:18] + "\n" + f[:18], []int64{0, 1}, nil},
		{"cut off, width", fixed("width: 18"), f[:18] + "\n" + f[:17], []int64{0}, []BadLine{{2, "", "expected 18 characters, found 17 and no line end; the file may be truncated"}}},
		{"cut off in a prefix", fixed("records: {prefix: '101'}\nwidth: 18"), f[:18] + "\n10", []int64{0}, []BadLine{{2, "", cutOff}}},
		{"an ignored last line", fixed("records: {prefix: '101'}"), f[:18] + "\nTOTAL", []int64{0}, nil},
		{"cut off in the column", delimited("records: {prefix: Vi, column: 2}"), d + "\n10150817|V", []int64{0}, []BadLine{{2, "", cutOff}}},
		{"cut off in quotes before the column", delimited("records: {prefix: Vi, column: 2}"), d + "\n\"10150", []int64{0}, []BadLine{{2, "", cutOff}}},
		{"not cut off, delimited", delimitedLayout, d, []int64{0}, nil},
		{"cut off, delimited", delimitedLayout, d[:len(d)-1], nil, []BadLine{{1, "", cutOff}}},
		{"cut off, a sign could follow", change(t, delimitedLayout, `"."}`, `".", sign: {at: trailing}}`), d + "-\n" + d, []int64{0}, []BadLine{{2, "", cutOff}}},
		{"cut off, three decimals", change(t, delimitedLayout, `"."}`, `".", decimals: 3}`), d + "0\n" + d, []int64{0}, []BadLine{{2, "", cutOff}}},
		{"cut off, decimals are implied", change(t, delimitedLayout, `decimal_separator: "."`, `decimals: 2`), "10150817|Visa|123450\n10150817|Visa|123450", []int64{0}, []BadLine{{2, "", cutOff}}},
		{"cut off, the amount is on another line", change(t, delimitedLayout, "columns: 3", "columns: 2", "{column: 3,", "{column: 2, from_line: H,"), "H|1.50\n10150817|1.50\n10150817|1.50", []int64{1}, []BadLine{{3, "", cutOff}}},
		{"cut off, a part of the column from further on", change(t, delimitedLayout, `{column: 3,`, `{column: 3, start: 2,`), d + "\n" + d, []int64{0}, []BadLine{{2, "", cutOff}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, mustParse(t, test.layout), test.file)
			assert.Equal(t, test.bad, bad)
			assert.Equal(t, test.indexes, indexesOf(rows))
		})
	}
}

// A layout can say how its fields are written; a field that is written
// otherwise makes the line bad.
func TestLayoutFields(t *testing.T) {
	fixed := func(field, place string) string {
		lines := strings.Split(fixedLayout, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, "  "+field+":") {
				lines[i] = "  " + field + ": " + place
			}
		}
		return strings.Join(lines, "\n")
	}
	amount := func(keys string) string { return fixed("amountDkk", "{start: 9, length: 15, "+keys+"}") }
	date := func(format string) string {
		return fixed("dispositionDate", fmt.Sprintf("{start: 19, length: %d, date_format: %q}", len(format), format))
	}
	const bad = "bad"
	tests := []struct {
		name, layout, line string
		field              field
		want               string
	}{
		{"spaces around", fixed("cvr", "{start: 1, length: 8}"), "10150817    123450", fieldAmount, "1234.50"},
		{"cut short", amount("decimals: 2"), "10150817    12345", fieldAmount, bad},

		{"zeros before a CVR", fixed("cvr", "{start: 19, length: 10, zero_padded: true}"), "         0000000010010150817", fieldCVR, "10150817"},
		{"zeros that may not be", fixed("cvr", "{start: 19, length: 10}"), "         0000000010010150817", fieldCVR, bad},
		{"no zeros", fixed("cvr", "{start: 19, length: 10, zero_padded: true}"), "         0000000011010150817", fieldCVR, bad},
		{"zeros before an account", fixed("accountNumber", "{start: 19, length: 12, zero_padded: true}"), "101508170000000001001234567890", fieldAccountNumber, "1234567890"},

		{"YYYYMMDD", date("YYYYMMDD"), "10150817000000000120260131", fieldDispositionDate, "2026-01-31"},
		{"ddMMyy", date("ddMMyy"), "101508170000000001310126", fieldDispositionDate, "2026-01-31"},
		{"DD.MM.YYYY", date("DD.MM.YYYY"), "10150817000000000131.01.2026", fieldDispositionDate, "2026-01-31"},
		{"other literals", date("[MM/DD] YYYY"), "101508170000000001[01/31] 2026", fieldDispositionDate, "2026-01-31"},
		{"wrong literals", date("DD.MM.YYYY"), "10150817000000000131-01-2026", fieldDispositionDate, bad},
		{"no real date", date("YYYYMMDD"), "10150817000000000120260230", fieldDispositionDate, bad},

		{"count", fixed("count", "{start: 19, length: 6}"), "101508170000000001000012", fieldCount, "12"},

		{"implied decimals", amount("decimals: 2"), "10150817000000000123450", fieldAmount, "1234.50"},
		{"implied decimals, few digits", amount("decimals: 2"), "10150817              5", fieldAmount, "0.05"},
		{"implied decimals, a letter", amount("decimals: 2"), "10150817          1234x", fieldAmount, bad},
		{"implied decimals, greatest", amount("decimals: 2"), "10150817099999999999999", fieldAmount, "999999999999.99"},
		{"implied decimals, too great", amount("decimals: 2"), "10150817100000000000000", fieldAmount, bad},
		{"four decimals", amount("decimals: 4"), "10150817000000012345000", fieldAmount, "1234.50"},
		{"four decimals, few digits", amount("decimals: 4"), "10150817            500", fieldAmount, "0.05"},
		{"four decimals, few digits that matter", amount("decimals: 4"), "10150817              5", fieldAmount, bad},

		{"decimal comma", amount("decimal_separator: ','"), "10150817        1234,50", fieldAmount, "1234.50"},
		{"decimal comma, filled with zeros", amount("decimal_separator: ','"), "10150817000000001234,50", fieldAmount, "1234.50"},
		{"decimal comma, a point", amount("decimal_separator: ','"), "10150817        1234.50", fieldAmount, bad},
		{"exact decimals", amount("decimal_separator: ',', decimals: 3"), "10150817       1234,500", fieldAmount, "1234.50"},
		{"exact decimals, fewer", amount("decimal_separator: ',', decimals: 3"), "10150817        1234,50", fieldAmount, bad},
		{"exact decimals that matter", amount("decimal_separator: ',', decimals: 3"), "10150817       1234,501", fieldAmount, bad},

		{"thousands", amount("decimal_separator: ',', thousands_separator: '.'"), "10150817   1.234.567,50", fieldAmount, "1234567.50"},
		{"thousands, no-break space", amount("decimal_separator: ',', thousands_separator: \"\\u00a0\""), "10150817   1\u00a0234\u00a0567,50", fieldAmount, "1234567.50"},
		{"thousands, wrong groups", amount("decimal_separator: ',', thousands_separator: '.'"), "10150817    1.23.456,50", fieldAmount, bad},
		{"thousands, a long group", amount("decimal_separator: ',', thousands_separator: '.'"), "10150817    1234.567,50", fieldAmount, bad},
		{"thousands, a short end", amount("decimal_separator: ',', thousands_separator: '.'"), "10150817     1.234.56,5", fieldAmount, bad},
		{"thousands, none before", amount("decimal_separator: ',', thousands_separator: '.'"), "10150817       .234,567", fieldAmount, bad},
		{"thousands, none after", amount("decimal_separator: ',', thousands_separator: '.'"), "10150817        234.,50", fieldAmount, bad},

		{"leading sign", amount("decimals: 2"), "10150817        -123450", fieldAmount, "-1234.50"},
		{"leading sign apart", amount("decimals: 2"), "10150817-        123450", fieldAmount, "-1234.50"},
		{"leading sign, trailing", amount("decimals: 2"), "10150817        123450-", fieldAmount, bad},
		{"leading plus, not said", amount("decimals: 2"), "10150817        +123450", fieldAmount, bad},
		{"leading plus", amount("decimals: 2, sign: {positive: +}"), "10150817        +123450", fieldAmount, "1234.50"},
		{"trailing sign", amount("decimals: 2, sign: {at: trailing}"), "10150817        123450-", fieldAmount, "-1234.50"},
		{"trailing sign, leading", amount("decimals: 2, sign: {at: trailing}"), "10150817        -123450", fieldAmount, bad},
		{"trailing words", amount("decimals: 2, sign: {at: trailing, negative: DR, positive: CR}"), "10150817      123450 DR", fieldAmount, "-1234.50"},
		{"no sign", amount("decimals: 2, sign: {at: none}"), "10150817        -123450", fieldAmount, bad},
		{"negative zero", amount("decimals: 2"), "10150817            -00", fieldAmount, "0.00"},

		{"sign field", amount("decimals: 2, sign: {start: 24, length: 1, negative: D, positive: K}"), "10150817000000000123450D", fieldAmount, "-1234.50"},
		{"sign field, other", amount("decimals: 2, sign: {start: 24, length: 1, negative: D, positive: K}"), "10150817000000000123450 ", fieldAmount, bad},
		{"sign field, missing", amount("decimals: 2, sign: {start: 24, length: 1, negative: D, positive: K}"), "10150817000000000123450", fieldAmount, bad},
		{"sign field, minus", amount("decimals: 2, sign: {start: 24, length: 1}"), "10150817000000000123450-", fieldAmount, "-1234.50"},
		{"sign field of digits", amount("decimals: 2, sign: {start: 24, length: 1, negative: 1, positive: 0}"), "101508170000000001234501", fieldAmount, "-1234.50"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, badLines, _ := readText(t, mustParse(t, test.layout), test.line+"\n")
			if test.want == bad {
				if assert.Len(t, badLines, 1) {
					assert.Equal(t, fieldNames[test.field], badLines[0].Field, badLines[0].Reason)
				}
				return
			}
			require.Empty(t, badLines)
			require.Len(t, rows, 1)
			assert.Equal(t, test.want, rows[0].fields()[test.field])
		})
	}
}

// A reason says in the layout's own terms what it expects of an amount and its
// sign.
func TestLayoutAmountReasons(t *testing.T) {
	tests := map[string]string{
		`decimals: 2`:                   `expected an amount in digits, the last 2 being decimals; at most 12 digits before the decimals; "-" in front if negative; found "x"`,
		`decimals: 0, sign: {at: none}`: `expected an amount in digits, without decimals; at most 12 digits before the decimals; found "x"`,
		`decimals: 3, decimal_separator: ",", sign: {at: trailing, negative: DR}`: `expected an amount with 3 decimals after ",", zero beyond the second; at most 12 digits before the decimals; "DR" at the end if negative; found "x"`,
		`decimal_separator: ",", thousands_separator: "."`:                        `expected an amount with up to 2 decimals after ","; at most 12 digits before the decimals; "." between groups of three digits; "-" in front if negative; found "x"`,
		`decimals: 2, sign: {column: 2, negative: D, positive: K}`:                `expected the sign "D" or "K", found "Visa"`,
		`decimals: 2, sign: {column: 2, start: 5, length: 1}`:                     `sign missing or incomplete: the line is too short`,
	}
	for keys, want := range tests {
		layout := mustParse(t, change(t, delimitedLayout, `{column: 3, decimal_separator: "."}`, "{column: 3, "+keys+"}"))
		_, bad, _ := readText(t, layout, "10150817|Visa|x\n")
		assert.Equal(t, []BadLine{{1, "amountDkk", want}}, bad, keys)
	}
}

// Delimited layouts find columns by name or number, quote or don't, and take
// parts of columns; every record has as many fields as it must.
func TestLayoutDelimited(t *testing.T) {
	named := change(t, delimitedLayout, "columns: 3", "header: true", "{column: 1}", "{column: CVR}")
	tests := []struct {
		name, layout, file, transferType string
		bad                              []BadLine
	}{
		{"by number", delimitedLayout, "10150817|Visa|1\n", "Visa", nil},
		{"quotes", delimitedLayout, `10150817|"Visa|""D"""|1` + "\n", `Visa|"D"`, nil},
		{"no quotes", delimitedLayout + "quote: false\n", `10150817|"Visa"" |1` + "\n", `"Visa""`, nil},
		{"too few fields", delimitedLayout, "10150817|Visa\n", "", []BadLine{{1, "", "expected 3 fields, found 2"}}},
		{"too many fields", delimitedLayout, "10150817|Visa|1|2\n", "", []BadLine{{1, "", "expected 3 fields, found 4"}}},
		{"by name, other columns", named, "x|Type|Amount|CVR\n1|Visa|1|10150817\n", "Visa", nil},
		{"too few fields for the header", named, "x|Type|Amount|CVR\n1|Visa|1\n", "", []BadLine{{2, "", "expected 4 fields, found 3"}}},
		{"a column that is not there", named, "x|Type|Amount\n1|Visa|1\n", "", []BadLine{{1, "cvr", "the header has no column CVR"}}},
		{"a column that is there twice", named, "CVR|Type|Amount|CVR\n1|Visa|1|10150817\n", "", []BadLine{{1, "cvr", "the header has the column CVR more than once"}}},
		{"too few columns", named, "CVR|Type\n10150817|Visa\n", "", []BadLine{{1, "amountDkk", "expected column 3, but the header has only 2"}}},
		{"a sign column by name", change(t, named, `"."}`, `".", sign: {column: DK, negative: D, positive: K}}`), "CVR|Type|Amount|DK\n10150817|Visa|1|K\n", "Visa", nil},
		{"a sign column that is not there", change(t, named, `"."}`, `".", sign: {column: DK, negative: D, positive: K}}`), "CVR|Type|Amount\n10150817|Visa|1\n", "", []BadLine{{1, "amountDkk.sign", "the header has no column DK"}}},
		{"a part of a column", change(t, delimitedLayout, "transferType: {column: 2}", "transferType: {column: 2, start: 2, length: 3}"), "10150817|æøåüx|1\n", "øåü", nil},
		{"the rest of a column", change(t, delimitedLayout, "transferType: {column: 2}", "transferType: {column: 2, start: 3}"), "10150817|æøåüx|1\n", "åüx", nil},
		{"a part behind the end", change(t, delimitedLayout, "transferType: {column: 2}", "transferType: {column: 2, start: 7}"), "10150817|æøåüx|1\n", "", []BadLine{{1, "transferType", "missing or incomplete: the line is too short"}}},
		{"a part that is not there", change(t, delimitedLayout, "transferType: {column: 2}", "transferType: {column: 2, start: 3, length: 4}"), "10150817|æøåüx|1\n", "", []BadLine{{1, "transferType", "missing or incomplete: the line is too short"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, mustParse(t, test.layout), test.file)
			assert.Equal(t, test.bad, bad)
			if test.bad == nil && assert.Len(t, rows, 1) {
				assert.Equal(t, "10150817", rows[0].CVR)
				assert.Equal(t, test.transferType, rows[0].TransferType)
				assert.Equal(t, "1.00", rows[0].Amount)
			}
		})
	}
}

// Names of encodings mean what IANA says: iso-8859-1 is not windows-1252.
// A byte without meaning makes the line bad.
func TestLayoutEncodings(t *testing.T) {
	layout := func(keys string) string {
		return change(t, fixedLayout, "transferType: {value: Visa}", "transferType: {start: 19, length: 3}") + keys + "\n"
	}
	const line = "101508170000000001"
	tests := []struct {
		name, layout, file, want string
		reason                   string
	}{
		{"utf-8", layout(""), line + "Kø€\n", "Kø€", ""},
		{"utf8", layout("encoding: UTF8"), "\ufeff" + line + "Kø€\n", "Kø€", ""},
		{"utf-8, too short", layout(""), line + "Kø\n", "", "missing or incomplete: the line is too short"},
		{"iso-8859-1", layout("encoding: ISO-8859-1"), line + "K\xf8p\r\n", "Køp", ""},
		{"iso-8859-1 by another name", layout("encoding: latin1"), line + "K\xf8p\n", "Køp", ""},
		{"iso-8859-1 has no euro", layout("encoding: iso-8859-1"), line + "K\xf8\x80\n", "", "control character U+0080 at character 21"},
		{"windows-1252", layout("encoding: windows-1252"), line + "K\xf8\x80\n", "Kø€", ""},
		{"ibm865", layout("encoding: ibm865"), line + "K\x9bp\n", "Køp", ""},
		{"iso-8859-8, a byte without meaning", layout("encoding: iso-8859-8"), line + "K\xffp\n", "", "byte 0xFF at character 20 is not valid in iso-8859-8"},
		{"ibm037, NEL", layout("encoding: ibm037\nline_end: nel"), ebcdic(t, line+"Køp"+"\u0085"), "Køp", ""},
		{"ibm1047, LF", layout("encoding: cp037"), ebcdic(t, line+"Køp\r\n"), "Køp", ""},
		{"ibm037, no line end", layout("encoding: ibm037\nline_end: none\nwidth: 21"), ebcdic(t, line+"Køp"), "Køp", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, mustParse(t, test.layout), test.file)
			if test.reason != "" {
				if assert.Len(t, bad, 1) {
					assert.Equal(t, test.reason, bad[0].Reason)
				}
				return
			}
			assert.Empty(t, bad)
			if assert.Len(t, rows, 1) {
				assert.Equal(t, test.want, rows[0].TransferType)
				assert.Equal(t, line+test.want, rows[0].RawLine)
			}
		})
	}
}

func ebcdic(t testing.TB, text string) string {
	t.Helper()
	encoded, err := charmap.CodePage037.NewEncoder().String(text)
	require.NoError(t, err)
	return encoded
}

// Records without line ends follow each other; one that is cut off is bad, and
// an index counts records.
func TestLayoutWithoutLineEnds(t *testing.T) {
	layout, file := ebcdicOf(t, 5_000)
	rows, bad, summary := readAll(t, layout, bytes.NewReader(file))
	assert.Empty(t, bad)
	assert.Equal(t, Summary{Lines: 5_000, Records: 5_000}, summary)
	assert.Equal(t, row{4_999, "10004999", "4999", "0000004999", "KØB", "2026-01-31", "49.99", 499,
		"1000499949990000004999KØB       202601310000000499000000000004999K    "}, rows[4_999])

	_, bad, summary = readAll(t, layout, bytes.NewReader(append(file, ebcdic(t, strings.Repeat(" ", 70))...)))
	assert.Empty(t, bad, "a blank record is passed over, at the end too")
	assert.Equal(t, Summary{Lines: 5_001, Records: 5_000}, summary)

	rows, bad, _ = readAll(t, layout, bytes.NewReader(file[:len(file)-1]))
	assert.Len(t, rows, 4_999)
	assert.Equal(t, []BadLine{{5_000, "", "expected 70 characters, found 69 and no line end; the file may be truncated"}}, bad)
}

// A layout's mistake is refused with its line, its key, and what is expected
// there.
func TestParseLayoutMistakes(t *testing.T) {
	fixed := func(keys string) string { return fixedLayout + keys }
	fixedAmount := func(keys string) string { return change(t, fixedLayout, "length: 10, decimals: 2", keys) }
	delimited := func(pairs ...string) string { return change(t, delimitedLayout, pairs...) }
	tests := []struct{ name, layout, want string }{
		{"empty", "", "the layout is empty"},
		{"no YAML", "format: [", "line 2: did not find expected node content"},
		{"unknown key", fixed("widht: 80"), "line 10: unknown key widht"},
		{"unknown field", change(t, fixedLayout, "cvr:", "CVR:"), "fields: unknown field CVR; expected cvr, regNumber, accountNumber, transferType, dispositionDate, count or amountDkk"},
		{"unknown key of a field", change(t, fixedLayout, "{start: 1, length: 8}", "{start: 1, lenght: 8}"), "line 3: unknown key lenght"},
		{"a key of another field", change(t, fixedLayout, "{start: 1, length: 8}", "{start: 1, length: 8, decimals: 2}"), "fields.cvr: decimals, separators and sign are only allowed for amountDkk"},
		{"a key twice", fixed("format: fixed"), "line 10: mapping key \"format\" already defined at line 1"},

		{"no format", change(t, fixedLayout, "format: fixed\n", ""), "format: missing; expected fixed or delimited"},
		{"another format", change(t, fixedLayout, "format: fixed", "format: csv"), "format: expected fixed or delimited, found \"csv\""},
		{"a long name", fixed("name: " + strings.Repeat("ø", 41)), "name: expected at most 40 characters"},
		{"encoding", fixed("encoding: klingon"), "encoding: unknown encoding \"klingon\"; expected utf-8 or the IANA name of a single-byte encoding, such as iso-8859-1, windows-1252, ibm037 or ibm1047"},
		{"encoding of several bytes", fixed("encoding: shift_jis"), "encoding: unknown encoding \"shift_jis\"; expected utf-8 or the IANA name of a single-byte encoding, such as iso-8859-1, windows-1252, ibm037 or ibm1047"},
		{"line_end", fixed("line_end: crlf"), "line_end: expected lf, nel or none, found \"crlf\""},
		{"NEL in UTF-8", fixed("line_end: nel"), "line_end: the encoding has no such character"},
		{"no line ends without a width", fixed("encoding: latin1\nline_end: none"), "line_end: none requires format: fixed, a width and a single-byte encoding"},
		{"no line ends, delimited", delimitedLayout + "encoding: latin1\nline_end: none", "line_end: none requires format: fixed, a width and a single-byte encoding"},
		{"skip_lines", fixed("skip_lines: -1"), "skip_lines: expected an integer from 0 to 1000000"},
		{"width", fixed("width: wide"), "line 10: expected a whole number, found `wide`"},
		{"width beyond the longest line", fixed("width: 65537"), "width: expected an integer from 1 to 65536"},
		{"width, delimited", delimitedLayout + "width: 80", "width: only allowed with format: fixed"},
		{"delimiter, fixed", fixed("delimiter: ','"), "format: delimiter, quote, header and columns are only allowed with format: delimited"},

		{"no delimiter", delimited("delimiter: \"|\"\n", ""), "delimiter: expected the one character between fields, such as \";\" or \"\\t\""},
		{"two delimiters", delimited(`"|"`, `"||"`), "delimiter: expected the one character between fields, such as \";\" or \"\\t\""},
		{"a letter as delimiter", delimited(`"|"`, `"x"`), "delimiter: expected an ASCII character other than a letter, digit or double quote"},
		{"a delimiter beyond ASCII", delimited(`"|"`, `"¤"`), "delimiter: expected an ASCII character other than a letter, digit or double quote"},
		{"no columns", delimited("columns: 3\n", ""), "columns: expected either the number of fields per record, or header: true"},
		{"columns and header", delimitedLayout + "header: true", "columns: expected either the number of fields per record, or header: true"},

		{"no fields", "format: fixed", "fields: missing; expected cvr, regNumber, accountNumber, transferType, dispositionDate, count or amountDkk"},
		{"a field missing", change(t, fixedLayout, "  count: {value: 1}\n", ""), "fields.count: missing"},
		{"no start", change(t, fixedLayout, "{start: 1, length: 8}", "{length: 8}"), "fields.cvr: expected start and length"},
		{"start from zero", change(t, fixedLayout, "{start: 1, length: 8}", "{start: 0, length: 8}"), "fields.cvr.start: expected an integer from 1 to 65536"},
		{"behind the width", fixed("width: 17"), "fields.amountDkk.length: the field extends beyond the width of 17 characters"},
		{"a sign behind the width", fixedAmount("length: 10, decimals: 2, sign: {start: 19, length: 1}") + "width: 18", "fields.amountDkk.sign.length: the field extends beyond the width of 18 characters"},
		{"no column", delimited("{column: 1}", "{start: 1}"), "fields.cvr.column: missing; expected the column's number, or its name in the header"},
		{"a column too many", delimited("{column: 1}", "{column: 4}"), "fields.cvr.column: expected an integer from 1 to 3"},
		{"a name without a header", delimited("{column: 1}", "{column: CVR}"), "fields.cvr.column: expected a column number; a name requires header: true and no from_line"},
		{"value and a place", change(t, fixedLayout, "count: {value: 1}", "count: {value: 1, start: 1}"), "fields.count: nothing is allowed with value"},
		{"value of a CVR", change(t, fixedLayout, "{start: 1, length: 8}", "{value: 1234}"), "fields.cvr.value: expected exactly 8 digits, found \"1234\""},
		{"value with a control character", change(t, fixedLayout, "{value: Visa}", `{value: "Vi\nsa"}`), "fields.transferType.value: must not contain control characters"},
		{"empty value", change(t, fixedLayout, "{value: Visa}", `{value: " "}`), "fields.transferType.value: must not be empty"},
		{"zero_padded", change(t, fixedLayout, "{start: 1, length: 8}", "{start: 1, length: 8, zero_padded: 1}"), "line 3: expected true or false, found `1`"},
		{"date_format", change(t, fixedLayout, "{value: 2026-01-31}", "{start: 1, length: 8, date_format: YYYY-MM}"), "fields.dispositionDate.date_format: expected YYYY or YY, MM and DD, each once, such as YYYYMMDD, DDMMYY or DD-MM-YYYY"},
		{"date_format with a part twice, YYYY-MM-DD-MM", change(t, fixedLayout, "{value: 2026-01-31}", "{start: 1, length: 8, date_format: YYYY-MM-DD-MM}"), "fields.dispositionDate.date_format: expected YYYY or YY, MM and DD, each once, such as YYYYMMDD, DDMMYY or DD-MM-YYYY"},

		{"no decimals", fixedAmount("length: 10"), "fields.amountDkk.decimals: missing; expected the number of implied decimals, or decimal_separator"},
		{"many decimals", fixedAmount("length: 10, decimals: 7"), "fields.amountDkk.decimals: expected an integer from 0 to 6"},
		{"a separator for no decimals", fixedAmount("length: 10, decimals: 0, decimal_separator: ','"), "fields.amountDkk.decimals: must not be 0 with a decimal_separator"},
		{"a digit as separator", fixedAmount("length: 10, decimal_separator: 0"), "fields.amountDkk.decimal_separator: expected a single character other than a digit or double quote"},
		{"the same separators", fixedAmount("length: 10, decimal_separator: ',', thousands_separator: ','"), "fields.amountDkk.thousands_separator: must differ from decimal_separator"},
		{"thousands of implied decimals", fixedAmount("length: 10, decimals: 2, thousands_separator: '.'"), "fields.amountDkk.thousands_separator: requires a decimal_separator or decimals: 0"},
		{"the delimiter as separator", delimited(`decimal_separator: "."`, `decimal_separator: "|"`) + "quote: false", "fields.amountDkk.decimal_separator: must differ from the delimiter unless quote is true"},
		{"sign", fixedAmount("length: 10, decimals: 2, sign: '-'"), "line 9: expected a mapping of keys to values, found `-`"},
		{"sign at", fixedAmount("length: 10, decimals: 2, sign: {at: middle}"), "fields.amountDkk.sign.at: expected leading, trailing or none, found \"middle\""},
		{"sign at and in a field", fixedAmount("length: 10, decimals: 2, sign: {at: none, start: 1, length: 1}"), "fields.amountDkk.sign.at: not allowed with start, length or column"},
		{"no sign but a text for it", fixedAmount("length: 10, decimals: 2, sign: {at: none, negative: D}"), "fields.amountDkk.sign.negative: not allowed with at: none"},
		{"the same signs", fixedAmount("length: 10, decimals: 2, sign: {negative: D, positive: D}"), "fields.amountDkk.sign.negative: must not be blank or the same as positive"},
		{"a digit as sign", fixedAmount("length: 10, decimals: 2, sign: {negative: 1}"), "fields.amountDkk.sign.negative: negative and positive must not contain digits unless the sign is a field of its own"},

		{"records without a prefix", fixed("records: {start: 1}"), "records.prefix: missing; expected the text that records start with"},
		{"an empty prefix", fixed("records: {prefix: ''}"), "records.prefix: expected a text that is not empty"},
		{"a column for the prefix, fixed", fixed("records: {prefix: D, column: 1}"), "records.column: only allowed with format: delimited"},
		{"a record to ignore", fixed("records: {prefix: D}\nignore: [H, D]"), "ignore: \"D\" is already used as a prefix"},
		{"a record that is carried from", change(t, fixedLayout, "{start: 1, length: 8}", "{start: 1, length: 8, from_line: D}") + "records: {prefix: D}", "fields.cvr.from_line: \"D\" is already used as a prefix"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			layout, err := ParseLayout([]byte(test.layout))
			assert.EqualError(t, err, test.want)
			assert.Nil(t, layout)
		})
	}
}

// A layout is read by many goroutines at once without sharing anything: what
// one learns from a header is not the other's.
func TestLayoutIsImmutable(t *testing.T) {
	layout := mustParse(t, change(t, delimitedLayout, "columns: 3", "header: true", "{column: 1}", "{column: CVR}", "transferType: {column: 2}", "transferType: {column: Type}", "{column: 3,", "{column: Amount,"))
	files := []string{"CVR|Type|Amount\n10150817|Visa|1\n", "Amount|CVR|x|Type\n1|10150817||Visa\n"}
	for i := range 20 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for j := range 50 {
				rows, bad, _ := readText(t, layout, files[(i+j)%2])
				assert.Empty(t, bad)
				if assert.Len(t, rows, 1) {
					assert.Equal(t, "10150817", rows[0].CVR)
				}
			}
		})
	}
}
