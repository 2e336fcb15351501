package main_test

import (
	"bytes"
	"compress/gzip"
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

	"dispo/models/modelstest"
)

// newTerminal creates a terminal for a process and returns what it shows.
func newTerminal(t *testing.T) (terminal *os.File, shown *modelstest.Log) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
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
	require.Equal(t, "short.csv: 2 records, 2 transactions stored for 1 organization",
		short.begin(t).result(t).requireDone(t))
	wasShort := time.Since(began) < time.Second // it takes longer on a busy machine

	// The import checks the file, then waits for more than a second for the first lock,
	// and then for the second one while the database stores the records.
	release := hold(t, w.URL, "SELECT FROM writers FOR UPDATE")
	long := w.prepare("import", "delivery",
		file(t, "long.csv", strings.ReplaceAll(delivery(cvr, cvr, cvr), "CARD", "CASH")))
	long.cmd.Stderr = terminal
	long.begin(t)
	modelstest.Eventually(t, func() bool { return waits(t, w.URL) })
	waiting := time.Now()
	modelstest.Eventually(t, func() bool { return time.Since(waiting) > 1500*time.Millisecond })
	releaseRows := hold(t, w.URL, "SELECT FROM companies FOR UPDATE")
	release()
	modelstest.Eventually(t, func() bool { return bar.MatchString(shown.String()) && waits(t, w.URL) },
		"no bar is shown while the database stores the records")
	releaseRows()
	require.Equal(t, "long.csv: 3 records, 3 transactions stored for 1 organization", long.result(t).requireDone(t))
	modelstest.Eventually(t, func() bool { return regexp.MustCompile(`\r +\r$`).MatchString(shown.String()) },
		"the bar is not removed")
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

// A file of 200 MiB without a line end, or with a quote that is never closed, and a compressed
// file of as much are refused without using much memory.
func TestImportHugeFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := newFolder(t)
	sparse := func(name, start string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(start), 0o644))
		require.NoError(t, os.Truncate(path, 200<<20))
		return path
	}
	empty, open := sparse("empty.csv", ""), sparse("open.csv", "cvr,name\n"+cvr+",\"")
	packed := filepath.Join(folder, "huge.csv.gz")
	var member bytes.Buffer
	compressed := gzip.NewWriter(&member)
	require.NoError(t, modelstest.ErrorOf(compressed.Write(make([]byte, 1<<20))))
	require.NoError(t, compressed.Close())
	require.NoError(t, os.WriteFile(packed, bytes.Repeat(member.Bytes(), 200), 0o644))
	for _, arguments := range [][]string{
		{"delivery", empty}, {"companies", empty, "--organization", "acme"}, {"companies", open, "--organization", "acme"},
		{"delivery", packed},
	} {
		p := w.with("GOGC=100").prepare(append([]string{"import"}, arguments...)...)
		p.begin(t)
		most := 0
		modelstest.Eventually(t, func() bool {
			most = max(most, peak(p.cmd.Process.Pid))
			return p.hasEnded()
		})
		r := p.result(t)
		require.Equal(t, 1, r.status, r.err)
		require.Regexp(t, `longer than|no header line|the file is empty`, r.err)
		require.NotZero(t, most)
		require.Less(t, most, 150, "MiB, for %q", arguments)
		t.Log(arguments, most, "MiB")
	}
}
