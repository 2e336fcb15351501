package format

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each code page of mainframes decodes all 256 bytes as iconv does, under each of its names.
func TestCodePages(t *testing.T) {
	var bytes strings.Builder
	for b := range 256 {
		bytes.WriteByte(byte(b))
	}
	for page, names := range map[string]string{
		"IBM037":  "ibm037 cp037 csIBM037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl",
		"IBM277":  "IBM277 cp277 csIBM277 EBCDIC-CP-DK EBCDIC-CP-NO",
		"IBM500":  "ibm500 CP500 csIBM500 ebcdic-cp-be ebcdic-cp-ch",
		"IBM1047": "IBM1047 IBM-1047 cp1047",
		"IBM1140": "IBM01140 CCSID01140 CP01140 csIBM01140 ebcdic-us-37+euro cp1140",
		"IBM1142": "IBM01142 CCSID01142 CP01142 csIBM01142 ebcdic-dk-277+euro ebcdic-no-277+euro cp1142",
		"IBM1148": "IBM01148 CCSID01148 CP01148 csIBM01148 ebcdic-international-500+euro cp1148",
	} {
		iconv := exec.CommandContext(t.Context(), "iconv", "-f", page, "-t", "UTF-8")
		iconv.Stdin = strings.NewReader(bytes.String())
		expected, err := iconv.Output()
		require.NoError(t, err, page)
		for name := range strings.FieldsSeq(names) {
			charset, known := charsetByName(name)
			if assert.True(t, known, name) {
				assert.Equal(t, string(expected), string(charset.runes[:]), name)
			}
		}
	}
}
