package folder_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dispo/models/imports/format"
	"dispo/models/modelstest"
)

const (
	waitsForDone  = "waits for its .done"
	waitsForNewer = "waits for a newer .done"
	waitsForClose = "waits until it is closed"
	waitsForRest  = "is bad or cut off"
)

// A file is imported when its layout, its .done or its rename shows that it is complete,
// and waits otherwise. Why it waits is said once.
func TestCompleteness(t *testing.T) {
	t.Parallel()
	for title, row := range map[string]struct {
		name   string                      // "f" if empty
		before func(t *testing.T, d *drop) // the watch begins
		after  func(t *testing.T, d *drop)
		waits  string // empty if it is imported
	}{
		"csv, written in place": {after: func(t *testing.T, d *drop) { d.put(t, "f", csv(2)) }, waits: waitsForDone},
		"csv, with .done": {after: func(t *testing.T, d *drop) {
			d.put(t, "f", csv(2))
			d.put(t, "f.done", "")
		}},
		"csv, .done later": {after: func(t *testing.T, d *drop) {
			d.put(t, "f", csv(2))
			d.says(t, waitsForDone)
			d.put(t, "f.done", "")
		}},
		"csv, with the .done of an earlier file": {after: func(t *testing.T, d *drop) {
			d.put(t, "f.done", "")
			require.NoError(t, os.Chtimes(d.path("f.done"), time.Time{}, time.Now().Add(-time.Hour)))
			d.put(t, "f", csv(2))
		}, waits: waitsForNewer},
		"csv, with a symbolic link as .done": {before: func(t *testing.T, d *drop) {
			d.put(t, "f", csv(2))
			require.NoError(t, os.Symlink("/dev/null", d.path("f.done")))
		}, waits: waitsForDone},
		"csv, present at the start": {before: func(t *testing.T, d *drop) { d.rename(t, "f", csv(2)) }, waits: waitsForDone},
		"csv, present at the start with .done": {before: func(t *testing.T, d *drop) {
			d.put(t, "f", csv(2))
			d.put(t, "f.done", "")
		}},
		"csv, renamed from elsewhere": {after: func(t *testing.T, d *drop) { d.rename(t, "f", csv(2)) }},
		"csv, renamed from a temporary name": {after: func(t *testing.T, d *drop) {
			d.put(t, "f.part", csv(2))
			require.NoError(t, os.Rename(d.path("f.part"), d.path("f")))
		}},
		"csv, renamed from a temporary name that was there at the start": {before: func(t *testing.T, d *drop) {
			d.put(t, ".f", csv(2))
		}, after: func(t *testing.T, d *drop) {
			require.NoError(t, os.Rename(d.path(".f"), d.path("f")))
		}},
		"csv, renamed and then written to": {after: func(t *testing.T, d *drop) {
			file, err := os.OpenFile(filepath.Join(filepath.Dir(d.folder), "f"), os.O_CREATE|os.O_WRONLY, 0o600)
			require.NoError(t, err)
			defer file.Close()
			_, err = file.WriteString(csv(2))
			require.NoError(t, err)
			// The watcher does not look before both events.
			d.stop()
			d.options.Settle = time.Second
			d.watch(t)
			require.NoError(t, os.Rename(file.Name(), d.path("f")))
			require.Eventually(t, func() bool { return exists(d.path(".dispo-watch-renamed.f")) }, modelstest.Patience, time.Millisecond)
			_, err = file.WriteString("more")
			require.NoError(t, err)
		}, waits: waitsForDone},
		"csv, linked": {after: func(t *testing.T, d *drop) {
			elsewhere := filepath.Join(filepath.Dir(d.folder), "f")
			require.NoError(t, os.WriteFile(elsewhere, []byte(csv(2)), 0o600))
			require.NoError(t, os.Link(elsewhere, d.path("f")))
		}, waits: waitsForDone},
		"own layout without totals": {before: withLayout("../delivery/testdata/delimited.yaml"), after: func(t *testing.T, d *drop) {
			d.put(t, "f", osText("1", 100)) // the layout is not detected
		}, waits: waitsForDone},
		"own layout with totals": {before: withLayout("../../docs/example/layout.yaml"), after: func(t *testing.T, d *drop) {
			text, err := os.ReadFile("../../docs/example/delivery.txt")
			require.NoError(t, err)
			d.put(t, "f", string(text))
		}},
		"own layout with totals, cut off": {before: withLayout("../../docs/example/layout.yaml"), after: func(t *testing.T, d *drop) {
			text, err := os.ReadFile("../../docs/example/delivery.txt")
			require.NoError(t, err)
			d.put(t, "f", string(text[:len(text)-10]))
		}, waits: waitsForRest},
		"os, written in place":     {after: func(t *testing.T, d *drop) { d.put(t, "f", osText("1", 100)) }},
		"os, present at the start": {before: func(t *testing.T, d *drop) { d.put(t, "f", osText("1", 100)) }},
		"os, still open for writing": {after: func(t *testing.T, d *drop) {
			file, err := os.Create(d.path("f"))
			require.NoError(t, err)
			t.Cleanup(func() { _ = file.Close() })
			_, err = file.WriteString(osText("1", 100))
			require.NoError(t, err)
		}, waits: waitsForClose},
		"os, still open for writing, with .done": {after: func(t *testing.T, d *drop) {
			file, err := os.Create(d.path("f"))
			require.NoError(t, err)
			t.Cleanup(func() { _ = file.Close() })
			_, err = file.WriteString(osText("1", 100))
			require.NoError(t, err)
			d.put(t, "f.done", "")
		}},
		"os, closed": {after: func(t *testing.T, d *drop) {
			file, err := os.Create(d.path("f"))
			require.NoError(t, err)
			defer file.Close()
			_, err = file.WriteString(osText("1", 100))
			require.NoError(t, err)
			d.says(t, waitsForClose)
		}},
		"os.gz": {name: "f.gz", after: func(t *testing.T, d *drop) { d.put(t, "f.gz", zipped(t, osText("1", 100))) }},
		"os.gz, cut off": {name: "f.gz", after: func(t *testing.T, d *drop) {
			text := zipped(t, osText("1", 100))
			d.put(t, "f.gz", text[:len(text)-4])
		}, waits: waitsForRest},
		"os.gz, cut off in its first bytes": {name: "f.gz", after: func(t *testing.T, d *drop) { d.put(t, "f.gz", zipped(t, osText("1", 100))[:5]) }, waits: waitsForDone},
		"csv.gz, renamed":                   {name: "f.gz", after: func(t *testing.T, d *drop) { d.rename(t, "f.gz", zipped(t, csv(2))) }},
		"os, cut off":                       {after: func(t *testing.T, d *drop) { d.put(t, "f", osText("1", 100)[:300]) }, waits: waitsForRest},
		"os, three bytes":                   {after: func(t *testing.T, d *drop) { d.put(t, "f", "OS1") }, waits: waitsForRest},
		"os, two bytes":                     {after: func(t *testing.T, d *drop) { d.put(t, "f", "OS") }, waits: waitsForDone},
		"empty":                             {after: func(t *testing.T, d *drop) { d.put(t, "f", "") }, waits: waitsForDone},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			name := cmp.Or(row.name, "f")
			d := newDrop(t)
			if row.before != nil {
				row.before(t, d)
			}
			d.watch(t)
			if row.after != nil {
				row.after(t, d)
			}
			if row.waits == "" {
				d.arrives(t, "imported/"+name)
				require.NotZero(t, d.transactions(t))
				require.EqualValues(t, 1, d.watcher.Imported.Load())
				return
			}
			d.says(t, row.waits, "file="+name)
			// Another file is dealt with, so the folder was read again.
			d.rename(t, "other", csv(1))
			require.Eventually(t, func() bool { return !exists(d.path("other")) }, modelstest.Patience, time.Millisecond)
			require.Equal(t, 1, d.said(row.waits, "file="+name), d.log)
			require.FileExists(t, d.path(name))
			require.EqualValues(t, 1, d.watcher.Imported.Load()+d.watcher.Refused.Load())
			require.EqualValues(t, d.watcher.Imported.Load(), d.transactions(t))
		})
	}
}

