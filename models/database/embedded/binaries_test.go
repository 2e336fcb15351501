package embedded

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeBin makes a directory of binaries that only report a version.
func fakeBin(t *testing.T, dir, version string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	text := fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %s'\n", version)
	for _, program := range []string{"postgres", "initdb"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, program), []byte(text), 0o755))
	}
	return dir
}

// PATH is preferred to the usual directories, and its links are followed. Of the usual directories the newest comes
// first, and none comes twice. Versions that are too old are skipped later.
func TestFindOrder(t *testing.T) {
	t.Parallel()
	root := filepath.Dir(newDir(t))
	for _, version := range []string{"9.6", "14.2", "15.1", "16beta1"} {
		fakeBin(t, filepath.Join(root, "lib", version, "bin"), version)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(root, "lib", "99", "bin"), 0o755))
	onPath := fakeBin(t, filepath.Join(root, "elsewhere"), "17.3 (Debian 17.3-1)")
	link := filepath.Join(root, "path")
	require.NoError(t, os.Mkdir(link, 0o755))
	require.NoError(t, os.Symlink(filepath.Join(onPath, "postgres"), filepath.Join(link, "postgres")))

	patterns := []string{filepath.Join(root, "lib", "*", "bin")}
	lib := func(version string) string { return filepath.Join(root, "lib", version, "bin") }
	require.Equal(t, []string{onPath, lib("99"), lib("9.6"), lib("16beta1"), lib("15.1"), lib("14.2")},
		directories("postgres", []string{filepath.Join(root, "none"), link, onPath}, append(patterns, patterns...)))
}

// A relative PG_BIN is relative to the current directory. Relative directories on PATH are not searched.
func TestRelativeFolders(t *testing.T) {
	t.Parallel()
	h, err := openHome(newDir(t), true)
	require.NoError(t, err)
	bin := fakeBin(t, newDir(t), "17.1")
	relative := strings.Repeat("../", 64) + bin // works in any directory, because the parent of / is /

	found, err := findBinaries(t.Context(), relative, h, 0)
	require.NoError(t, err)
	require.Equal(t, bin, found.dir)
	require.Empty(t, directories("postgres", []string{relative}, nil))
}

// Without an installed PostgreSQL, one sentence says what to install or to set.
func TestNotInstalled(t *testing.T) {
	options := testOptions(newDir(t))
	usual := folders
	folders = nil
	t.Setenv("PATH", "/nonexistent")
	_, err := Open(t.Context(), Service, options)
	folders = usual
	requireSentence(t, err, "apt-get install postgresql", "PG_BIN", "DATABASE_URL")
}

// A wrong PG_BIN is refused in one sentence that names it; no other PostgreSQL is used instead.
func TestWrongBinDir(t *testing.T) {
	t.Parallel()
	root := filepath.Dir(newDir(t))
	half := fakeBin(t, filepath.Join(root, "half"), "17.1")
	require.NoError(t, os.Remove(filepath.Join(half, "initdb")))
	broken := fakeBin(t, filepath.Join(root, "broken"), "17.1")
	require.NoError(t, os.WriteFile(filepath.Join(broken, "postgres"), []byte("#!/bin/sh\nexit 1\n"), 0o755))

	for dir, part := range map[string]string{
		filepath.Join(root, "none"): "has no postgres",
		half:                        "has no initdb",
		broken:                      "cannot be run",
		fakeBin(t, filepath.Join(root, "old"), "14.20"):      "PostgreSQL 14",
		fakeBin(t, filepath.Join(root, "other"), "whatever"): "does not report its version",
	} {
		options := testOptions(newDir(t))
		options.BinDir = dir
		_, err := Open(t.Context(), Service, options)
		requireSentence(t, err, "PG_BIN", dir, part)
	}
}

// Of pg_dump and pg_restore, the oldest that are not older than the server are used. If there
// are none, one sentence says so.
func TestFindClients(t *testing.T) {
	clients := func(dir, version string) string {
		fakeBin(t, dir, version)
		for from, to := range map[string]string{"postgres": "pg_dump", "initdb": "pg_restore"} {
			require.NoError(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
		}
		return dir
	}
	root := filepath.Dir(newDir(t))
	usual := folders
	folders = []string{filepath.Join(root, "*", "bin")}
	t.Cleanup(func() { folders = usual })
	t.Setenv("PATH", "/nonexistent")
	_, err := FindClients(t.Context(), "", 17)
	requireSentence(t, err, "not installed", "apt-get install postgresql-client-17", "PG_BIN")
	old, middle := clients(filepath.Join(root, "15", "bin"), "15.4"), clients(filepath.Join(root, "17", "bin"), "17.2")
	clients(filepath.Join(root, "18", "bin"), "18.1")
	found, err := FindClients(t.Context(), "", 16)
	require.NoError(t, err)
	require.Equal(t, Clients{middle, 17}, found)
	_, err = FindClients(t.Context(), "", 19)
	requireSentence(t, err, "are of PostgreSQL 15, but the server needs 19", "apt-get install postgresql-client-19",
		"PG_BIN")
	_, err = FindClients(t.Context(), old, 16)
	requireSentence(t, err, "in "+old+" are of PostgreSQL 15, but the server needs 16")
}
