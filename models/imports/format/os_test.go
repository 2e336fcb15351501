package format

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func osStart() string {
	return fmt.Sprintf("OS121%-14s%9s%-20s%3s%s%s%20s\n", "NETWORK", "000000001", "DELIVERY-1", "", "12345674", "0", "")
}

func osSectionStart() string {
	return fmt.Sprintf("OS2%s%26s%s%s%10s%s%s%13s\n", "01", "", "310126", "1234", "0012345678", "12345674", "10150817", "")
}

func osTransfer(ore string) string {
	return fmt.Sprintf("OS5%s%s%10s%s%s%s%10s%-20s%13s%44s\n", "01", "4321", "8765432109", zeros(12, ore), "310126", "1234", "0012345678", "TEXT", "1", "")
}

func osSectionEnd(count, ore string) string {
	return fmt.Sprintf("OS8%s%4s%s%s%s%s%10s%s%s%13s\n", "01", "", zeros(10, count), zeros(12, ore), "310126", "1234", "0012345678", "12345674", "10150817", "")
}

func osEnd(count, ore string) string {
	return fmt.Sprintf("OS929%4s%s%s%06d%s%s%021d\n", "", zeros(10, count), zeros(12, ore), 0, "99999999999999", "12345674", 0)
}

func zeros(width int, digits string) string {
	return strings.Repeat("0", width-len(digits)) + digits
}

// A section end becomes a record: the company is the payer, øre become kroner,
// ddMMyy a date, and the raw line is the section end as delivered. Characters are
// those of Windows-1252, which are those of ISO-8859-1 and some more.
func TestOSRecord(t *testing.T) {
	last := strings.Replace(osSectionEnd("2", "123450"), "0012345678", "  12345678", 1)
	file := osStart() + osSectionStart() + osTransfer("123400") + osTransfer("50") + last + osEnd("2", "123450")
	number := strings.NewReplacer("OS201", "OS2Ø€", "OS501", "OS5Ø€", "OS801", "OS8Ø€")
	file, last = number.Replace(file), number.Replace(last)
	rows, bad, summary := readText(t, OS(), strings.NewReplacer("Ø", "\xd8", "€", "\x80").Replace(file))
	assert.Empty(t, bad)
	assert.Equal(t, []row{{
		Index: 4, CVR: "10150817", RegNumber: "1234", AccountNumber: "12345678", TransferType: "Ø€",
		Date: "2026-01-31", Count: 2, Amount: "1234.50", RawLine: strings.TrimSuffix(last, "\n"),
	}}, rows)
	assert.Equal(t, Summary{Lines: 6, Records: 1}, summary)
}

// A delivery file beside this test, with CRLF, two sections, and letters of
// Windows-1252, reads as the operator's guide says.
func TestOSExample(t *testing.T) {
	file, err := os.ReadFile("testdata/delivery.os.txt")
	require.NoError(t, err)
	assert.Equal(t, "os", Detect(file).Name())
	rows, bad, summary := readText(t, Detect(file), string(file))
	assert.Empty(t, bad)
	assert.Equal(t, Summary{Lines: 9, Records: 2}, summary)
	require.Len(t, rows, 2)
	assert.Equal(t, []string{"1500.75", "3000000.00"}, []string{rows[0].Amount, rows[1].Amount})
	assert.Equal(t, []int64{4, 7}, []int64{rows[0].Index, rows[1].Index})
}

// Dates have two-digit years from 1980 to 2079, and are real dates.
func TestOSDates(t *testing.T) {
	for date, want := range map[string]string{
		"310126": "2026-01-31", "290224": "2024-02-29", "010100": "2000-01-01",
		"311279": "2079-12-31", "010180": "1980-01-01", "311299": "1999-12-31",
		"290223": "", "320126": "", "001226": "", "010026": "", "011326": "", "3101 6": "",
	} {
		section := osSectionStart() + osSectionEnd("0", "0")
		if want != "" {
			section = strings.ReplaceAll(section, "310126", date)
		} else {
			section = osSectionStart() + strings.Replace(osSectionEnd("0", "0"), "310126", date, 1)
		}
		rows, bad, _ := readText(t, OS(), osStart()+section+osEnd("0", "0"))
		if want == "" {
			require.Len(t, bad, 1, date)
			assert.Equal(t, "dispositionDate", bad[0].Field)
			assert.Contains(t, bad[0].Reason, "in the format ddMMyy, found "+fmt.Sprintf("%q", date))
			continue
		}
		assert.Empty(t, bad, date)
		if assert.Len(t, rows, 1) {
			assert.Equal(t, want, rows[0].Date)
		}
	}
}

