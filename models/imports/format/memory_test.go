package format

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	stream       = 10 << 20
	memoryBudget = 1 << 20
)

// repeat is a stream of head, then block as often as it takes to reach about
// size bytes, then tail; nothing of it is held but these.
func repeat(head, block, tail []byte, size int) io.Reader {
	times := size / len(block)
	return io.MultiReader(bytes.NewReader(head), &blocks{block: block, left: times}, bytes.NewReader(tail))
}

type blocks struct {
	block []byte
	at    int
	left  int
}

func (b *blocks) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.block[b.at:])
	if b.at += n; b.at == len(b.block) {
		b.at = 0
		b.left--
	}
	return n, nil
}

// Memory stays flat whatever the file's size: all that reading a long stream
// allocates, one buffer above all, is less than 1 MiB. So a line of a
// delimited file allocates nothing.
func TestMemoryStaysFlat(t *testing.T) {
	csvBlock := csvOf(1_000)[len(csvHead):]
	quoted := bytes.ReplaceAll(csvBlock, []byte("Visa/Dankort"), []byte(`"""Visa"", ""Købmand"""`))
	delimited := mustParse(t,
		edited(t, firstCase(t, "delimited").layout, "dispositionDate: {from_line: H, column: 2, date_format: DDMMYY}"))
	carried := bytes.Repeat([]byte("H|310126\n10150817|Køb|-1.5\n"), 1_000)
	layout, ebcdicBlock := ebcdicOf(t, 1_000)
	section := []byte(osSectionStart() + osTransfer("1050") + osSectionEnd("1", "1050"))
	latin1 := bytes.Replace(section, []byte("TEXT"), []byte("K\xd8BT"), 1)
	sections := stream / len(latin1)
	statement, cobol := exampleOf(t, "statement.yaml"), exampleOf(t, "cobol.yaml")
	spans := bytes.Repeat([]byte("10150817;1234-1;\"Dankort\nKøb \"\"1\"\"\";3. feb. 2026;0,00;1.234,50 kr.\n"), 1_000)
	overpunched := bytes.Repeat([]byte("D1015081712340012345678KØBT      12602030000030000012345}\x00\n"), 1_000)
	tests := []struct {
		name    string
		layout  *Layout
		stream  io.Reader
		records int
		bad     []BadLine
	}{
		{"csv", CSV(), repeat([]byte(csvHead), csvBlock, nil, stream), stream / len(csvBlock) * 1_000, nil},
		{"csv with quotes", CSV(), repeat([]byte(csvHead), quoted, nil, stream), stream / len(quoted) * 1_000, nil},
		{"carried", delimited, repeat(nil, carried, nil, stream), stream / len(carried) * 1_000, nil},
		{
			"os",
			OS(),
			repeat([]byte(osStart()), latin1, []byte(osEnd(fmt.Sprint(sections), fmt.Sprint(sections*1050))), stream),
			sections,
			nil,
		},
		{"lines that span", statement, repeat([]byte("CVR;Account;Type;Date;Debit;Credit\n"), spans, nil, stream),
			stream / len(spans) * 1_000, nil},
		{"last digits with signs, and lines without blanks", cobol, repeat(nil, overpunched, nil, stream),
			stream / len(overpunched) * 1_000, nil},
		{"EBCDIC without line ends", layout, repeat(nil, ebcdicBlock, nil, stream), stream / len(ebcdicBlock) * 1_000, nil},
		{"an endless line", CSV(), repeat([]byte(csvHead), bytes.Repeat([]byte("x"), 1<<20), []byte("\n"+csvLine), stream), 1,
			[]BadLine{{2, "", "the line is longer than 65536 bytes"}}},
		{"an endless header", CSV(), repeat(nil, bytes.Repeat([]byte("x"), 1<<20), nil, stream), 0,
			[]BadLine{{1, "", "the line is longer than 65536 bytes"}}},
		{"an endless first line of os", OS(), repeat([]byte("OS1"), bytes.Repeat([]byte(" "), 1<<20), nil, stream), 0,
			[]BadLine{{1, "", "the line is longer than 65536 bytes"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var bad []BadLine
			record := func(*Record) error { return nil }
			reject := func(line BadLine) error { bad = append(bad, line); return nil }
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			summary, err := test.layout.Read(test.stream, record, reject)
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			assert.Equal(t, test.bad, bad)
			assert.EqualValues(t, test.records, summary.Records)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(memoryBudget))
		})
	}
}

func csvOf(records int) []byte {
	var file bytes.Buffer
	file.WriteString("cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n")
	for i := range records {
		fmt.Fprintf(&file, "%08d,%04d,%010d,Visa/Dankort,2026-%02d-%02d,%d,%d.%02d\n",
			10_000_000+i%90_000_000, i%10_000, i, 1+i%12, 1+i%28, i%500, i%100_000, i%100)
	}
	return file.Bytes()
}

func osOf(sections, transfers int) []byte {
	var file bytes.Buffer
	file.WriteString(osStart())
	for range sections {
		file.WriteString(osSectionStart())
		for range transfers {
			file.WriteString(osTransfer("1050"))
		}
		file.WriteString(osSectionEnd(fmt.Sprint(transfers), fmt.Sprint(transfers*1050)))
	}
	file.WriteString(osEnd(fmt.Sprint(sections*transfers), fmt.Sprint(sections*transfers*1050)))
	return file.Bytes()
}

// A file may hold at most 1000 deliveries, because their identities are kept in memory.
func TestManyIdentities(t *testing.T) {
	t.Parallel()
	layout := mustParse(t, `
format: delimited
delimiter: ";"
columns: 1
identity: {all: {column: 1}}
fields:
  {cvr: {value: 10000001}, regNumber: {value: 1234}, accountNumber: {value: 1}, transferType: {column: 1},
  dispositionDate: {value: 2026-01-31}, count: {value: 1}, amountDkk: {value: 1.00}}
`)
	text := ""
	for i := range 1001 {
		text += fmt.Sprint("x", i, "\n")
	}
	identity, bad := identify(t, layout, text)
	require.Len(t, identity.Names, 1000)
	require.Equal(t,
		[]BadLine{{Line: 1001, Field: "identity", Reason: "the file holds more than 1000 deliveries; split it"}}, bad)
}

// exampleOf returns a layout of the documentation, without its totals.
func exampleOf(t testing.TB, name string) *Layout {
	t.Helper()
	text, err := os.ReadFile("../../../docs/example/" + name)
	require.NoError(t, err)
	return mustParse(t, regexp.MustCompile(`(?m)^totals:\n(  .*\n)*`).ReplaceAllString(string(text), ""))
}
