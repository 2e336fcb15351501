package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// transported puts a file between the transport's lines.
func transported(file string) string {
	const figures = "OS1 26013101  000042"
	return fmt.Sprintf("PBCNET00%s%16s\n%sPBCNET90%s%06d\n", figures, "", file, figures, strings.Count(file, "\n"))
}

// The transport's first and last line have no part in a delivery, but are counted in
// the records' indexes. They come in pairs around whole deliveries, and where the last
// one has a count it is right.
func TestOSTransport(t *testing.T) {
	one := osStart() + osSectionStart() + osTransfer("1000") + osSectionEnd("1", "1000") + osEnd("1", "1000")
	good := transported(one)
	first, last := good[:45], good[len(good)-35:]
	counted := func(count string) string { return first + one + last[:28] + count + "\n" }
	tests := []struct {
		name, file string
		records    []int64
		bad        []BadLine
	}{
		{"good", good, []int64{4}, nil},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n"), []int64{4}, nil},
		{"no line end at the end", strings.TrimSuffix(good, "\n"), []int64{4}, nil},
		{"blank lines at the end", good + "\n \n", []int64{4}, nil},
		{"two deliveries", transported(one + one), []int64{4, 9}, nil},
		{"two transports", good + good, []int64{4, 11}, nil},
		{"one of two", good + one, []int64{4, 10}, nil},
		{"the lines themselves counted", counted("000007"), []int64{4}, nil},
		{"no count", counted("      "), []int64{4}, nil},
		{"nothing but their names", "PBCNET00\n" + one + "PBCNET90\n", []int64{4}, nil},
		{"filled up", strings.ReplaceAll(good, "\nOS121", strings.Repeat(" ", 36)+"\nOS121"), []int64{4}, nil},

		{"too few", counted("000004"), []int64{4}, []BadLine{{7, "count", "the PBCNET90 count is 4, but 5 lines stand between it and its PBCNET00"}}},
		{"too many", counted("000006"), []int64{4}, []BadLine{{7, "count", "the PBCNET90 count is 6, but 5 lines stand between it and its PBCNET00"}}},
		{"a bad line may be the reason", strings.Replace(counted("000006"), "TEXT", "TE\x00T", 1), []int64{4}, []BadLine{{4, "", "NUL byte at character 54"}}},
		{"no last line", first + one, []int64{4}, []BadLine{{6, "", "the PBCNET00 has no PBCNET90; the file may be truncated"}}},
		{"no last line, but a blank one", first + one + "\n", []int64{4}, []BadLine{{6, "", "the PBCNET00 has no PBCNET90; the file may be truncated"}}},
		{"last line cut off", good[:len(good)-2], []int64{4}, []BadLine{{7, "", "PBCNET90: expected 34 characters, found 33 and no line end; the file may be truncated"}}},
		{"no last line before the next", first + one + good, []int64{4, 10}, []BadLine{{7, "", "PBCNET00 without a PBCNET90 for the one before it"}}},
		{"no first line", one + last, []int64{3}, []BadLine{{6, "", "PBCNET90 without a PBCNET00 before it; the start of the file may be missing"}}},
		{"no OS9", strings.Replace(good, osEnd("1", "1000"), "", 1), []int64{4}, []BadLine{{6, "", "PBCNET90 inside a delivery: the delivery has no OS9"}}},
		{"first line inside", osStart() + good, []int64{5}, []BadLine{{2, "", "PBCNET00 inside a delivery: the delivery has no OS9"}}},
		{"no delivery", first + last, nil, []BadLine{{2, "", "there is no delivery between PBCNET00 and PBCNET90"}}},
		{"blank line inside", first + one + "\n" + last, []int64{4}, []BadLine{{7, "", "blank line; blank lines are allowed only at the end of the file"}}},
		{"another line of the transport", strings.Replace(good, "PBCNET00", "PBCNET30", 1), []int64{4},
			[]BadLine{{1, "", `expected PBCNET00 or PBCNET90, found "PBCNET30"; take the transport's own lines out of the file`}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, bad, _ := readText(t, OS(), test.file)
			assert.Equal(t, test.bad, bad)
			assert.Equal(t, test.records, indexesOf(rows))
		})
	}
}