// Lines stand in the order of deliveries and sections, are of a known type,
// have their width and good figures; the totals agree. Each deviation is told
// at its line, once, and what only follows from it is not.
func TestOSRules(t *testing.T) {
	start, open, end := osStart(), osSectionStart(), osEnd("2", "3000")
	transfer1, transfer2, close := osTransfer("1000"), osTransfer("2000"), osSectionEnd("2", "3000")
	good := start + open + transfer1 + transfer2 + close + end
	const unknown = "expected the line to start with OS1, OS2, OS5, OS8 or OS9; other records are not described publicly: ask for deliveries without them, or describe yours in a layout of your own (docs/layouts.md)"
	const differs = "it differs from the section's OS2 on line 2"
	cut := func(line string) string { return line[:len(line)-2] + "\n" }
	with := func(line, old, new string) string {
		require.Equal(t, 1, strings.Count(line, old), old)
		return strings.Replace(line, old, new, 1)
	}
	tests := []struct {
		name, file string
		records    int
		bad        []BadLine
	}{
		{"good", good, 1, nil},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n"), 1, nil},
		{"no line end at the end", strings.TrimSuffix(good, "\n"), 1, nil},
		{"blank lines", "\n" + strings.ReplaceAll(good, "\n", "\n  \r\n\n  \n"), 1, nil},
		{"two deliveries", good + good, 2, nil},
		{"two sections", start + open + transfer1 + osSectionEnd("1", "1000") + open + transfer2 + osSectionEnd("1", "2000") + end, 2, nil},
		{"no sections", start + osEnd("0", "0"), 0, nil},
		{"a section without transfers", start + open + osSectionEnd("0", "0") + osEnd("0", "0"), 1, nil},
		{"accounts filled up with spaces", start + open + with(transfer1, "0012345678", "12345678  ") + transfer2 + with(close, "0012345678", "  12345678") + end, 1, nil},

		{"only blank lines", " \n", 0, []BadLine{{1, "", "the file has no delivery; it may be truncated"}}},

		{"between the lines of a file transfer", transported(good), 1, nil},
		{"two transfers", transported(good) + transported(good+good) + "\n", 3, nil},
		{"a transfer without a delivery", transported(""), 0, []BadLine{{1, "", "the file has no delivery; it may be truncated"}}},
		{"a transfer's line inside a delivery", start + transported(open+transfer1+transfer2+close+end), 1, []BadLine{{2, "", unknown}}},
		{"another type", start + "OS3" + open[3:] + open + transfer1 + transfer2 + close + end, 1,
			[]BadLine{{2, "", unknown}}},
		{"only a type", good + "OS1", 1, []BadLine{{7, "", "OS1: expected 80 characters, found 3 and no line end; the file may be truncated"},
			{7, "", "the delivery has no OS9; the file may be truncated"}}},
		{"an unreadable transfer", start + open + with(transfer1, "TEXT", "TE\x01T") + transfer2 + close + end, 1,
			[]BadLine{{3, "", "control character U+0001 at character 54"}}},
		{"an unreadable line after a blank one", good + "\n\x00\n" + good, 2, []BadLine{{8, "", "control character U+0000 at character 1"}}},
		{"a byte without meaning", start + open + transfer1 + with(transfer2, "TEXT", "TE\tT") + with(close, "OS801    ", "OS801\x9d   ") + end, 0,
			[]BadLine{{5, "", "byte 0x9D at character 6 is not valid in windows-1252"}}},

		{"OS1 width", cut(start) + good[len(start):], 1, []BadLine{{1, "", "OS1: expected 80 characters, found 79"}}},
		{"OS5 width", start + open + cut(transfer1) + transfer2 + close + end, 1, []BadLine{{3, "", "OS5: expected 128 characters, found 127"}}},
		{"OS8 too wide", start + open + transfer1 + transfer2 + with(close, "\n", " \n") + end, 0, []BadLine{{5, "", "OS8: expected 80 characters, found 81"}}},
		{"OS9 cut off", good[:len(good)-2], 1, []BadLine{{6, "", "OS9: expected 80 characters, found 79 and no line end; the file may be truncated"}}},

		{"no OS9", start + open + transfer1 + transfer2 + close, 1, []BadLine{{5, "", "the delivery has no OS9; the file may be truncated"}}},
		{"no OS8 and no OS9", start + open + transfer1 + "\n", 0,
			[]BadLine{{3, "", "the section has no OS8 and the delivery no OS9; the file may be truncated"}}},
		{"no OS9 before the next delivery", start + open + transfer1 + transfer2 + close + good, 2,
			[]BadLine{{6, "", "OS1 inside a delivery: the previous delivery has no OS9"}}},
		{"no OS1", open + transfer1 + transfer2 + close + end, 1, []BadLine{{1, "", "OS2 outside a delivery: there is no OS1 before it"}}},
		{"a transfer after the delivery", good + transfer1 + close + end, 2, []BadLine{{7, "", "OS5 outside a section: there is no OS2 before it"}}},
		{"no OS2", start + transfer1 + transfer2 + close + end, 1, []BadLine{{2, "", "OS5 outside a section: there is no OS2 before it"}}},
		{"no OS2 for an OS8", start + close + end, 0, []BadLine{{2, "", "OS8 outside a section: there is no OS2 before it"}}},
		{"no OS8 before the next section", start + open + transfer1 + open + transfer1 + transfer2 + close + end, 1,
			[]BadLine{{4, "", "OS2 inside a section: the section has no OS8"}}},

		{"section count", start + open + transfer1 + transfer2 + osSectionEnd("3", "3000") + osEnd("3", "3000"), 0,
			[]BadLine{{5, "count", "the OS8 count is 3, but the section's transfers add up to 2"}}},
		{"both", start + open + transfer1 + osSectionEnd("2", "3000") + end, 0,
			[]BadLine{{4, "count", "the OS8 count is 2, but the section's transfers add up to 1"},
				{4, "amount", "the OS8 amount is 30.00, but the section's transfers add up to 10.00"}}},
		{"delivery amount", start + open + transfer1 + transfer2 + close + osEnd("2", "300000"), 1,
			[]BadLine{{6, "amount", "the OS9 amount is 3000.00, but the delivery's sections add up to 30.00"}}},
		{"totals of the delivery before don't count", good + start + osEnd("0", "0"), 1, nil},

		{"OS1 type", with(start, "OS121", "OS122") + good[len(start):], 1, []BadLine{{1, "type", `expected "21", found "22"`}}},
		{"OS1 supplier", with(start, "12345674", "1234567 ") + good[len(start):], 1, []BadLine{{1, "supplierCvr", `expected exactly 8 digits, found "1234567 "`}}},
		{"OS2 date", start + with(open, "310126", "31-126") + transfer1 + transfer2 + close + end, 1, []BadLine{{2, "dispositionDate", `expected 6 digits, found "31-126"`}}},
		{"OS2 account", start + with(open, "0012345678", "00123 5678") + transfer1 + transfer2 + close + end, 1, []BadLine{{2, "accountNumber", "expected 1 to 10 digits, found 10 characters, not all digits"}}},
		{"OS2 payer", start + with(open, "10150817", "1015081x") + transfer1 + transfer2 + close + end, 1, []BadLine{{2, "cvr", `expected exactly 8 digits, found "1015081x"`}}},
		{"OS5 payee registration number", start + open + with(transfer1, "OS5014321", "OS50143 1") + transfer2 + close + end, 1, []BadLine{{3, "payeeRegNumber", "expected exactly 4 digits, found 4 characters, not all digits"}}},
		{"OS5 amount", start + open + with(transfer1, "000000001000", "0000000010,0") + transfer2 + close + end, 1, []BadLine{{3, "amount", `expected 12 digits, found "0000000010,0"`}}},
		{"OS5 date", start + open + with(transfer1, "310126", "      ") + transfer2 + close + end, 1, []BadLine{{3, "date", `expected 6 digits, found "      "`}}},
		{"OS5 account", start + open + with(transfer1, "0012345678", "001234567x") + transfer2 + close + end, 1, []BadLine{{3, "accountNumber", "expected 1 to 10 digits, found 10 characters, not all digits"}}},
		{"OS8 type", start + open + transfer1 + transfer2 + with(close, "OS801", "OS8  ") + end, 0, []BadLine{{5, "transferType", "must not be empty"}}},
		{"OS8 count", start + open + transfer1 + transfer2 + with(close, "0000000002", "         2") + end, 0, []BadLine{{5, "count", `expected an integer from 0 to 9007199254740991, found "         2"`}}},
		{"OS8 amount", start + open + transfer1 + transfer2 + with(close, "000000003000", "-00000003000") + end, 0, []BadLine{{5, "amountDkk", `expected 12 digits, the last 2 being øre; found "-00000003000"`}}},
		{"OS8 supplier", start + open + transfer1 + transfer2 + with(close, "12345674", "12 45674") + end, 0, []BadLine{{5, "supplierCvr", `expected exactly 8 digits, found "12 45674"`}}},
		{"OS8 payer", start + open + transfer1 + transfer2 + with(close, "10150817", "        ") + end, 0, []BadLine{{5, "cvr", `expected exactly 8 digits, found "        "`}}},
		{"OS9 of another type", start + open + transfer1 + transfer2 + close + with(end, "OS929", "OS939"), 1, []BadLine{{6, "type", `expected "29", found "39"`}}},
		{"OS9 cut off in its type", start + open + transfer1 + transfer2 + close + "OS92", 1, []BadLine{{6, "", "OS9: expected 80 characters, found 4 and no line end; the file may be truncated"}}},
		{"OS6", start + open + "OS6" + transfer1[3:] + transfer2 + close + end, 1, []BadLine{{3, "", unknown}}},
		{"OSA, OSI and OST", start + "OSA\nOSI" + strings.Repeat(" ", 200) + "\nOST\n" + open + transfer1 + transfer2 + close + end, 1,
			[]BadLine{{2, "", unknown}, {3, "", unknown}, {4, "", unknown}}},

		{"OS5 of another type", start + open + transfer1 + with(transfer2, "OS501", "OS502") + close + end, 1, []BadLine{{4, "type", `the section's OS2 on line 2 has "01", found "02"`}}},
		{"OS5 of another date", start + open + transfer1 + with(transfer2, "310126", "300126") + close + end, 1, []BadLine{{4, "date", `the section's OS2 on line 2 has "310126", found "300126"`}}},
		{"OS5 of another account", start + open + transfer1 + with(transfer2, "0012345678", "0012345679") + close + end, 1, []BadLine{{4, "accountNumber", differs}}},
		{"OS8 of another type", start + open + transfer1 + transfer2 + with(close, "OS801", "OS802") + end, 0, []BadLine{{5, "transferType", `the section's OS2 on line 2 has "01", found "02"`}}},
		{"OS8 of another date", start + open + transfer1 + transfer2 + with(close, "310126", "310127") + end, 0, []BadLine{{5, "dispositionDate", `the section's OS2 on line 2 has "310126", found "310127"`}}},
		{"OS8 of another bank", start + open + transfer1 + transfer2 + with(close, "1261234", "1261235") + end, 0, []BadLine{{5, "regNumber", differs}}},
		{"OS8 of another supplier", start + open + transfer1 + transfer2 + with(close, "12345674", "12345682") + end, 0, []BadLine{{5, "supplierCvr", `the section's OS2 on line 2 has "12345674", found "12345682"`}}},
		{"OS8 of another payer", start + open + transfer1 + transfer2 + with(close, "10150817", "12345674") + end, 0, []BadLine{{5, "cvr", `the section's OS2 on line 2 has "10150817", found "12345674"`}}},
		{"a bad OS2 is not compared", start + with(open, "10150817", "1015081x") + transfer1 + transfer2 + with(close, "10150817", "12345674") + end, 1, []BadLine{{2, "cvr", `expected exactly 8 digits, found "1015081x"`}}},
		{"sections are compared with their own OS2", start + open + transfer1 + transfer2 + close +
			strings.ReplaceAll(open+transfer1+osSectionEnd("1", "1000"), "310126", "010226") + osEnd("3", "4000"), 2, nil},
		{"another supplier in OS1", with(start, "12345674", "10150817") + good[len(start):], 1, nil},
		{"OS9 count", start + open + transfer1 + transfer2 + close + with(end, "0000000002", "x000000002"), 1, []BadLine{{6, "count", `expected 10 digits, found "x000000002"`}}},
		{"OS9 nines", start + open + transfer1 + transfer2 + close + with(end, "99999999999999", "99999999999990"), 1, []BadLine{{6, "nines", `expected "99999999999999", found "99999999999990"`}}},
		{"OS9 CVR", start + open + transfer1 + transfer2 + close + with(end, "12345674", "1234567x"), 1, []BadLine{{6, "cvr", `expected exactly 8 digits, found "1234567x"`}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, OS(), test.file)
			assert.Equal(t, test.bad, bad)
			assert.Len(t, rows, test.records)
		})
	}
}

