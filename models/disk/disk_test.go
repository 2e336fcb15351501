package disk_test

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/disk"
)

// What never answers, such as a pipe that nobody writes to, is ErrSilent, and keeps one thread
// however often it is asked. Once it answers, so does Ask.
func TestAsk(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	var asked atomic.Int64
	ask := func(limit time.Duration) (string, error) {
		return disk.Ask(t.Context(), limit, pipe, func() (string, error) {
			asked.Add(1)
			text, err := os.ReadFile(pipe)
			return string(text), err
		})
	}
	for range 3 {
		_, err := ask(time.Millisecond)
		require.ErrorIs(t, err, disk.ErrSilent)
	}
	require.LessOrEqual(t, asked.Load(), int64(1))
	require.NoError(t, os.WriteFile(pipe, []byte("here"), 0o600)) // returns when it is read
	require.NoError(t, os.Remove(pipe))
	require.NoError(t, os.WriteFile(pipe, []byte("here"), 0o600))
	text, err := ask(time.Hour)
	require.NoError(t, err)
	require.Equal(t, "here", text)
}

// The room on a disk is that of its folder.
func TestFree(t *testing.T) {
	t.Parallel()
	free, err := disk.Free(t.TempDir())
	require.NoError(t, err)
	require.Positive(t, free)
	_, err = disk.Free("/none")
	require.ErrorIs(t, err, os.ErrNotExist)
}
