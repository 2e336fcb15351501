package main

import (
	"context"
	"errors"
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

// drain is how long /api/health says that the service stops, before it closes its listener.
type drain time.Duration

func (d *drain) UnmarshalText(text []byte) error {
	given, err := time.ParseDuration(string(text))
	if err != nil || given < 0 || given > drainMaximum {
		return errors.New("expected a time from 0s to 10m, such as 5s")
	}
	*d = drain(given)
	return nil
}

// drain returns the setting, or its default. No other instance serves an embedded database.
func (s *settings) drain() time.Duration {
	switch {
	case s.Drain != nil:
		return time.Duration(*s.Drain)
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
