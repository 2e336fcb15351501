// Package folder imports deliveries as they arrive in a folder, and moves each file
// to imported/ or refused/ below it. It never deletes or overwrites a delivery.
//
// The folder may belong to somebody else, so everything in it is opened through an
// [os.Root], and symbolic links are neither read nor written through.
package folder

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
)

// Options says which folder to watch, and how.
type Options struct {
	Folder string

	// Every is how often the folder is read.
	Every time.Duration
	// Settle is how long a file without a .done must stay unchanged before it is imported.
	Settle time.Duration

	// Describe returns the text of an error for people: that of .error.txt.
	Describe func(error) string
	Log      *slog.Logger
}

// Watcher imports the files of a folder, one after the other, the oldest first: those
// that have a .done that is not older than they are, and those that have not changed for
// Options.Settle. Several watchers of one folder take turns.
//
// It keeps nothing that it needs after a restart: a file that was imported but not moved
// is imported again, which changes nothing.
type Watcher struct {
	// Counts since the start, for metrics.
	Imported, Already, Refused atomic.Int64
	// Waiting is the number of files that have not been imported or refused yet.
	Waiting atomic.Int64
	// LastCame is when a file was last imported and moved, in Unix seconds; 0 if never. At the start,
	// it is the newest time of the files in imported/.
	LastCame atomic.Int64

	options Options
	db      *database.DB
	load    imports.DeliveryOptions // of every file, except for which file it is
	files   map[string]*candidate
}

// Open checks that the folder can be used. Errors are one sentence.
func Open(options Options) (*Watcher, error) {
	root, err := os.OpenRoot(options.Folder)
	if err != nil {
		return nil, fmt.Errorf("cannot watch the folder %s: %w", options.Folder, database.RootCause(err))
	}
	defer root.Close()
	if err := prepare(root); err != nil {
		return nil, err
	}
	w := &Watcher{options: options, files: map[string]*candidate{}}
	imported, err := present(root, importedName)
	for _, info := range imported {
		w.LastCame.Store(max(w.LastCame.Load(), info.ModTime().Unix()))
	}
	return w, err
}

// prepare creates the folders below, and checks that the folder can be written to.
func prepare(root *os.Root) error {
	for _, name := range []string{importedName, refusedName} {
		if err := makeFolder(root, name); err != nil {
			return fmt.Errorf("cannot create the folder %s: %w", filepath.Join(root.Name(), name), database.RootCause(err))
		}
	}
	probe := fmt.Sprintf(".dispo-watch-%d", os.Getpid())
	if err := writeNew(root, probe, ""); err != nil {
		return fmt.Errorf("cannot write to the folder %s: %w", root.Name(), database.RootCause(err))
	}
	return root.Remove(probe)
}

// Run imports files with these options, until ctx ends. Then the import at hand is
// rolled back, unless it has been committed, in which case its file is still moved.
func (w *Watcher) Run(ctx context.Context, db *database.DB, options imports.DeliveryOptions) {
	w.db, w.load = db, options
	ticker := time.NewTicker(w.options.Every)
	defer ticker.Stop()
	said := "" // why the folder cannot be read
	for {
		away := ""
		if err := w.look(ctx); err != nil {
			away = database.RootCause(err).Error()
		}
		if away == "" && said != "" {
			w.options.Log.Info("watching the folder again", "folder", w.options.Folder)
		} else if away != said {
			w.options.Log.Warn("cannot watch the folder", "folder", w.options.Folder, "error", away)
		}
		said = away
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look reads the folder once, and imports what is complete.
func (w *Watcher) look(ctx context.Context) error {
	root, err := os.OpenRoot(w.options.Folder)
	if err != nil {
		return err
	}
	defer root.Close()
	unlock, err := lock(root)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil // another watcher's turn
	}
	if err != nil {
		return err
	}
	defer unlock()
	files, err := w.scan(root)
	if err != nil {
		return err
	}
	w.Waiting.Store(int64(len(files)))
	for _, file := range files {
		if !w.complete(file) {
			continue
		}
		err := w.take(ctx, root, file)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			delete(w.files, file.name)
			w.Waiting.Add(-1)
			continue
		}
		w.say(file, slog.LevelWarn, "a file is tried again later", firstLine(w.options.Describe(err)))
		if models.ErrorKind(err) == models.KindUnavailable {
			return nil // the database is away for the others too
		}
	}
	return nil
}

// lock makes this watcher the only one that works in the folder. Where the file system
// has no such locks, watchers may import a file at the same time, which stores it once.
func lock(root *os.Root) (unlock func(), err error) {
	folder, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(err, folder.Close())
	}
	return func() { _ = folder.Close() }, nil
}