// withLayout makes the import read files with a layout, and hold unknown companies.
func withLayout(path string) func(t *testing.T, d *drop) {
	return func(t *testing.T, d *drop) {
		t.Helper()
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		d.imports.SkipUnknown = true
		d.imports.Layout, err = format.ParseLayout(text)
		require.NoError(t, err)
	}
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var to bytes.Buffer
	writer := gzip.NewWriter(&to)
	_, err := writer.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	return to.String()
}

// A file that arrives in pieces is imported once, when it is complete, however long its
// sender pauses: whether the sender keeps it open or not.
func TestHalfWrittenFile(t *testing.T) {
	t.Parallel()
	for _, keepsOpen := range []bool{true, false} {
		d := newDrop(t).watch(t)
		text := osText("1", 4711)
		file, err := os.Create(d.path("f"))
		require.NoError(t, err)
		pieces := 0
		for len(text) > 0 {
			n := min(97, len(text))
			_, err := file.WriteString(text[:n])
			require.NoError(t, err)
			if text = text[n:]; len(text) == 0 {
				break
			}
			pieces++
			waits := waitsForClose
			if !keepsOpen {
				waits = waitsForRest
				require.NoError(t, file.Close())
			}
			require.Eventually(t, func() bool { return d.said(waits, "file=f") == pieces }, modelstest.Patience, time.Millisecond, d.log)
			if !keepsOpen {
				file, err = os.OpenFile(d.path("f"), os.O_APPEND|os.O_WRONLY, 0)
				require.NoError(t, err)
			}
		}
		require.NoError(t, file.Close())
		d.arrives(t, "imported/f")
		require.Equal(t, 1, d.transactions(t))
		require.EqualValues(t, 1, d.watcher.Imported.Load())
		require.Zero(t, d.watcher.Refused.Load())
	}
}

