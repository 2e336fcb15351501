package database

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// wakeSpread is the time over which the waiters of one change are woken, at most one a
// millisecond unless there are more than it has milliseconds. So the first one has read
// what the others need, and thousands of them leave room for other requests.
const wakeSpread = time.Second

// waiters are the requests that wait for a change of an organization's data or of a key.
type waiters struct {
	mu      sync.Mutex
	waiting map[uuid.UUID]map[*Waiter]struct{} // by organization and by key, and all under uuid.Nil
}

// Waiter is woken when something may have changed. It may be woken without a change.
type Waiter struct {
	C       <-chan struct{}
	c       chan struct{}
	waiters *waiters
	ids     [3]uuid.UUID
}

func newWaiters(feed *Feed) *waiters {
	c := &waiters{waiting: map[uuid.UUID]map[*Waiter]struct{}{}}
	feed.Subscribe(Subscriber{After: func(n Notification) { c.wake(n.ID) }})
	return c
}

// NewWaiter returns a waiter, signaled when the feed reports the key or the organization's
// data, or has missed something. Call Stop when it is no longer needed.
func (f *Feed) NewWaiter(organizationID, keyID uuid.UUID) *Waiter {
	signal := make(chan struct{}, 1)
	waiter := &Waiter{
		C:       signal,
		c:       signal,
		waiters: f.waiters,
		ids:     [...]uuid.UUID{organizationID, keyID, uuid.Nil},
	}
	f.waiters.mu.Lock()
	defer f.waiters.mu.Unlock()
	for _, id := range waiter.ids {
		if f.waiters.waiting[id] == nil {
			f.waiters.waiting[id] = map[*Waiter]struct{}{}
		}
		f.waiters.waiting[id][waiter] = struct{}{}
	}
	return waiter
}

// Stop ends the waiting.
func (c *Waiter) Stop() {
	c.waiters.mu.Lock()
	defer c.waiters.mu.Unlock()
	for _, id := range c.ids {
		delete(c.waiters.waiting[id], c)
		if len(c.waiters.waiting[id]) == 0 {
			delete(c.waiters.waiting, id)
		}
	}
}

// wake wakes the waiters of an organization or a key, or all for uuid.Nil: organizations with
// a single waiter first, so that a big one does not delay them.
func (c *waiters) wake(id uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := slices.Collect(maps.Keys(c.waiting[id]))
	if len(waiting) == 0 {
		return
	}
	number, order := map[uuid.UUID]int{}, map[*Waiter]int{}
	for _, waiter := range waiting {
		number[waiter.organizationID()]++
		order[waiter] = number[waiter.organizationID()]
	}
	slices.SortFunc(waiting, func(a, b *Waiter) int { return order[a] - order[b] })
	gap := min(time.Millisecond, wakeSpread/time.Duration(len(waiting)))
	waiting[0].wake()
	for i, waiter := range waiting[1:] {
		time.AfterFunc(time.Duration(i+1)*gap, waiter.wake)
	}
}

func (c *Waiter) organizationID() uuid.UUID { return c.ids[0] }

// wake never blocks: one pending signal is enough.
func (c *Waiter) wake() {
	select {
	case c.c <- struct{}{}:
	default:
	}
}

// Waiting returns the number of waiters.
func (f *Feed) Waiting() int {
	f.waiters.mu.Lock()
	defer f.waiters.mu.Unlock()
	return len(f.waiters.waiting[uuid.Nil])
}
