package main_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dispo/models/modelstest"
)

// openTerminal creates a terminal, and returns both of its sides.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	return master, terminal
}

// newTerminal creates a terminal for a process and returns what it shows.
func newTerminal(t *testing.T) (terminal *os.File, shown *modelstest.Log) {
	t.Helper()
	master, terminal := openTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	shown = &modelstest.Log{}
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

// An import that takes longer than a second shows its progress on a terminal and
// removes it at the end. A short import shows nothing.
func TestImportProgress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bar := regexp.MustCompile(`\rlong\.csv +\d+ %$`)
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
	modelstest.Eventually(t, func() bool { return waits(t, w.URL) })
	waiting := time.Now()
	modelstest.Eventually(t, func() bool { return time.Since(waiting) > 1500*time.Millisecond })
	releaseRows := hold(t, w.URL, "SELECT FROM companies FOR UPDATE")
	release()
	modelstest.Eventually(t, func() bool { return bar.MatchString(shown.String()) && waits(t, w.URL) }, "no bar is shown while the database stores the records")
	releaseRows()
	require.Equal(t, "long.csv: 3 records, 3 transactions stored for 1 organization", long.result(t).requireDone(t))
	modelstest.Eventually(t, func() bool { return regexp.MustCompile(`\r +\r$`).MatchString(shown.String()) }, "the bar is not removed")
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

// An import that waits for standard input can be interrupted, and leaves nothing of what
// it has read, even if it is killed.
func TestImportEndedWhileReadingStandardInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, signal := range []syscall.Signal{interrupt, syscall.SIGKILL} {
		folder := newFolder(t)
		p := w.with("TMPDIR="+folder).prepare("import", "delivery", "-")
		input, err := p.cmd.StdinPipe()
		require.NoError(t, err)
		p.begin(t)
		_, err = io.WriteString(input, delivery(cvr))
		require.NoError(t, err)
		modelstest.Eventually(t, func() bool { return strings.Contains(opened(p.cmd.Process.Pid), folder+"/dispo-") }, "nothing is read")
		p.signal(t, signal)
		r := p.result(t)
		if signal == interrupt {
			r.requireRefused(t, 1, "interrupted, nothing was imported from the file")
		}
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left)
	}
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
}

// opened lists the files without a name that a process has open.
func opened(pid int) (paths string) {
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		if path, _ := os.Readlink(filepath.Join(folder, entry.Name())); strings.HasSuffix(path, " (deleted)") {
			paths += path + "\n"
		}
	}
	return paths
}

// A file of 2 GiB without a line end, or with a quote that is never closed, a compressed
// file of 512 MiB, and as much on standard input, are refused without using much memory.
func TestImportHugeFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := newFolder(t)
	sparse := func(name, start string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(start), 0o644))
		require.NoError(t, os.Truncate(path, 2<<30))
		return path
	}
	zeros := func(to io.WriteCloser) error {
		if _, err := io.CopyN(to, zero{}, 512<<20); err != nil {
			return err
		}
		return to.Close()
	}
	empty, open, packed := sparse("empty.csv", ""), sparse("open.csv", "cvr,name\n"+cvr+",\""), filepath.Join(folder, "huge.csv.gz")
	out, err := os.Create(packed)
	require.NoError(t, err)
	fast, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	require.NoError(t, err)
	require.NoError(t, zeros(fast))
	require.NoError(t, out.Close())
	for _, arguments := range [][]string{
		{"delivery", empty}, {"companies", empty, "--organization", "acme"}, {"companies", open, "--organization", "acme"},
		{"delivery", packed}, {"delivery", "-"},
	} {
		p := w.prepare(append([]string{"import"}, arguments...)...)
		if arguments[1] == "-" {
			input, err := p.cmd.StdinPipe()
			require.NoError(t, err)
			go func() { _ = zeros(input) }()
		}
		p.begin(t)
		most := 0
		modelstest.Eventually(t, func() bool {
			most = max(most, peak(p.cmd.Process.Pid))
			return p.hasEnded()
		})
		r := p.result(t)
		require.Equal(t, 1, r.status, r.err)
		require.Regexp(t, `longer than|no header line`, r.err)
		require.NotZero(t, most)
		require.Less(t, most, 150, "MiB, for %q", arguments)
		t.Log(arguments, most, "MiB")
	}
}

type zero struct{}

func (zero) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
