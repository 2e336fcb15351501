package format

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A file with a required total that is cut off anywhere is bad, unless only its last
// line end is missing.
func TestTotalsCutOff(t *testing.T) {
	good := firstCase(t, "totals")
	layout := mustParse(t, good.layout)
	for end := 1; end < len(good.file)-1; end++ {
		_, bad, _ := readText(t, layout, good.file[:end])
		require.NotEmpty(t, bad, "cut at %d: %q", end, good.file[:end])
	}
}
