package ratelimit

import (
	"hash/maphash"
	"strings"
	"sync"
	"time"

	"github.com/ulule/limiter/v3/drivers/store/memory"
)

// memoryWindow counts in this process. It uses the counters of limiter's memory
// store without the store around them: those know the end of a window to the
// nanosecond, where the store's answer is floored to the second, and need no
// key put together for every look.
//
// Every method but clean asks that the key's lock is held: that makes looking
// and counting one step, and over two windows too.
type memoryWindow struct {
	window
	counters *memory.Cache
}

func newMemoryWindow(name string, limit int64, length time.Duration) *memoryWindow {
	return &memoryWindow{
		window: window{name: name, limit: limit, length: length},
		// No interval: the store's own cleaner may delete a counter that has
		// just been started anew, and nobody could wait for it to end.
		counters: memory.NewCache(0).Cache,
	}
}

// peek tells where key stands, and counts nothing. now is Unix nanoseconds.
func (w *memoryWindow) peek(key string, now int64) usage {
	fresh := now + int64(w.length)
	counter, found := w.counters.Load(key)
	if !found {
		return usage{reset: fresh}
	}
	used, reset := counter.Load(fresh)
	return usage{used: used, reset: reset}
}

// add counts one under key. now is Unix nanoseconds.
func (w *memoryWindow) add(key string, now int64) usage {
	counter, found := w.counters.Load(key)
	if !found {
		counter = w.start(key)
	}
	used, reset := counter.Increment(1, now+int64(w.length))
	return usage{used: used, reset: reset}
}

// follow makes the window what another store says it is.
func (w *memoryWindow) follow(key string, u usage) {
	if u.used > 0 {
		w.start(key).Increment(u.used, u.reset)
	}
}

// start puts an empty counter in place of what key had. The key is copied: a
// web server's strings may point into a buffer that its next request overwrites.
func (w *memoryWindow) start(key string) *memory.Counter {
	counter := &memory.Counter{}
	w.counters.Store(strings.Clone(key), counter)
	return counter
}

// clean forgets the counters whose window is over.
func (w *memoryWindow) clean(locks *keyLocks) {
	w.counters.Range(func(key string, counter *memory.Counter) {
		if !counter.Expired() {
			return
		}
		lock := locks.of(key)
		lock.Lock()
		defer lock.Unlock()
		// Looked at again: a request may have started it anew, or replaced it.
		if current, found := w.counters.Load(key); found && current.Expired() {
			w.counters.Delete(key)
		}
	})
}

// keyLocks is a lock for every key. Keys share locks, few enough to keep and
// many enough that two cores seldom wait for each other's organization.
type keyLocks struct {
	seed    maphash.Seed
	stripes [256]struct {
		sync.Mutex
		_ [56]byte // a cache line each
	}
}

func newKeyLocks() *keyLocks { return &keyLocks{seed: maphash.MakeSeed()} }

func (l *keyLocks) of(key string) *sync.Mutex {
	return &l.stripes[maphash.String(l.seed, key)%uint64(len(l.stripes))].Mutex
}
