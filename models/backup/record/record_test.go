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

// The newest backup and the newest one that was checked are found among files that are none. A
// check counts only for the content that it has read: a file that was replaced since was not
// checked.
func TestNewest(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	newest, checked, err := record.Newest(folder)
	require.NoError(t, err)
	require.Empty(t, newest)
	require.Empty(t, checked)

	day := time.Date(2026, 11, 24, 2, 30, 0, 0, time.UTC)
	first := keep(t, folder, "first.dispo", day, "1")
	second := keep(t, folder, "second.dispo", day.AddDate(0, 0, 1), "2")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "empty.dispo"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "text.dispo"), []byte("x"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "third.dispo.partial-1"), []byte("x"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "folder.dispo"), 0o700))
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, "pipe.dispo"), 0o600))
	newest, checked, err = record.Newest(folder)
	require.NoError(t, err)
	require.Equal(t, record.Backup{Path: second, At: day.AddDate(0, 0, 1)}, newest)
	require.Empty(t, checked)

	whole := record.Check{At: day, Kind: "whole", SHA256: "1", Seconds: 20}
	require.NoError(t, record.Add(first, record.Check{At: day, Kind: "quick", SHA256: "1", Seconds: 0.5}))
	require.NoError(t, record.Add(first, whole))
	newest, checked, err = record.Newest(folder)
	require.NoError(t, err)
	require.Equal(t, second, newest.Path)
	require.Equal(t, record.Backup{Path: first, At: day, Last: whole}, checked)

	_, checked, err = record.Newest(folder, record.Drill)
	require.NoError(t, err)
	require.Empty(t, checked)
	_, checked, err = record.Newest(folder, record.Quick, record.Drill)
	require.NoError(t, err)
	require.Equal(t, record.Quick, checked.Last.Kind)

	keep(t, folder, "first.dispo", day, "another")
	_, checked, err = record.Newest(folder)
	require.NoError(t, err)
	require.Empty(t, checked)

	_, _, err = record.Newest(filepath.Join(folder, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
