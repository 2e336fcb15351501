package main_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// SIGHUP, which a terminal that is closed sends, ends neither the service nor a watcher: they
// log it. It ends another command as SIGTERM does, unless it was ignored at the start.
func TestHangUp(t *testing.T) {
	t.Parallel()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // programs inherit what nohup has the tests ignore
	w := newWorld(t)
	for _, going := range []*service{w.serve(t), w.watch(t, newDrop(t))} {
		for n := range 2 {
			going.signal(t, syscall.SIGHUP)
			modelstest.Eventually(t, func() bool {
				return len(going.entries("SIGHUP has no effect: restart the program to apply changed settings")) > n ||
					going.hasEnded()
			})
		}
		require.Zero(t, going.end(t, terminate), going.err.String())
	}
	for shell, status := range map[string]int{"exec": 1, "trap '' HUP; exec": 0} {
		release := hold(t, w.URL, "LOCK TABLE companies IN ACCESS EXCLUSIVE MODE")
		p := w.prepare("import", "delivery", file(t, "delivery.csv", delivery(cvr)))
		p.cmd.Path, p.cmd.Args = "/bin/sh", []string{
			"sh",
			"-c",
			shell + ` dispo "$@"`,
			"sh",
			"import",
			"delivery",
			p.cmd.Args[3],
		}
		p.begin(t)
		modelstest.Eventually(t, func() bool { return waits(t, w.URL) || p.hasEnded() })
		p.signal(t, syscall.SIGHUP)
		if status == 1 {
			require.Equal(t, 1, p.wait(t))
			require.Contains(t, p.err.String(), "interrupted, nothing was imported from the file")
		}
		release()
		require.Equal(t, status, p.wait(t), p.err.String())
	}
}
