package migrations

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The edition is the hash of the files of the first release, so that nobody can edit one and
// keep the edition: a database of the files as they were before would be taken for one of
// these. Each file that was added later notes which programs it still serves.
func TestEdition(t *testing.T) {
	entries, err := files.ReadDir(".")
	require.NoError(t, err)
	hash, noted, added := sha256.New(), 0, false
	for _, entry := range entries {
		text, err := files.ReadFile(entry.Name())
		require.NoError(t, err)
		if note := regexp.MustCompile(`'` + edition + `, version (\d+) serves (\d+)';`).
			FindStringSubmatch(string(text)); note != nil {
			added = true
			require.Equal(t, entry.Name()[:5], fmt.Sprintf("%05s", note[1]), "%s notes another version", entry.Name())
			require.Less(t, fmt.Sprintf("%05s", note[2]), entry.Name()[:5], "%s serves no release before", entry.Name())
			continue
		}
		require.False(t, added, "%s does not note which programs it serves, see migrations.go", entry.Name())
		noted += strings.Count(string(text), "COMMENT ON TABLE goose_db_version IS '"+edition+"';")
		hash.Write([]byte(strings.ReplaceAll(string(text), edition, "")))
	}
	require.Equal(t, 1, noted, "the first file and migrations.go name different editions")
	require.Equal(t, "dispo edition "+hex.EncodeToString(hash.Sum(nil)[:6]),
		edition, "a file was edited: write this edition into migrations.go and into the first file")
}
