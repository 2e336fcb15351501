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

// changes wakes those who wait for a change of an organization's data or of a key.
type changes struct {
	mu      sync.Mutex
	waiting map[uuid.UUID]map[*Change]struct{} // by organization and by key, and all under uuid.Nil
}

// Change is woken when something may have changed. It may be woken without a change.
type Change struct {
	C       <-chan struct{}
	c       chan struct{}
	changes *changes
	ids     [3]uuid.UUID
}

func newChanges(feed *database.Feed) *changes {
	c := &changes{waiting: map[uuid.UUID]map[*Change]struct{}{}}
	feed.Subscribe(database.Subscriber{After: func(change database.Change) { c.wake(change.ID) }})
	return c
}

// Changes returns what is woken whenever the change feed tells of the caller's key, or
// of its organization's data, or has missed something. Call Stop when it is no longer
// needed.
func (s *Store) Changes(caller Caller) *Change {
	signal := make(chan struct{}, 1)
	change := &Change{C: signal, c: signal, changes: s.changes, ids: [...]uuid.UUID{caller.OrganizationID, caller.KeyID, uuid.Nil}}
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	for _, id := range change.ids {
		if s.changes.waiting[id] == nil {
			s.changes.waiting[id] = map[*Change]struct{}{}
		}
		s.changes.waiting[id][change] = struct{}{}
	}
	return change
}

// Stop ends the waiting.
func (c *Change) Stop() {
	c.changes.mu.Lock()
	defer c.changes.mu.Unlock()
	for _, id := range c.ids {
		delete(c.changes.waiting[id], c)
		if len(c.changes.waiting[id]) == 0 {
			delete(c.changes.waiting, id)
		}
	}
}

// wake wakes those who wait for an organization or a key, or everybody for uuid.Nil:
// then those first who are alone in their organization.
func (c *changes) wake(id uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := slices.Collect(maps.Keys(c.waiting[id]))
	if len(waiting) == 0 {
		return
	}
	number, order := map[uuid.UUID]int{}, map[*Change]int{}
	for _, change := range waiting {
		number[change.organizationID()]++
		order[change] = number[change.organizationID()]
	}
	slices.SortFunc(waiting, func(a, b *Change) int { return order[a] - order[b] })
	gap := min(time.Millisecond, wakeSpread/time.Duration(len(waiting)))
	waiting[0].wake()
	for i, change := range waiting[1:] {
		time.AfterFunc(time.Duration(i+1)*gap, change.wake)
	}
}

func (c *Change) organizationID() uuid.UUID { return c.ids[0] }

// wake never blocks: one wake-up that nobody has taken yet is enough.
func (c *Change) wake() {
	select {
	case c.c <- struct{}{}:
	default:
	}
}

// Waiting returns how many wait for a change.
func (s *Store) Waiting() int {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	return len(s.changes.waiting[uuid.Nil])
}
