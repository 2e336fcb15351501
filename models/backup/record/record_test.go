package record_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/backup/record"
)

// keep writes a backup whose manifest has a time and a hash, and returns its path.
func keep(t *testing.T, folder, name string, at time.Time, sha256 string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	file, err := os.Create(path)
	require.NoError(t, err)
	archive := zip.NewWriter(file)
	manifest, err := archive.Create("manifest.json")
	require.NoError(t, err)
	_, err = manifest.Write([]byte(`{"at": "` + at.Format(time.RFC3339) + `", "sha256": "` + sha256 + `"}`))
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	require.NoError(t, file.Close())
	require.NoError(t, os.Chtimes(path, at, at))
	return path
}

// The newest backup and the newest ones that were checked are found among files that are none, by
// the time of their content: a copy may be written in any order. A check counts only for the content
// that it has read: a file that was replaced since was not checked.
func TestFind(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	find := func() record.Found {
		found, err := record.Find(t.Context(), time.Hour, folder)
		require.NoError(t, err)
		return found
	}
	require.Empty(t, find())

	day := time.Date(2026, 11, 24, 2, 30, 0, 0, time.UTC)
	first := record.Backup{Path: keep(t, folder, "first.dispo", day, "1"), At: day}
	second := record.Backup{Path: keep(t, folder, "second.dispo", day.AddDate(0, 0, 1), "2"), At: day.AddDate(0, 0, 1)}
	require.NoError(t, os.Chtimes(first.Path, day, day.AddDate(1, 0, 0)))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "empty.dispo"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "text.dispo"), []byte("x"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "third.dispo.partial-1"), []byte("x"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "folder.dispo"), 0o700))
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, "pipe.dispo"), 0o600))
	require.Equal(t, record.Found{Newest: second}, find())

	require.NoError(t, record.Add(first.Path, record.Check{At: day, Kind: record.Quick, SHA256: "1", Seconds: 0.5}))
	require.Equal(t, record.Found{Newest: second, Checked: first}, find())
	require.NoError(t, record.Add(first.Path, record.Check{At: day, Kind: record.Drill, SHA256: "1", Seconds: 20}))
	require.Equal(t, record.Found{Newest: second, Checked: first, Whole: first}, find())
	require.NoError(t, record.Add(second.Path, record.Check{At: day, Kind: record.Quick, SHA256: "2"}))
	require.Equal(t, record.Found{Newest: second, Checked: second, Whole: first}, find())

	keep(t, folder, "first.dispo", day, "another")
	require.Equal(t, record.Found{Newest: second, Checked: second}, find())

	_, err := record.Find(t.Context(), time.Hour, filepath.Join(folder, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
