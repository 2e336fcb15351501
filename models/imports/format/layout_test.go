package format

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row is a record whose bytes were copied, because they don't outlive the
// callback.
type row struct {
	Index                                                     int64
	CVR, RegNumber, AccountNumber, TransferType, Date, Amount string
	Count                                                     int64
	RawLine                                                   string
}

// fields returns the fields in the order of fieldNames.
func (r row) fields() []string {
	return []string{r.CVR, r.RegNumber, r.AccountNumber, r.TransferType, r.Date, fmt.Sprint(r.Count), r.Amount}
}

func rowOf(r *Record) row {
	return row{
		Index: r.Index, CVR: string(r.CVR), RegNumber: string(r.RegNumber), AccountNumber: string(r.AccountNumber),
		TransferType: string(r.TransferType), Date: string(r.DispositionDate), Amount: string(r.Amount),
		Count: r.Count, RawLine: string(r.RawLine),
	}
}

// readAll reads a whole file and keeps what was reported.
func readAll(t testing.TB, layout *Layout, r io.Reader) (rows []row, bad []BadLine, summary Summary) {
	t.Helper()
	summary, err := layout.Read(r,
		func(record *Record) error { rows = append(rows, rowOf(record)); return nil },
		func(line BadLine) error { bad = append(bad, line); return nil })
	require.NoError(t, err)
	assert.EqualValues(t, len(rows), summary.Records)
	assert.EqualValues(t, len(bad), summary.Bad)
	return rows, bad, summary
}

func readText(t testing.TB, layout *Layout, text string) (rows []row, bad []BadLine, summary Summary) {
	t.Helper()
	return readAll(t, layout, strings.NewReader(text))
}

// identify reads a file and returns what identifies it, and its bad lines.
func identify(t testing.TB, layout *Layout, text string) (identity Identity, bad []BadLine) {
	t.Helper()
	_, identity, err := layout.Identify(strings.NewReader(text), func(*Record) error { return nil },
		func(line BadLine) error { bad = append(bad, line); return nil })
	require.NoError(t, err)
	return identity, bad
}

const (
	csvHead = "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"
	csvLine = "10150817,1234,0012345678,Visa,2026-01-31,3,1234.50\n"
)

// Without --layout, a file that starts with OS1 is read as os, and so is one with an
// OS1 below the first line of a file transfer; anything else is csv, with a byte-order mark or
// without.
func TestDetect(t *testing.T) {
	for head, want := range map[string]string{
		"OS1":                  "os",
		osStart():              "os",
		"":                     "csv",
		"OS":                   "csv",
		"OS2":                  "csv",
		"os1":                  "csv",
		" OS1":                 "csv",
		csvHead:                "csv",
		"\ufeff" + csvHead[:3]: "csv",

		transported(osStart()): "os",
		"PBCNET00\r\nOS1":      "os",
		"PBCNET30\n \nOS1":     "os",
		"PBCNET00 OS1":         "csv",
		"PBCNET00\nBS002\nOS1": "csv",
		"x\nOS1":               "csv",
	} {
		assert.Equal(t, want, Detect([]byte(head)).Name(), "%q", head)
	}
}

// It does not matter in what pieces a reader returns the file.
func TestReadIsIndependentOfThePiecesRead(t *testing.T) {
	// Longer than the buffer, with lines that cross its end at many places.
	var csv strings.Builder
	csv.WriteString(strings.Replace(csvHead, "\n", "\r\n", 1))
	for i := range 20_000 {
		fmt.Fprintf(&csv, "10150817,1234,%d,Visa%s,2026-01-31,3,%d.50", i, strings.Repeat("x", i%90), i)
		csv.WriteString([]string{"\n", "\r\n"}[i%2])
	}
	// The longest line, whose end can come in two pieces.
	csv.WriteString(strings.Replace(csvLine, "Visa", strings.Repeat(" ", maxLine-len(csvLine)+1)+"Visa", 1))
	longest := strings.TrimSuffix(csv.String(), "\n") + "\r\n"
	files := map[*Layout]string{
		CSV(): longest,
		OS():  string(osOf(300, 10)),
	}
	for layout, file := range files {
		rows, bad, summary := readText(t, layout, file)
		require.Empty(t, bad)
		require.Greater(t, len(rows), 299)
		for name, r := range map[string]io.Reader{
			"one byte":       iotest.OneByteReader(strings.NewReader(file)),
			"halves":         iotest.HalfReader(strings.NewReader(file)),
			"data and error": iotest.DataErrReader(strings.NewReader(file)),
		} {
			gotRows, gotBad, gotSummary := readAll(t, layout, r)
			assert.Equal(t, rows, gotRows, "%s %s", layout.Name(), name)
			assert.Empty(t, gotBad)
			assert.Equal(t, summary, gotSummary)
		}
	}
}
