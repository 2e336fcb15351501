package main_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// SIGHUP, which a terminal that is closed sends twice, ends neither the service nor a watcher,
// even before they have read their settings: they log it. It ends another command as SIGTERM
// does, unless it was ignored at the start.
func TestHangUp(t *testing.T) {
	t.Parallel()
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP) // else programs would ignore it if the test does, as under nohup
	defer signal.Stop(heard)
	w := newWorld(t)
	const logged = "SIGHUP has no effect: restart the program to apply changed settings"

	pipe := filepath.Join(newFolder(t), "secret")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	early := plain().with("DISPO_LISTEN=127.0.0.1:0", "DATABASE_URL="+w.URL, "DISPO_SECRET_FILE="+pipe).start(t, "serve")
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the settings are read
	require.NoError(t, err)
	early.signal(t, syscall.SIGHUP)
	modelstest.Eventually(t, func() bool { return strings.Contains(early.err.String(), logged) || early.hasEnded() })
	require.NoError(t, modelstest.ErrorOf(writer.WriteString(secret)))
	require.NoError(t, writer.Close())
	require.Zero(t, started(t, early).end(t, terminate), early.err.String())

	for _, going := range []*process{w.serve(t).process, w.watch(t, newDrop(t)).process} {
		for n := range 2 {
			going.signal(t, syscall.SIGHUP)
			modelstest.Eventually(t, func() bool { return len(going.entries(logged)) > n || going.hasEnded() })
		}
		require.Zero(t, going.end(t, terminate), going.err.String())
	}
	for shell, status := range map[string]int{"exec": 1, "trap '' HUP; exec": 0} {
		release := hold(t, w.URL, "LOCK TABLE companies IN ACCESS EXCLUSIVE MODE")
		p := w.prepare("import", "delivery", file(t, "delivery.csv", delivery(cvr)))
		p.cmd.Path, p.cmd.Args = "/bin/sh", append([]string{"sh", "-c", shell + ` dispo "$@"`, "sh"}, p.cmd.Args[1:]...)
		p.begin(t)
		modelstest.Eventually(t, func() bool { return waits(t, w.URL) || p.hasEnded() })
		p.signal(t, syscall.SIGHUP)
		if status == 1 {
			for !p.hasEnded() {
				_ = p.cmd.Process.Signal(syscall.SIGHUP) // it may just have ended
			}
			require.Equal(t, 1, p.wait(t))
			require.Contains(t, p.err.String(), "interrupted, nothing was imported from the file")
		}
		release()
		require.Equal(t, status, p.wait(t), p.err.String())
	}
}
