package models

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// usage notes the last use of keys in memory, and writes it in batches: no
// write per request. The first use that this instance sees of a key is written
// at once, because somebody may be watching for it.
type usage struct {
	store *Store
	mu    sync.Mutex
	last  map[uuid.UUID]lastUse // what is still to be written
	seen  map[uuid.UUID]struct{}

	wake   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}
}

type lastUse struct {
	at        time.Time
	address   string
	userAgent string
}

const (
	usageInterval   = 5 * time.Second
	usageTimeout    = 5 * time.Second
	userAgentLength = 200
)

func newUsage(store *Store) *usage {
	return &usage{
		store: store,
		last:  map[uuid.UUID]lastUse{},
		seen:  map[uuid.UUID]struct{}{},
		wake:  make(chan struct{}, 1),
	}
}

// Used notes that the caller's key was used now, from that address and by that
// user agent; both are copied where they are kept.
func (s *Store) Used(caller Caller, address, userAgent string) {
	u := s.usage
	if len(userAgent) > userAgentLength {
		userAgent = strings.ToValidUTF8(userAgent[:userAgentLength], "")
	}
	u.mu.Lock()
	use := u.last[caller.KeyID]
	use.at = time.Now()
	if use.address != address {
		use.address = strings.Clone(address)
	}
	if use.userAgent != userAgent {
		use.userAgent = strings.ToValidUTF8(strings.ReplaceAll(strings.Clone(userAgent), "\x00", ""), "")
	}
	u.last[caller.KeyID] = use
	_, seen := u.seen[caller.KeyID]
	if !seen {
		u.seen[caller.KeyID] = struct{}{}
	}
	u.mu.Unlock()
	if !seen {
		select {
		case u.wake <- struct{}{}:
		default: // a write is on its way, and takes this one along
		}
	}
}

func (u *usage) start() {
	ctx, cancel := context.WithCancel(context.Background())
	u.cancel, u.done = cancel, make(chan struct{})
	go func() {
		defer close(u.done)
		ticker := time.NewTicker(usageInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				u.flush()
				return
			case <-ticker.C:
			case <-u.wake:
			}
			u.flush()
		}
	}()
}

func (u *usage) stop() {
	if u.cancel != nil {
		u.cancel()
		<-u.done
	}
}

// flush writes what was noted; what can't be written is kept for the next time.
func (u *usage) flush() {
	u.mu.Lock()
	batch := u.last
	u.last = make(map[uuid.UUID]lastUse, len(batch))
	u.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	var (
		ids        = make([]uuid.UUID, 0, len(batch))
		times      = make([]time.Time, 0, len(batch))
		addresses  = make([]string, 0, len(batch))
		userAgents = make([]string, 0, len(batch))
	)
	for id, use := range batch {
		ids, times = append(ids, id), append(times, use.at)
		addresses, userAgents = append(addresses, use.address), append(userAgents, use.userAgent)
	}
	ctx, cancel := context.WithTimeout(context.Background(), usageTimeout)
	defer cancel()
	if _, err := u.store.pool.Exec(ctx, `SELECT api_keys_used($1, $2, $3, $4)`, ids, times, addresses, userAgents); err != nil {
		u.store.log.Warn("last uses of keys could not be written: they are kept for the next time", "keys", len(batch), "error", err)
		u.mu.Lock()
		defer u.mu.Unlock()
		for id, use := range batch {
			if _, newer := u.last[id]; !newer {
				u.last[id] = use
			}
		}
	}
}
