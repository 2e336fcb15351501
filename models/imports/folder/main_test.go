package folder_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/imports/folder"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

const cvr = "10150817"

// drop is a folder, and a database whose organization has the company that the files
// are of.
type drop struct {
	*modelstest.World
	folder  string
	options folder.Options
	imports imports.DeliveryOptions
	log     *modelstest.Log
	watcher *folder.Watcher
	stop    func()
}

// newDrop returns a folder that is not watched yet.
func newDrop(t *testing.T) *drop {
	t.Helper()
	w := modelstest.NewWorld(t)
	w.Organization(t, "a", cvr)
	d := &drop{World: w, folder: filepath.Join(t.TempDir(), "in"), log: &modelstest.Log{}}
	require.NoError(t, os.Mkdir(d.folder, 0o700))
	d.options = folder.Options{
		Folder: d.folder, Every: 10 * time.Millisecond, Settle: 20 * time.Millisecond,
		Describe: func(err error) string { return err.Error() }, Log: slog.New(slog.NewTextHandler(d.log, nil)),
	}
	return d
}

// watch watches the folder until stop is called.
func (d *drop) watch(t *testing.T) *drop {
	t.Helper()
	watcher, err := folder.Open(d.options)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		watcher.Run(ctx, d.Operator.DB(), d.imports)
	}()
	d.watcher = watcher
	d.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(d.stop)
	return d
}

func (d *drop) path(name string) string { return filepath.Join(d.folder, name) }

// put writes a file in place.
func (d *drop) put(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(d.path(name), []byte(text), 0o600))
}

// place puts a file into the folder, whole, because a watcher takes what stands still on a
// slow machine.
func (d *drop) place(t *testing.T, name, text string) {
	t.Helper()
	d.put(t, ".sending", text)
	require.NoError(t, os.Rename(d.path(".sending"), d.path(name)))
}

// send places a file, and then its .done.
func (d *drop) send(t *testing.T, name, text string) {
	t.Helper()
	d.place(t, name, text)
	d.put(t, name+".done", "")
}

func content(t *testing.T, path string) string {
	t.Helper()
	text := modelstest.ReadFile(t, path)
	return string(text)
}

// says waits for a line of the log that has all parts.
func (d *drop) says(t *testing.T, parts ...string) {
	t.Helper()
	modelstest.Eventually(t, func() bool { return d.said(parts...) > 0 }, "%q is not said", parts)
}

// said counts the lines of the log that have all parts.
func (d *drop) said(parts ...string) (lines int) {
	for line := range strings.Lines(d.log.String()) {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(line, part)
		}
		if all {
			lines++
		}
	}
	return lines
}

// arrives waits until a file is at a path below the folder.
func (d *drop) arrives(t *testing.T, name string) {
	t.Helper()
	modelstest.Eventually(t, func() bool { return exists(d.path(name)) && !exists(d.path(filepath.Base(name))) },
		"%s does not arrive: %s", name, d.log)
}

func exists(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Size() > 0
}

func (d *drop) transactions(t *testing.T) int {
	t.Helper()
	return modelstest.Value[int](t, modelstest.Conn(t, d.URL), `SELECT count(*) FROM transactions`)
}

// refused returns how many files are counted as refused, over all programs.
func (d *drop) refused(t *testing.T) int64 {
	t.Helper()
	counts, err := imports.Count(t.Context(), d.Operator.DB())
	require.NoError(t, err)
	return counts.Refused
}

// csv returns another csv delivery with each call.
func csv(records int) string { return modelstest.DeliveryCSV(cvr, records) }
