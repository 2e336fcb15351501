package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The archives that the program offers are made from the clients as they are. A test of the
// TypeScript client compiles it again.
func TestArchivesAreUpToDate(t *testing.T) {
	t.Parallel()
	unpacked := t.TempDir()
	require.NoError(t, exec.Command("tar", "-xf", "dispo-client-typescript.tar", "-C", unpacked).Run())
	made, err := archives(os.DirFS("../client"), os.DirFS(filepath.Join(unpacked, "dispo-client-typescript", "dist")))
	require.NoError(t, err)
	require.Len(t, made, 2)
	for name, content := range made {
		committed, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, string(content) == string(committed), "%s is out of date: run go generate ./api", name)
	}
}
