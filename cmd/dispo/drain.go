package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"dispo/models"
)

const (
	// drainDefault is long enough for three checks of a load balancer, one a second.
	drainDefault = 5 * time.Second
	drainMaximum = 10 * time.Minute

	pingAgain = 100 * time.Millisecond
)

// drain returns how long /api/health says that the service stops, before it closes its listener. No other instance serves an embedded database.
func (s *settings) drain() time.Duration {
	switch {
	case s.Drain != nil:
		return *s.Drain
	case s.DatabaseURL != "":
		return drainDefault
	default:
		return 0
	}
}

// drained returns a context that ends when the service has drained, which begins when asked
// ends. It notifies systemd.
func drained(asked context.Context, length time.Duration, log *slog.Logger) (context.Context, context.CancelFunc) {
	over, end := context.WithCancel(context.WithoutCancel(asked))
	context.AfterFunc(asked, func() {
		_, _ = daemon.SdNotify(false, daemon.SdNotifyStopping)
		if length > 0 {
			log.Info("draining", "seconds", length.Seconds())
		}
		time.AfterFunc(length, end)
	})
	return over, end
}

// notifyReady notifies systemd when /api/health is 200.
func notifyReady(ctx context.Context, store *models.Store) {
	for store.Ping(ctx) != nil {
		if ctx.Err() != nil {
			return
		}
		time.Sleep(pingAgain)
	}
	_, _ = daemon.SdNotify(false, daemon.SdNotifyReady)
}
