package folder_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/imports/folder"
	"dispo/models/modelstest"
)

// A file with a .done that is not older is imported at once, and any other one when it
// has not changed for long enough. Why it waits is said once.
func TestCompleteness(t *testing.T) {
	t.Parallel()
	d := newDrop(t)
	d.options.Settle = time.Hour
	hourAgo := time.Now().Add(-time.Hour)
	d.send(t, "done", csv(1))
	d.put(t, "alone", csv(1))
	d.send(t, "older", csv(1))
	require.NoError(t, os.Chtimes(d.path("older.done"), time.Time{}, hourAgo))
	d.put(t, "aged", csv(1)) // what its sender says of its age does not count
	require.NoError(t, os.Chtimes(d.path("aged"), time.Time{}, hourAgo))
	d.put(t, "linked", csv(1))
	require.NoError(t, os.Symlink("/dev/null", d.path("linked.done")))
	d.watch(t)
	d.arrives(t, "imported/done")
	waiting := []string{"alone", "older", "aged", "linked"}
	for _, name := range waiting {
		d.says(t, "a file waits", "for its .done, or until it has not changed for 1h0m0s", "file="+name)
	}
	d.put(t, "alone.done", "")
	d.arrives(t, "imported/alone")
	for _, name := range waiting {
		require.Equal(t, 1, d.said("a file waits", "file="+name))
	}
	require.EqualValues(t, 2, d.watcher.Imported.Load())
	d.stop()
	require.EqualValues(t, 3, d.watcher.Waiting.Load())

	d.options.Settle = 20 * time.Millisecond
	d.watch(t)
	for _, name := range waiting[1:] {
		d.arrives(t, "imported/"+name)
	}
	require.NoFileExists(t, d.path("older.done"))
	require.Equal(t, 5, d.transactions(t))
}

// A file that arrives in pieces is imported once, when it is complete.
func TestHalfWrittenFile(t *testing.T) {
	t.Parallel()
	d := newDrop(t)
	d.options.Settle = time.Hour
	d.watch(t)
	for range 5 {
		file, err := os.OpenFile(d.path("f"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		text := modelstest.Record(cvr)
		if info, err := file.Stat(); err == nil && info.Size() == 0 {
			text = csv(1)
		}
		before := d.said("a file waits")
		require.NoError(t, modelstest.ErrorOf(file.WriteString(text)))
		require.NoError(t, file.Close())
		modelstest.Eventually(t, func() bool { return d.said("a file waits") > before })
	}
	d.put(t, "f.done", "")
	d.arrives(t, "imported/f")
	require.Equal(t, 5, d.transactions(t))
	require.EqualValues(t, 1, d.watcher.Imported.Load())
}

// Hidden files, those that are still being written by their names, folders, .done and
// .error.txt are left alone without a word. Links and pipes are never opened, which is said once.
func TestIgnoredFiles(t *testing.T) {
	t.Parallel()
	d := newDrop(t)
	left := []string{
		".f.csv", "f.done", "f.error.txt", "f.csv.part", "f.csv.tmp", "f.csv.filepart", "f.TMP",
		"f.csv.8b1f03aa.partial", "f.csv.crdownload", "F.CSV.Download", "f.csv.upload", "f.csv.swp",
		"f.csv~", "~$f.csv", "f.csv.ocTransferId1234567",
	}
	for _, name := range left {
		d.put(t, name, csv(1))
	}
	require.NoError(t, os.Mkdir(d.path("folder"), 0o700))
	require.NoError(t, syscall.Mkfifo(d.path("pipe"), 0o600))
	target := filepath.Join(t.TempDir(), "target")
	require.NoError(t, os.WriteFile(target, []byte(csv(1)), 0o600))
	require.NoError(t, os.Symlink(target, d.path("link")))
	require.NoError(t, os.Symlink("inside", d.path("inside-link"))) // to a file of the folder
	d.watch(t)
	for _, name := range []string{"pipe", "link", "inside-link"} {
		d.put(t, name+".done", "")
	}
	for _, name := range []string{"inside", "other"} {
		d.send(t, name, csv(1))
		d.arrives(t, "imported/"+name)
	}
	for _, name := range []string{"pipe", "link", "inside-link"} {
		require.Equal(t, 1, d.said("it is not a regular file", "file="+name), name)
		left = append(left, name, name+".done")
	}
	for _, name := range append(left, "folder") {
		require.NoError(t, modelstest.ErrorOf(os.Lstat(d.path(name))))
		require.Zero(t, d.said("imported a file", "file="+name), name)
	}
	require.Equal(t, 2, d.transactions(t))
	modelstest.Eventually(t, func() bool { return d.watcher.Waiting.Load() == 0 })
}

// Whoever owns the folder cannot make the watcher write or read outside of it: not by
// links that bear the names of files that it writes, nor by links in place of folders.
func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	require.NoError(t, os.WriteFile(victim, []byte(csv(1)), 0o600))
	d := newDrop(t)
	secret := content(t, victim)
	untouched := func(t *testing.T) {
		t.Helper()
		require.Equal(t, secret, content(t, victim))
		entries, err := os.ReadDir(outside)
		require.NoError(t, err)
		require.Len(t, entries, 1)
	}

	// Folders that are links are refused at the start.
	for _, name := range []string{"imported", "refused"} {
		for _, target := range []string{outside, ".", "elsewhere"} {
			require.NoError(t, os.Symlink(target, d.path(name)))
			require.ErrorContains(t, modelstest.ErrorOf(folder.Open(d.options)), d.path(name)+": something else has this name")
			require.NoError(t, os.Remove(d.path(name)))
		}
	}

	// Links to the victim bear every name that the watcher writes.
	for _, name := range []string{"imported", "refused"} {
		require.NoError(t, os.MkdirAll(d.path(name), 0o700))
		for _, file := range []string{"f", "bad", "f.done", "bad.error.txt"} {
			require.NoError(t, os.Symlink(victim, d.path(filepath.Join(name, file))))
		}
	}
	for _, mark := range []string{".dispo-watch", ".dispo-watch-renamed.f", fmt.Sprintf(".dispo-watch-%d", os.Getpid())} {
		require.NoError(t, os.Symlink(victim, d.path(mark)))
	}
	require.ErrorContains(t, modelstest.ErrorOf(folder.Open(d.options)), "cannot write to the folder")
	require.NoError(t, os.Remove(d.path(fmt.Sprintf(".dispo-watch-%d", os.Getpid()))))
	d.watch(t)
	d.send(t, "f", csv(1))
	d.send(t, "bad", "bad")
	d.arrives(t, "imported/f-2")
	d.arrives(t, "refused/bad-2")
	require.FileExists(t, d.path("refused/bad-2.error.txt"))
	untouched(t)

	// Folders that become links while it watches are not written to. Files stay.
	for _, name := range []string{"imported", "refused"} {
		require.NoError(t, os.RemoveAll(d.path(name)))
		require.NoError(t, os.Symlink(outside, d.path(name)))
	}
	d.send(t, "g", csv(1))
	d.says(t, "a file is tried again later", "file=g", "something else has this name")
	d.send(t, "bad", "bad")
	d.says(t, "a file is tried again later", "file=bad", "something else has this name")
	untouched(t)
	require.FileExists(t, d.path("g"))
	require.EqualValues(t, 1, d.refused(t), "what is only tried again is not refused")
	require.Equal(t, 2, d.transactions(t))
}
