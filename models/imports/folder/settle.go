package folder

import (
	"context"
	"os"
	"time"

	"dispo/models/imports"
	"dispo/models/imports/format"
)

// candidate is a file that may be a delivery. A file that changes becomes another one.
type candidate struct {
	name  string
	info  os.FileInfo
	since time.Time   // when it was first seen like this
	done  os.FileInfo // the .done beside it, or nil

	layout  layoutState
	bad     bool // an import found it bad, but it may be cut off
	outcome *outcome
	retry   backoff
	said    string // what the log last said about why it waits
}

// layoutState is what is known about a file's layout.
type layoutState int

const (
	layoutUnknown layoutState = iota
	layoutProves              // it proves that the file is complete
	layoutSilent
)

// complete reports whether the file's sender said that it is complete.
func (w *Watcher) complete(file *candidate) bool {
	if file.done != nil && !file.done.ModTime().Before(file.info.ModTime()) {
		return true
	}
	return w.marked(file)
}

// ready reports whether to import a file now. If not, it returns when to look at it
// again, or zero if nothing changes until the file or its .done does.
func (w *Watcher) ready(ctx context.Context, file *candidate, now time.Time) (ready bool, again time.Time) {
	if settled := file.since.Add(w.options.Settle); now.Before(settled) {
		return false, settled
	}
	if file.retry.waits(now) {
		return false, file.retry.until
	}
	if file.outcome != nil || w.complete(file) {
		return true, time.Time{}
	}
	if err := w.detect(ctx, file); err != nil {
		return false, w.fail(file, err)
	}
	switch {
	case file.layout == layoutSilent && file.done != nil:
		w.say(file, "waits for a newer .done: its .done is older than the file")
		return false, time.Time{}
	case file.layout == layoutSilent:
		w.say(file, "waits for its .done: nothing else shows that it is complete")
		return false, time.Time{}
	case w.events.writing(file.name):
		w.say(file, "waits until it is closed: it is open for writing")
		return false, time.Time{}
	case file.bad && now.Before(file.refusedAt(w)):
		return false, file.refusedAt(w)
	}
	return true, time.Time{}
}

// refusedAt is when the file is no longer taken for one that is cut off.
func (f *candidate) refusedAt(w *Watcher) time.Time { return f.since.Add(w.options.RefuseAfter) }

// detect finds out whether the file's layout proves that it is complete.
func (w *Watcher) detect(ctx context.Context, file *candidate) error {
	if file.layout != layoutUnknown {
		return nil
	}
	layout := w.load.Layout
	if layout == nil {
		opened, err := imports.Open(ctx, w.path(file.name))
		if err != nil {
			return err
		}
		defer opened.Close()
		layout, err = opened.Detect(ctx)
		if err != nil && refuses(err) { // half of a compressed file, for example
			err = w.readable(file)
		}
		if err != nil {
			return err
		}
		if layout == nil {
			layout = format.CSV()
		}
	}
	file.layout = layoutSilent
	if layout.ProvesComplete() {
		file.layout = layoutProves
	}
	return nil
}

// say logs once why a file waits.
func (w *Watcher) say(file *candidate, why string) {
	if file.said != why {
		file.said = why
		w.log.Info("a file "+why, "file", file.name)
	}
}
