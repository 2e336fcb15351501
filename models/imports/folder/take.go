package folder

import (
	"context"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dispo/models/imports"
)

// take imports a file and moves it. After an error, it is tried again when the folder is
// next read.
func (w *Watcher) take(ctx context.Context, root *os.Root, file *candidate) error {
	opened, err := open(root, file)
	if err != nil {
		return err
	}
	defer opened.Close()
	options := w.load
	options.Path, options.File = filepath.Join(w.options.Folder, file.name), opened
	done, err := imports.Delivery(ctx, w.db, options)
	switch {
	case err == nil:
		w.imported(file, done)
		if err := move(root, file, importedName, ""); err != nil {
			return err
		}
		w.LastCame.Store(time.Now().Unix())
		return nil
	case !unchanged(root, file.name, file):
		return errChanged
	case ctx.Err() != nil || !imports.Refuses(err):
		return err
	}
	// Only what can be read to its end is bad. A disk that fails is not the file's fault.
	if _, err := io.Copy(io.Discard, io.NewSectionReader(opened, 0, math.MaxInt64)); err != nil {
		return err
	}
	reason := w.options.Describe(err)
	if err := move(root, file, refusedName, reason); err != nil {
		return err
	}
	imports.CountRefused(ctx, w.db, done.Records) // not before: what is tried again is not refused
	w.Refused.Add(1)
	w.options.Log.Warn("refused a file", "file", file.name, "result", "refused", "error", firstLine(reason))
	return nil
}

func (w *Watcher) imported(file *candidate, done imports.DeliveryResult) {
	result, counter := "imported", &w.Imported
	if done.Already {
		result, counter = "already", &w.Already
	}
	counter.Add(1)
	w.options.Log.Info("imported a file", "file", file.name, "result", result, "delivery", done.ID.String(),
		"records", done.Records, "organizations", done.Organizations, "held", done.Held, "lacking", done.Lacking)
}

// say logs why a file is not imported, once for each reason.
func (w *Watcher) say(file *candidate, level slog.Level, message, reason string) {
	if file.said != reason {
		file.said = reason
		w.options.Log.Log(context.Background(), level, message, "file", file.name, "reason", reason)
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ":")
}
