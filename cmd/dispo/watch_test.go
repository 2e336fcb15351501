package main_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// drop is a folder that deliveries are dropped into.
type drop string

func newDrop(t testing.TB) drop { return drop(newFolder(t)) }

// send puts a delivery there, whole, because a watcher takes what stands still on a slow
// machine, and then its .done.
func (d drop) send(t testing.TB, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(d.path(".sending"), []byte(text), 0o644))
	require.NoError(t, os.Rename(d.path(".sending"), d.path(name)))
	require.NoError(t, os.WriteFile(d.path(name+".done"), nil, 0o644))
}

func (d drop) path(name string) string { return filepath.Join(string(d), name) }

// names lists the deliveries of a folder below.
func (d drop) names(folder string) (names []string) {
	entries, _ := os.ReadDir(d.path(folder))
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && !entry.IsDir() && info.Size() > 0 &&
			filepath.Ext(entry.Name()) == ".csv" {
			names = append(names, entry.Name())
		}
	}
	return names
}

// watch starts a watcher, and returns when it watches.
func (p program) watch(t testing.TB, d drop, arguments ...string) *service {
	t.Helper()
	w := &service{
		process: p.with("DISPO_METRICS_LISTEN=127.0.0.1:0").
			start(t, append([]string{"watch", string(d), "--every=10ms", "--settle=10ms"}, arguments...)...),
	}
	modelstest.Eventually(t, func() bool { return strings.Contains(w.err.String(), `"msg":"watching"`) || w.hasEnded() })
	require.False(t, w.hasEnded(), w.err.String())
	w.metrics = w.logged("serving metrics")
	return w
}

