package imports_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// company reads one company.
func company(t testing.TB, w *modelstest.World, organization models.Organization, cvr string) models.Company {
	t.Helper()
	found, err := ledger.Company(t.Context(), w.Service.Tenant(organization.ID), cvr)
	require.NoError(t, err)
	return found.Company
}

// Each column has its rule. A value that breaks it is reported with its line, its
// column and the reason. A bank number is never repeated.
func TestCompaniesColumnRules(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	cvr := 10000000
	for _, c := range []struct {
		column, good string // good: texts separated by |
		bad          []string
		reason       string
	}{
		{"name", "x|Æ|" + strings.Repeat("long", 200) + "|a, b", []string{"", " "}, "it is required, but blank"},
		{"name", "שלום|a\u00a0b", []string{"a\u202eb", "\u200bx"}, "it contains the invisible character U+20"},
		{"name", strings.Repeat("ø", 1000), []string{strings.Repeat("ø", 1001)}, "it has 1001 characters: at most 1000 are allowed"},
		{"name", manyLetters(1000), nil, ""}, // does not compress, and yet fits into the index
		{"address", strings.Repeat("x", 1000), []string{strings.Repeat("x", 1001)}, "it has 1001 characters: at most 1000 are allowed"},
		{"address", "x", []string{"a\u2066b"}, "it contains the invisible character U+2066: remove it"},
		{"startDate", "2024-02-29|1900-01-01|9999-12-31|1000-01-01", []string{"2023-02-29", "2024-13-01", "2024-1-1", "24-01-01", "01-02-2024", "2024-01-01T00:00:00Z", "0999-12-31", "10000-01-01", "infinity", "today", "2024/01/01"}, "is not a date: expected YYYY-MM-DD"},
		{"endDate", "2024-02-29|9999-12-31", []string{"2024-02-30", "-", "12024-01-01"}, "is not a date: expected YYYY-MM-DD"},
		{"status", "CREATED|REGISTERED|MODIFIED|TERMINATED|REJECTED", []string{"created", "DELETED", "REGISTERED."}, "is not a status: expected one of CREATED, REGISTERED, MODIFIED, TERMINATED, REJECTED"},
		{"senderRegNumber", "0000|1234", []string{"123", "12345", "12a4", "١٢٣٤"}, "it is not 4 digits"},
		{"senderAccountNumber", "0|1234567890", []string{"12345678901", "1 2", "-1", "12345678x"}, "it is not 1 to 10 digits"},
		{"receiverRegNumber", "0000|1234", []string{"123", "12345"}, "it is not 4 digits"},
		{"receiverAccountNumber", "0|1234567890", []string{"12345678901", "1.2"}, "it is not 1 to 10 digits"},
		{"defaultAmountCents", "0|-1|99999999999999|-99999999999999|+5|007", []string{"1.00", "1,5", "100000000000000", "-100000000000000", "1e3", "99999999999999999999", "kr 5", "0x10"}, "is not an amount in cents"},
	} {
		for _, text := range strings.Split(c.good, "|") {
			cvr++
			require.NoError(
				t,
				modelstest.ErrorOf(
					importCompanies(t, w, a, fmt.Sprintf("cvr;%s;%s\n%d;\"%s\";x\n", c.column, other(c.column), cvr, text))),
				"%s: %q",
				c.column,
				text,
			)
		}
		for _, text := range c.bad {
			_, err := importCompanies(t, w, a,
				fmt.Sprintf("cvr;%s;%s\n20000002;%s;x\n20000003;\"%s\";x\n", c.column, other(c.column), goodFor(c.column), text))
			bad := modelstest.BadFile(t, err)
			require.Len(t, bad.Lines, 1, "%s: %q", c.column, text)
			require.EqualValues(t, 3, bad.Lines[0].Line)
			require.Equal(t, c.column, bad.Lines[0].Field)
			require.Contains(t, bad.Lines[0].Reason, c.reason, "%s: %q", c.column, text)
			if strings.Contains(c.column, "Number") {
				require.NotContains(t, err.Error(), text, "a bank number in an error")
			}
		}
	}
	// Whole or not at all: the good line before a bad one is not stored either.
	modelstest.RequireKind(t, models.KindCompanyNotFound,
		modelstest.ErrorOf(ledger.Company(t.Context(), w.Service.Tenant(a.ID), "20000002")))
}

