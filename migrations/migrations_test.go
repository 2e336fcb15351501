package migrations

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The edition is the hash of the files, so that nobody can edit one and keep the edition: a
// database of the files as they were before would be taken for one of these.
func TestEdition(t *testing.T) {
	entries, err := files.ReadDir(".")
	require.NoError(t, err)
	hash, noted := sha256.New(), 0
	for _, entry := range entries {
		text, err := files.ReadFile(entry.Name())
		require.NoError(t, err)
		noted += strings.Count(string(text), "COMMENT ON TABLE goose_db_version IS '"+edition+"';")
		hash.Write([]byte(strings.ReplaceAll(string(text), edition, "")))
	}
	require.Equal(t, 1, noted, "the first file and migrations.go name different editions")
	require.Equal(t, "dispo edition "+hex.EncodeToString(hash.Sum(nil)[:6]), edition, "a file was edited: write this edition into migrations.go and into the first file")
}