// A rename is remembered when the watcher is started again, and so the file is imported.
func TestRenameIsRemembered(t *testing.T) {
	t.Parallel()
	d := newDrop(t)
	d.options.Settle = time.Hour
	d.watch(t)
	d.rename(t, "f", csv(2))
	require.Eventually(t, func() bool { return exists(d.path(".dispo-watch-renamed.f")) }, modelstest.Patience, time.Millisecond)
	d.stop()
	d.options.Settle = 0
	d.watch(t)
	d.arrives(t, "imported/f")
	require.Eventually(t, func() bool { return !exists(d.path(".dispo-watch-renamed.f")) }, modelstest.Patience, time.Millisecond)
	// A file of the same name that is written in place is not taken for it.
	d.put(t, "f", csv(2))
	d.says(t, waitsForDone, "file=f")
}

// Hidden and temporary files, folders, .done and .error.txt are left alone without a
// word. Links, pipes and the like are never opened, which is said once.
func TestIgnoredFiles(t *testing.T) {
	t.Parallel()
	d := newDrop(t).watch(t)
	left := []string{".f.csv", "f.csv.part", "f.csv.tmp", "f.csv.filepart", "f.TMP", "f.done", "f.error.txt"}
	for _, name := range left {
		d.rename(t, name, csv(1))
	}
	require.NoError(t, os.Mkdir(d.path("folder"), 0o700))
	require.NoError(t, unix.Mkfifo(d.path("pipe"), 0o600))
	target := filepath.Join(t.TempDir(), "target")
	require.NoError(t, os.WriteFile(target, []byte(osText("1", 100)), 0o600))
	require.NoError(t, os.Symlink(target, d.path("link")))
	d.put(t, "pipe.done", "")
	d.put(t, "link.done", "")
	for _, name := range []string{"one", "two"} {
		d.rename(t, name, csv(1))
		d.arrives(t, "imported/"+name)
	}
	require.Equal(t, 1, d.said("is not a regular file", "file=pipe"))
	require.Equal(t, 1, d.said("is not a regular file", "file=link"))
	for _, name := range append(left, "folder", "pipe", "link", "pipe.done", "link.done") {
		_, err := os.Lstat(d.path(name))
		require.NoError(t, err)
	}
	for _, name := range append(left, "folder") {
		require.Zero(t, d.said("file="+name+"\n"), name)
	}
	require.Equal(t, 2, d.transactions(t))
	require.Eventually(t, func() bool { return d.watcher.Waiting.Load() == 0 }, modelstest.Patience, time.Millisecond)
}
