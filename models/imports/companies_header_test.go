package imports_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// The header shows whether the delimiter is the comma or the semicolon. A
// byte-order mark, either line end, blank lines, quotes and a missing last line end
// make no difference.
func TestCompaniesForms(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	for name, text := range map[string]string{
		"comma":            "cvr,name,address\n10150817,\"A; B\",\"C, D\"\n",
		"semicolon":        "cvr;name;address\n10150817;\"A; B\";C, D\n",
		"byte-order mark":  "\ufeffcvr,name,address\n10150817,A; B,\"C, D\"\n",
		"mark, semicolon":  "\ufeffcvr;name;address\r\n10150817;\"A; B\";C, D\r\n",
		"mark, quotes":     "\ufeff\"cvr\",\"name\",\"address\"\n\"10150817\",\"A; B\",\"C, D\"\n",
		"blank lines":      "cvr,name,address\n\n\r\n10150817,A; B,\"C, D\"\n\n",
		"no last line end": "cvr,name,address\n10150817,A; B,\"C, D\"",
		"spaces":           " cvr , name, address \n 10150817 , A; B ,\"C, D \"\n",
		"other order":      "address,cvr,name\n\"C, D\",10150817,A; B\n",
	} {
		organization := w.Organization(t, strings.Map(letters, name))
		done, err := importCompanies(t, w, organization, text)
		require.NoError(t, err, name)
		require.Equal(t, imports.CompaniesResult{Inserted: 1}, done, name)
		c := company(t, w, organization, "10150817")
		require.Equal(t, "A; B", c.Name, name)
		require.Equal(t, "C, D", *c.Address, name)
	}
}

// letters keeps the letters that a slug can have.
func letters(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return r
	}
	return -1
}

// A header that cannot be understood makes the file bad at line 1. The reason names
// the column and lists the known ones. Without a header, the first line is not
// repeated, because it may contain bank numbers.
func TestCompaniesHeader(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	for _, c := range []struct{ text, field, reason string }{
		{"", "", "the file is empty"},
		{"\n", "", "the file has no header line"},
		{"\ufeff", "", "the file has no header line"},
		{"cvr\n10150817\n", "name", "the header lacks this required column: expected some of cvr, name, address, startDate"},
		{"name,address\nx,y\n", "cvr", "the header lacks this required column: expected some of cvr, name, address, startDate"},
		{"cvr,name,phone\n10150817,x,y\n", "", `unknown column "phone": expected some of cvr, name, address, startDate`},
		{"CVR,name\n10150817,x\n", "", `unknown column "CVR"`},
		{"cvr,name,\n10150817,x,\n", "", `unknown column ""`},
		{"cvr,name,name\n10150817,x,y\n", "name", "twice"},
		{"cvr,cvr,name\n10150817,10150817,y\n", "cvr", "twice"},
		{"id,cvr,name\n1,10150817,x\n", "id", "this column cannot be imported: the service sets it"},
		{"cvr,name,createdAt\n10150817,x,2026-01-01\n", "createdAt", "this column cannot be imported: the service sets it"},
		{"cvr,name,updatedAt\n10150817,x,2026-01-01\n", "updatedAt", "this column cannot be imported: the service sets it"},
		{"cvr\tname\n10150817\tx\n", "", "unknown column"},
		{"cvr|name\n10150817|x\n", "", "unknown column"},
		{"cvr,\"name\n10150817,x\n", "", "unclosed double quote"},
		{"cvr,name,n\xe6vn\n10150817,x,y\n", "", "not valid UTF-8"},
		{"c\x00v\x00r\x00", "", "control character U+0000"},
		{"0012345678,1234,x\n", "", "unknown column"},
		{"1234 0012345678;x\n", "", "unknown column"},
		{strings.Repeat("x", 3<<20), "", "the line is longer than"},
	} {
		_, err := importCompanies(t, w, a, c.text)
		bad := modelstest.BadFile(t, err)
		require.Len(t, bad.Lines, 1, "%.50q", c.text)
		require.EqualValues(t, 1, bad.Lines[0].Line)
		require.Equal(t, c.field, bad.Lines[0].Field, "%.50q", c.text)
		require.Contains(t, bad.Lines[0].Reason, c.reason, "%.50q", c.text)
		require.Less(t, len(err.Error()), 500)
		require.NotContains(t, err.Error(), "1234", "a bank number in an error")
	}
	require.Empty(t, modelstest.Companies(t, w.Service, a))
}

// A header alone is a file without companies, and changes nothing.
func TestCompaniesHeaderAlone(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10150817")
	done := loadCompanies(t, w, a, "cvr,name\n")
	require.Equal(t, imports.CompaniesResult{}, done)
	require.Len(t, modelstest.Companies(t, w.Service, a), 1)
}