// The watcher imports what arrives, and logs and counts each file, without bank numbers.
// A signal ends it with success.
func TestWatch(t *testing.T) {
	t.Parallel()
	w, d := newWorld(t), newDrop(t)
	watcher := w.watch(t, d, "--skip-unknown")
	text := delivery(cvr, noCVR)
	d.send(t, "good.csv", text)
	modelstest.Eventually(t, func() bool { return len(watcher.entries("imported a file")) == 1 })
	d.send(t, "again.csv", text)
	d.send(t, "bad.csv", strings.Replace(text, "2026-01-31", "2026-02-31", 1))
	modelstest.Eventually(t, func() bool {
		return len(watcher.entries("imported a file")) == 2 && len(watcher.entries("refused a file")) == 1 &&
			len(d.names(".")) == 0
	}, watcher.err.String())

	for n, expected := range []map[string]any{
		{"file": "good.csv", "result": "imported", "records": 2.0, "organizations": 1.0, "held": 1.0},
		{"file": "again.csv", "result": "already", "records": 2.0, "organizations": 0.0, "held": 0.0},
	} {
		entry := watcher.entries("imported a file")[n]
		require.Equal(t, 1,
			modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM deliveries WHERE id = $1`, entry["delivery"]))
		require.Subset(t, entry, expected)
	}
	for _, result := range []string{"imported", "already", "refused"} {
		require.Equal(t, "1", watcher.metric(t, `dispo_watch_files_total{result="`+result+`"}`), result)
	}
	modelstest.Eventually(t, func() bool { return watcher.metric(t, "dispo_watch_waiting_files") == "0" })
	require.NotEqual(t, "0", watcher.metric(t, "dispo_watch_last_import_timestamp_seconds"))
	require.NotEmpty(t, watcher.metric(t, "go_goroutines"))

	reason, err := os.ReadFile(d.path("refused/bad.csv.error.txt"))
	require.NoError(t, err)
	command := w.run(t, "import", "delivery", "--skip-unknown", d.path("refused/bad.csv"))
	require.Equal(t, command.err, "dispo: "+string(reason), "the reason is what the command prints")
	require.Zero(t, watcher.end(t, interrupt))
	require.NotContains(t, watcher.err.String(), "0000000001")
	require.Empty(t, watcher.out.String())
}

// A watcher whose user may not use the folder says so in a sentence.
func TestWatchRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if user := ordinary(t, w.URL); user != nil {
		d := newDrop(t)
		w.runAs(t, user, "watch", string(d)).requireRefused(t, 1, "cannot create the folder", "permission denied")
		for _, name := range []string{"imported", "refused"} {
			require.NoError(t, os.Mkdir(d.path(name), 0o755))
		}
		w.runAs(t, user, "watch", string(d)).requireRefused(t, 1, "cannot write to the folder", "permission denied")
	}
}

// Two watchers of a folder import each file once. If one is killed, the other goes on.
func TestTwoWatchers(t *testing.T) {
	t.Parallel()
	w, d := newWorld(t), newDrop(t)
	const files = 30
	watchers := []*service{w.watch(t, d), w.watch(t, d)}
	for i := range files {
		d.send(t, fmt.Sprintf("%02d.csv", i), modelstest.DeliveryCSV(cvr, 2))
	}
	modelstest.Eventually(t, func() bool { return len(d.names("imported")) >= files/3 })
	busy, other := watchers[0], watchers[1]
	if len(busy.entries("imported a file")) == 0 {
		busy, other = other, busy
	}
	require.Equal(t, -1, busy.end(t, syscall.SIGKILL))
	modelstest.Eventually(t, func() bool { return len(d.names("imported")) == files }, other.err.String())
	require.Zero(t, other.end(t, terminate))
	require.NotEmpty(t, other.entries("imported a file"))
	require.Empty(t, append(busy.entries("refused a file"), other.entries("refused a file")...))
	require.Equal(t, files, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM deliveries`))
	require.Equal(t, 2*files, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
	require.Empty(t, d.names("."))
}

// A signal during an import rolls it back, and ends the watcher with success. The file
// stays.
func TestWatcherStoppedWhileImporting(t *testing.T) {
	t.Parallel()
	w, d := newWorld(t), newDrop(t)
	before := rows(t, w.URL)
	release := hold(t, w.URL, "SELECT FROM companies FOR UPDATE")
	watcher := w.watch(t, d)
	d.send(t, "f.csv", delivery(cvr))
	modelstest.Eventually(t, func() bool { return waits(t, w.URL) })
	require.Zero(t, watcher.end(t, terminate))
	release()
	quiet(t, w.URL)
	require.Equal(t, before, rows(t, w.URL))
	require.Equal(t, []string{"f.csv"}, d.names("."))
	w.watch(t, d)
	modelstest.Eventually(t, func() bool { return len(d.names("imported")) == 1 })
}

// While the database is away, files stay and are not refused. They are imported when it
// is back.
func TestWatchWithoutDatabase(t *testing.T) {
	t.Parallel()
	w, d := newWorld(t), newDrop(t)
	watcher := w.watch(t, d)
	address, err := url.Parse(w.URL)
	require.NoError(t, err)
	name := strings.TrimPrefix(address.Path, "/")
	address.Path = "/postgres"
	allow := func(allowed bool) {
		conn := modelstest.Conn(t, address.String())
		require.NoError(t,
			modelstest.ErrorOf(conn.Exec(t.Context(), fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS %v", name, allowed))))
		_, err = conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, name)
		require.NoError(t, err)
	}
	allow(false)
	d.send(t, "a.csv", modelstest.DeliveryCSV(cvr, 1))
	d.send(t, "b.csv", modelstest.DeliveryCSV(cvr, 1))
	modelstest.Eventually(t, func() bool { return len(watcher.entries("a file is tried again later")) > 0 },
		watcher.err.String())
	require.Equal(t, "a.csv", watcher.entries("a file is tried again later")[0]["file"])
	require.Len(t, d.names("."), 2)
	modelstest.Eventually(t, func() bool { return watcher.metric(t, "dispo_watch_waiting_files") == "2" })
	allow(true)
	modelstest.Eventually(t, func() bool { return len(d.names("imported")) == 2 }, watcher.err.String())
	require.Empty(t, watcher.entries("refused a file"))
}

// A file that this user may not read stays until it can be read.
func TestWatchWithoutPermission(t *testing.T) {
	t.Parallel()
	w, d := newWorld(t), newDrop(t)
	user := ordinary(t, w.URL)
	if user == nil {
		user = &syscall.Credential{Uid: uint32(os.Geteuid()), Gid: uint32(os.Getegid())}
	}
	d.send(t, "f.csv", delivery(cvr))
	require.NoError(t, os.Chmod(d.path("f.csv"), 0))
	require.NoError(t, os.Chown(string(d), int(user.Uid), int(user.Gid)))
	prepared := w.prepare("watch", string(d), "--every=10ms", "--settle=10ms")
	if os.Geteuid() == 0 {
		prepared.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	}
	watcher := prepared.begin(t)
	modelstest.Eventually(t, func() bool { return len(watcher.entries("a file is tried again later")) > 0 },
		watcher.err.String())
	require.NoError(t, os.Chmod(d.path("f.csv"), 0o644))
	modelstest.Eventually(t, func() bool { return len(d.names("imported")) == 1 }, watcher.err.String())
}
