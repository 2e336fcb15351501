// Package usage records the requests made with keys, and reads them for charts.
package usage

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models"
	"dispo/models/database"
)

const (
	writeInterval   = 5 * time.Second
	writeTimeout    = 5 * time.Second
	userAgentLength = 200
	pathLength      = 200
	refusedKept     = 1000 // in memory, until the next write
)

// Recorder counts requests in memory, by key and hour, and writes them in batches
// together with the keys' last uses, so that no request costs a write. The first
// use of a key that this instance sees is written at once, because somebody may be
// watching for it.
type Recorder struct {
	pool *pgxpool.Pool
	log  *slog.Logger

	mu      sync.Mutex
	pending batch
	seen    map[uuid.UUID]struct{} // keys whose first use was noted

	wake   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}
}

// batch is what is not written yet.
type batch struct {
	last    map[uuid.UUID]lastUse // by key
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
	caller  models.Caller
	at      time.Time
	request Request
}

// Request is an answered request, as its organization is shown it.
type Request struct {
	Status             int
	Method, Path       string
	Address, UserAgent string
}

func (r Request) refused() bool { return r.Status == 401 || r.Status == 429 }

// clone copies a request whose strings may point into a buffer, in the form in which
// it is stored.
func (r Request) clone() Request {
	return Request{
		Status: r.Status, Method: strings.Clone(r.Method), Path: strings.Clone(models.Storable(r.Path, pathLength)),
		Address: strings.Clone(r.Address), UserAgent: strings.Clone(models.Storable(r.UserAgent, userAgentLength)),
	}
}

// NewRecorder returns a recorder that writes until Close.
func NewRecorder(db *database.DB, log *slog.Logger) *Recorder {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Recorder{
		pool: db.Pool, log: log, pending: newBatch(0), seen: map[uuid.UUID]struct{}{},
		wake: make(chan struct{}, 1), cancel: cancel, done: make(chan struct{}),
	}
	go r.run(ctx)
	return r
}

func newBatch(size int) batch {
	return batch{last: make(map[uuid.UUID]lastUse, size), counts: make(map[keyHour]count, size)}
}

// Record counts a request that was answered now, made with the caller's key. A
// request that was refused because the key is revoked or has expired is not a use
// of the key. Record copies what it keeps of the request.
func (r *Recorder) Record(caller models.Caller, request Request) {
	if r.record(caller, request, time.Now()) {
		select {
		case r.wake <- struct{}{}:
		default: // the write under way will take this request along
		}
	}
}

func (r *Recorder) record(caller models.Caller, request Request, now time.Time) (firstUse bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := keyHour{caller.OrganizationID, caller.KeyID, now.Unix() / 3600 * 3600}
	counted := r.pending.counts[key]
	counted.requests++
	if request.refused() {
		counted.refused++
		if len(r.pending.refused) < refusedKept {
			r.pending.refused = append(r.pending.refused, refusedRequest{caller, now, request.clone()})
		}
	}
	r.pending.counts[key] = counted
	if request.Status == 401 {
		return false
	}
	use := r.pending.last[caller.KeyID]
	use.at = now
	if use.address != request.Address {
		use.address = strings.Clone(request.Address)
	}
	if agent := models.Storable(request.UserAgent, userAgentLength); use.userAgent != agent {
		use.userAgent = strings.Clone(agent)
	}
	r.pending.last[caller.KeyID] = use
	if _, seen := r.seen[caller.KeyID]; seen {
		return false
	}
	r.seen[caller.KeyID] = struct{}{}
	return true
}

// Close writes what is not written yet and stops.
func (r *Recorder) Close() {
	r.cancel()
	<-r.done
}

func (r *Recorder) run(ctx context.Context) {
	defer close(r.done)
	ticker := time.NewTicker(writeInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			r.flush()
			return
		case <-ticker.C:
		case <-r.wake:
		}
		r.flush()
	}
}

// flush writes the pending batch. If that fails, it keeps the batch for the next
// time.
func (r *Recorder) flush() {
	r.mu.Lock()
	b := r.pending
	r.pending = newBatch(len(b.counts))
	r.mu.Unlock()
	if len(b.counts) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	if err := b.write(ctx, r.pool); err != nil {
		r.log.Warn("cannot write the use of keys: keeping it for the next attempt", "keys", len(b.last), "error", err)
		r.takeBack(b)
	}
}

func (r *Recorder) takeBack(b batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, use := range b.last {
		if _, newer := r.pending.last[id]; !newer {
			r.pending.last[id] = use
		}
	}
	for key, counted := range b.counts {
		now := r.pending.counts[key]
		r.pending.counts[key] = count{now.requests + counted.requests, now.refused + counted.refused}
	}
	r.pending.refused = append(b.refused, r.pending.refused...)
	if extra := len(r.pending.refused) - refusedKept; extra > 0 {
		r.pending.refused = r.pending.refused[extra:]
	}
}