// other returns a column beside the tested one, so that the file has names.
func other(column string) string {
	if column == "name" {
		return "address"
	}
	return "name"
}

// goodFor returns a text that the column accepts: blank, except for the name.
func goodFor(column string) string {
	if column == "name" {
		return "x"
	}
	return ""
}

// A CVR whose check digit does not fit (modulus 11, weights 2 7 6 5 4 3 2 1) is
// accepted with a warning. Of many warnings, the first are reported and the rest
// are counted.
func TestCompaniesCheckDigit(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	done := loadCompanies(t, w, a, "cvr,name\n10150817,x\n10150818,x\n88146328,x\n88146382,x\n00000000,x\n")
	require.EqualValues(t, 5, done.Inserted)
	require.Zero(t, done.MoreWarnings)
	require.Len(t, done.Warnings, 2)
	for i, warning := range []struct {
		line int64
		cvr  string
	}{{3, "10150818"}, {5, "88146382"}} {
		require.Equal(t, warning.line, done.Warnings[i].Line)
		require.Equal(t, "cvr", done.Warnings[i].Field)
		require.Contains(t, done.Warnings[i].Reason, "the check digit of "+warning.cvr)
	}

	var text strings.Builder
	text.WriteString("cvr,name\n")
	for i := range 25 {
		fmt.Fprintf(&text, "%s,x\n", withWrongCheckDigit(3_000_000+i))
	}
	text.WriteString("10150817,x\n")
	done = loadCompanies(t, w, a, text.String())
	require.Len(t, done.Warnings, 20)
	require.EqualValues(t, 5, done.MoreWarnings)
}

// withWrongCheckDigit returns a CVR of seven digits and a last one that does not fit.
func withWrongCheckDigit(seven int) string {
	sum := 0
	for i, c := range fmt.Sprintf("%07d", seven) {
		sum += int(c-'0') * []int{2, 7, 6, 5, 4, 3, 2}[i]
	}
	return fmt.Sprintf("%07d%d", seven, (11-sum%11+1)%10)
}

// manyLetters returns a text of n different letters.
func manyLetters(n int) string {
	letters := make([]rune, n)
	for i := range letters {
		letters[i] = rune('一' + i*7)
	}
	return string(letters)
}

// The header shows whether the delimiter is the comma or the semicolon. A
// byte-order mark, either line end, blank lines, a spreadsheet's empty rows, delimiters at
// the end of all lines, quotes and a missing last line end make no difference.
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
		"empty rows":       ";;\ncvr;name;address\r\n10150817;\"A; B\";C, D\r\n;;\r\n ; ;\r\n;\r\n",
		"one at the end":   "cvr,name,address,\n10150817,A; B,\"C, D\",\n",
		"more at the end":  "cvr;name;address;;\n10150817;\"A; B\";C, D; ;\n;;;;\n",
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

// Every bad file is refused with what testdata/companies.txt says, and stores nothing. No bank
// number is repeated.
func TestCompaniesReasons(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	cases := modelstest.ReadFile(t, "testdata/companies.txt")
	for line := range strings.Lines(string(cases) + strings.Repeat("x", 3<<20) + " → line 1: the line is longer than 65536 bytes\n") {
		file, expected, found := strings.Cut(strings.TrimSuffix(line, "\n"), " → ")
		if !found {
			continue
		}
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(file, `"`, `\"`) + `"`)
		require.NoError(t, err, file)
		_, err = importCompanies(t, w, a, text)
		var told []string
		for _, line := range modelstest.BadFile(t, err).Lines {
			told = append(told, line.String())
		}
		assert.Equal(t, expected, strings.Join(told, " + "), "%.100s", file)
		require.NotContains(t, err.Error(), "1234", "a bank number in an error")
	}
	require.Empty(t, modelstest.Companies(t, w.Service, a))
}
