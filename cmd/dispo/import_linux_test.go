package main_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newTerminal makes a terminal for a process, and gives what is shown on it.
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
		_, _ = io.Copy(shown, master) // until the other side is closed, which is an error here
	}()
	t.Cleanup(func() {
		_ = terminal.Close()
		<-read
		_ = master.Close()
	})
	return terminal, shown
}

// An import that takes longer than a second shows on a terminal how far it is,
// until it is done, and then takes that away; a short one shows nothing.
func TestImportProgress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bar := regexp.MustCompile(`\rlong\.csv +\d+% \|[^\r]+$`)
	terminal, shown := newTerminal(t)
	short := w.prepare("import", "delivery", file(t, "short.csv", delivery(cvr, cvr)))
	short.cmd.Stderr = terminal
	began := time.Now()
	require.Equal(t, "short.csv: 2 records, 2 transactions stored for 1 organization", short.begin(t).result(t).requireDone(t))
	wasShort := time.Since(began) < time.Second // which a busy machine may not grant

	// The file is checked, waits for a second before it is read again to be stored,
	// and then waits for the database to store it.
	release := hold(t, w.URL, "SELECT FROM organizations FOR UPDATE")
	long := w.prepare("import", "delivery", file(t, "long.csv", delivery(cvr, cvr, cvr)))
	long.cmd.Stderr = terminal
	began = time.Now()
	long.begin(t)
	eventually(t, func() bool { return waits(t, w.URL) && time.Since(began) > 1500*time.Millisecond })
	releaseRows := hold(t, w.URL, "SELECT FROM companies FOR UPDATE")
	release()
	eventually(t, func() bool { return bar.MatchString(shown.String()) && waits(t, w.URL) }, "no bar is shown while the database works")
	releaseRows()
	require.Equal(t, "long.csv: 3 records, 3 transactions stored for 1 organization", long.result(t).requireDone(t))
	eventually(t, func() bool { return regexp.MustCompile(`\r +\r$`).MatchString(shown.String()) }, "the bar stays")
	if wasShort {
		require.NotContains(t, shown.String(), "short.csv")
	}
}

// peak is the most memory in MiB that a process has had, as long as it runs. That
// of an ended one would count in the memory of its parent, before it became the
// program.
func peak(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	match := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if match == nil {
		return 0
	}
	kib, _ := strconv.Atoi(string(match[1]))
	return kib >> 10
}

// A file of two gigabytes without a line end, or of a quote that is never closed,
// is refused in little memory.
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
