package embedded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// serverUID returns the id of the user that the server runs under.
func serverUID(s *Server) uint32 {
	if s.home.user.credential == nil {
		return uint32(os.Geteuid())
	}
	return s.home.user.credential.Uid
}

// If root uses the directory of another user, the server runs as that user, who owns all files. Other users run the
// server as themselves.
func TestServerAccount(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	require.NoError(t, os.Mkdir(options.Dir, 0o700))
	uid := uint32(os.Geteuid())
	if uid == 0 {
		uid = 65534 // nobody
		require.NoError(t, os.Chown(options.Dir, int(uid), int(uid)))
	}

	s := enterAs(t, Service, options)
	require.Equal(t, uid, serverUID(s))
	require.NoError(t, filepath.WalkDir(options.Dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return nil // the server's temporary file
		}
		got, _ := owner(info)
		require.Equal(t, uid, got, path)
		return nil
	}))
}

// For a user without an entry in /etc/passwd, one sentence says what to do.
func TestUnknownUser(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	const uid = 3_999_999_999
	options.BinDir = scriptBin(t,
		`echo 'initdb: error: could not look up effective user ID 3999999999: user does not exist'; exit 1`,
		`exec "$bin/postgres" "$@"`)
	if os.Geteuid() == 0 { // PostgreSQL's own initdb, as that user
		require.NoError(t, os.Mkdir(options.Dir, 0o700))
		require.NoError(t, os.Chown(options.Dir, uid, uid))
		options.BinDir = ""
	}
	_, err := Open(t.Context(), Service, options)
	requireSentence(t, err, "/etc/passwd", "DATABASE_URL")
}

// A path that is not a data directory, or that the server's user cannot access, is refused in one sentence that names it,
// and is not changed.
func TestUnusableDirectory(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), Service, Options{})
	requireSentence(t, err, "--data")

	long := filepath.Join(newDir(t), strings.Repeat("long/", 30))
	_, err = Open(t.Context(), Service, testOptions(long))
	requireSentence(t, err, long, "too long")

	comma := newDir(t) + ",b"
	_, err = Open(t.Context(), Service, testOptions(comma))
	requireSentence(t, err, comma, "has a comma", "--data")

	file := newDir(t)
	require.NoError(t, os.WriteFile(file, []byte("mine"), 0o600))
	_, err = Open(t.Context(), Service, testOptions(file))
	requireSentence(t, err, file)

	dir := newDir(t)
	mine := filepath.Join(dir, "postgres", "mine")
	require.NoError(t, os.MkdirAll(filepath.Dir(mine), 0o755))
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o600))
	_, err = Open(t.Context(), Service, testOptions(dir))
	requireSentence(t, err, dir)
	require.FileExists(t, mine)

	outOfReach := newDir(t)
	parent := filepath.Dir(outOfReach)
	require.NoError(t, os.Chmod(parent, 0o700))
	if os.Geteuid() != 0 {
		require.NoError(t, os.Chmod(parent, 0))
	}
	t.Cleanup(func() { os.Chmod(parent, 0o700) })
	_, err = Open(t.Context(), Service, testOptions(outOfReach))
	requireSentence(t, err, outOfReach, "--data")
}
