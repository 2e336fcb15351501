package format

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const csvExpected = "cvr, regNumber, accountNumber, transferType, dispositionDate, count, amountDkk in any order, separated by commas or semicolons"

// The header has the seven names in any order, with , or ;. A bad one is told
// once, with what is expected, and no further line is read.
func TestCSVHeader(t *testing.T) {
	good := map[string]string{
		"commas":            csvHead + csvLine,
		"semicolons":        strings.ReplaceAll(csvHead+csvLine, ",", ";"),
		"another order":     "amountDkk,count,dispositionDate,transferType,accountNumber,regNumber,cvr\n1234.50,3,2026-01-31,Visa,0012345678,1234,10150817\n",
		"spaces and quotes": "cvr , \tregNumber,\"accountNumber\",\" transferType \",dispositionDate,count,amountDkk\r\n" + csvLine,
	}
	for name, file := range good {
		t.Run(name, func(t *testing.T) {
			rows, bad, _ := readText(t, CSV(), file)
			assert.Empty(t, bad)
			if assert.Len(t, rows, 1) {
				rows[0].RawLine = ""
				assert.Equal(t, row{1, "10150817", "1234", "0012345678", "Visa", "2026-01-31", "1234.50", 3, ""}, rows[0])
			}
		})
	}

	bad := []struct {
		name, header string
		want         BadLine
	}{
		{"missing", "cvr,regNumber,accountNumber,transferType,dispositionDate,count", BadLine{1, "amountDkk", "the header has no column amountDkk; expected " + csvExpected}},
		{"doubled", "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk,count", BadLine{1, "count", "the header has the column count more than once; expected " + csvExpected}},
		{"unknown", "cvr,regNumber,konto,transferType,dispositionDate,count,amountDkk", BadLine{1, "", `column 3 of the header is unknown: "konto"; expected ` + csvExpected}},
		{"without a name", "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk,", BadLine{1, "", "column 8 of the header has no name; expected " + csvExpected}},
		{"no header", "0012345678,1234,10150817,Visa,2026-01-31,3,1234.50", BadLine{1, "", "column 1 of the header is unknown and looks like a value; expected " + csvExpected}},
		{"an unclosed quote", `"cvr,regNumber`, BadLine{1, "", "unclosed double quote; a field can't span lines"}},
		{"after blank lines", "\n\nkonto", BadLine{3, "", `column 1 of the header is unknown: "konto"; expected ` + csvExpected}},
		{"too long", strings.Repeat("cvr,", maxLine), BadLine{1, "", "the line is longer than 65536 bytes"}},
	}
	for _, test := range bad {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, summary := readText(t, CSV(), test.header+"\n"+csvLine+csvLine+"nonsense\n")
			assert.Empty(t, rows)
			assert.Equal(t, []BadLine{test.want}, bad)
			assert.Equal(t, test.want.Line, summary.Lines, "no further line is read")
		})
	}
}

// A csv file without a record can't be told from one that was cut off: bad.
func TestCSVWithoutRecordsIsBad(t *testing.T) {
	noRecords := "the file has no records; it may be truncated"
	for file, want := range map[string]BadLine{
		csvHead:                    {1, "", noRecords},
		strings.TrimSpace(csvHead): {1, "", noRecords},
		"\n" + csvHead + "\n\n":    {2, "", noRecords},
		"\n\r\n  \n":               {1, "", "the file has no header line"},
		"\ufeff":                   {1, "", "column 1 of the header has no name; expected " + csvExpected},
		csvHead + "1,2\n":          {2, "", "expected 7 fields, found 2"},
		"   ":                      {1, "", "column 1 of the header has no name; expected " + csvExpected},
	} {
		rows, bad, _ := readText(t, CSV(), file)
		assert.Empty(t, rows)
		assert.Equal(t, []BadLine{want}, bad, "%q", file)
	}
}

