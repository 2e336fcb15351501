package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	replicaPatience = 200 * time.Millisecond // until the version of a replica's data is known
	replicaStart    = 2 * time.Second        // to find out at the start whether it is a pooler
)

// After a read that did not count, a replica is left alone for a pause. A late one usually
// catches up soon, so its pause starts short and doubles.
const (
	latePause     = 5 * time.Millisecond
	longLatePause = 320 * time.Millisecond
	failedPause   = time.Second
)

// ReplicaOutcome says how a read on a replica ended.
type ReplicaOutcome int

// The outcomes. All but the first mean that the primary was read instead.
const (
	ReplicaCurrent ReplicaOutcome = iota // the answer counts
	ReplicaOther                         // it was of another moment, of nothing, or held up by other reads
	ReplicaFailed                        // there was none within 200 ms, or an error
	ReplicaPaused                        // no replica was asked, because each had one of the other outcomes just before
	replicaOutcomes
)

func (o ReplicaOutcome) String() string {
	return [...]string{"current", "other", "failed", "paused"}[o]
}

// Version names a moment of an organization's data, as two parts that belong together: they are
// read in one snapshot, and what has another History is not comparable.
type Version struct {
	DataVersion int64     // rises with every change of companies or transactions
	History     uuid.UUID // another one when the data may have gone back in time
}

// Replicas are standbys of the database. Reads of an organization's data may use them, as
// long as their data has the version that the primary announced.
type Replicas struct {
	all    []*replica
	turn   atomic.Uint64
	counts [replicaOutcomes]atomic.Int64
	log    *slog.Logger
}

// replica is a pool of connections to one standby.
type replica struct {
	db   *DB
	host string

	mu      sync.Mutex
	pause   time.Duration // between two reads; 0 if it works
	until   time.Time     // the end of the pause
	changed time.Time     // when the pause was set
	failing bool
}

// openReplicas opens pools of connections to each host of the URL. It does not wait for
// them, but refuses a pooler that cannot work. With no URL there are no replicas.
func openReplicas(ctx context.Context, config Config, feed *Feed) (*Replicas, error) {
	replicas := &Replicas{log: config.Log}
	if config.ReadURL == "" {
		return replicas, nil
	}
	config.URL = config.ReadURL
	all, err := poolConfig(config)
	if err != nil {
		return nil, err
	}
	exports := max(1, all.MaxConns/5)
	for _, one := range EachHost(all) {
		// Each part accepts a standby only; without one, reads stay on the primary.
		one.ConnConfig.ValidateConnect = config.timelines.validateStandby
		host := fmt.Sprintf("%s:%d", one.ConnConfig.Host, one.ConnConfig.Port)
		asking, cancel := context.WithTimeout(ctx, replicaStart)
		err := refusePooler(asking, one.ConnConfig)
		cancel()
		if errors.Is(err, ErrPooler) {
			return replicas, fmt.Errorf("the replica at %s (DATABASE_READ_URL): %w", host, err)
		}
		one = snapshotsOnly(one)
		db, err := newDB(ctx, one, max(1, all.MaxConns-exports), config.Role, feed)
		if err != nil {
			return replicas, err
		}
		db.snapshots = true
		replicas.all = append(replicas.all, &replica{db: db, host: host})
		if db.exports, err = newDB(ctx, one, exports, config.Role, feed); err != nil {
			return replicas, err
		}
	}
	return replicas, nil
}

// EachHost splits a configuration of several hosts into one for each.
func EachHost(all *pgxpool.Config) (each []*pgxpool.Config) {
	hosts := append(
		[]*pgconn.FallbackConfig{{Host: all.ConnConfig.Host, Port: all.ConnConfig.Port, TLSConfig: all.ConnConfig.TLSConfig}},
		all.ConnConfig.Fallbacks...)
	for _, host := range hosts {
		if len(each) > 0 {
			last := each[len(each)-1].ConnConfig
			if last.Host == host.Host && last.Port == host.Port {
				last.Fallbacks = append(last.Fallbacks, host) // the same host without TLS
				continue
			}
		}
		one := all.Copy()
		one.ConnConfig.Host, one.ConnConfig.Port, one.ConnConfig.TLSConfig = host.Host, host.Port, host.TLSConfig
		one.ConnConfig.Fallbacks = nil
		each = append(each, one)
	}
	return each
}

