package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The archives that the program offers are made from the clients as they are.
func TestArchivesAreUpToDate(t *testing.T) {
	t.Parallel()
	made, err := archives(os.DirFS("../client"))
	require.NoError(t, err)
	require.Len(t, made, 2)
	for name, content := range made {
		committed, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, string(content) == string(committed), "%s is out of date: run go generate ./api", name)
	}
}
