package models

import (
	"context"
	"log/slog"
	"time"
)

// Every does some work now, and again and again until ctx ends. It logs a warning if the
// work fails.
func Every(
	ctx context.Context,
	period time.Duration,
	log *slog.Logger,
	warning string,
	work func(context.Context) error,
) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		if err := work(ctx); err != nil && ctx.Err() == nil {
			log.Warn(warning, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
