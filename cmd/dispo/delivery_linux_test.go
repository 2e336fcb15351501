package main_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newKeyboard creates a terminal to read from, with what was typed on it.
func newKeyboard(t *testing.T, typed string) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = master.Close() })
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	terminal, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	_, err = master.WriteString(typed)
	require.NoError(t, err)
	return terminal
}

// On a terminal, a withdrawal asks first, and does nothing unless the answer is yes.
func TestDeliveryWithdrawAsks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, "import", "delivery", file(t, "delivery.csv", delivery(cvr))).requireDone(t)
	id := deliveryID(t, w.URL)
	for _, c := range []struct {
		answer string
		left   int
	}{{"\n", 1}, {"no\n", 1}, {"y\n", 0}} {
		p := w.prepare("delivery", "withdraw", id, "--reason", "test")
		p.cmd.Stdin = newKeyboard(t, c.answer)
		r := p.begin(t).result(t)
		require.Contains(t, r.err, "with 1 record of 0.50 kr., from 1 organization? [y/N] ")
		require.Equal(t, c.left, r.status, r.err)
		require.Equal(t, c.left, query[int](t, w.URL, `SELECT count(*) FROM transactions`))
	}
}
