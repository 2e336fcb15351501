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

	// A text that means something to the database arrives unchanged.
	loadCompanies(t, w, a, "cvr,name,address\n10000001,x,\"Vej 1\\n\\N\tÅrhus \"\"C\"\"\"\n")
	require.Equal(t, "Vej 1\\n\\N\tÅrhus \"C\"", *company(t, w, a, "10000001").Address)
}
