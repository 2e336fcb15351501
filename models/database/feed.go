package database

import (
	"context"
	"errors"
	"log/slog"
	"slices"
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

// errOtherProcess means that a pooler stands between the feed and the server.
var errOtherProcess = errors.New("another server process answers than the one that listens")

// Feed is the change feed: one connection that listens for what commits change.
// Everything that an instance remembers depends on it, by two rules. A
// notification drops what it names, and nothing remembered is trusted while Fresh
// reports false.
type Feed struct {
	config       *pgx.ConnConfig
	timelines    *timelines
	log          *slog.Logger
	started      time.Time
	trustedUntil atomic.Int64 // nanoseconds since started
	heardUntil   atomic.Int64 // the same: everything that was committed before has been heard
	generation   atomic.Uint64

	mu          sync.RWMutex
	subscribers []Subscriber
	waiters     *waiters

	down        bool   // since the connection broke, or could not be made
	reconnected func() // called when it is back

	cancel    context.CancelFunc
	following sync.WaitGroup
}

// Notification is what the feed passes to its subscribers.
type Notification struct {
	Kind NotificationKind
	ID   uuid.UUID // of the key or the organization, else uuid.Nil
}

// NotificationKind is the kind of a change, as the notifications name it.
type NotificationKind string

// The kinds of changes.
const (
	KeyChanged   NotificationKind = "key"     // an API key was revoked or changed
	DataChanged  NotificationKind = "data"    // an organization's companies or transactions changed
	ErasureNoted NotificationKind = "erasure" // an organization or a user is about to be deleted
	Missed       NotificationKind = ""        // anything may have changed unheard
)

// Subscriber receives changes one at a time. A nil function is skipped.
type Subscriber struct {
	Drop func(Notification) // forgets what has changed
	// After is called once every subscriber has dropped: nothing that is remembered is
	// older than the change then.
	After func(Notification)
}

func newFeed(config *pgx.ConnConfig, timelines *timelines, log *slog.Logger) *Feed {
	f := &Feed{timelines: timelines, log: log, started: time.Now()}
	f.waiters = newWaiters(f)
	f.config = config.Copy()
	f.config.ConnectTimeout = feedTrust
	f.config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) { f.hear(n.Payload) }
	return f
}

// Fresh reports whether what is remembered may be trusted without asking the
// database.
func (f *Feed) Fresh() bool { return int64(time.Since(f.started)) < f.trustedUntil.Load() }

// Lag returns for how long changes may have gone unheard.
func (f *Feed) Lag() time.Duration {
	return time.Since(f.started) - time.Duration(f.heardUntil.Load())
}

// heardAfter reports whether the server has answered something that the feed asked after then.
func (f *Feed) heardAfter(then time.Time) bool {
	return time.Duration(f.heardUntil.Load()) > then.Sub(f.started)
}

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
func (f *Feed) KeyChanged(keyID uuid.UUID) { f.publish(Notification{KeyChanged, keyID}) }

// publish moves the generation before it tells anyone, so that nobody remembers
// what was read earlier.
func (f *Feed) publish(n Notification) {
	f.generation.Add(1)
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, s := range f.subscribers {
		if s.Drop != nil {
			s.Drop(n)
		}
	}
	for _, s := range f.subscribers {
		if s.After != nil {
			s.After(n)
		}
	}
}

func (f *Feed) hear(payload string) {
	kind, text, _ := strings.Cut(payload, " ")
	n := Notification{Kind: NotificationKind(kind)}
	var err error
	n.ID, err = uuid.Parse(text)
	if err != nil || !slices.Contains([]NotificationKind{KeyChanged, DataChanged, ErasureNoted}, n.Kind) {
		n = Notification{Kind: Missed} // only a newer version knows it
	}
	f.publish(n)
}

func (f *Feed) start() {
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	f.following.Go(func() { f.follow(ctx) })
}

func (f *Feed) stop() {
	if f.cancel != nil {
		f.cancel()
		f.following.Wait()
	}
}

// follow keeps one listening connection, and makes a new one when it breaks.
func (f *Feed) follow(ctx context.Context) {
	for ctx.Err() == nil {
		err := f.listen(ctx)
		f.trustedUntil.Store(0)
		if ctx.Err() != nil {
			return
		}
		if !f.down {
			f.log.Warn("the change feed is down: every request asks the database for keys and data versions", "error", err)
			f.down = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(feedRetry):
		}
	}
}

func (f *Feed) listen(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, f.config)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), feedTrust)
		defer cancel()
		_ = conn.Close(closing)
	}()
	// The triggers on keys and the functions turns_end and history_renew notify, with "key ID" and
	// "data ID", and package erasures does with "erasure ID".
	listening, err := f.ask(ctx, conn, "LISTEN dispo; SELECT pg_backend_pid()", "", f.connected)
	if err != nil {
		return err
	}
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
		if err := f.timelines.check(conn.PgConn()); err != nil {
			return err
		}
		if _, err := f.ask(ctx, conn, "SELECT pg_backend_pid()", listening, func() {}); err != nil {
			return err
		}
	}
}

func (f *Feed) connected() {
	f.publish(Notification{Kind: Missed})
	if f.down {
		f.reconnected()
		f.log.Info("the change feed is back")
		f.down = false
	}
}

// ask runs a statement that returns the server process that answers. If that is the one
// that listens, or empty, the answer proves that everything that was committed before it was
// sent has been heard, because the server delivers that first.
func (f *Feed) ask(
	ctx context.Context, conn *pgx.Conn, statement, listening string, answered func(),
) (process string, err error) {
	asking, cancel := context.WithTimeout(ctx, feedTrust)
	defer cancel()
	asked := time.Since(f.started)
	results, err := conn.PgConn().Exec(asking, statement).ReadAll()
	if err != nil {
		return "", err
	}
	process = string(results[len(results)-1].Rows[0][0])
	if listening != "" && process != listening {
		return "", errOtherProcess
	}
	answered()
	f.trustedUntil.Store(int64(asked + feedTrust))
	f.heardUntil.Store(int64(asked))
	return process, nil
}
