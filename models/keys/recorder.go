package keys

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models"
	"dispo/models/database"
)

// KnownAfter is how long after a request every instance shows it.
const KnownAfter = 5 * time.Second

const (
	writeInterval   = KnownAfter
	writeTimeout    = 5 * time.Second
	closeTimeout    = 5 * time.Second // and then a last write
	closePause      = 200 * time.Millisecond
	userAgentLength = 200
	pathLength      = 200
	refusedKept     = 1000 // in memory, until the next write
)

// The command with which the pages let people try a key: its user agent, and its path and
// query. Such a request, if it is answered with 200 or 304, shows that the key is valid, and
// counts for nothing else, because it proves nothing about the application. All others
// count, so that a stolen key cannot be used unseen under this name.
const (
	TestClient = "dispo-test"
	TestPath   = "/api/v1/companies"
	TestQuery  = "limit=1"
)

// Recorder counts requests in memory, by key and hour and by key and caller, and
// writes them in batches, so that no request costs a write. The first use of a key that
// this instance sees is written at once, and so is each test, because somebody may be
// watching for them.
type Recorder struct {
	pool *pgxpool.Pool
	log  *slog.Logger

	mu      sync.Mutex
	pending batch
	seen    map[uuid.UUID]struct{} // keys whose first use was noted
	queue   []slice                // taken from pending and not written yet; run alone uses it

	wake    chan struct{}
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// batch is what is not written yet.
type batch struct {
	counts    map[keyHour]count
	senders   senders
	tests     map[uuid.UUID]time.Time   // by key
	elsewhere map[uuid.UUID]usedAddress // the latest by key
	refused   []refusedRequest
}

type keyHour struct {
	organizationID, keyID uuid.UUID
	hour                  int64 // Unix seconds of its start
}

type count struct{ requests, refused int64 }

type usedAddress struct {
	at      time.Time
	address string
}

type refusedRequest struct {
	caller  Caller
	at      time.Time
	request Request
}

// Request is an answered request, as its organization is shown it.
type Request struct {
	Status             int
	Reason             string // as Reason returns it
	Method, Path       string
	Query              string // without "?"; not stored
	Prefers            bool   // it has the header Prefer; not stored
	Address, UserAgent string
	Rows               int64 // of the data that was sent
	Bulk               bool  // all of it at once, not a page
}

func (r Request) refused() bool { return r.Status == 401 || r.Status == 429 }

func (r Request) test() bool {
	return r.UserAgent == TestClient && r.Method == "GET" && r.Path == TestPath && r.Query == TestQuery && !r.Prefers &&
		(r.Status == 200 || r.Status == 304)
}

// clone copies a request whose strings may point into a buffer, in the form in which
// it is stored.
func (r Request) clone() Request {
	return Request{
		Status:    r.Status,
		Reason:    r.Reason,
		Method:    strings.Clone(r.Method),
		Path:      strings.Clone(models.Storable(r.Path, pathLength)),
		Address:   strings.Clone(r.Address),
		UserAgent: strings.Clone(models.Storable(r.UserAgent, userAgentLength)),
	}
}

// NewRecorder returns a recorder that writes until Close.
func NewRecorder(db *database.DB, log *slog.Logger) *Recorder {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Recorder{
		pool: db.Pool, log: log, pending: newBatch(0), seen: map[uuid.UUID]struct{}{},
		wake: make(chan struct{}, 1), cancel: cancel,
	}
	r.running.Go(func() { r.run(ctx) })
	return r
}

func newBatch(size int) batch {
	return batch{counts: make(map[keyHour]count, size), senders: newSenders(size), tests: map[uuid.UUID]time.Time{},
		elsewhere: map[uuid.UUID]usedAddress{}}
}

// Record counts a request that was answered now, made with the caller's key. A
// request that was refused because the key is revoked or has expired is not a use
// of the key. Record copies what it keeps of the request.
func (r *Recorder) Record(caller Caller, request Request) {
	if r.record(caller, request, time.Now()) {
		select {
		case r.wake <- struct{}{}:
		default: // the write under way will take this request along
		}
	}
}

// record reports whether the request is to be written at once.
func (r *Recorder) record(caller Caller, request Request, now time.Time) (atOnce bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if request.test() {
		r.pending.tests[caller.KeyID] = now
		return true
	}
	key := keyHour{caller.OrganizationID, caller.KeyID, now.Unix() / 3600 * 3600}
	counted := r.pending.counts[key]
	counted.requests++
	if request.refused() {
		counted.refused++
		if request.Reason == elsewhere {
			r.pending.elsewhere[caller.KeyID] = usedAddress{now, strings.Clone(request.Address)}
		}
		if len(r.pending.refused) < refusedKept {
			r.pending.refused = append(r.pending.refused, refusedRequest{caller, now, request.clone()})
		}
	}
	r.pending.counts[key] = counted
	r.pending.senders.count(caller, request, now)
	if _, known := r.seen[caller.KeyID]; known || request.Status == 401 {
		return false
	}
	r.seen[caller.KeyID] = struct{}{}
	return true
}

// Close writes what is not written yet and stops. It takes at most 10 seconds.
func (r *Recorder) Close() {
	r.cancel()
	r.running.Wait()
}

func (r *Recorder) run(ctx context.Context) {
	ticker := time.NewTicker(writeInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			r.drain()
			return
		case <-ticker.C:
		case <-r.wake:
		}
		writing, cancel := context.WithTimeout(context.Background(), writeInterval)
		r.flush(writing)
		cancel()
	}
}

// flush takes the pending batch into the queue, if that is empty, and writes the queue until
// ctx ends. The last uses of keys come first, also those that are still pending, because
// keys that seem unused may be revoked. It reports whether all is written.
func (r *Recorder) flush(ctx context.Context) (all bool) {
	var taken batch
	r.mu.Lock()
	if all = len(r.queue) == 0; all {
		taken, r.pending = r.pending, newBatch(len(r.pending.counts))
	}
	pending := r.pending.used()
	r.mu.Unlock()
	r.queue = append(r.queue, taken.slices()...)
	for _, s := range pending {
		if !r.write(s) {
			return false
		}
	}
	for ; len(r.queue) > 0; r.queue = r.queue[1:] {
		if ctx.Err() != nil || !r.write(r.queue[0]) {
			return false
		}
	}
	return all
}

// drain writes the queue and the pending batch.
func (r *Recorder) drain() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	for !r.flush(ctx) {
		select {
		case <-time.After(closePause):
		case <-ctx.Done():
			r.log.Error("cannot write the use of keys before the end: dropping it", "slices", len(r.queue))
			return
		}
	}
}

// write reports whether a slice was written. Requests that cannot be written are dropped: they
// are counted elsewhere.
func (r *Recorder) write(s slice) (written bool) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	// Without a transaction, a slice whose answer was late would be written and kept.
	err := pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		_, err := database.InTransaction(tx).Exec(ctx, `SELECT `+s.function+`($1)`, s.rows)
		return err
	})
	switch {
	case err == nil:
	case s.function == refusedFunction, s.function == servedFunction:
		r.log.Warn("cannot write the latest requests: dropping them", "function", s.function, "error", err)
	default:
		r.log.Warn("cannot write the use of keys: keeping it for the next attempt", "function", s.function, "error", err)
		return false
	}
	return true
}
