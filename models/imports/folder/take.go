package folder

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"dispo/models"
	"dispo/models/imports"
)

// outcome is what became of a file that remains to be moved.
type outcome struct {
	folder string
	text   string // of the .error.txt
}

// take imports a file and moves it. It returns when to try again, or zero if the file is
// dealt with.
func (w *Watcher) take(ctx context.Context, file *candidate) (again time.Time) {
	unlock, err := lock(w.options.Folder)
	if errors.Is(err, errLocked) {
		return time.Now().Add(lockPause)
	}
	if err != nil {
		return w.fail(file, err)
	}
	defer unlock()
	if !w.unchanged(file) {
		return time.Now().Add(gather) // or another watcher was faster
	}
	if file.outcome == nil {
		if again = w.importFile(ctx, file); file.outcome == nil {
			return again
		}
	}
	if !w.unchanged(file) {
		w.log.Warn("a file changed while it was imported, so it stays", "file", file.name)
		return time.Now().Add(w.options.Settle)
	}
	if err := w.move(file); err != nil {
		return w.fail(file, err)
	}
	delete(w.files, file.name)
	return time.Time{}
}

// importFile imports a file, and sets its outcome unless it has to be tried again.
func (w *Watcher) importFile(ctx context.Context, file *candidate) (again time.Time) {
	options := w.load
	options.Path = w.path(file.name)
	done, err := imports.Delivery(ctx, w.db, options)
	now := time.Now()
	switch {
	case err == nil:
		w.silent = backoff{}
		w.came(now)
		file.outcome = &outcome{folder: importedName}
		result, counter := "imported", &w.Imported
		if done.Already {
			result, counter = "already", &w.Already
		}
		counter.Add(1)
		attributes := []any{"file", file.name, "result", result, "delivery", done.ID.String(), "records", done.Records,
			"organizations", done.Organizations, "held", done.Held}
		if done.Lacking > 0 {
			attributes = append(attributes, "lacking", done.Lacking)
		}
		w.log.Info("imported a file", attributes...)
		return time.Time{}
	case ctx.Err() != nil:
		return time.Time{}
	case !w.unchanged(file):
		return now.Add(w.options.Settle)
	case !refuses(err):
		return w.fail(file, err)
	}
	if err := w.readable(file); err != nil {
		return w.fail(file, err)
	}
	w.silent = backoff{}
	if models.ErrorKind(err) != models.KindConflict && !w.complete(file) && now.Before(file.refusedAt(w)) {
		file.bad = true
		w.say(file, "is bad or cut off: it is refused unless it changes within "+w.options.RefuseAfter.String())
		return file.refusedAt(w)
	}
	text := w.options.Describe(err)
	file.outcome = &outcome{folder: refusedName, text: text}
	w.Refused.Add(1)
	w.log.Warn("refused a file", "file", file.name, "result", "refused", "error", firstLine(text))
	return time.Time{}
}

// refuses reports whether an import's error is the file's fault, rather than something
// that passes.
func refuses(err error) bool {
	if errors.As(err, new(*imports.BadFile)) {
		return true
	}
	switch models.ErrorKind(err) {
	case models.KindInvalid, models.KindConflict, models.KindUnprocessable:
		return true
	}
	return false
}

// readable returns an error if a file cannot be read to its end: for lack of a permission
// that is still to be given, perhaps, or because a disk fails.
func (w *Watcher) readable(file *candidate) error {
	opened, err := os.Open(w.path(file.name))
	if err != nil {
		return err
	}
	defer opened.Close()
	_, err = io.Copy(io.Discard, opened)
	return err
}

// fail makes a file wait after a failure that may pass. If the database does not answer,
// all files wait.
func (w *Watcher) fail(file *candidate, err error) (again time.Time) {
	wait := &file.retry
	switch models.ErrorKind(err) {
	case models.KindUnavailable, models.KindBusy:
		wait = &w.silent
	}
	wait.fail(time.Now())
	w.log.Warn("a file is tried again later", "file", file.name, "error", firstLine(w.options.Describe(err)), "retry_in", wait.pause.String())
	return wait.until
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ":")
}
