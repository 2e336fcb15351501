package folder

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A rename never replaces a file, also if the name was taken only just now.
func TestRenameReplacesNothing(t *testing.T) {
	t.Parallel()
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	require.NoError(t, os.WriteFile(from, []byte("from"), 0o600))
	require.NoError(t, os.WriteFile(to, []byte("to"), 0o600))
	require.ErrorIs(t, rename(from, to), fs.ErrExist)
	for path, text := range map[string]string{from: "from", to: "to"} {
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(kept))
	}
	// A rename that fails leaves nothing behind.
	require.ErrorIs(t, rename(from, filepath.Join(t.TempDir(), "none", "to")), fs.ErrNotExist)
	require.ErrorIs(t, rename(filepath.Join(t.TempDir(), "none"), to+"2"), fs.ErrNotExist)
	require.NoFileExists(t, to+"2")
}
