package embedded

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// closed is an address where nothing answers.
const closed = "http://127.0.0.1:1"

// fakeBin makes a directory of binaries that do nothing but tell a version.
func fakeBin(t *testing.T, dir, version string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	text := fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %s'\n", version)
	for _, program := range []string{"postgres", "initdb"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, program), []byte(text), 0o755))
	}
	return dir
}

// A link on PATH leads to the folder where all programs are, PATH comes before the usual folders, and of those the
// newest version is taken, unless the data needs another one.
func TestFindOrder(t *testing.T) {
	t.Parallel()
	h, err := openHome(newDir(t))
	require.NoError(t, err)
	root := filepath.Dir(newDir(t))
	for _, version := range []string{"9.6", "14.2", "15.1", "16beta1"} {
		fakeBin(t, filepath.Join(root, "lib", version, "bin"), version)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(root, "lib", "99", "bin"), 0o755))
	onPath := fakeBin(t, filepath.Join(root, "elsewhere"), "17.3 (Debian 17.3-1)")
	link := filepath.Join(root, "path")
	require.NoError(t, os.Mkdir(link, 0o755))
	require.NoError(t, os.Symlink(filepath.Join(onPath, "postgres"), filepath.Join(link, "postgres")))

	folders := []string{filepath.Join(root, "lib", "*", "bin")}
	for _, row := range []struct {
		name  string
		path  []string
		major int
		want  string
	}{
		{"PATH first", []string{filepath.Join(root, "none"), link}, 0, onPath},
		{"newest folder", nil, 0, filepath.Join(root, "lib", "16beta1", "bin")},
		{"what the data needs", []string{link}, 15, filepath.Join(root, "lib", "15.1", "bin")},
	} {
		t.Run(row.name, func(t *testing.T) {
			where := &search{path: row.path, folders: folders, repository: closed}
			bin, err := findBinaries(t.Context(), Options{search: where}, h, row.major)
			require.NoError(t, err)
			require.Equal(t, row.want, bin.dir)
		})
	}
}

// A relative PG_BIN is understood from the current directory, while relative folders on PATH are not searched.
func TestRelativeFolders(t *testing.T) {
	t.Parallel()
	h, err := openHome(newDir(t))
	require.NoError(t, err)
	bin := fakeBin(t, newDir(t), "17.1")
	relative := strings.Repeat("../", 64) + bin // from anywhere, since the root's parent is the root

	found, err := findBinaries(t.Context(), Options{BinDir: relative}, h, 0)
	require.NoError(t, err)
	require.Equal(t, bin, found.dir)
	where := &search{path: []string{relative}, repository: closed}
	_, err = findBinaries(t.Context(), Options{search: where}, h, 0)
	requireSentence(t, err, "PG_BIN")
}

// Where nothing is found and nothing can be fetched, one sentence says what to install or to set.
func TestNothingFound(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.search = &search{repository: closed}
	_, err := Start(t.Context(), options)
	requireSentence(t, err, "apt-get install postgresql", "PG_BIN", "DATABASE_URL", closed)

	// Neither does it hinder the start after PostgreSQL was installed.
	options.search = nil
	enterAs(t, Start, options)
}

// Data of another major version is never started with the wrong binaries: one sentence says which are needed.
func TestDataOfAnotherVersion(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	s := enterAs(t, Start, options)
	require.NoError(t, s.Stop())
	require.NoError(t, os.WriteFile(filepath.Join(s.home.data(), "PG_VERSION"), []byte("99\n"), 0o600))

	_, err := Start(t.Context(), options)
	requireSentence(t, err, options.Dir, "PostgreSQL 99", "PG_BIN")
	options.BinDir = realBin(t)
	_, err = Start(t.Context(), options)
	requireSentence(t, err, options.Dir, "PostgreSQL 99", "PG_BIN", options.BinDir)
}

