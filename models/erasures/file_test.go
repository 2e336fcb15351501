package erasures_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/disk"
	"dispo/models/erasures"
	"dispo/models/modelstest"
)

// Erasures are read as they were appended, also by many at once. Without a path, none is
// appended.
func TestFileKeepsErasures(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "erasures")
	require.NoError(t, erasures.Append(t.Context(), "", erasures.Erasure{}))
	var appended []erasures.Erasure
	for range 10 {
		for _, kind := range []string{erasures.Organization, erasures.User, erasures.Key} {
			appended = append(appended, erasures.Erasure{At: time.Now().UTC().Round(0), Kind: kind, ID: uuid.New()})
		}
	}
	modelstest.AtOnce(t, len(appended), func(i int) error { return erasures.Append(t.Context(), path, appended[i]) })
	read, err := erasures.Read(t.Context(), path)
	require.NoError(t, err)
	require.ElementsMatch(t, appended, read)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}

// A line that is not an erasure, or not all of one, is named. What is appended after a torn
// line is whole.
func TestFileNamesBadLines(t *testing.T) {
	t.Parallel()
	const good = `{"at":"2026-11-24T04:00:00Z","kind":"user","id":"01a1f776-b14b-7e45-8f0c-d25d680aa0e8"}`
	for _, bad := range []string{good[:40], good[:len(good)-1] + "\n", good + good + "\n", `{"kind":"user"}` + "\n",
		`{"at":"2026-11-24T04:00:00Z","kind":"mail","id":"01a1f776-b14b-7e45-8f0c-d25d680aa0e8"}` + "\n"} {
		path := filepath.Join(t.TempDir(), "erasures")
		require.NoError(t, os.WriteFile(path, []byte(good+"\n"+bad), 0o600))
		_, err := erasures.Read(t.Context(), path)
		require.ErrorContains(t, err, "line 2 of "+path+" is not a whole erasure", bad)
		require.NoError(t,
			erasures.Append(t.Context(), path, erasures.Erasure{At: time.Now(), Kind: erasures.Key, ID: uuid.New()}))
		text := modelstest.ReadFile(t, path)
		require.Regexp(t, `\n\{"at":"[^"]+","kind":"key","id":"[0-9a-f-]+"\}\n$`, string(text))
	}
}

// Of a deletion that was taken back, nothing is read, in whatever order the files of several
// machines were put together. A later one counts.
func TestFileTakesBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "erasures")
	at, failed, tried := time.Now().UTC().Round(0), uuid.New(), uuid.New()
	line := func(minute int, id uuid.UUID, back bool) erasures.Erasure {
		return erasures.Erasure{At: at.Add(time.Duration(minute) * time.Minute), Kind: erasures.User, ID: id, TakenBack: back}
	}
	require.NoError(
		t,
		erasures.Append(t.Context(), path, line(4, tried, false), line(3, tried, true), line(2, failed, true),
			line(1, failed, false), line(0, tried, false)),
	)
	read, err := erasures.Read(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, []erasures.Erasure{line(4, tried, false)}, read)
}

// Only a regular file is written to and read. Nothing waits for the other end of a pipe, a link
// leads nowhere, and nothing is made where one leads.
func TestFileIsRegular(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o600))
	require.NoError(t, syscall.Mkfifo(at("pipe that is read"), 0o600))
	reader, err := os.OpenFile(at("pipe that is read"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, os.WriteFile(at("file"), nil, 0o600))
	require.NoError(t, os.Symlink(at("file"), at("link")))
	require.NoError(t, os.Symlink(at("missing"), at("link to nothing")))
	for _, name := range []string{"pipe", "pipe that is read", "link", "link to nothing"} {
		for _, err := range []error{
			erasures.Append(t.Context(), at(name)), erasures.Append(t.Context(), at(name), erasures.Erasure{}), modelstest.ErrorOf(erasures.Read(t.Context(), at(name))),
		} {
			require.ErrorContains(t, err, at(name)+" is not a regular file", name)
		}
	}
	require.Empty(t, modelstest.ReadFile(t, at("file")))
	require.NoFileExists(t, at("missing"))
}

// A file that does not answer holds up nobody for longer than its time. Once it answers again, it
// is used again.
func TestFileIsSilent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "erasures")
	end := erasures.Silence()
	for range 3 {
		require.ErrorIs(t, erasures.Append(t.Context(), path), disk.ErrSilent)
		require.ErrorIs(t, modelstest.ErrorOf(erasures.Read(t.Context(), path)), disk.ErrSilent)
	}
	require.NoFileExists(t, path)
	end()
	require.NoError(t, erasures.Append(t.Context(), path))
	require.Empty(t, ids(t, path))
}
