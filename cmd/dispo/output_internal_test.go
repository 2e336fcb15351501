package main

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// fullAtClose is a file whose file system says when it is closed that it has no room.
type fullAtClose struct{ bytes.Buffer }

func (f *fullAtClose) Close() error { return syscall.ENOSPC }

// What a command prints is checked when standard output is closed, too: the command fails, and a
// key that nobody can see is revoked again.
func TestOutputIsCheckedAtClose(t *testing.T) {
	w := modelstest.NewWorld(t)
	w.Organization(t, "acme")
	log := slog.Default()
	t.Cleanup(func() { slog.SetDefault(log) })
	t.Setenv("HOME", os.Getenv("HOME"))
	t.Setenv("DATABASE_URL", w.URL)
	for _, line := range []string{"version", "--help", "key create --organization acme --name k"} {
		var err bytes.Buffer
		require.Equal(t, exitFailed,
			run(t.Context(), strings.Fields(line), streams{out: &output{to: &fullAtClose{}}, err: &err}))
		require.Regexp(t, `^dispo: cannot write to standard output: no space left on device[^\n]*\n$`, err.String())
	}
	require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM api_keys`))
	require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(revoked_at) FROM api_keys`))
}
