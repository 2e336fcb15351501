package format

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
)

// ebcdicOf makes a layout for records without line ends, and a file of it.
func ebcdicOf(t testing.TB, records int) (*Layout, []byte) {
	t.Helper()
	layout := mustParse(t, `
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
`)
	var file bytes.Buffer
	for i := range records {
		fmt.Fprintf(&file, "%08d%04d%010d%-10s%s%010d%015d%s%4s", 10_000_000+i, i%10_000, i, "KØB", "20260131", i%500, i,
			"K", "")
	}
	encoded, err := charmap.CodePage1047.NewEncoder().Bytes(file.Bytes())
	require.NoError(t, err)
	return layout, encoded
}

func mustParse(t testing.TB, yaml string) *Layout {
	t.Helper()
	layout, err := ParseLayout([]byte(yaml))
	require.NoError(t, err, yaml)
	return layout
}

// A layout is called what it calls itself, or custom.
func TestLayoutName(t *testing.T) {
	fixed, name := firstCase(t, "fixed").layout, strings.Repeat("ø", 40)
	assert.Equal(t, name, mustParse(t, fixed+"name: "+name).Name())
	assert.Equal(t, "custom", mustParse(t, fixed).Name())
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
	assert.Equal(t,
		[]BadLine{{5_000, "", "expected 70 characters, found 69 and no line end; the file may be truncated"}}, bad)
}
