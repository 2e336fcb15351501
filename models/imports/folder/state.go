package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// stateName is a hidden file in the folder. Watchers lock it while they import a file,
// and it keeps the time until which expected files have come.
const stateName = ".dispo-watch"

var errLocked = errors.New("another watcher is importing a file")

// lock makes this watcher the only one that imports files of the folder. If another one
// is doing that, the error is errLocked.
func lock(folder string) (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(folder, stateName), os.O_RDWR|os.O_CREATE, 0o660)
	if err != nil {
		return nil, fmt.Errorf("cannot write to the folder %s: %w", folder, cause(err))
	}
	switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		_ = file.Close()
		return nil, errLocked
	case err != nil:
		_ = file.Close()
		return nil, fmt.Errorf("cannot lock %s: %w", file.Name(), err)
	}
	return func() { _ = file.Close() }, nil
}

// lastCame returns the time until which expected files have come, if any came.
func (w *Watcher) lastCame() (came time.Time, known bool) {
	text, err := os.ReadFile(w.path(stateName))
	if err != nil {
		return time.Time{}, false
	}
	came, err = time.Parse(time.RFC3339Nano, strings.TrimSpace(string(text)))
	return came, err == nil
}

// came notes that a file has come. One that is late counts for the day that it is late
// for, and not for the next one too.
func (w *Watcher) came(now time.Time) {
	w.LastCame.Store(now.Unix())
	counts := now
	if w.options.Expect != nil {
		if deadline, missed := w.overdue(now); missed {
			counts = deadline
		}
	}
	if err := w.note(counts); err != nil {
		w.log.Warn("cannot note that a file has come", "error", err.Error())
	}
	w.Overdue.Store(false)
}

// note writes the time in one piece over the one before, because other watchers may be
// reading it.
func (w *Watcher) note(came time.Time) error {
	file, err := os.OpenFile(w.path(stateName), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(came.UTC().Format("2006-01-02T15:04:05.000000000Z\n"))
	return errors.Join(err, file.Close())
}

// overdue returns the last expected time, and whether no file has come since the one
// before it. In a folder that never had a file, none was expected before the start.
func (w *Watcher) overdue(now time.Time) (deadline time.Time, missed bool) {
	deadline = w.options.Expect.last(now)
	came, known := w.lastCame()
	if !known {
		return deadline, deadline.After(w.started)
	}
	return deadline, !came.After(w.options.Expect.last(deadline.Add(-1)))
}

// expect logs once if no file has come by an expected time.
func (w *Watcher) expect(now time.Time) {
	deadline, missed := w.overdue(now)
	if missed && !w.missed.Equal(deadline) {
		w.missed = deadline
		w.log.Warn("no file has come", "folder", w.options.Folder, "expected", deadline.Format(time.RFC3339))
	}
	w.Overdue.Store(missed)
}
