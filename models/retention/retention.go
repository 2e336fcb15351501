// Package retention deletes what has been kept for long enough, in all organizations.
package retention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/tasks"
)

const (
	every = time.Hour
	// For one batch.
	batchTimeout, deliveryTimeout = 3 * time.Second, time.Hour
	// lockTimeout is how long a batch waits for others. It tries again an hour later.
	lockTimeout = time.Second
	// lock is the number of the advisory lock that an instance holds during a batch.
	lock = 5_402_117_703
)

// kind is one kind of what is kept for a period. A function of the database deletes a batch of
// the rows that are too old, and returns their number, 0 if none is left.
type kind struct {
	name    string
	deleted atomic.Int64
}

// Keeper deletes what has been kept for long enough. Its counts are safe for concurrent use.
type Keeper struct {
	store    *models.Store
	log      *slog.Logger
	settings string
	kinds    []*kind
	finished atomic.Int64 // Unix seconds; 0 before the first time
}

// New returns a keeper. It keeps everything for the database's periods, and Run logs which of
// the settings differ from them.
func New(store *models.Store, settings Periods, log *slog.Logger) *Keeper {
	k := &Keeper{store: store, log: log, settings: settings.JSON()}
	for _, name := range strings.Fields("audit_log callers usage_hours usage requests sessions mails held_records withdrawn_totals transactions") {
		k.kinds = append(k.kinds, &kind{name: name})
	}
	return k
}

// Run deletes at once and then every hour, until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	if err := k.Compare(ctx); err != nil && ctx.Err() == nil {
		k.log.Warn("cannot compare the settings with what the database keeps", "error", err)
	}
	tasks.Every(ctx, every, k.log, "cannot delete all that was kept for long enough: trying again in an hour", k.Once)
}

// Deleted calls f with the name of each kind and how many of its rows this instance has
// deleted. Hours of usage that were added up to days count too.
func (k *Keeper) Deleted(f func(name string, rows float64)) {
	for _, one := range k.kinds {
		f(one.name, float64(one.deleted.Load()))
	}
}

// Finished returns when this instance last finished without an error, in Unix seconds; 0 for
// never.
func (k *Keeper) Finished() float64 { return float64(k.finished.Load()) }

// Once deletes everything that has been kept for long enough, unless another instance is doing
// so. If one kind fails, it goes on with the next.
func (k *Keeper) Once(ctx context.Context) error {
	var failed []error
	for _, one := range k.kinds {
		if err := k.delete(ctx, one); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", one.name, err))
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	now, err := database.Now(k.store.DB().GORM(ctx))
	if err == nil {
		k.finished.Store(now.Unix())
	}
	return models.Wrap(err)
}

// Compare logs which settings differ from the database's periods, which hold.
func (k *Keeper) Compare(ctx context.Context) error {
	var others []struct{ Setting, Period, Wanted string }
	err := k.store.DB().GORM(ctx).Raw(`SELECT * FROM kept_otherwise(CAST(? AS jsonb))`, k.settings).Scan(&others).Error
	for _, o := range others {
		k.log.Warn(
			"a setting differs from what the database keeps, which holds: run `dispo migrate` with it as the owner, or remove it",
			"setting",
			o.Setting,
			"here",
			o.Wanted,
			"database",
			o.Period,
		)
	}
	return models.Wrap(err)
}

// delete deletes batch after batch. After each it waits for as long as that one took, so that
// it uses at most half of what the database can do.
func (k *Keeper) delete(ctx context.Context, one *kind) error {
	for {
		start := time.Now()
		rows, err := k.batch(ctx, one)
		one.deleted.Add(rows)
		if database.Locked(err) {
			return nil
		}
		if err != nil || rows == 0 {
			return models.Wrap(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Since(start)):
		}
	}
}

// batch deletes one batch in a transaction of its own, and returns its number of rows: 0 if
// another instance is deleting.
func (k *Keeper) batch(ctx context.Context, one *kind) (rows int64, err error) {
	function, timeout := "keep_"+one.name, batchTimeout
	if one.name == "transactions" { // a delivery goes whole, and may be large
		function, timeout = "withdraw_aged", deliveryTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout+lockTimeout)
	defer cancel()
	err = k.store.DB().GORM(ctx).Transaction(func(tx *gorm.DB) error {
		var mine bool
		err := tx.Raw(`SELECT pg_try_advisory_xact_lock(?)
			FROM set_config('lock_timeout', ?, true) a, set_config('statement_timeout', ?, true) b`,
			lock, fmt.Sprint(lockTimeout.Milliseconds()), fmt.Sprint(timeout.Milliseconds())).Scan(&mine).Error
		if err != nil || !mine {
			return err
		}
		return tx.Raw(`SELECT ` + function + `()`).Scan(&rows).Error
	})
	return rows, err
}
