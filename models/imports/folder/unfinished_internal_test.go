package folder

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A file whose name says that it is still being written, and that has not changed for an
// hour, is logged once and counts as waiting. It is never taken, and forgotten if it changes.
func TestUnfinishedForLong(t *testing.T) {
	t.Parallel()
	path, log := filepath.Join(t.TempDir(), "f.csv.partial"), &strings.Builder{}
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	w, err := Open(Options{Folder: filepath.Dir(path), Log: slog.New(slog.NewTextHandler(log, nil))})
	require.NoError(t, err)
	look := func(waiting int) {
		t.Helper()
		require.NoError(t, w.look(t.Context()))
		require.EqualValues(t, waiting, w.Waiting.Load())
		require.FileExists(t, path)
	}
	look(0)
	require.Empty(t, log.String())
	w.files["f.csv.partial"].since = time.Now().Add(-unfinishedMost)
	look(1)
	look(1)
	require.Equal(t, 1, strings.Count(log.String(), "file=f.csv.partial"))
	require.NoError(t, os.WriteFile(path, []byte("more"), 0o600))
	look(0)
}