func (r *Replicas) pools() (pools []*pgxpool.Pool) {
	for _, one := range r.all {
		pools = append(pools, one.db.pools()...)
	}
	return pools
}

// Any reports whether there are replicas.
func (r *Replicas) Any() bool { return len(r.all) > 0 }

// Each calls f with every outcome, and how many reads had it.
func (r *Replicas) Each(f func(outcome string, reads float64)) {
	for i := range r.counts {
		f(ReplicaOutcome(i).String(), float64(r.counts[i].Load()))
	}
}

// Read calls read with a replica, if one is ready. read calls counts with the version of the
// data that it sees, in the snapshot of its answer, and may go on only if that returns true.
// It has 200 ms until then. If Read returns false, read the primary instead. Otherwise err
// is what read returned.
func (r *Replicas) Read(
	ctx context.Context, version Version, read func(_ context.Context, _ *DB, counts func(Version) bool) error,
) (counted bool, err error) {
	if !r.Any() {
		return false, nil
	}
	began := time.Now()
	one := r.ready(began)
	if one == nil {
		r.counts[ReplicaPaused].Add(1)
		return false, nil
	}
	reader := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(replicaPatience, cancel)
	differs := false
	err = read(ctx, one.db, func(found Version) bool {
		if timer.Stop() { // in time
			counted, differs = found == version, found != version
		}
		if counted {
			r.counts[ReplicaCurrent].Add(1)
			one.note(began, ReplicaCurrent, nil, r.log)
		}
		return counted
	})
	if counted {
		return true, err
	}
	outcome, inTime := ReplicaOther, timer.Stop()
	switch {
	case differs, errors.Is(err, ErrBusy):
		one.note(began, outcome, nil, r.log)
	case reader.Err() == nil && (!inTime || Unavailable(err) || sqlState(err) != ""):
		outcome = ReplicaFailed
		one.note(began, outcome, cmp.Or(err, context.DeadlineExceeded), r.log)
	}
	r.counts[outcome].Add(1)
	return false, nil
}

// ready returns the next replica that may be asked, or nil.
func (r *Replicas) ready(now time.Time) *replica {
	turn := r.turn.Add(1)
	for i := range uint64(len(r.all)) {
		if one := r.all[(turn+i)%uint64(len(r.all))]; one.enter(now) {
			return one
		}
	}
	return nil
}

// enter reports whether the replica may be asked. After a pause, only one read may at first,
// to find out whether the replica works again.
func (r *replica) enter(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Before(r.until) {
		return false
	}
	if r.pause > 0 {
		r.until = now.Add(max(r.pause, replicaPatience))
	}
	return true
}

// note sets the pause after a read that began then. Of reads that run at the same time, only
// the first that did not count sets it.
func (r *replica) note(began time.Time, outcome ReplicaOutcome, err error, log *slog.Logger) {
	r.mu.Lock()
	defer r.mu.Unlock()
	failed := outcome == ReplicaFailed
	switch {
	case outcome == ReplicaCurrent:
		r.pause, r.until = 0, time.Time{}
	case began.Before(r.changed):
		return
	default:
		r.pause = min(max(2*r.pause, latePause), longLatePause)
		if failed {
			r.pause = failedPause
		}
		r.changed = time.Now()
		r.until = r.changed.Add(r.pause)
	}
	if failed != r.failing {
		r.failing = failed
		if failed {
			log.Warn("a replica does not answer: its reads go to the primary", "host", r.host, "error", err)
		} else {
			log.Info("the replica answers again", "host", r.host)
		}
	}
}
