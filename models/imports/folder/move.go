package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// move moves a file to the folder of its outcome, with its .done and, if it was refused,
// the reason. The reason is written first, so that no refused file is without one. The
// .done comes last: if the move is interrupted, the file still has it.
func (w *Watcher) move(file *candidate) error {
	folder := w.path(file.outcome.folder)
	name, err := freeName(folder, file.name)
	if err != nil {
		return err
	}
	if file.outcome.text != "" {
		if err := writeNew(filepath.Join(folder, name+errorSuffix), file.outcome.text+"\n"); err != nil {
			return err
		}
	}
	if err := rename(w.path(file.name), filepath.Join(folder, name)); err != nil {
		_ = os.Remove(filepath.Join(folder, name+errorSuffix)) // ours
		return err
	}
	w.dropMark(file.name)
	if file.done == nil {
		return nil
	}
	done, moved := w.path(file.name+doneSuffix), filepath.Join(folder, name+doneSuffix)
	err = rename(done, moved)
	if info, lost := os.Lstat(moved); err == nil && lost == nil && !same(info, file.done) {
		err = rename(moved, done) // it is already that of the next file of this name
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.log.Warn("cannot move the .done of a file", "file", file.name, "error", err.Error())
	}
	return nil
}

// freeName returns a name for a file in a folder: its own, or else one with a number, as
// in delivery-2.csv.
func freeName(folder, name string) (string, error) {
	extension := filepath.Ext(name)
	for n, free := 2, name; ; n++ {
		taken := false
		for _, suffix := range []string{"", doneSuffix, errorSuffix} {
			_, err := os.Lstat(filepath.Join(folder, free+suffix))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
			taken = taken || err == nil
		}
		if !taken {
			return free, nil
		}
		free = strings.TrimSuffix(name, extension) + "-" + strconv.Itoa(n) + extension
	}
}

// rename renames a file, and fails if the new name is taken. Renaming replaces a file, so
// the name is first taken with an empty one of our own.
func rename(from, to string) error {
	if _, err := os.Lstat(from); err != nil {
		return err
	}
	if err := writeNew(to, ""); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		_ = os.Remove(to)
		return err
	}
	return nil
}

// writeNew writes a file, and fails if there is one of that name.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o660)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}
