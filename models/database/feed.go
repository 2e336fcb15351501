package database

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A connection can be dead for minutes before TCP notices. So the feed asks the
// server for an answer every feedPing, and trusts what it has heard for feedTrust
// from the moment of asking. This also bounds how long a change can go unheard.
const (
	feedPing  = 200 * time.Millisecond
	feedTrust = 700 * time.Millisecond
	feedRetry = 250 * time.Millisecond
)

// Feed is the change feed: one connection that listens for what commits change.
// Everything that an instance remembers depends on it, by two rules. A
// notification drops what it names, and nothing remembered is trusted while Fresh
// reports false.
type Feed struct {
	config       *pgx.ConnConfig
	log          *slog.Logger
	started      time.Time
	trustedUntil atomic.Int64 // nanoseconds since started
	generation   atomic.Uint64

	mu          sync.RWMutex
	subscribers []Subscriber

	connections int    // that were made so far
	reconnected func() // called for each connection after the first

	cancel context.CancelFunc
	done   chan struct{}
}

// Subscriber is told of changes, one after the other. A nil function is skipped.
type Subscriber struct {
	KeyChanged  func(keyID uuid.UUID)          // an API key was revoked or changed
	DataChanged func(organizationID uuid.UUID) // companies or transactions changed
	Missed      func()                         // anything may have changed unheard

	// After is called once every subscriber has been told: nothing that is remembered is
	// older than the change then. It gets the key's or the organization's id, or uuid.Nil
	// if anything may have changed.
	After func(id uuid.UUID)
}

func newFeed(config *pgx.ConnConfig, log *slog.Logger) *Feed {
	f := &Feed{log: log, started: time.Now()}
	f.config = config.Copy()
	f.config.ConnectTimeout = feedTrust
	f.config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) { f.hear(n.Payload) }
	return f
}

// Fresh reports whether what is remembered may be trusted without asking the
// database.
func (f *Feed) Fresh() bool { return int64(time.Since(f.started)) < f.trustedUntil.Load() }

// Generation moves with every change and with every new connection. What was read
// before it moved may be stale.
func (f *Feed) Generation() uint64 { return f.generation.Load() }

// Subscribe adds a subscriber. It must do so before it remembers anything.
func (f *Feed) Subscribe(s Subscriber) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.subscribers = append(f.subscribers, s)
}

// KeyChanged tells this instance's subscribers of a change to a key that this
// instance has committed, without waiting to hear of it.
func (f *Feed) KeyChanged(keyID uuid.UUID) {
	f.publish(keyID, func(s Subscriber) {
		if s.KeyChanged != nil {
			s.KeyChanged(keyID)
		}
	})
}

func (f *Feed) dataChanged(organizationID uuid.UUID) {
	f.publish(organizationID, func(s Subscriber) {
		if s.DataChanged != nil {
			s.DataChanged(organizationID)
		}
	})
}

func (f *Feed) missed() {
	f.publish(uuid.Nil, func(s Subscriber) {
		if s.Missed != nil {
			s.Missed()
		}
	})
}

// publish moves the generation before it tells anyone, so that nobody remembers
// what was read earlier.
func (f *Feed) publish(id uuid.UUID, tell func(Subscriber)) {
	f.generation.Add(1)
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, s := range f.subscribers {
		tell(s)
	}
	for _, s := range f.subscribers {
		if s.After != nil {
			s.After(id)
		}
	}
}

func (f *Feed) hear(payload string) {
	kind, text, _ := strings.Cut(payload, " ")
	id, err := uuid.Parse(text)
	switch {
	case err == nil && kind == "key":
		f.KeyChanged(id)
	case err == nil && kind == "data":
		f.dataChanged(id)
	default: // a kind that only a newer version knows
		f.missed()
	}
}

func (f *Feed) start() {
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel, f.done = cancel, make(chan struct{})
	go func() {
		defer close(f.done)
		f.follow(ctx)
	}()
}

func (f *Feed) stop() {
	if f.cancel != nil {
		f.cancel()
		<-f.done
	}
}

// follow keeps one listening connection, and makes a new one when it breaks.
func (f *Feed) follow(ctx context.Context) {
	down := false
	for ctx.Err() == nil {
		err := f.listen(ctx, func() {
			if down {
				f.log.Info("the change feed is back")
				down = false
			}
		})
		f.trustedUntil.Store(0)
		if ctx.Err() != nil {
			return
		}
		if !down {
			f.log.Warn("the change feed is down: every request asks the database for keys and data versions", "error", err)
			down = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(feedRetry):
		}
	}
}

func (f *Feed) listen(ctx context.Context, connected func()) error {
	conn, err := pgx.ConnectConfig(ctx, f.config)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), feedTrust)
		defer cancel()
		_ = conn.Close(closing)
	}()
	// The triggers on keys and the function organizations_changed notify, with "key ID" and
	// "data ID".
	if err := f.ask(ctx, conn, "LISTEN dispo", f.connect); err != nil {
		return err
	}
	connected()
	for {
		waiting, cancel := context.WithTimeout(ctx, feedPing)
		waitErr := conn.PgConn().WaitForNotification(waiting)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if waitErr != nil && !pgconn.Timeout(waitErr) {
			return waitErr
		}
		if err := f.ask(ctx, conn, "SELECT 1", nil); err != nil {
			return err
		}
	}
}

func (f *Feed) connect() {
	f.missed()
	if f.connections++; f.connections > 1 {
		f.reconnected()
	}
}

// ask runs a statement. The answer proves that everything that was committed before it
// was sent has been heard, because the server delivers that first.
func (f *Feed) ask(ctx context.Context, conn *pgx.Conn, statement string, answered func()) error {
	asking, cancel := context.WithTimeout(ctx, feedTrust)
	defer cancel()
	asked := time.Since(f.started)
	if _, err := conn.Exec(asking, statement); err != nil {
		return err
	}
	if answered != nil {
		answered()
	}
	f.trustedUntil.Store(int64(asked + feedTrust))
	return nil
}
