package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Names below the folder.
const (
	importedName = "imported"
	refusedName  = "refused"

	doneSuffix  = ".done"
	errorSuffix = ".error.txt"
)

// ignored reports whether a name is never a delivery's: hidden, temporary, or beside a
// delivery.
func ignored(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(name, ".") || slices.ContainsFunc([]string{doneSuffix, errorSuffix, ".part", ".tmp", ".filepart"}, func(suffix string) bool {
		return strings.HasSuffix(lower, suffix)
	})
}

// prepare creates the folders below, and checks that a file can be moved to them.
func prepare(folder string) (os.FileInfo, error) {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s: create it first", folder)
	case err != nil:
		return nil, fmt.Errorf("cannot watch %s: %w", folder, cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder", folder)
	}
	if _, err := os.ReadDir(folder); err != nil {
		return nil, fmt.Errorf("cannot read the folder %s: %w", folder, cause(err))
	}
	for _, name := range []string{importedName, refusedName} {
		if err := makeFolder(filepath.Join(folder, name)); err != nil {
			return nil, err
		}
		probe, err := os.CreateTemp(folder, stateName+"-*")
		if err != nil {
			return nil, fmt.Errorf("cannot write to the folder %s: %w", folder, cause(err))
		}
		_ = probe.Close()
		moved := filepath.Join(folder, name, filepath.Base(probe.Name()))
		if err := os.Rename(probe.Name(), moved); err != nil {
			_ = os.Remove(probe.Name())
			return nil, fmt.Errorf("cannot move files from %s to its folder %s: %w", folder, name, cause(err))
		}
		_ = os.Remove(moved)
	}
	unlock, err := lock(folder)
	if err != nil && !errors.Is(err, errLocked) {
		return nil, err
	}
	if err == nil {
		unlock()
	}
	return info, nil
}

func makeFolder(path string) error {
	if err := os.Mkdir(path, 0o770); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("cannot create the folder %s: %w", path, cause(err))
	}
	return nil
}

// cause returns the system's error without the call and the path.
func cause(err error) error {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

// attend makes sure that the folder is there and its events are watched. A folder that
// was unmounted and mounted again, or replaced, is watched again.
func (w *Watcher) attend() error {
	info, err := os.Stat(w.options.Folder)
	if err != nil {
		w.events.close()
		w.events = nil
		return err
	}
	for _, name := range []string{importedName, refusedName} {
		path := filepath.Join(w.options.Folder, name)
		_, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) && os.SameFile(info, w.home) {
			err = makeFolder(path)
		}
		if err != nil { // the folder that another one was mounted on looks like this
			return err
		}
	}
	if w.events.watches(info) {
		return nil
	}
	w.events.close()
	w.events, err = watch(w.options.Folder, info, w.markRenamed)
	return err
}

// scan reads the folder, and returns the files that may be deliveries, the oldest first,
// by the time of their last change and then by name.
func (w *Watcher) scan(now time.Time) ([]*candidate, error) {
	entries, err := os.ReadDir(w.options.Folder)
	if err != nil {
		return nil, err
	}
	present := map[string]os.FileInfo{}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil { // else it is gone
			present[entry.Name()] = info
		}
	}
	for name := range w.files {
		if present[name] == nil {
			delete(w.files, name)
		}
	}
	var files []*candidate
	for name, info := range present {
		if of, marks := strings.CutPrefix(name, markPrefix); marks {
			w.dropMark(of)
		}
		if ignored(name) || info.IsDir() {
			continue
		}
		file := w.files[name]
		if file == nil || !same(file.info, info) {
			file = &candidate{name: name, info: info, since: now}
			w.files[name] = file
		}
		if !info.Mode().IsRegular() {
			w.say(file, "is not a regular file, so it is never opened")
			continue
		}
		file.done = nil
		if done := present[name+doneSuffix]; done != nil && done.Mode().IsRegular() {
			file.done = done
		}
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b *candidate) int {
		return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), strings.Compare(a.name, b.name))
	})
	return files, nil
}

// same reports whether a file has not changed.
func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode().Type() == b.Mode().Type() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func (w *Watcher) path(name string) string { return filepath.Join(w.options.Folder, name) }

// unchanged reports whether a file is still as it was when it was scanned.
func (w *Watcher) unchanged(file *candidate) bool {
	info, err := os.Lstat(w.path(file.name))
	return err == nil && same(info, file.info)
}
