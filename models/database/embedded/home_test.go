package embedded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only the server's user and root have access to the files in the data directory, the server does not run as root,
// and other files in the directory keep their owner and mode.
func TestPermissions(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	require.NoError(t, os.Mkdir(options.Dir, 0o700))
	foreign := filepath.Join(options.Dir, "secret")
	require.NoError(t, os.WriteFile(foreign, []byte("secret"), 0o640))
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(foreign, 12345, 54321))
	}
	before, err := os.Stat(foreign)
	require.NoError(t, err)

	s := enterAs(t, Service, options)
	for _, name := range []string{"postgres", "postgres/" + socketName, lockName, "postgres.log"} {
		info, err := os.Stat(filepath.Join(options.Dir, name))
		require.NoError(t, err)
		uid, _ := owner(info)
		require.NotZero(t, uid, name)
		require.Equal(t, serverUID(s), uid, name)
		require.Zero(t, info.Mode().Perm()&0o077, name)
	}
	dir, err := os.Stat(options.Dir)
	require.NoError(t, err)
	require.Zero(t, dir.Mode().Perm()&0o067)

	after, err := os.Stat(foreign)
	require.NoError(t, err)
	require.Equal(t, before.Sys(), after.Sys())
}

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

// A directory that the server's user cannot access is refused in one sentence that names it.
func TestDirectoryOutOfReach(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	parent := filepath.Dir(options.Dir)
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chmod(parent, 0o700))
	} else {
		require.NoError(t, os.Chmod(parent, 0))
	}
	t.Cleanup(func() { os.Chmod(parent, 0o700) })
	_, err := Open(t.Context(), Service, options)
	requireSentence(t, err, options.Dir, "--data")
}

// A path that is not a data directory is refused in one sentence that names it, and is not changed.
func TestUnusableDirectory(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), Service, Options{})
	requireSentence(t, err, "--data")

	long := filepath.Join(newDir(t), strings.Repeat("long/", 30))
	_, err = Open(t.Context(), Service, testOptions(long))
	requireSentence(t, err, long, "too long")

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
}
