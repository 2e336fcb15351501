package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Wherever a file that proves itself complete is cut off, it is bad, unless only its last
// line end is missing: an os delivery, one of two, and one with a required total. A csv file
// is bad, or has the record as it was. The first of two os deliveries is whole without the
// second.
func TestCutOff(t *testing.T) {
	totals := firstCase(t, "totals")
	delivery := osStart() + osSectionStart() + osTransfer("1000") + osSectionEnd("1", "1000") + osEnd("1", "1000")
	csv := csvHead + "10150817,1234,0012345678,\"a \"\"b\"\"\",2026-01-31,3,\"1234.50\"\n"
	record, bad, _ := readText(t, CSV(), csv)
	assert.Len(t, record, 1)
	assert.Empty(t, bad)
	for _, row := range []struct {
		name, file string
		layout     *Layout // nil to detect it
	}{
		{"os", delivery, nil},
		{"two of os", delivery + delivery, nil},
		{"os with CRLF", strings.ReplaceAll(delivery, "\n", "\r\n"), nil},
		{"totals", totals.file, mustParse(t, totals.layout)},
		{"csv", csv, CSV()},
	} {
		end := strings.TrimRight(row.file, "\r\n")
		for cut := range row.file {
			head, layout := row.file[:cut], row.layout
			if layout == nil {
				layout = Detect([]byte(head))
			}
			rows, bad, _ := readText(t, layout, head)
			switch {
			case head == end || row.name == "two of os" && len(strings.TrimSuffix(head, "\n")) == len(delivery)-1:
				assert.Empty(t, bad, "%s cut at %d", row.name, cut)
			case row.name == "csv" && len(rows) > 0:
				assert.Empty(t, bad, "cut at %d", cut)
				assert.Equal(t, record, rows, "cut at %d", cut)
			default:
				assert.NotEmpty(t, bad, "%s cut at %d", row.name, cut)
			}
		}
	}
}
