package format

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// explained reads a file for people, and checks what holds of every line: a part of a
// fixed-width line is what stands at its place, and the values are the record's.
func explained(t *testing.T, layout *Layout, file []byte) (lines []ExplainedLine, bad []BadLine) {
	t.Helper()
	rows, badRows, summary := readText(t, layout, string(file))
	found, err := layout.Explain(bytes.NewReader(file), func(line ExplainedLine) error {
		lines = append(lines, line)
		return nil
	}, func(line BadLine) error {
		bad = append(bad, line)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, summary, found, "the file is read as for an import")
	require.Equal(t, badRows, bad)
	values := map[int64]map[string]string{}
	for _, r := range rows {
		values[r.Index+1] = map[string]string{"cvr": r.CVR, "regNumber": r.RegNumber, "accountNumber": r.AccountNumber, "transferType": r.TransferType, "dispositionDate": r.Date, "amountDkk": r.Amount}
	}
	for _, line := range lines {
		shown := map[string]string{}
		for _, field := range line.Fields {
			assert.Contains(t, line.Text, field.Text, "line %d: %s", line.Number, field.Name)
			if field.Value != "" && !strings.HasPrefix(field.Name, "identity.") && field.Name != "count" {
				shown[field.Name] = field.Value
			}
		}
		if want := values[line.Number]; want != nil {
			assert.Equal(t, want, shown, "line %d", line.Number)
		} else {
			assert.Empty(t, shown, "line %d", line.Number)
		}
	}
	return lines, bad
}

// Whoever tries a layout sees every line as the import reads it, with what each field
// is and where it stands.
func TestExplain(t *testing.T) {
	kinds := map[string][]string{
		"../../../docs/example/delivery.txt":    {"values for the records after it", "record", "record", "total of the file"},
		"../../../docs/example/spreadsheet.csv": {"header", "record", "record", "total of the file"},
		"../../../docs/example/advice.txt":      {"values for the records after it", "record", "record", "ignored", "total of the section", "values for the records after it", "record", "total of the section", "total of the file"},
		"testdata/fixed.txt":                    {"values for the records after it", "record", "record", "values for the records after it", "record", "ignored"},
		"testdata/delimited.txt":                {"header", "record", "record", "ignored"},
		"../../../docs/example/delivery.csv":    {"header", "record", "record"},
		"testdata/delivery.os.txt":              {"OS1", "OS2", "OS5", "OS5", "OS8, a record", "OS2", "OS5", "OS8, a record", "OS9"},
	}
	layouts := map[string]string{
		"../../../docs/example/delivery.txt": "../../../docs/example/layout.yaml", "../../../docs/example/spreadsheet.csv": "../../../docs/example/spreadsheet.yaml",
		"../../../docs/example/advice.txt": "../../../docs/example/advice.yaml", "testdata/fixed.txt": "testdata/fixed.yaml", "testdata/delimited.txt": "testdata/delimited.yaml",
	}
	for name, want := range kinds {
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(name)
			require.NoError(t, err)
			layout := Detect(file)
			if layouts[name] != "" {
				text, err := os.ReadFile(layouts[name])
				require.NoError(t, err)
				layout = mustParse(t, string(text))
			}
			lines, bad := explained(t, layout, file)
			var found []string
			for _, line := range lines {
				found = append(found, line.Kind)
			}
			assert.Equal(t, want, found)
			assert.Empty(t, bad)
		})
	}
}

// A bad line is explained too: its places, and no values.
func TestExplainBadLines(t *testing.T) {
	example, err := os.ReadFile("../../../docs/example/layout.yaml")
	require.NoError(t, err)
	layout := mustParse(t, string(example))
	_, bad := explained(t, layout, []byte("D00x\nX\n\nH2026013\n"+strings.Repeat("æ", maxLine)+"\n"))
	assert.NotEmpty(t, bad)
	for _, file := range []string{"cvr;x\n1\n", "OS1\nOS6\nPBCNET77\nPBCNET00\nOS2\nX\n\n", "", "OS8" + strings.Repeat("9", 77)} {
		for _, layout := range []*Layout{CSV(), OS()} {
			_, bad := explained(t, layout, []byte(file))
			assert.NotEmpty(t, bad, file)
		}
	}
}
