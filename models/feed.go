package models

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The change feed: one connection that listens for what commits change, so that
// what an instance remembers can be dropped in time. Whatever is remembered
// hangs on it, by two rules: a notification drops what it names, and nothing
// remembered is trusted while fresh() is false.
//
// Being connected is no proof of hearing: a connection can be dead for minutes
// before TCP tells. So the feed asks for an answer every feedPing, and trusts for
// feedTrust from the moment of asking, which also bounds how long a change can
// go unheard.
const (
	feedPing  = 200 * time.Millisecond
	feedTrust = 700 * time.Millisecond
	feedRetry = 250 * time.Millisecond
)

type feed struct {
	config       *pgx.ConnConfig
	log          *slog.Logger
	trustedUntil atomic.Int64 // nanoseconds since started
	started      time.Time
	generation   atomic.Uint64 // moves with every change heard of, and with every new connection

	// Set before start, called from the feed alone.
	keyChanged  func(keyID uuid.UUID)
	dataChanged func(organizationID uuid.UUID)
	missed      func() // anything may have changed unheard

	cancel context.CancelFunc
	done   chan struct{}
}

func newFeed(config *pgx.ConnConfig, log *slog.Logger) *feed {
	f := &feed{log: log, started: time.Now()}
	f.config = config.Copy()
	f.config.ConnectTimeout = feedTrust
	f.config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) { f.heard(n.Payload) }
	return f
}

// fresh tells whether what is remembered may be trusted without asking.
func (f *feed) fresh() bool { return int64(time.Since(f.started)) < f.trustedUntil.Load() }

func (f *feed) start() {
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel, f.done = cancel, make(chan struct{})
	go func() {
		defer close(f.done)
		f.follow(ctx)
	}()
}

func (f *feed) stop() {
	if f.cancel != nil {
		f.cancel()
		<-f.done
	}
}

// follow keeps one listening connection, and makes a new one where it breaks.
func (f *feed) follow(ctx context.Context) {
	down := false
	for ctx.Err() == nil {
		err := f.listen(ctx, func() {
			if down {
				f.log.Info("change feed is back")
				down = false
			}
		})
		f.trustedUntil.Store(0)
		if ctx.Err() != nil {
			return
		}
		if !down {
			f.log.Warn("change feed is down: keys and data versions are asked of the database at every request", "error", err)
			down = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(feedRetry):
		}
	}
}

func (f *feed) listen(ctx context.Context, connected func()) error {
	conn, err := pgx.ConnectConfig(ctx, f.config)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), feedTrust)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if err := f.ask(ctx, conn, "LISTEN dispo", func() {
		f.generation.Add(1)
		f.missed()
	}); err != nil {
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

// ask sends a statement; its answer proves that everything that was committed
// before it was sent has been heard, since the server delivers that first.
func (f *feed) ask(ctx context.Context, conn *pgx.Conn, statement string, before func()) error {
	asking, cancel := context.WithTimeout(ctx, feedTrust)
	defer cancel()
	asked := time.Since(f.started)
	if _, err := conn.PgConn().Exec(asking, statement).ReadAll(); err != nil {
		return err
	}
	if before != nil {
		before()
	}
	f.trustedUntil.Store(int64(asked + feedTrust))
	return nil
}

func (f *feed) heard(payload string) {
	f.generation.Add(1)
	kind, text, _ := strings.Cut(payload, " ")
	id, err := uuid.Parse(text)
	if err != nil {
		return
	}
	switch kind {
	case "key":
		f.keyChanged(id)
	case "data":
		f.dataChanged(id)
	}
}
