package sampling_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"dispo/cmd/dispo/sampling"
)

// newLog returns a log that samples by message and address, and what it has written
// since the last call.
func newLog() (log *slog.Logger, written func() []string, flush func()) {
	text := &lockedBuffer{}
	handler := sampling.New(slog.NewTextHandler(text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}}), func(r slog.Record) (key sampling.Key) {
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "address" {
				key = sampling.Key{Kind: r.Message, Subject: a.Value.String()}
			}
			return true
		})
		return key
	})
	return slog.New(handler), func() []string {
		return strings.FieldsFunc(text.take(), func(r rune) bool { return r == '\n' })
	}, handler.Flush
}

// lockedBuffer is written to by the sampler's timer as well.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

// take returns and forgets what was written.
func (b *lockedBuffer) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.text.Reset()
	return b.text.String()
}

// The first of a kind from an address is logged at once. Those that follow are
// counted, and logged as one line a minute for as long as they go on. After a quiet
// minute, the next one is a first one again.
func TestRepetitions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, written, _ := newLog()
		log.Warn("refused", "address", "a", "n", 1)
		log.Warn("refused", "address", "b")
		log.Warn("forged", "address", "a")
		require.Equal(t, []string{"msg=refused address=a n=1", "msg=refused address=b", "msg=forged address=a"}, written())
		for n := range 1000 {
			log.Warn("refused", "address", "a", "n", n)
		}
		log.With("instance", 1).Warn("refused", "address", "a")
		require.Empty(t, written())
		time.Sleep(sampling.Window)
		synctest.Wait()
		require.Equal(t, []string{"msg=refused address=a n=1 repeated=1001"}, written())
		log.Warn("refused", "address", "a")
		log.Warn("forged", "address", "a")
		require.Equal(t, []string{"msg=forged address=a"}, written(), "one has paused for a minute, the other has not")
		time.Sleep(3 * sampling.Window)
		synctest.Wait()
		require.Equal(t, []string{"msg=refused address=a n=1 repeated=1"}, written())
		log.Warn("refused", "address", "a")
		require.Equal(t, []string{"msg=refused address=a"}, written())
		time.Sleep(2 * sampling.Window)
	})
}

// Records without a key are all logged, and at the end nothing that was counted is
// lost.
func TestFlush(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, written, flush := newLog()
		for range 3 {
			log.Error("failed")
			log.Warn("refused", "address", "a")
		}
		require.Len(t, written(), 4)
		flush()
		require.Equal(t, []string{"msg=refused address=a repeated=2"}, written())
		time.Sleep(2 * sampling.Window)
		synctest.Wait()
		require.Empty(t, written())
	})
}

// An attack from very many addresses is logged in few lines, and none of it is lost
// from the count. Another kind of event is still logged at once.
func TestManyAddresses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, written, _ := newLog()
		for i := range 10_000 {
			log.Warn("refused", "address", fmt.Sprint(i))
		}
		require.Len(t, written(), 101)
		log.Warn("forged", "address", "a")
		require.Len(t, written(), 1)
		time.Sleep(sampling.Window)
		synctest.Wait()
		require.Equal(t, []string{"msg=refused address=100 repeated=9899 many=true"}, written())
		time.Sleep(2 * sampling.Window)
	})
}

// The text of a record that is logged again is its own, not a buffer's that has
// changed since.
func TestRecordsAreCopied(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, written, flush := newLog()
		buffer := []byte("buffer")
		path := unsafe.String(&buffer[0], len(buffer))
		log.Warn("refused", "address", "a", "path", path)
		log.Warn("refused", "address", "a", "path", path)
		copy(buffer, "xxxxxx")
		written()
		flush()
		require.Equal(t, []string{"msg=refused address=a path=buffer repeated=1"}, written())
		time.Sleep(2 * sampling.Window)
	})
}