// Every field has its rule; a value that breaks it makes the line bad, with
// the field and the reason. Bank numbers are never shown in one.
func TestCSVFields(t *testing.T) {
	const (
		expectedAmount = "expected an amount such as 1234.50 or -0.75; at most 12 digits before the point; no thousands separators; found "
		expectedCount  = "expected an integer from 0 to 9007199254740991, found "
		expectedDate   = "expected a date from 1900 to 9999 in the format YYYY-MM-DD, found "
	)
	tests := []struct{ field, value, want, reason string }{
		{"cvr", "10150817", "10150817", ""},
		{"cvr", "", "", `expected exactly 8 digits, found ""`},
		{"cvr", "1015081", "", `expected exactly 8 digits, found "1015081"`},
		{"cvr", "DK150817", "", `expected exactly 8 digits, found "DK150817"`},
		{"cvr", "1015081٣", "", `expected exactly 8 digits, found "1015081٣"`},
		{"cvr", strings.Repeat("æ", 40), "", `expected exactly 8 digits, found "` + strings.Repeat("æ", 40) + `"`},
		{"cvr", strings.Repeat("æ", 41), "", `expected exactly 8 digits, found "` + strings.Repeat("æ", 40) + `"…`},

		{"regNumber", "0001", "0001", ""},
		{"regNumber", "", "", "expected exactly 4 digits, found nothing"},
		{"regNumber", "123", "", "expected exactly 4 digits, found 3 digits"},
		{"regNumber", "1æ34", "", "expected exactly 4 digits, found 4 characters, not all digits"},

		{"accountNumber", "1", "1", ""},
		{"accountNumber", "0012345678", "0012345678", ""},
		{"accountNumber", "", "", "expected 1 to 10 digits, found nothing"},
		{"accountNumber", "12345678901", "", "expected 1 to 10 digits, found 11 digits"},

		{"transferType", "Visa", "Visa", ""},
		{"transferType", "  Visa Dankort \t", "Visa Dankort", ""},
		{"transferType", strings.Repeat("ø", 100), strings.Repeat("ø", 100), ""},
		{"transferType", strings.Repeat("ø", 101), "", `expected at most 100 characters, found "` + strings.Repeat("ø", 40) + `"…`},
		{"transferType", "", "", "must not be empty"},

		{"dispositionDate", "2026-01-31", "2026-01-31", ""},
		{"dispositionDate", "1900-01-01", "1900-01-01", ""},
		{"dispositionDate", "9999-12-31", "9999-12-31", ""},
		{"dispositionDate", "2024-02-29", "2024-02-29", ""},
		{"dispositionDate", "1900-02-29", "", expectedDate + `"1900-02-29"`},
		{"dispositionDate", "2026-02-29", "", expectedDate + `"2026-02-29"`},
		{"dispositionDate", "2026-04-31", "", expectedDate + `"2026-04-31"`},
		{"dispositionDate", "2026-13-01", "", expectedDate + `"2026-13-01"`},
		{"dispositionDate", "1899-12-31", "", expectedDate + `"1899-12-31"`},
		{"dispositionDate", "31-01-2026", "", expectedDate + `"31-01-2026"`},
		{"dispositionDate", "2026-1-31", "", expectedDate + `"2026-1-31"`},
		{"dispositionDate", "2026/01/31", "", expectedDate + `"2026/01/31"`},
		{"dispositionDate", "", "", expectedDate + `""`},

		{"count", "0", "0", ""},
		{"count", "007", "7", ""},
		{"count", "9007199254740991", "9007199254740991", ""},
		{"count", "9007199254740992", "", expectedCount + `"9007199254740992"`},
		{"count", "", "", expectedCount + `""`},
		{"count", "-1", "", expectedCount + `"-1"`},
		{"count", "1.0", "", expectedCount + `"1.0"`},

		{"amountDkk", "1234.50", "1234.50", ""},
		{"amountDkk", "1234.5", "1234.50", ""},
		{"amountDkk", "1234", "1234.00", ""},
		{"amountDkk", "-0.75", "-0.75", ""},
		{"amountDkk", "0", "0.00", ""},
		{"amountDkk", "-0.00", "0.00", ""},
		{"amountDkk", "007.10", "7.10", ""},
		{"amountDkk", "000000000000.01", "0.01", ""},
		{"amountDkk", "999999999999.99", "999999999999.99", ""},
		{"amountDkk", "-999999999999.99", "-999999999999.99", ""},
		{"amountDkk", "1000000000000", "", expectedAmount + `"1000000000000"`},
		{"amountDkk", "0000000000000.01", "", expectedAmount + `"0000000000000.01"`},
		{"amountDkk", "1.234", "", expectedAmount + `"1.234"`},
		{"amountDkk", "1.", "", expectedAmount + `"1."`},
		{"amountDkk", ".50", "", expectedAmount + `".50"`},
		{"amountDkk", "-", "", expectedAmount + `"-"`},
		{"amountDkk", "", "", expectedAmount + `""`},
		{"amountDkk", "+1.00", "", expectedAmount + `"+1.00"`},
		{"amountDkk", "1.00-", "", expectedAmount + `"1.00-"`},
		{"amountDkk", `"1,234.50"`, "", expectedAmount + `"1,234.50"`},
		{"amountDkk", "1 234.50", "", expectedAmount + `"1 234.50"`},
		{"amountDkk", " 1.00", "", expectedAmount + `" 1.00"`},
	}
	for _, test := range tests {
		t.Run(test.field+" "+test.value, func(t *testing.T) {
			cells := strings.Split(strings.TrimSpace(csvLine), ",")
			at := slices.Index(fieldNames[:], test.field)
			cells[at] = test.value
			line := strings.Join(cells, ",")
			rows, bad, _ := readText(t, CSV(), csvHead+line+"\n"+csvLine)
			if test.reason != "" {
				assert.Equal(t, []BadLine{{2, test.field, test.reason}}, bad)
				assert.Len(t, rows, 1, "the next line is read")
				return
			}
			assert.Empty(t, bad)
			cells[at] = test.want
			assert.Equal(t, cells, rows[0].fields())
			assert.Equal(t, line, rows[0].RawLine)
		})
	}
}