// A wrong PG_BIN is refused in one sentence that names it, instead of taking another PostgreSQL silently.
func TestWrongBinDir(t *testing.T) {
	t.Parallel()
	root := filepath.Dir(newDir(t))
	half := fakeBin(t, filepath.Join(root, "half"), "17.1")
	require.NoError(t, os.Remove(filepath.Join(half, "initdb")))
	broken := fakeBin(t, filepath.Join(root, "broken"), "17.1")
	require.NoError(t, os.WriteFile(filepath.Join(broken, "postgres"), []byte("#!/bin/sh\nexit 1\n"), 0o755))

	for dir, part := range map[string]string{
		filepath.Join(root, "none"): "holds no postgres",
		half:                        "holds no initdb",
		broken:                      "can't be run",
		fakeBin(t, filepath.Join(root, "old"), "14.20"):      "PostgreSQL 14",
		fakeBin(t, filepath.Join(root, "other"), "whatever"): "does not tell its version",
	} {
		options := testOptions(newDir(t))
		options.BinDir = dir
		_, err := Start(t.Context(), options)
		requireSentence(t, err, "PG_BIN", dir, part)
	}
}

// archive is bin/postgres, bin/initdb and bin/pg_ctl as tar.xz, the first one a script that says it is 17.5.
const archive = `/Td6WFoAAAFpIt42AgAhARwAAAAQz1jM4Cf/ALJdADEaShsFkZA3OlG9V3Gz1uQT2IkQonAbexNN15tic70r6rNJbkVqC6RLQH2665UL53` +
	`1xp7xGLwZ7XpHLBaQBV2qdi7Nuo0gRWL2O+qN31pwXdiladoih/KVyzW9PNWFczYFX9l5uKY+Cu3u+Z08gtdwu2kUYzJLXVOBeWffzUEuvOrKxHmrxz2Js` +
	`iykBDlsmJT5Yut83qDcy1F338GFB0vY5Z3JAq0xoZskVN/UdhuAMKAAAAAAXJVxRAAHKAYBQAAA0WKPPPjANiwIAAAAAAVla`

// repository serves an archive as the repository of binaries does, and counts how often.
func repository(t *testing.T, archive []byte) (address string, fetched *atomic.Int32) {
	t.Helper()
	var jar bytes.Buffer
	writer := zip.NewWriter(&jar)
	file, err := writer.Create("postgres.txz")
	require.NoError(t, err)
	_, err = file.Write(archive)
	require.NoError(t, err)
	require.NoError(t, writer.Close())

	fetched = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".sha256") {
			fmt.Fprintf(w, "%x", sha256.Sum256(jar.Bytes()))
			return
		}
		fetched.Add(1)
		w.Write(jar.Bytes())
	}))
	t.Cleanup(server.Close)
	return server.URL, fetched
}

// Binaries are fetched once, and then found beside the data.
func TestFetchOnce(t *testing.T) {
	t.Parallel()
	h, err := openHome(newDir(t))
	require.NoError(t, err)
	content, err := base64.StdEncoding.DecodeString(archive)
	require.NoError(t, err)
	address, fetched := repository(t, content)

	for range 2 {
		bin, err := findBinaries(t.Context(), Options{search: &search{repository: address}}, h, 0)
		require.NoError(t, err)
		require.Equal(t, binaries{dir: filepath.Join(h.dir, "binaries", "17", "bin"), major: 17}, bin)
		require.Equal(t, int32(1), fetched.Load())
	}
	entries, err := os.ReadDir(h.binaries())
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// An archive that is cut off is not taken for a PostgreSQL, neither now nor at the next start.
func TestFetchCutOff(t *testing.T) {
	t.Parallel()
	h, err := openHome(newDir(t))
	require.NoError(t, err)
	content, err := base64.StdEncoding.DecodeString(archive)
	require.NoError(t, err)
	address, _ := repository(t, content[:len(content)-40])

	_, err = findBinaries(t.Context(), Options{search: &search{repository: address}}, h, 0)
	requireSentence(t, err, "PG_BIN")
	entries, err := os.ReadDir(h.binaries())
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A fetch that hangs ends with its context.
func TestFetchInterrupted(t *testing.T) {
	t.Parallel()
	h, err := openHome(newDir(t))
	require.NoError(t, err)
	stopped := errors.New("interrupted by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel(stopped)
		<-t.Context().Done()
	}))
	t.Cleanup(server.Close)

	_, err = findBinaries(ctx, Options{search: &search{repository: server.URL}}, h, 0)
	require.ErrorIs(t, err, stopped)
	requireSentence(t, err)
}
