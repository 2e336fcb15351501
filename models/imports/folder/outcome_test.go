package folder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// A refused file is moved unchanged, beside the reason that the import gives. Nothing of
// it is stored.
func TestRefusedFile(t *testing.T) {
	t.Parallel()
	d := newDrop(t).watch(t)
	for name, row := range map[string]struct{ text, reason string }{
		"bad.csv":     {"not a delivery", "bad.csv has 1 bad line, so nothing of it was imported:\n  line 1: "},
		"unknown.csv": {modelstest.DeliveryCSV("12345674", 1), "no organization has a company with the CVR 12345674"},
		"empty.csv":   {"", "the file is empty"},
		"cut.csv.gz":  {"\x1f\x8b\x08", "cut.csv.gz is damaged or truncated"},
	} {
		d.send(t, name, row.text)
		d.says(t, "refused a file", "file="+name, "result=refused")
		require.NoFileExists(t, d.path(name))
		require.NoFileExists(t, d.path(name+".done"))
		require.Contains(t, content(t, d.path("refused/"+name+".error.txt")), row.reason)
		require.Equal(t, row.text, content(t, d.path("refused/"+name)))
	}
	require.EqualValues(t, 4, d.watcher.Refused.Load())
	require.EqualValues(t, 4, d.refused(t))
	require.Zero(t, d.transactions(t))
}

// A file whose name leaves no room for .error.txt or a number is moved once, too, under a
// shorter name.
func TestLongNames(t *testing.T) {
	t.Parallel()
	d := newDrop(t).watch(t)
	x, å := strings.Repeat("x", 251), strings.Repeat("å", 124)
	for name, moved := range map[string]string{
		å + ".bad":                      strings.Repeat("å", 120) + ".bad",
		"a." + strings.Repeat("b", 248): "a." + strings.Repeat("b", 243),
	} {
		d.place(t, name, "bad")
		d.says(t, "refused a file", "file="+name)
		require.NoFileExists(t, d.path(name))
		require.Equal(t, "bad", content(t, d.path("refused/"+moved)))
		require.FileExists(t, d.path("refused/"+moved+".error.txt"))
	}
	require.EqualValues(t, 2, d.refused(t))
	for _, moved := range []string{x + ".csv", x[2:] + "-2.csv", x[2:] + "-3.csv"} {
		d.place(t, x+".csv", csv(1))
		d.arrives(t, "imported/"+moved)
	}
}

// A name that is taken in the folder that a file is moved to gets a number. Nothing is
// overwritten.
func TestNameClash(t *testing.T) {
	t.Parallel()
	d := newDrop(t).watch(t)
	texts := []string{csv(1), csv(1), csv(1)}
	names := []string{"imported/f.csv", "imported/f-2.csv", "imported/f-4.csv"}
	require.NoError(t, os.WriteFile(d.path("imported/f-3.csv"), []byte("mine"), 0o600))
	for i, name := range names {
		d.send(t, "f.csv", texts[i])
		d.arrives(t, name)
		require.Equal(t, texts[i], content(t, d.path(name)))
	}
	require.Equal(t, "mine", content(t, d.path("imported/f-3.csv")))
	for _, name := range []string{"refused/bad", "refused/bad-2"} {
		d.put(t, "bad", name)
		d.arrives(t, name)
		require.Equal(t, name, content(t, d.path(name)))
	}
	require.FileExists(t, d.path("refused/bad-2.error.txt"))
}

