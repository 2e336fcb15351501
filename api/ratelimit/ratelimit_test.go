package ratelimit

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"

	"dispo/models/modelstest"
)

// unsafeString returns a string that changes when bytes do.
func unsafeString(bytes []byte) string { return unsafe.String(&bytes[0], len(bytes)) }

// A limit out of range is an error that names its setting.
func TestLimitOutOfRange(t *testing.T) {
	t.Parallel()
	for setting, config := range map[string]Config{
		"DISPO_LIMIT_MINUTE":   {Minute: 0, Hour: 1, Failures: 1},
		"DISPO_LIMIT_HOUR":     {Minute: 1, Hour: -1, Failures: 1},
		"DISPO_LIMIT_FAILURES": {Minute: 1, Hour: 1, Failures: maxLimit + 1},
	} {
		_, err := New(config)
		require.ErrorContains(t, err, setting+" must be from 1 to 1000000000, not ")
	}
}

// Memory frees a window that is over even if its key is never used again, and
// keeps one that is not over.
func TestMemoryFreesWindowsThatAreOver(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{minuteLength: 50 * time.Millisecond, cleanEvery: 20 * time.Millisecond})
	take(limits, "a", 1)
	take(limits, "b", 1)
	fail(limits, "192.0.2.1", 1)

	// The memory store hides its counters.
	counters := func(window *limiter.Limiter) (n int) {
		field := reflect.ValueOf(window.Store).Elem().FieldByName("cache")
		cache := *(**memory.CacheWrapper)(unsafe.Pointer(field.UnsafeAddr()))
		cache.Range(func(string, *memory.Counter) { n++ })
		return n
	}
	require.Equal(t, 2, counters(limits.hour))
	modelstest.Eventually(t, func() bool {
		return counters(limits.minute) == 0 && counters(limits.failures) == 0
	})
	require.Equal(t, 2, counters(limits.hour))
	_, hour := used(limits, "a")
	require.EqualValues(t, 1, hour)
}

// After Close, with Redis there or away, no goroutine is left but the memory
// store's cleaners, and those end with the garbage collection of the limits.
func TestCloseLeavesNoGoroutine(t *testing.T) { // not parallel: it looks at all goroutines
	there, away := startRedis(t), newRedis(t)
	for _, url := range []string{"", there.url(), away.url()} {
		limits, err := New(Config{Minute: 1, Hour: 1, Failures: 1, RedisURL: url, Log: (&journal{}).log()})
		require.NoError(t, err)
		take(limits, "a", 1)
		limits.Close()
		limits.Close()
	}
	running := func() string {
		all := make([]byte, 1<<20)
		var ours []string
		for _, stack := range strings.Split(string(all[:runtime.Stack(all, true)]), "\n\n") {
			for _, creator := range []string{"dispo/api/ratelimit.New", "dispo/api/ratelimit.open", "sync.(*WaitGroup).Go", "github.com/"} {
				if strings.Contains(stack, "created by "+creator) {
					ours = append(ours, stack)
				}
			}
		}
		return strings.Join(ours, "\n\n")
	}
	for deadline := time.Now().Add(3 * time.Second); running() != "" && time.Now().Before(deadline); {
		runtime.GC()
	}
	require.Empty(t, running())
}

// Requests are still limited after Close, by memory, because some may be under
// way at a shutdown.
func TestTakeAfterClose(t *testing.T) {
	t.Parallel()
	log := &journal{}
	limits := openLimits(t, Config{Minute: 2, RedisURL: startRedis(t).url(), Log: log.log()})
	take(limits, "a", 1)
	limits.Close()
	require.EqualValues(t, 0, take(limits, "a", 1).Remaining)
	require.False(t, take(limits, "a", 1).Allowed)
	require.Empty(t, log.String(), "a shutdown is not an outage")
}
