package erasures_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/erasures"
	"dispo/models/modelstest"
)

// Erasures are read as they were appended, also by many at once. Without a path, nothing is
// written.
func TestFileKeepsErasures(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "erasures")
	require.NoError(t, erasures.Append("", erasures.Erasure{}))
	require.NoFileExists(t, path)
	var appended []erasures.Erasure
	for range 100 {
		for _, kind := range []string{erasures.Organization, erasures.User, erasures.Key} {
			appended = append(appended, erasures.Erasure{At: time.Now().UTC().Round(0), Kind: kind, ID: uuid.New()})
		}
	}
	modelstest.AtOnce(t, len(appended), func(i int) error { return erasures.Append(path, appended[i]) })
	read, err := erasures.Read(path)
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
		_, err := erasures.Read(path)
		require.ErrorContains(t, err, "line 2 of "+path+" is not a whole erasure", bad)
		require.NoError(t, erasures.Append(path, erasures.Erasure{At: time.Now(), Kind: erasures.Key, ID: uuid.New()}))
		text := modelstest.ReadFile(t, path)
		require.Regexp(t, `\n\{"at":"[^"]+","kind":"key","id":"[0-9a-f-]+"\}\n$`, string(text))
	}
}
