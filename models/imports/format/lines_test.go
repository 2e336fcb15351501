package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Lines end with LF or CRLF, mixed freely. What can't stand in a line makes
// that line bad, and no other; every line counts for Index.
func TestLines(t *testing.T) {
	line := strings.TrimSuffix(csvLine, "\n")
	sized := func(n int) string { return line + strings.Repeat(" ", n-len(line)) }
	tests := []struct {
		name, file string
		indexes    []int64
		bad        []BadLine
		lines      int64
	}{
		{"LF", csvHead + csvLine + csvLine, []int64{1, 2}, nil, 3},
		{"CRLF and LF", strings.Replace(csvHead, "\n", "\r\n", 1) + line + "\r\n" + line + "\n" + line + "\r\n", []int64{1, 2, 3}, nil, 4},
		{"blank lines count", "\n\r\n" + csvHead + "\n \t\n" + csvLine + "\n" + csvLine + "\r\n\n", []int64{5, 7}, nil, 10},
		{"byte-order mark", "\ufeff" + csvHead + csvLine, []int64{1}, nil, 2},
		{"byte-order mark, only before the first line", csvHead + "\ufeff" + csvLine, nil,
			[]BadLine{{2, "cvr", `expected exactly 8 digits, found "\ufeff10150817"`}}, 2},
		{"carriage return inside", csvHead + "10150817,\r1234,1,Visa,2026-01-31,3,1.00\n" + csvLine, []int64{2},
			[]BadLine{{2, "", "stray carriage return at character 10; lines must end with LF or CRLF"}}, 3},
		{"cut between CR and LF", csvHead + line + "\r", nil,
			[]BadLine{{2, "", "stray carriage return at character 51; lines must end with LF or CRLF"}}, 2},
		{"carriage returns alone", strings.ReplaceAll(csvHead+csvLine, "\n", "\r"), nil,
			[]BadLine{{1, "", "stray carriage return at character 73; lines must end with LF or CRLF"}}, 1},
		{"NUL", csvHead + csvLine + "101\x00" + csvLine + csvLine, []int64{1, 3},
			[]BadLine{{3, "", "control character U+0000 at character 4"}}, 4},
		{"delete", csvHead + "æ\x7f" + csvLine + csvLine, []int64{2},
			[]BadLine{{2, "", "control character U+007F at character 2"}}, 3},
		{"control character beyond ASCII", csvHead + "\u0085" + csvLine + csvLine, []int64{2},
			[]BadLine{{2, "", "control character U+0085 at character 1"}}, 3},
		{"a tab is none", csvHead + "10150817,1234,1,a\tb,2026-01-31,3,1.00\n", []int64{1}, nil, 2},
		{"not UTF-8", csvHead + "æ\xe6" + csvLine + csvLine, []int64{2},
			[]BadLine{{2, "", "byte 0xE6 at character 2 is not valid UTF-8"}}, 3},
		{"longest, without a line end", csvHead + strings.Replace(line, "Visa", strings.Repeat(" ", maxLine-len(line))+"Visa", 1), []int64{1}, nil, 2},
		{"longest, with CRLF", csvHead + strings.Replace(line, "Visa", strings.Repeat(" ", maxLine-len(line))+"Visa", 1) + "\r\n", []int64{1}, nil, 2},
		{"too long", csvHead + sized(maxLine+1) + "\n" + csvLine, []int64{2},
			[]BadLine{{2, "", "the line is longer than 65536 bytes"}}, 3},
		{"far too long", csvHead + sized(3*bufferSize) + "\n" + csvLine + sized(5*bufferSize) + "\r\n" + csvLine, []int64{2, 4},
			[]BadLine{{2, "", "the line is longer than 65536 bytes"}, {4, "", "the line is longer than 65536 bytes"}}, 5},
		{"too long, and cut off", csvHead + csvLine + sized(maxLine+1), []int64{1},
			[]BadLine{{3, "", "the line is longer than 65536 bytes"}}, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, summary := readText(t, CSV(), test.file)
			assert.Equal(t, test.indexes, indexesOf(rows))
			assert.Equal(t, test.bad, bad)
			assert.Equal(t, test.lines, summary.Lines)
		})
	}
}

// The line end and the byte-order mark are no part of the raw line; all else
// of the line is, as it stands.
func TestRawLine(t *testing.T) {
	rows, bad, _ := readText(t, CSV(), "\ufeffcvr;regNumber;accountNumber;transferType;dispositionDate;count;amountDkk\r\n"+
		`"10150817";1234;"1";  Købmand `+"\t"+`;2026-01-31;3;"1.5"`+"\r\n")
	assert.Empty(t, bad)
	assert.Equal(t, []row{{
		Index: 1, CVR: "10150817", RegNumber: "1234", AccountNumber: "1", TransferType: "Købmand",
		Date: "2026-01-31", Count: 3, Amount: "1.50",
		RawLine: `"10150817";1234;"1";  Købmand ` + "\t" + `;2026-01-31;3;"1.5"`,
	}}, rows)
}
