// Package folder imports deliveries as they arrive in a folder, and moves each file
// to imported/ or refused/ below it. It never deletes or overwrites a delivery, and it
// never imports a file that may still be incomplete (see [Watcher]).
package folder

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"dispo/models/database"
	"dispo/models/imports"
)

// Options says which folder to watch, and how.
type Options struct {
	Folder string

	// Settle is how long a file must stay unchanged before it is imported.
	Settle time.Duration
	// RefuseAfter is how long a file that looks cut off must stay unchanged before it is
	// refused.
	RefuseAfter time.Duration
	// Expect says when a file must have come; nil if none is expected.
	Expect *Expectation

	// Describe returns the text of an error for people: that of .error.txt.
	Describe func(error) string
	Log      *slog.Logger
}

const (
	// scanEvery finds what no event reported.
	scanEvery = time.Minute
	// gather is how long events are gathered before the folder is read.
	gather = 50 * time.Millisecond
	// lockPause is how long to wait for another watcher of the folder.
	lockPause = 200 * time.Millisecond
)

// Watcher imports the files of a folder, one after the other, the oldest first. It
// imports a file that has been unchanged for Options.Settle, and of which one holds:
//
//   - its layout proves that it is complete, and nobody is known to have it open for
//     writing;
//   - a .done lies beside it, which is not older than it;
//   - it was renamed into the folder, or within it, while a watcher ran.
//
// Several watchers of one folder take turns.
type Watcher struct {
	// Counts since the start, for metrics.
	Imported, Already, Refused atomic.Int64
	// Waiting is the number of files that have not been imported or refused yet.
	Waiting atomic.Int64
	// LastCame is when a file was last imported, in Unix seconds; 0 if never.
	LastCame atomic.Int64
	// Overdue is whether an expected file has not come.
	Overdue atomic.Bool

	options Options
	db      *database.DB
	load    imports.DeliveryOptions // of every file, except for its path
	log     *slog.Logger
	home    os.FileInfo // the folder at the start
	events  *events     // nil while the folder is away
	files   map[string]*candidate
	away    backoff // the folder
	silent  backoff // the database
	started time.Time
	missed  time.Time // the expected time whose miss was logged
}

// Open checks that files can be moved within the folder, and starts watching it. The
// caller must call Run, or Close. Errors are one sentence.
func Open(options Options) (*Watcher, error) {
	folder, err := filepath.Abs(options.Folder)
	if err != nil {
		return nil, err
	}
	options.Folder = folder
	w := &Watcher{options: options, log: options.Log, files: map[string]*candidate{}, started: time.Now()}
	if w.home, err = prepare(folder); err != nil {
		return nil, err
	}
	if err := w.attend(); err != nil {
		return nil, err
	}
	if came, known := w.lastCame(); known {
		w.LastCame.Store(came.Unix())
	}
	return w, nil
}

// Close stops watching.
func (w *Watcher) Close() { w.events.close() }

// Run imports files with these options, except for the path, until ctx ends. Then the
// import at hand is rolled back, unless it has been committed, in which case its file is
// still moved.
func (w *Watcher) Run(ctx context.Context, db *database.DB, options imports.DeliveryOptions) {
	w.db, w.load = db, options
	defer w.Close()
	due := time.Now()
	for {
		timer := time.NewTimer(time.Until(due))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-w.events.wake():
			timer.Stop()
			if soon := time.Now().Add(gather); soon.Before(due) {
				due = soon
			}
			continue
		case <-timer.C:
		}
		due = w.look(ctx)
	}
}

// look reads the folder once, and imports what is ready. It returns when to look again.
func (w *Watcher) look(ctx context.Context) (next time.Time) {
	now := time.Now()
	next = now.Add(scanEvery)
	sooner := func(t time.Time) {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	if w.options.Expect != nil {
		w.expect(now)
		sooner(w.options.Expect.next(now))
	}
	if w.away.waits(now) {
		sooner(w.away.until)
		return next
	}
	err := w.attend()
	var files []*candidate
	if err == nil {
		files, err = w.scan(now)
	}
	if err != nil {
		w.away.fail(now)
		w.log.Warn("cannot watch the folder", "folder", w.options.Folder, "error", err.Error(), "retry_in", w.away.pause.String())
		sooner(w.away.until)
		return next
	}
	if w.away.pause > 0 {
		w.log.Info("watching the folder again", "folder", w.options.Folder)
		w.away = backoff{}
	}
	for _, file := range files {
		ready, again := w.ready(ctx, file, time.Now())
		if ready && ctx.Err() == nil && !w.silent.waits(time.Now()) {
			again = w.take(ctx, file)
		}
		sooner(again)
	}
	if w.silent.pause > 0 {
		sooner(w.silent.until)
	}
	waiting := 0
	for _, file := range w.files {
		if file.info.Mode().IsRegular() {
			waiting++
		}
	}
	w.Waiting.Store(int64(waiting))
	return next
}

// backoff is a pause that doubles with each failure in a row.
type backoff struct {
	pause time.Duration
	until time.Time
}

const (
	shortestPause = time.Second
	longestPause  = time.Minute
)

func (b *backoff) fail(now time.Time) {
	b.pause = min(max(2*b.pause, shortestPause), longestPause)
	b.until = now.Add(b.pause)
}

func (b *backoff) waits(now time.Time) bool { return now.Before(b.until) }
