package format

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Wherever a csv file is cut off: either it is bad, or the record is as it was.
func TestCSVCutOff(t *testing.T) {
	file := csvHead + "10150817,1234,0012345678,\"a \"\"b\"\"\",2026-01-31,3,\"1234.50\"\n"
	whole, bad, _ := readText(t, CSV(), file)
	assert.Empty(t, bad)
	for cut := range len(file) {
		rows, bad, _ := readText(t, CSV(), file[:cut])
		if len(rows) > 0 {
			assert.Equal(t, whole, rows, "cut at %d", cut)
			assert.Empty(t, bad)
		} else {
			assert.Len(t, bad, 1, "cut at %d", cut)
		}
	}
}