// A file that changes while it is imported is neither moved nor refused for it. It stays
// until it is complete again.
func TestFileChangesWhileImported(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		lock     string
		imported int64
	}{
		"between the passes":     {"LOCK TABLE deliveries IN EXCLUSIVE MODE", 0},
		"after it has been read": {"SELECT FROM companies FOR UPDATE", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDrop(t)
			d.options.Settle = time.Hour
			d.watch(t)
			conn := modelstest.Conn(t, d.URL)
			require.NoError(t, modelstest.ErrorOf(conn.Exec(t.Context(), "BEGIN; "+row.lock)))
			d.send(t, "f.csv", csv(2))
			modelstest.EventuallyBlocked(t, d.URL, 1)
			file, err := os.OpenFile(d.path("f.csv"), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			require.NoError(t, modelstest.ErrorOf(file.WriteString(modelstest.Record(cvr))))
			require.NoError(t, file.Close())
			require.NoError(t, modelstest.ErrorOf(conn.Exec(t.Context(), "COMMIT")))
			d.says(t, "a file waits", "file=f.csv")
			// It may have waited for its .done before, too.
			modelstest.Eventually(t, func() bool { return d.watcher.Imported.Load() == row.imported })
			require.Zero(t, d.watcher.Refused.Load())
			require.Zero(t, d.refused(t))
			require.FileExists(t, d.path("f.csv"))
		})
	}
}

// Files are imported the oldest first, by the time of their last change and then by name.
func TestOldestFirst(t *testing.T) {
	t.Parallel()
	d := newDrop(t)
	for name, age := range map[string]time.Duration{"a": time.Minute, "b": time.Hour, "c": time.Hour, "d": 0} {
		d.put(t, name, csv(1))
		require.NoError(t, os.Chtimes(d.path(name), time.Time{}, time.Unix(1_800_000_000, 0).Add(-age)))
		d.put(t, name+".done", "")
		require.NoError(t, os.Chtimes(d.path(name+".done"), time.Time{}, time.Unix(1_800_000_000, 0)))
	}
	d.watch(t)
	d.arrives(t, "imported/d")
	var names string
	require.NoError(
		t,
		modelstest.Conn(t, d.URL).
			QueryRow(t.Context(), `SELECT string_agg(filename, '' ORDER BY number) FROM deliveries`).
			Scan(&names),
	)
	require.Equal(t, "bcad", names)
}

// The options of an import hold for every file. A delivery that comes again is moved to
// imported/ too, and changes nothing.
func TestImportOptions(t *testing.T) {
	t.Parallel()
	d := newDrop(t)
	b := d.Organization(t, "b", cvr)
	d.imports = imports.DeliveryOptions{Organization: &b, SkipUnknown: true}
	d.watch(t)
	text := csv(1) + modelstest.Record("12345674")
	d.send(t, "f.csv", text)
	d.says(t, "imported a file", "file=f.csv", "result=imported", "records=2", "organizations=1", "held=1")
	d.send(t, "again.csv", text)
	d.says(t, "imported a file", "file=again.csv", "result=already")
	d.arrives(t, "imported/again.csv")
	require.Equal(t, 1, d.transactions(t))
	require.EqualValues(t, 1, d.watcher.Already.Load())
}

// A folder that goes away is watched again when it comes back.
func TestFolderAway(t *testing.T) {
	t.Parallel()
	d := newDrop(t).watch(t)
	elsewhere := filepath.Join(filepath.Dir(d.folder), "elsewhere")
	require.NoError(t, os.Rename(d.folder, elsewhere))
	for _, name := range []string{"f.csv", "f.csv.done"} {
		require.NoError(t, os.WriteFile(filepath.Join(elsewhere, name), []byte(csv(1)), 0o600))
	}
	d.says(t, "cannot watch the folder")
	require.NoError(t, os.Rename(elsewhere, d.folder))
	d.says(t, "watching the folder again")
	d.arrives(t, "imported/f.csv")
	d.send(t, "g.csv", csv(1))
	d.arrives(t, "imported/g.csv")
}

// A file that was imported but cannot be moved has not come: the time of the last file
// stays as it was until the file has been moved.
func TestLastCameWaitsForTheMove(t *testing.T) {
	t.Parallel()
	d := newDrop(t).watch(t)
	require.NoError(t, os.Remove(d.path("imported")))
	require.NoError(t, os.Symlink("elsewhere", d.path("imported")))
	d.send(t, "f.csv", csv(1))
	d.says(t, "imported a file", "result=already") // again, since it is still there
	require.Zero(t, d.watcher.LastCame.Load())
	require.NoError(t, os.Remove(d.path("imported")))
	d.arrives(t, "imported/f.csv")
	modelstest.Eventually(t, func() bool { return d.watcher.LastCame.Load() > 0 })
}
