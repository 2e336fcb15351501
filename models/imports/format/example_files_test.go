package format

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The layouts that the documentation shows read the files that it shows, and prove
// them complete: without any one line, they are bad.
func TestDocumentedLayouts(t *testing.T) {
	const folder = "../../../docs/example/"
	documentation, err := os.ReadFile("../../../docs/layouts.md")
	require.NoError(t, err)
	second, err := os.ReadFile("../../../docs/layout-from-description.md")
	require.NoError(t, err)
	documentation = append(documentation, second...)
	read := func(name string) string {
		text, err := os.ReadFile(folder + name)
		require.NoError(t, err)
		assert.True(t, strings.Contains(string(documentation), "\n"+string(text)+"```"),
			"the documentation must show %s as it is", name)
		return string(text)
	}
	tests := []struct {
		layout, file string
		amounts      []string
		identity     []string
	}{
		{"layout.yaml", "delivery.txt", []string{"1234.50", "-99.50"}, []string{"network=example, number=0000004711"}},
		{"spreadsheet.yaml", "spreadsheet.csv", []string{"1234.50", "-99.50"}, nil},
		{
			"advice.yaml",
			"advice.txt",
			[]string{"12345.50", "-1020.00", "99.50"},
			[]string{"acquirer=example, advice=00000042", "acquirer=example, advice=00000043"},
		},
		{"statement.yaml", "statement.csv", []string{"1234.50", "-99.50"}, nil},
		{"cobol.yaml", "cobol.txt", []string{"1234.50", "-99.50"}, nil},
		{
			"settlement.yaml",
			"settlement.txt",
			[]string{"12345.50", "-99.50"},
			[]string{"bank=example, date=20260203, number=00000417"},
		},
		{"payments.yaml", "payments.csv", []string{"12345.50", "-99.50"}, nil},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			layout, file := mustParse(t, read(test.layout)), read(test.file)
			rows, bad, _ := readText(t, layout, file)
			assert.Empty(t, bad)
			var amounts []string
			for _, row := range rows {
				amounts = append(amounts, row.Amount)
			}
			identity, _ := identify(t, layout, file)
			assert.Equal(t, test.amounts, amounts)
			assert.Equal(t, test.identity, identity.Names)

			lines := strings.SplitAfter(file, "\n")
			for left := range len(lines) - 1 {
				_, bad, _ := readText(t, layout, strings.Join(append(lines[:left:left], lines[left+1:]...), ""))
				assert.NotEmpty(t, bad, "without line %d", left+1)
			}
		})
	}
}

// What the documentation says that amounts and dates mean under a layout is what they mean.
func TestDocumentedForms(t *testing.T) {
	documentation, err := os.ReadFile("../../../docs/layouts.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`]+)` \\| (-?[0-9][-.0-9]*) \\|$")
	rows := row.FindAllStringSubmatch(string(documentation), -1)
	require.Greater(t, len(rows), 15)
	for _, row := range rows {
		date, amount := fmt.Sprintf("column: 1, date_format: %q", row[2]), "value: 1"
		if strings.HasPrefix(row[2], "{") {
			date, amount = "value: 2026-01-31", "column: 1, "+row[2][1:len(row[2])-1]
		}
		layout := mustParse(t, fmt.Sprintf(`
format: delimited
delimiter: ";"
columns: 1
fields:
  cvr: {value: 10150817}
  regNumber: {value: "0001"}
  accountNumber: {value: 1}
  transferType: {value: Visa}
  dispositionDate: {%s}
  count: {value: 1}
  amountDkk: {%s}
`, date, amount))
		read, bad, _ := readText(t, layout, row[1]+"\n")
		require.Empty(t, bad, row[0])
		assert.Contains(t, []string{read[0].Date, read[0].Amount}, row[3], row[0])
	}
}
