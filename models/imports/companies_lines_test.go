package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A bad line is reported with the number that an editor shows for its start, also
// after blank lines and after fields that span several lines.
func TestCompaniesLineNumbers(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	text := "cvr,name,address\r\n" + // 1
		"bad2,x,\r\n" +
		"\r\n" + // 3
		"10000001,x,\"Vej 1\r\n8000 Århus\r\n\r\nDanmark\"\r\n" + // 4 to 7
		"bad8,\"a\nb\",\r\n" + // 8, 9
		"10000002,x\r\n" + // 10: too few fields
		"10000003,x,y,z\r\n" + // 11: too many
		"10000004,a\"b,y\r\n" + // 12: a quote inside
		"10000005,\"a\"b,y\r\n" + // 13: text after a quote
		"   \r\n" + // 14
		"bad15,x,\n" +
		"10000006,,\n" + // 16
		"10000007,\"x" // 17: never closed
	_, err := importCompanies(t, w, a, text)
	bad := modelstest.BadFile(t, err)
	var reported []string
	for _, line := range bad.Lines {
		reported = append(reported, strings.TrimSpace(fmt.Sprintf("%d %s", line.Line, line.Field)))
	}
	require.Equal(t, []string{"2 cvr", "4 address", "8 cvr", "8 name", "10", "11", "12", "13", "14", "15 cvr", "16 name", "17"}, reported)
	require.Equal(t, "the line has 2 fields, the header 3", bad.Lines[4].Reason)
	require.Equal(t, "the line has 4 fields, the header 3", bad.Lines[5].Reason)
	require.Empty(t, modelstest.Companies(t, w.Service, a))

	// Several bad fields of a line are reported one by one, and the line counts once.
	_, err = importCompanies(t, w, a, "cvr,name,status\nbad,,bad\n10000001,x,bad\n")
	bad = modelstest.BadFile(t, err)
	require.Len(t, bad.Lines, 4)
	require.Contains(t, err.Error(), "has 2 bad lines")

	// A text that means something to the database arrives unchanged.
	loadCompanies(t, w, a, "cvr,name,address\n10000001,x,\"Vej 1\\n\\N\tÅrhus \"\"C\"\"\"\n")
	require.Equal(t, "Vej 1\\n\\N\tÅrhus \"C\"", *company(t, w, a, "10000001").Address)
}

// A file with endless blank lines is refused at the line before them.
func TestCompaniesEndlessBlankLines(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	_, err := importCompanies(t, w, a, "cvr,name\n\n10000001,x\n"+strings.Repeat("\r\n", 1<<20)+"10000002,x\n")
	bad := modelstest.BadFile(t, err)
	require.Len(t, bad.Lines, 1)
	require.EqualValues(t, 3, bad.Lines[0].Line)
	require.Contains(t, bad.Lines[0].Reason, "blank lines follow")
	_, err = importCompanies(t, w, a, "cvr,name\n\n10000001,x\n"+strings.Repeat("\n", 1<<19)+"bad,x\n")
	require.EqualValues(t, 1<<19+4, modelstest.BadFile(t, err).Lines[0].Line)
}

// The first 20 bad fields are reported, and the rest are counted. Reading stops after a
// thousand bad lines.
func TestCompaniesBadLinesAreCounted(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	_, err := importCompanies(t, w, a, "cvr,name\n10150817,x\n"+strings.Repeat("bad,x\n", 100))
	bad := modelstest.BadFile(t, err)
	require.Len(t, bad.Lines, 20)
	require.EqualValues(t, 80, bad.More)
	require.Contains(t, err.Error(), "companies.csv has 100 bad lines, so nothing of it was imported:\n  line 3: cvr: ")
	require.Contains(t, err.Error(), "\n  and 80 more")
	_, err = importCompanies(t, w, a, "cvr,name\n"+strings.Repeat("bad,x\n", 1200))
	require.EqualValues(t, 981, modelstest.BadFile(t, err).More)
	require.ErrorContains(t, err, "has more than 1,000 bad lines")
	require.Empty(t, modelstest.Companies(t, w.Service, a))
}

// A record is refused at 1 MiB, at the line where it begins, so that a quote that is never
// closed does not make the import read a whole big file into memory.
func TestCompaniesUnclosedQuoteInABigFile(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	for _, c := range []struct {
		text, rest string
		lines      []int64
	}{
		{"cvr,name\n\"", "more\n", []int64{2}},
		{"cvr,name\n10000001,\"a\nb\"\n\n10000002,x\n\"10000003,", "more\n", []int64{2, 6}}, // the first has a line break
		{"cvr,name\n10000001,\"a\nb\"\n\n10000002,\"x", "more\r\n\r\n", []int64{2, 5}},
		{"cvr,name\n10000001,x\n10000002,", "more ", []int64{3}}, // no quote: one line without an end
	} {
		_, err := importCompanies(t, w, a, c.text+strings.Repeat(c.rest, 2<<20/len(c.rest)))
		bad := modelstest.BadFile(t, err)
		var lines []int64
		for _, line := range bad.Lines {
			lines = append(lines, line.Line)
		}
		require.Equal(t, c.lines, lines, "%q", c.text)
		require.Contains(t, bad.Lines[len(lines)-1].Reason, "the record is longer than 1 MiB: is a quote not closed?")
	}
	require.Empty(t, modelstest.Companies(t, w.Service, a))
}
