package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A bad line is reported with the number that an editor shows, also after blank lines.
func TestCompaniesLineNumbers(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	text := "cvr,name,address\r\n" + // 1
		"bad2,x,\r\n" +
		"\r\n" + // 3
		"10000001,x,\"Vej 1\r\n8000 Århus\"\r\n" + // 4, 5: a field over two lines
		"bad6,,\r\n" +
		"10000002,x\r\n" + // 7: too few fields
		"10000003,x,y,z\r\n" + // 8: too many
		"10000004,a\"b,y\r\n" + // 9: a quote inside
		"10000005,\"a\"b,y\r\n" + // 10: text after a quote
		"   \r\n" + // 11
		"bad12,x,\n" +
		"10000006,,\n" + // 13
		"10000007,\"x" // 14: never closed
	_, err := importCompanies(t, w, a, text)
	bad := modelstest.BadFile(t, err)
	var reported []string
	for _, line := range bad.Lines {
		reported = append(reported, strings.TrimSpace(fmt.Sprintf("%d %s", line.Line, line.Field)))
	}
	require.Equal(t, []string{"2 cvr", "4", "5", "6 cvr", "6 name", "7", "8", "9", "10", "12 cvr", "13 name", "14"}, reported)
	require.Contains(t, bad.Lines[1].Reason, "a field can't span lines")
	require.Equal(t, "the line has 2 fields, the header 3", bad.Lines[5].Reason)
	require.Equal(t, "the line has 4 fields, the header 3", bad.Lines[6].Reason)
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

// Bytes that are no text, and lines too long for any company, make the line bad.
func TestCompaniesUnreadableLines(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	for text, reason := range map[string]string{
		"K\xf8b": "byte 0xF8 at character 11 is not valid UTF-8", "a\x00b": "control character U+0000", "a\x1bb": "control character U+001B", "\u0085": "control character U+0085",
		"a\rb": "stray carriage return", strings.Repeat("x", 3<<20): "the line is longer than",
	} {
		_, err := importCompanies(t, w, a, "cvr,name\n"+strings.Repeat("\n", 1<<19)+"10000001,"+text+"\n10000002,x\n")
		bad := modelstest.BadFile(t, err)
		require.Len(t, bad.Lines, 1)
		require.EqualValues(t, 1<<19+2, bad.Lines[0].Line)
		require.Contains(t, bad.Lines[0].Reason, reason)
	}
	require.Empty(t, modelstest.Companies(t, w.Service, a))
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