// However an os delivery is cut off, it is noticed.
// Only a file that lacks nothing but its last line end is the whole delivery.
func TestOSCutOff(t *testing.T) {
	file := osStart() + osSectionStart() + osTransfer("1000") + osSectionEnd("1", "1000") + osEnd("1", "1000")
	for name, file := range map[string]string{"bare": file, "twice": file + file, "CRLF": strings.ReplaceAll(file, "\n", "\r\n")} {
		end := strings.TrimRight(file, "\r\n")
		for cut := range len(file) {
			head := file[:cut]
			rows, bad, _ := readText(t, Detect([]byte(head)), head)
			switch {
			case head == end:
				assert.Empty(t, bad, "%s cut at %d", name, cut)
			case name == "twice" && len(strings.TrimSuffix(head, "\n")) == len(file)/2-1:
				assert.Len(t, rows, 1, "the first of two deliveries")
			default:
				assert.NotEmpty(t, bad, "%s cut at %d", name, cut)
			}
		}
	}
}

// A line that is lost from an os delivery, stands in it twice, or in another place is
// noticed, wherever it is. Only whole sections may change places.
func TestOSLostLines(t *testing.T) {
	lines := strings.SplitAfter(osStart()+osSectionStart()+osTransfer("1000")+osTransfer("2000")+osSectionEnd("2", "3000")+osEnd("2", "3000"), "\n")
	lines = lines[:len(lines)-1]
	for i := range lines {
		for name, changed := range map[string][]string{
			"lost":    slices.Concat(lines[:i], lines[i+1:]),
			"doubled": slices.Concat(lines[:i+1], lines[i:]),
			"last":    slices.Concat(lines[:i], lines[i+1:], lines[i:i+1]),
		} {
			if slices.Equal(changed, lines) {
				continue
			}
			file := strings.Join(changed, "")
			_, bad, _ := readText(t, OS(), file)
			assert.NotEmpty(t, bad, "line %d %s", i+1, name)
		}
	}
}

// No reason shows a registration or account number, whatever character is garbled.
func TestOSReasonsShowNoBankNumbers(t *testing.T) {
	good := osStart() + osSectionStart() + osTransfer("1000") + osSectionEnd("1", "1000") + osEnd("1", "1000")
	good = strings.NewReplacer("1261234", "1268888", "0012345678", "0088888888", "014321", "018888", "8765432109", "8888888888").Replace(good)
	for at := range len(good) {
		for _, garbled := range []string{"7", "x", " "} {
			_, bad, _ := readText(t, OS(), good[:at]+garbled+good[at+1:])
			for _, line := range bad {
				assert.NotContains(t, line.Reason, "888")
			}
		}
	}
}

// transported puts a file between the lines of a file transfer.
func transported(file string) string { return "PBCNET00OS1 26013101\n" + file + "PBCNET90\n" }
