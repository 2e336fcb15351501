package sampling

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// log is a sampled log in JSON, whose periods end when the test says so.
type log struct {
	*slog.Logger
	handler *Errors
	mu      sync.Mutex
	buffer  bytes.Buffer
}

func newLog() *log {
	l := &log{}
	l.handler = NewErrors(slog.NewJSONHandler(l, nil))
	l.handler.period = time.Hour
	l.Logger = slog.New(l.handler)
	return l
}

func (l *log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(line)
}

// lines returns and forgets what was logged.
func (l *log) lines(t *testing.T) (lines []map[string]any) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(l.buffer.Bytes()) {
		var fields map[string]any
		require.NoError(t, json.Unmarshal(line, &fields))
		lines = append(lines, fields)
	}
	l.buffer.Reset()
	return lines
}

func refused(port int) error {
	return &net.OpError{Op: "read", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}, Err: errors.New("connection reset by peer")}
}

// Of a flood of equal errors, whose texts differ in ports and ids, the log gets the
// first ten and then the number of the others. The next period starts afresh.
func TestFloodOfErrorsIsCounted(t *testing.T) {
	t.Parallel()
	const flood = 25_000
	l := newLog()
	for round := range 2 {
		var requests sync.WaitGroup
		for worker := range 4 {
			requests.Go(func() {
				logger := l.With("instance", worker)
				for i := range flood / 4 {
					logger.Error("request failed", "error", refused(i), "status", 503, "request_id", fmt.Sprint(i))
				}
			})
		}
		requests.Wait()
		lines := l.lines(t)
		require.Len(t, lines, logged, "in round %d", round)
		require.Equal(t, "request failed", lines[0]["msg"])
		require.NotEmpty(t, lines[0]["request_id"])
		l.handler.Flush()
		lines = l.lines(t)
		require.Len(t, lines, 1)
		require.Equal(t, "more errors of one kind were left out of the log", lines[0]["msg"])
		require.Equal(t, "request failed", lines[0]["message"])
		require.EqualValues(t, flood-logged, lines[0]["count"])
		require.Contains(t, lines[0]["error"], "connection reset by peer")
		l.handler.Flush()
		require.Empty(t, l.lines(t), "nothing was left out")
	}
}

// In the middle of a flood, the first error of every other kind is logged at once: of
// another message, another cause, or a panic elsewhere. So is everything that is no error.
func TestUnusualErrorsAreLoggedAtOnce(t *testing.T) {
	t.Parallel()
	l := newLog()
	flood := func() {
		for i := range 1000 {
			l.Error("request failed", "error", refused(i))
		}
	}
	flood()
	l.lines(t)
	for name, log := range map[string]func(){
		"another message": func() { l.Error("page failed", "error", refused(1)) },
		"another cause": func() {
			l.Error("request failed", "error", errors.New("relation \"keys\" does not exist (SQLSTATE 42P01)"))
		},
		"a panic": func() {
			l.Error("request failed", "error", errors.New("panic: boom\ngoroutine 7 [running]:\nmain.f(0xc000)\n\tf.go:12"))
		},
		"a panic elsewhere": func() {
			l.Error("request failed", "error", errors.New("panic: boom\ngoroutine 7 [running]:\nmain.g(0xc000)\n\tg.go:12"))
		},
		"without its reason": func() { l.Error("request failed") },
		"a warning":          func() { l.Warn("request failed", "error", refused(1)) },
	} {
		log()
		require.Len(t, l.lines(t), 1, name)
		flood()
		require.Empty(t, l.lines(t), name)
	}
}

// The log's memory is bounded, also if no two errors are alike.
func TestKindsAreBounded(t *testing.T) {
	t.Parallel()
	l := newLog()
	for i := range 3 * kindsMax {
		l.Error("request failed", "error", fmt.Sprint("of its own kind: ", string(rune('α'+i))))
	}
	require.Len(t, l.handler.kinds, kindsMax+1)
	require.Len(t, l.lines(t), kindsMax+logged)
	l.handler.Flush()
	require.Len(t, l.lines(t), 1)
}

// A period ends by itself.
func TestPeriodEnds(t *testing.T) {
	t.Parallel()
	l := newLog()
	l.handler.period = time.Millisecond
	require.Eventually(t, func() bool {
		for range 2 * logged {
			l.Error("request failed", "error", io.EOF)
		}
		for _, line := range l.lines(t) {
			if line["msg"] != "request failed" {
				return true
			}
		}
		return false
	}, 10*time.Second, time.Millisecond)
}
