package models

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// usage notes requests in memory, by key and hour, and writes them in batches,
// together with the keys' last uses: no write per request. The first use that
// this instance sees of a key is written at once, because somebody may be
// watching for it.
type usage struct {
	store *Store
	log   *slog.Logger

	mu    sync.Mutex
	noted noted
	seen  map[uuid.UUID]struct{}

	wake   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}
}

// noted is what is still to be written.
type noted struct {
	last    map[uuid.UUID]lastUse
	counts  map[keyHour]count
	refused []refusedRequest
}

type keyHour struct {
	organizationID, keyID uuid.UUID
	hour                  int64 // Unix seconds of its start
}

type count struct{ requests, refused int64 }

type lastUse struct {
	at        time.Time
	address   string
	userAgent string
}

type refusedRequest struct {
	caller  Caller
	at      time.Time
	request Request
}

// Request is a request that was answered, as its key's organization is told of it.
type Request struct {
	Status             int
	Method, Path       string
	Address, UserAgent string
}

func (r Request) refused() bool { return r.Status == 401 || r.Status == 429 }

const (
	usageInterval   = 5 * time.Second
	usageTimeout    = 5 * time.Second
	userAgentLength = 200
	pathLength      = 200
	refusedKept     = 1000 // in memory, until the next write
)

func newUsage(store *Store) *usage {
	u := &usage{store: store, log: store.log, seen: map[uuid.UUID]struct{}{}, wake: make(chan struct{}, 1)}
	u.noted = newNoted(0)
	return u
}

func newNoted(size int) noted {
	return noted{last: make(map[uuid.UUID]lastUse, size), counts: make(map[keyHour]count, size)}
}

// Used notes a request that was made with the caller's key and answered now. A
// request that was refused because the key is revoked or has expired is no use
// of it. What is kept of the request is copied.
func (s *Store) Used(caller Caller, request Request) {
	u, now := s.usage, time.Now()
	key := keyHour{caller.OrganizationID, caller.KeyID, now.Unix() / 3600 * 3600}
	u.mu.Lock()
	counted := u.noted.counts[key]
	counted.requests++
	if request.refused() {
		counted.refused++
		if len(u.noted.refused) < refusedKept {
			u.noted.refused = append(u.noted.refused, refusedRequest{caller, now, request.kept()})
		}
	}
	u.noted.counts[key] = counted
	first := false
	if request.Status != 401 {
		use := u.noted.last[caller.KeyID]
		use.at = now
		if use.address != request.Address {
			use.address = strings.Clone(request.Address)
		}
		if agent := cutUserAgent(request.UserAgent); use.userAgent != agent {
			use.userAgent = strings.Clone(agent)
		}
		u.noted.last[caller.KeyID] = use
		if _, seen := u.seen[caller.KeyID]; !seen {
			u.seen[caller.KeyID] = struct{}{}
			first = true
		}
	}
	u.mu.Unlock()
	if first {
		select {
		case u.wake <- struct{}{}:
		default: // a write is on its way, and takes this one along
		}
	}
}

func (r Request) kept() Request {
	return Request{r.Status, strings.Clone(r.Method), strings.Clone(cut(r.Path, pathLength)), strings.Clone(r.Address), strings.Clone(cutUserAgent(r.UserAgent))}
}

// cutUserAgent is a user agent as it can be stored.
func cutUserAgent(text string) string { return cut(text, userAgentLength) }

func cut(text string, length int) string {
	if len(text) > length {
		text = text[:length]
	}
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	return strings.ToValidUTF8(text, "")
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
	batch := u.noted
	u.noted = newNoted(len(batch.counts))
	u.mu.Unlock()
	if len(batch.counts) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), usageTimeout)
	defer cancel()
	if err := u.write(ctx, batch); err != nil {
		u.log.Warn("the use of keys could not be written: it is kept for the next time", "keys", len(batch.last), "error", err)
		u.takeBack(batch)
	}
}

func (u *usage) takeBack(batch noted) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id, use := range batch.last {
		if _, newer := u.noted.last[id]; !newer {
			u.noted.last[id] = use
		}
	}
	for key, counted := range batch.counts {
		now := u.noted.counts[key]
		u.noted.counts[key] = count{now.requests + counted.requests, now.refused + counted.refused}
	}
	u.noted.refused = append(batch.refused, u.noted.refused...)
	if extra := len(u.noted.refused) - refusedKept; extra > 0 {
		u.noted.refused = u.noted.refused[extra:]
	}
}

// write stores a batch in one transaction, so that it can be tried again whole.
func (u *usage) write(ctx context.Context, batch noted) error {
	tx, err := u.store.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // does nothing after the commit

	var lastIDs []uuid.UUID
	var lastTimes []time.Time
	var addresses, userAgents []string
	for id, use := range batch.last {
		lastIDs, lastTimes = append(lastIDs, id), append(lastTimes, use.at)
		addresses, userAgents = append(addresses, use.address), append(userAgents, use.userAgent)
	}
	if _, err := tx.Exec(ctx, `SELECT api_keys_used($1, $2, $3, $4)`, lastIDs, lastTimes, addresses, userAgents); err != nil {
		return err
	}

	var organizations, keys []uuid.UUID
	var hours []time.Time
	var requests, refused []int64
	for key, counted := range batch.counts {
		organizations, keys, hours = append(organizations, key.organizationID), append(keys, key.keyID), append(hours, time.Unix(key.hour, 0))
		requests, refused = append(requests, counted.requests), append(refused, counted.refused)
	}
	if _, err := tx.Exec(ctx, `SELECT key_usage_add($1, $2, $3, $4, $5)`, organizations, keys, hours, requests, refused); err != nil {
		return err
	}
	if len(batch.refused) > 0 {
		if err := writeRefused(ctx, tx, batch.refused); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}
