package sampling_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/cmd/dispo/sampling"
)

func reset(port int) error {
	return &net.OpError{Op: "read", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}, Err: errors.New("connection reset by peer")}
}

// newFailures returns a log that samples failures, and what it has written since the
// last call.
func newFailures() (log *slog.Logger, written func() []string, flush func()) {
	text := &lockedBuffer{}
	handler := sampling.New(slog.NewTextHandler(text, nil), sampling.Failure)
	return slog.New(handler), func() []string {
		return strings.FieldsFunc(text.take(), func(r rune) bool { return r == '\n' })
	}, handler.Flush
}

// Of a flood of equal failures, whose texts differ in ports and ids, the log gets the
// first ten, and then one line a minute with the number of the others.
func TestFloodOfFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, written, _ := newFailures()
		const flood = 25_000
		for minute := range 2 {
			var requests sync.WaitGroup
			for worker := range 4 {
				requests.Go(func() {
					for i := range flood / 4 {
						log.Error("request failed", "error", reset(i), "request_id", fmt.Sprint(worker, "-", i))
					}
				})
			}
			requests.Wait()
			first := 10
			if minute > 0 {
				first = 0
			}
			require.Len(t, written(), first)
			time.Sleep(sampling.Window)
			synctest.Wait()
			lines := written()
			require.Len(t, lines, 1)
			require.Contains(t, lines[0], "connection reset by peer")
			require.Contains(t, lines[0], fmt.Sprintf("repeated=%d", flood-first))
		}
		time.Sleep(2 * sampling.Window)
	})
}

// In the middle of a flood, the first failure of every other kind is logged at once: of
// another message, another cause, or a panic elsewhere.
func TestUnusualFailuresAreLoggedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, written, flush := newFailures()
		flood := func() {
			for i := range 1000 {
				log.Error("request failed", "error", reset(i))
			}
		}
		flood()
		written()
		for name, fail := range map[string]func(){
			"another message": func() { log.Error("page failed", "error", reset(1)) },
			"another cause": func() {
				log.Error("request failed", "error", errors.New(`relation "keys" does not exist (SQLSTATE 42P01)`))
			},
			"a panic": func() {
				log.Error("request failed", "error", errors.New("panic: boom\ngoroutine 7 [running]:\nmain.f(0xc000)\n\tf.go:12"))
			},
			"one elsewhere": func() {
				log.Error("request failed", "error", errors.New("panic: boom\ngoroutine 7 [running]:\nmain.g(0xc000)\n\tg.go:12"))
			},
			"without a cause": func() { log.Error("request failed") },
		} {
			fail()
			require.Len(t, written(), 1, name)
			flood()
			require.Empty(t, written(), name)
		}
		flush()
		require.Len(t, written(), 1, "only the flood was repeated")
		time.Sleep(3 * sampling.Window)
	})
}
