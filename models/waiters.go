package models

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"dispo/models/database"
)

// wakeSpread is the time over which those who wait for the same are woken, at most one
// a millisecond unless there are more than it has milliseconds. So the first one has
// read what the others need, and thousands of them leave room for other requests.
const wakeSpread = time.Second

// waiters wakes those who wait for a change of an organization's data or of a key.
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

func newWaiters(feed *database.Feed) *waiters {
	c := &waiters{waiting: map[uuid.UUID]map[*Waiter]struct{}{}}
	feed.Subscribe(database.Subscriber{After: func(n database.Notification) { c.wake(n.ID) }})
	return c
}

// NewWaiter returns a waiter, signaled when the feed reports the caller's key or its
// organization's data, or has missed something. Call Stop when it is no longer
// needed.
func (s *Store) NewWaiter(caller Caller) *Waiter {
	signal := make(chan struct{}, 1)
	waiter := &Waiter{
		C:       signal,
		c:       signal,
		waiters: s.waiters,
		ids:     [...]uuid.UUID{caller.OrganizationID, caller.KeyID, uuid.Nil},
	}
	s.waiters.mu.Lock()
	defer s.waiters.mu.Unlock()
	for _, id := range waiter.ids {
		if s.waiters.waiting[id] == nil {
			s.waiters.waiting[id] = map[*Waiter]struct{}{}
		}
		s.waiters.waiting[id][waiter] = struct{}{}
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

// wake wakes those who wait for an organization or a key, or everybody for uuid.Nil:
// then those first who are alone in their organization.
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

// Waiting returns how many wait for a change.
func (s *Store) Waiting() int {
	s.waiters.mu.Lock()
	defer s.waiters.mu.Unlock()
	return len(s.waiters.waiting[uuid.Nil])
}
