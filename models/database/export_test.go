package database

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// SetFinishTimeout changes how long Write waits for the end of a transaction.
func (db *DB) SetFinishTimeout(timeout time.Duration) { db.finishTimeout = timeout }

// AskFeed asks as a new feed does, and reports whether the feed trusts the answer.
func AskFeed(ctx context.Context, conn *pgx.Conn, statement, listening string) (process string, fresh bool) {
	f := &Feed{started: time.Now()}
	process, _ = f.ask(ctx, conn, statement, listening, func() {})
	return process, f.trustedUntil.Load() > 0
}

// Deadline returns until when the snapshot may be read.
func (s Snapshot) Deadline() (time.Time, bool) { return s.ctx.Deadline() }
