package database

import (
	"context"
	"time"
)

// Ping checks that the database answers. It does not wait for a free connection: an
// answer to the feed's connection is enough.
func (db *DB) Ping(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pinged, heard := make(chan error, 1), make(chan struct{})
	go func() { pinged <- db.Pool.Ping(ctx) }()
	go func() {
		if db.Feed.hearFrom(ctx, time.Since(db.Feed.started)) {
			close(heard)
		}
	}()
	select {
	case err := <-pinged:
		return err
	case <-heard:
		return nil
	}
}

// hearFrom waits until the server has answered something that the feed asked after a
// moment, which is in nanoseconds since the feed started.
func (f *Feed) hearFrom(ctx context.Context, moment time.Duration) bool {
	ticker := time.NewTicker(feedPing / 10)
	defer ticker.Stop()
	for f.trustedUntil.Load() <= int64(moment+feedTrust) {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
	}
	return true
}