// Lines have as many fields as the header, and quotes as RFC 4180 has them,
// except that no field reaches over its line's end.
func TestCSVLines(t *testing.T) {
	const unclosed = "unclosed double quote; a field can't span lines"
	const inside = "double quote inside an unquoted field; quote the whole field and double the quote"
	tests := []struct{ name, line, transferType, reason string }{
		{"plain", `10150817,1234,1,Visa,2026-01-31,3,1.00`, "Visa", ""},
		{"delimiter in quotes", `10150817,1234,1,"Visa, Dankort",2026-01-31,3,1.00`, "Visa, Dankort", ""},
		{"doubled quotes", `10150817,1234,1,"""Visa"" and ""Dankort""",2026-01-31,3,1.00`, `"Visa" and "Dankort"`, ""},
		{"an empty field in quotes", `10150817,1234,1,"",2026-01-31,3,1.00`, "", "transferType: must not be empty"},
		{"the other delimiter", `10150817,1234,1,Visa;Dankort,2026-01-31,3,1.00`, "Visa;Dankort", ""},
		{"too few", `10150817,1234,1,Visa,2026-01-31,3`, "", "expected 7 fields, found 6"},
		{"too many", `10150817,1234,1,Visa,2026-01-31,3,1.00,`, "", "expected 7 fields, found 8"},
		{"unclosed", `10150817,1234,1,"Visa,2026-01-31,3,1.00`, "", unclosed},
		{"quote inside", `10150817,1234,1,12" pipe,2026-01-31,3,1.00`, "", inside},
		{"space before a quote", `10150817,1234,1, "Visa",2026-01-31,3,1.00`, "", inside},
		{"text after a quote", `10150817,1234,1,"Visa" ,2026-01-31,3,1.00`, "", "text after a closing double quote"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, CSV(), csvHead+test.line+"\n"+csvLine)
			if test.reason != "" {
				if assert.Len(t, bad, 1) {
					assert.EqualValues(t, 2, bad[0].Line)
					assert.Equal(t, test.reason, strings.TrimPrefix(bad[0].Field+": "+bad[0].Reason, ": "))
				}
				assert.Len(t, rows, 1, "the next line is read")
				return
			}
			assert.Empty(t, bad)
			assert.Equal(t, test.transferType, rows[0].TransferType)
			assert.Equal(t, "1.00", rows[0].Amount)
			assert.Equal(t, test.line, rows[0].RawLine)
		})
	}
}

// A file that was cut off in the middle of a line never gives a record with a
// shortened value: a last line without a line end is taken only where it ends
// with an amount that has both its decimals.
func TestCSVLastLineWithoutLineEnd(t *testing.T) {
	amountFirst := "amountDkk,cvr,regNumber,accountNumber,transferType,dispositionDate,count\n"
	tests := []struct {
		name, file string
		bad        []BadLine
	}{
		{"both decimals", csvHead + "10150817,1234,1,Visa,2026-01-31,3,1234.50", nil},
		{"both decimals in quotes", csvHead + `10150817,1234,1,Visa,2026-01-31,3,"1234.50"`, nil},
		{"one decimal", csvHead + "10150817,1234,1,Visa,2026-01-31,3,1234.5", []BadLine{{2, "", cutOff}}},
		{"no point", csvHead + "10150817,1234,1,Visa,2026-01-31,3,1234", []BadLine{{2, "", cutOff}}},
		{"too few fields", csvHead + "10150817,1234,1,Vi", []BadLine{{2, "", cutOff}}},
		{"in quotes", csvHead + `10150817,1234,1,Visa,2026-01-31,3,"1234.50`, []BadLine{{2, "", cutOff}}},
		{"the amount elsewhere", amountFirst + "1234.50,10150817,1234,1,Visa,2026-01-31,3", []BadLine{{2, "", cutOff}}},
		{"the amount elsewhere, with a line end", amountFirst + "1234.50,10150817,1234,1,Visa,2026-01-31,3\n", nil},
		{"another field is bad", csvHead + "1015081,1234,1,Visa,2026-01-31,3,1234.50", []BadLine{{2, "cvr", `expected exactly 8 digits, found "1015081"`}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, CSV(), test.file)
			assert.Equal(t, test.bad, bad)
			if test.bad == nil && assert.Len(t, rows, 1) {
				assert.Equal(t, "1234.50", rows[0].Amount)
			}
		})
	}

	// Whatever the place of the cut: either bad, or the record as it was.
	file := csvHead + "10150817,1234,0012345678,\"a \"\"b\"\"\",2026-01-31,3,\"1234.50\"\n"
	whole, bad, _ := readText(t, CSV(), file)
	assert.Empty(t, bad)
	for cut := range len(file) {
		rows, bad, _ := readText(t, CSV(), file[:cut])
		if len(rows) > 0 {
			assert.Equal(t, whole, rows, "cut at %d", cut)
			assert.Empty(t, bad)
		} else {
			assert.Len(t, bad, 1, "cut at %d", cut)
		}
	}
}
