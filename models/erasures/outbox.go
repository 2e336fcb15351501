package erasures

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

const (
	keepEvery = time.Minute
	lookEvery = 250 * time.Millisecond // for a line that somebody else appends
)

// patience is how long a deletion waits for its line to be in the file. Tests change it.
var patience = 30 * time.Second

// Flush appends the lines of the outbox to the store's file, except those that somebody else
// is appending. It does nothing if the store has no file.
func Flush(ctx context.Context, s *models.Store) error {
	if s.Erasures() == "" {
		return nil
	}
	return s.DB().GORM(ctx).Transaction(func(tx *gorm.DB) error {
		var lines []Erasure
		if err := tx.Raw(`SELECT at, kind, id, taken_back FROM erasures_take()`).
			Scan(&lines).Error; err != nil || len(lines) == 0 {
			return err
		}
		return Append(ctx, s.Erasures(), lines...)
	})
}

// Keep flushes whenever the change feed reports a line, and every minute, until ctx ends. It
// also notes that the store's file is kept. It does nothing if the store has no file.
func Keep(ctx context.Context, s *models.Store, log *slog.Logger) {
	if s.Erasures() == "" {
		return
	}
	noted := make(chan struct{}, 1)
	s.DB().Feed.Subscribe(database.Subscriber{After: func(n database.Notification) {
		if n.Kind != database.DataChanged {
			select {
			case noted <- struct{}{}:
			default: // one is enough
			}
		}
	}})
	ticker := time.NewTicker(keepEvery)
	defer ticker.Stop()
	for {
		if err := keepOnce(ctx, s, log); err != nil && ctx.Err() == nil {
			log.Warn("cannot append to the file of erasures: trying again within a minute", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-noted:
		case <-ticker.C:
		}
	}
}

// keepOnce flushes, and logs what has waited for over a minute.
func keepOnce(ctx context.Context, s *models.Store, log *slog.Logger) error {
	machine, _ := os.Hostname()
	_, err := database.Query[struct{}](ctx, s.DB(), `SELECT FROM erasures_keep($1)`, machine+":"+s.Erasures())
	if err != nil {
		return err
	}
	flushed := Flush(ctx, s)
	waiting, err := Count(ctx, s.DB())
	if waiting.Lines > 0 {
		log.Error("deletions and revocations have waited for over a minute to be in the file of erasures: until then, a "+
			"restored backup brings back what they took away", "count", waiting.Lines, "since", waiting.Since)
	}
	return errors.Join(flushed, err)
}

// Waiting says what the outbox has.
type Waiting struct {
	Lines int64      // that have waited for over a minute
	Since *time.Time // when the oldest of them was added
	Files string     // that are kept, each as a machine and a path and since when; empty for none
}

// Count counts what has waited for over a minute.
func Count(ctx context.Context, db *database.DB) (waiting Waiting, err error) {
	err = db.GORM(ctx).Raw(`SELECT lines, since, files FROM erasures_waiting()`).Scan(&waiting).Error
	return waiting, models.Wrap(err)
}

// Noted calls do, which deletes a user or an organization, once a line in the file says so, for
// the operator. It waits for that for at most 30 seconds, and not at all if nobody keeps a file.
// If the line is not there by then, or do fails, it adds a line that takes the first one back.
func Noted(ctx context.Context, s *models.Store, kind string, id uuid.UUID, do func() error) error {
	db := s.DB().GORM(database.WithOperator(ctx))
	const notify = `SELECT pg_notify('dispo', 'erasure ' || CAST(? AS text))`
	err := db.Exec(`WITH line AS (INSERT INTO erasures (kind, id) VALUES (?, ?)) `+notify, kind, id, id).Error
	if err != nil {
		return models.Wrap(err)
	}
	err = written(ctx, s, id)
	if err == nil {
		err = do()
	}
	if err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fileTime)
	defer cancel()
	back := db.WithContext(database.WithOperator(ctx)).
		Exec(`WITH line AS (INSERT INTO erasures (kind, id, taken_back) SELECT ?, ?, true
		WHERE EXISTS (SELECT FROM users WHERE id = ?) OR EXISTS (SELECT FROM organizations WHERE id = ? AND deletion_started_at IS NULL)) `+notify, kind, id, id, id, id).
		Error
	if back != nil {
		back = fmt.Errorf("a restored backup will delete it, because the line that says so could not be taken back: %w", back)
	}
	return errors.Join(err, back)
}

// written waits until the outbox has no line of an id.
func written(ctx context.Context, s *models.Store, id uuid.UUID) error {
	late, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for {
		flushed := Flush(late, s)
		var waiting Waiting
		err := s.DB().
			GORM(ctx).
			Raw(`SELECT (SELECT count(*) FROM erasures WHERE id = ?) AS lines, files FROM erasures_waiting()`, id).
			Scan(&waiting).Error
		switch {
		case err != nil || waiting.Lines == 0:
			return models.Wrap(err)
		case waiting.Files == "" && (flushed != nil || s.Erasures() == ""):
			return flushed // nobody else keeps a file
		}
		select {
		case <-time.After(lookEvery):
		case <-late.Done():
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return errors.Join(
				fmt.Errorf(
					"nothing was deleted, because the line that remembers it was not in the file of DISPO_ERASURES after %.0f seconds: it is kept by %s, so see the log there, and try again",
					patience.Seconds(),
					cmp.Or(waiting.Files, "another command"),
				),
				flushed,
			)
		}
	}
}

// Forget empties the outbox, and forgets which files are kept, for the operator: a restored
// database has those of its backup.
func Forget(ctx context.Context, s *models.Store) error {
	return models.Wrap(
		s.DB().GORM(database.WithOperator(ctx)).Exec(`WITH lines AS (DELETE FROM erasures) DELETE FROM erasure_files`).Error)
}
