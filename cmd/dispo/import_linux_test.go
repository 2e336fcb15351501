package main_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newTerminal creates a terminal for a process and returns what it shows.
func newTerminal(t *testing.T) (terminal *os.File, shown *journal) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	shown = &journal{}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(shown, master) // until the other side is closed, which returns an error
	}()
	t.Cleanup(func() {
		_ = terminal.Close()
		<-read
		_ = master.Close()
	})
	return terminal, shown
}

// An import that takes longer than a second shows a progress bar on a terminal and
// removes it at the end. A short import shows nothing.
func TestImportProgress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bar := regexp.MustCompile(`\rlong\.csv +\d+% \|[^\r]+$`)
	terminal, shown := newTerminal(t)
	short := w.prepare("import", "delivery", file(t, "short.csv", delivery(cvr, cvr)))
	short.cmd.Stderr = terminal
	began := time.Now()
	require.Equal(t, "short.csv: 2 records, 2 transactions stored for 1 organization", short.begin(t).result(t).requireDone(t))
	wasShort := time.Since(began) < time.Second // it takes longer on a busy machine

	// The import checks the file, then waits for more than a second for the first lock,
	// and then for the second one while the database stores the records.
	release := hold(t, w.URL, "SELECT FROM organizations FOR UPDATE")
	long := w.prepare("import", "delivery", file(t, "long.csv", strings.ReplaceAll(delivery(cvr, cvr, cvr), "CARD", "CASH")))
	long.cmd.Stderr = terminal
	long.begin(t)
	eventually(t, func() bool { return waits(t, w.URL) })
	waiting := time.Now()
	eventually(t, func() bool { return time.Since(waiting) > 1500*time.Millisecond })
	releaseRows := hold(t, w.URL, "SELECT FROM companies FOR UPDATE")
	release()
	eventually(t, func() bool { return bar.MatchString(shown.String()) && waits(t, w.URL) }, "no bar is shown while the database stores the records")
	releaseRows()
	require.Equal(t, "long.csv: 3 records, 3 transactions stored for 1 organization", long.result(t).requireDone(t))
	eventually(t, func() bool { return regexp.MustCompile(`\r +\r$`).MatchString(shown.String()) }, "the bar is not removed")
	if wasShort {
		require.NotContains(t, shown.String(), "short.csv")
	}
}

// peak returns the peak memory of a running process in MiB. The resource usage of an
// ended process would include the memory of its parent from before the exec.
func peak(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	match := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if match == nil {
		return 0
	}
	kib, _ := strconv.Atoi(string(match[1]))
	return kib >> 10
}

// A file of 2 GiB without a line end, or with a quote that is never closed, is refused
// without using much memory.
func TestImportHugeLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	huge := filepath.Join(newFolder(t), "huge.csv")
	require.NoError(t, os.WriteFile(huge, []byte("cvr,name\n"+cvr+",\""), 0o644))
	require.NoError(t, os.Truncate(huge, 2<<30))
	empty := filepath.Join(newFolder(t), "empty.csv")
	require.NoError(t, os.WriteFile(empty, nil, 0o644))
	require.NoError(t, os.Truncate(empty, 2<<30))
	for _, arguments := range [][]string{
		{"import", "delivery", empty},
		{"import", "companies", empty, "--organization", "acme"},
		{"import", "companies", huge, "--organization", "acme"},
	} {
		p := w.start(t, arguments...)
		most := 0
		eventually(t, func() bool {
			most = max(most, peak(p.cmd.Process.Pid))
			return p.hasEnded()
		})
		r := p.result(t)
		require.Equal(t, 1, r.status, r.err)
		require.Regexp(t, `longer than|no header line`, r.err)
		require.NotZero(t, most)
		require.Less(t, most, 150, "MiB, for %q", arguments)
		t.Log(arguments[:2], most, "MiB")
	}
}
