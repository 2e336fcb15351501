package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A file that is renamed into the folder gets a mark, which survives the watcher: a
// hidden file that says what the renamed file was like.
const markPrefix = stateName + "-renamed."

// markRenamed marks a file that has just been renamed into the folder.
func (w *Watcher) markRenamed(name string) {
	if ignored(name) {
		return
	}
	info, err := os.Lstat(w.path(name))
	if err == nil && info.Mode().IsRegular() {
		err = os.WriteFile(w.path(markPrefix+name), []byte(likeness(info)), 0o660)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.log.Warn("cannot note that a file was renamed", "file", name, "error", err.Error())
	}
}

// marked reports whether a file is as it was when it was renamed into the folder.
func (w *Watcher) marked(file *candidate) bool {
	text, err := os.ReadFile(w.path(markPrefix + file.name))
	return err == nil && string(text) == likeness(file.info)
}

// dropMark removes the mark of a file that is gone.
func (w *Watcher) dropMark(name string) {
	if _, err := os.Lstat(w.path(name)); errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(w.path(markPrefix + name)) // it may have been removed already
	}
}

// likeness tells a file from another one of the same name.
func likeness(info os.FileInfo) string {
	return fmt.Sprintf("%d bytes, changed at %d\n", info.Size(), info.ModTime().UnixNano())
}
