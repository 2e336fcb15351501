package ratelimit

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// unsafeString is a string that changes when its bytes do.
func unsafeString(bytes []byte) string { return unsafe.String(&bytes[0], len(bytes)) }

// A figure out of range is refused by the name of its setting.
func TestFiguresOutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	for setting, config := range map[string]Config{
		"DISPO_LIMIT_MINUTE":   {Minute: 0, Hour: 1, Failures: 1},
		"DISPO_LIMIT_HOUR":     {Minute: 1, Hour: -1, Failures: 1},
		"DISPO_LIMIT_FAILURES": {Minute: 1, Hour: 1, Failures: mostAllowed + 1},
	} {
		_, err := New(config)
		require.ErrorContains(t, err, setting+" must be from 1 to 1000000000, not ")
	}
}

// A window that is over is forgotten without anybody asking for it again; one
// that is not is kept.
func TestMemoryForgetsWindowsThatAreOver(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{minuteLength: 50 * time.Millisecond, cleanEvery: 20 * time.Millisecond})
	take(limits, "a", 1)
	take(limits, "b", 1)
	fail(limits, "192.0.2.1", 1)

	held := func(w *memoryWindow) bool {
		for _, key := range []string{"a", "b", "192.0.2.1"} {
			if _, found := w.counters.Load(key); found {
				return true
			}
		}
		return false
	}
	require.True(t, held(limits.Requests.hour))
	require.Eventually(t, func() bool {
		return !held(limits.Requests.minute) && !held(limits.Failures.window)
	}, 5*time.Second, 5*time.Millisecond)

	_, hour := stands(limits, "a")
	require.EqualValues(t, 1, hour)
}

// A window that begins anew while memory is cleaned is not forgotten with the
// old one: here in the moment between the cleaner's look and its turn.
func TestCleaningLosesNoCount(t *testing.T) {
	t.Parallel()
	w, locks := newMemoryWindow("minute", 60, time.Minute), newKeyLocks()
	lock := locks.of("a")
	lock.Lock()
	w.follow("a", usage{used: 7, reset: time.Now().Add(-time.Second).UnixNano()})

	cleaned := make(chan struct{})
	go func() {
		defer close(cleaned)
		w.clean(locks)
	}()
	require.Eventually(t, func() bool {
		for _, stack := range stacks() {
			if strings.Contains(stack, ".clean(") && strings.Contains(stack, "[sync.Mutex.Lock") {
				return true
			}
		}
		return false
	}, 5*time.Second, time.Millisecond)
	require.EqualValues(t, 1, w.add("a", time.Now().UnixNano()).used)
	lock.Unlock()
	<-cleaned

	require.EqualValues(t, 1, w.peek("a", time.Now().UnixNano()).used)
}

// stacks is what every goroutine is doing.
func stacks() []string {
	all := make([]byte, 1<<20)
	return strings.Split(string(all[:runtime.Stack(all, true)]), "\n\n")
}

// After Close nothing of ours runs any more, with Redis there or away.
func TestCloseEndsEverything(t *testing.T) { // not parallel: it looks at all goroutines
	there, away := startRedis(t), newRedis(t)
	for _, url := range []string{"", there.url(), away.url()} {
		limits := openLimits(t, Config{RedisURL: url})
		take(limits, "a", 1)
		limits.Close()
		limits.Close()
	}
	running := func() string {
		var ours []string
		for _, stack := range stacks() {
			for _, creator := range []string{"dispo/api/ratelimit.New", "dispo/api/ratelimit.open", "sync.(*WaitGroup).Go", "github.com/"} {
				if strings.Contains(stack, "created by "+creator) {
					ours = append(ours, stack)
				}
			}
		}
		return strings.Join(ours, "\n\n")
	}
	// Close has waited for the last step of each; the runtime may still be
	// taking them away. What leaks stays.
	for deadline := time.Now().Add(3 * time.Second); running() != "" && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	require.Empty(t, running())
}

// Requests are limited by memory still after Close, as those that are under way
// at a shutdown find it.
func TestTakeAfterClose(t *testing.T) {
	t.Parallel()
	log := &journal{}
	limits := openLimits(t, Config{Minute: 2, RedisURL: startRedis(t).url(), Log: log.log()})
	take(limits, "a", 1)
	limits.Close()
	require.EqualValues(t, 0, take(limits, "a", 1).Remaining)
	require.False(t, take(limits, "a", 1).Allowed)
	require.Empty(t, log.String(), "a shutdown is no outage")
}
