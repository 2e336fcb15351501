// Package retention deletes what has been kept for long enough, in all organizations.
package retention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"dispo/models"
)

const (
	every = time.Hour
	// batchTimeout is for one batch. A delivery goes whole, and may be large.
	batchTimeout, deliveryTimeout = 3 * time.Second, time.Hour
	// lockTimeout is how long a batch waits for others. It tries again an hour later.
	lockTimeout = time.Second
	// lock is the number of the advisory lock that an instance holds during a batch.
	lock = 5_402_117_703
)

// Periods says how long everything is kept. The tags name the settings and their defaults.
type Periods struct {
	AuditLog        models.Period `help:"How long entries of audit logs are kept." default:"2y" env:"DISPO_KEEP_AUDIT_LOG"`
	Callers         models.Period `help:"How long callers of keys are kept after their last request, and refused requests." default:"35d" env:"DISPO_KEEP_CALLERS"`
	UsageHours      models.Period `help:"How long the use of keys is kept by hour; then by day." default:"100d" env:"DISPO_KEEP_USAGE_HOURS"`
	Usage           models.Period `help:"How long the use of keys is kept in all." default:"2y" env:"DISPO_KEEP_USAGE"`
	Requests        models.Period `help:"How long the requests of a key are kept." default:"7d" env:"DISPO_KEEP_REQUESTS"`
	Sessions        models.Period `help:"How long sessions, links and invitations are kept after they expire." default:"30d" env:"DISPO_KEEP_SESSIONS"`
	Mails           models.Period `help:"How long e-mails are kept." default:"30d" env:"DISPO_KEEP_MAILS"`
	HeldRecords     models.Period `help:"How long records without a company are held." default:"1y" env:"DISPO_KEEP_HELD_RECORDS"`
	WithdrawnTotals models.Period `help:"How long the totals of withdrawn deliveries are kept." default:"2y" env:"DISPO_KEEP_WITHDRAWN_TOTALS"`
	Transactions    models.Period `help:"How long deliveries are kept after their last disposition date; for good by default." env:"DISPO_KEEP_TRANSACTIONS" placeholder:"10y"`
}

// kind is one kind of what is kept for a period. The function of the database deletes a batch
// of the rows that are older, and returns their number, 0 if none is left. It also refuses a
// period that is shorter than the shortest.
type kind struct {
	name, setting, function string
	period, shortest        models.Period
	timeout                 time.Duration
	deleted                 atomic.Int64
	logged                  int64 // of those deleted
}

func period(text string) (p models.Period) {
	_ = p.UnmarshalText([]byte(text))
	return p
}

func (p Periods) kinds() []*kind {
	month, pages := period("30d"), period("91d") // pages read 90 days of hours
	return []*kind{
		{name: "audit_log", setting: "DISPO_KEEP_AUDIT_LOG", function: "keep_audit_log", period: p.AuditLog, shortest: month},
		{name: "callers", setting: "DISPO_KEEP_CALLERS", function: "keep_callers", period: p.Callers, shortest: month},
		{name: "usage_hours", setting: "DISPO_KEEP_USAGE_HOURS", function: "keep_usage_hours", period: p.UsageHours, shortest: pages},
		{name: "usage", setting: "DISPO_KEEP_USAGE", function: "keep_usage", period: p.Usage, shortest: pages},
		{name: "requests", setting: "DISPO_KEEP_REQUESTS", function: "keep_requests", period: p.Requests, shortest: period("1d")},
		{name: "sessions", setting: "DISPO_KEEP_SESSIONS", function: "keep_sessions", period: p.Sessions, shortest: month},
		{name: "mails", setting: "DISPO_KEEP_MAILS", function: "keep_mails", period: p.Mails, shortest: month},
		{name: "held_records", setting: "DISPO_KEEP_HELD_RECORDS", function: "keep_held_records", period: p.HeldRecords, shortest: month},
		{name: "withdrawn_totals", setting: "DISPO_KEEP_WITHDRAWN_TOTALS", function: "keep_withdrawn_totals", period: p.WithdrawnTotals, shortest: month},
		{name: "transactions", setting: "DISPO_KEEP_TRANSACTIONS", function: "withdraw_aged", period: p.Transactions, shortest: month, timeout: deliveryTimeout},
	}
}

// Check refuses a period that is too short, in a sentence that names its setting.
func (p Periods) Check() error {
	for _, k := range p.kinds() {
		if k.period != (models.Period{}) && k.period.Shorter(k.shortest) {
			return fmt.Errorf("%s is %s: keep it for at least %s", k.setting, k.period, k.shortest)
		}
	}
	return nil
}

// Keeper deletes what has been kept for long enough. Its counts are safe for concurrent use.
type Keeper struct {
	store    *models.Store
	log      *slog.Logger
	kinds    []*kind
	finished atomic.Int64 // Unix seconds; 0 before the first time
	logged   time.Time
}

// New returns a keeper for the periods.
func New(store *models.Store, periods Periods, log *slog.Logger) *Keeper {
	return &Keeper{store: store, log: log, kinds: periods.kinds()}
}

// Run deletes at once and then every hour, until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	models.Every(ctx, every, k.log, "cannot delete all that was kept for long enough: trying again in an hour", k.Once)
}

// Deleted calls f with the name of each kind and how many of its rows this instance has
// deleted. Hours of usage that were added up to days count too.
func (k *Keeper) Deleted(f func(name string, rows func() float64)) {
	for _, one := range k.kinds {
		f(one.name, func() float64 { return float64(one.deleted.Load()) })
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
	if time.Since(k.logged) >= 24*time.Hour {
		k.tell()
	}
	if len(failed) == 0 {
		k.finished.Store(time.Now().Unix())
	}
	return errors.Join(failed...)
}

// tell logs how much was deleted since the last time. The first time, it logs nothing if that is 0.
func (k *Keeper) tell() {
	var counts []any
	start, sum := k.logged.IsZero(), int64(0)
	for _, one := range k.kinds {
		deleted := one.deleted.Load()
		counts = append(counts, one.name, deleted-one.logged)
		one.logged = deleted
		sum += deleted
	}
	k.logged = time.Now()
	if !start || sum > 0 {
		k.log.Info("deleted what was kept for long enough", counts...)
	}
}

// delete deletes batch after batch. After each it waits for as long as that one took, so that
// it uses at most half of what the database can do.
func (k *Keeper) delete(ctx context.Context, one *kind) error {
	if one.period == (models.Period{}) && one.timeout == 0 {
		return nil
	}
	for {
		start := time.Now()
		rows, err := k.batch(ctx, one)
		one.deleted.Add(rows)
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == "55P03" { // lock_not_available: an import may hold it
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
	timeout := max(one.timeout, batchTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout+lockTimeout)
	defer cancel()
	err = k.store.DB().GORM(ctx).Transaction(func(tx *gorm.DB) error {
		var mine bool
		if err := tx.Raw(`SELECT pg_try_advisory_xact_lock(?) FROM set_config('lock_timeout', ?, true) a, set_config('statement_timeout', ?, true) b`,
			lock, fmt.Sprint(lockTimeout.Milliseconds()), fmt.Sprint(timeout.Milliseconds())).Scan(&mine).Error; err != nil || !mine {
			return err
		}
		return tx.Raw(`SELECT `+one.function+`(CAST(? AS interval))`, one.period.Interval()).Scan(&rows).Error
	})
	return rows, err
}
