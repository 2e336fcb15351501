package folder

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// Names below the folder.
const (
	importedName = "imported"
	refusedName  = "refused"

	doneSuffix  = ".done"
	errorSuffix = ".error.txt"
)

// candidate is a file that may be a delivery. A file that changes becomes another one.
type candidate struct {
	name  string
	info  os.FileInfo
	since time.Time // when it was first seen like this
	done  bool      // whether a .done that is not older lies beside it
	part  bool      // whether its name says that it is still being written
	said  string    // what the log last said about it
}

// ignored matches the names that are never a delivery's: hidden, or beside one.
var ignored = regexp.MustCompile(`(?i)^\.|\.(done|error\.txt)$`)

// unfinished matches the names that programs give to files while they write them.
var unfinished = regexp.MustCompile(
	`(?i)^~\$|~$|\.octransferid|\.(part|partial|filepart|crdownload|download|upload|tmp|swp)$`)

// unfinishedMost is how long a file with such a name may stay unchanged without a word.
const unfinishedMost = time.Hour

// present describes what is in a folder, without following links.
func present(root *os.Root, folder string) (map[string]os.FileInfo, error) {
	entries, err := fs.ReadDir(root.FS(), folder)
	if err != nil {
		return nil, err
	}
	infos := map[string]os.FileInfo{}
	for _, entry := range entries {
		if info, err := root.Lstat(filepath.Join(folder, entry.Name())); err == nil { // else it is gone
			infos[entry.Name()] = info
		}
	}
	return infos, nil
}

// scan returns the files that may be deliveries, the oldest first, by the time of their
// last change and then by name. Those that are still being written by their names are among
// them once they have been left alone for long.
func (w *Watcher) scan(root *os.Root) ([]*candidate, error) {
	infos, err := present(root, ".")
	if err != nil {
		return nil, err
	}
	seen := map[string]*candidate{}
	var files []*candidate
	for name, info := range infos {
		if ignored.MatchString(name) || info.IsDir() {
			continue
		}
		file := w.files[name]
		if file == nil || !same(file.info, info) {
			file = &candidate{name: name, info: info, since: time.Now(), part: unfinished.MatchString(name)}
		}
		seen[name] = file
		if !info.Mode().IsRegular() {
			w.say(file, slog.LevelInfo, "a file is never opened", "it is not a regular file")
			continue
		}
		if file.part && time.Since(file.since) < unfinishedMost {
			continue
		}
		done := infos[name+doneSuffix]
		file.done = done != nil && done.Mode().IsRegular() && !done.ModTime().Before(info.ModTime())
		files = append(files, file)
	}
	w.files = seen
	slices.SortFunc(files, func(a, b *candidate) int {
		return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), strings.Compare(a.name, b.name))
	})
	return files, nil
}

// complete reports whether the file can be taken for complete.
func (w *Watcher) complete(file *candidate) bool {
	if file.part {
		w.say(
			file,
			slog.LevelWarn,
			"a file waits",
			"its name says that it is still being written, but it has not changed for an hour: rename it if it is complete, or delete it",
		)
		return false
	}
	if file.done || time.Since(file.since) >= w.options.Settle {
		return true
	}
	w.say(file, slog.LevelInfo, "a file waits",
		"for its .done, or until it has not changed for "+w.options.Settle.String())
	return false
}

// same reports whether a file has not changed.
func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode().Type() == b.Mode().Type() && a.Size() == b.Size() &&
		a.ModTime().Equal(b.ModTime())
}

// unchanged reports whether a path still has the file as it was when it was scanned.
func unchanged(root *os.Root, path string, file *candidate) bool {
	info, err := root.Lstat(path)
	return err == nil && same(info, file.info)
}

var errChanged = errors.New("it has changed since the folder was read")

// open opens a file that is as it was when it was scanned. A link that has taken its
// place is not read, and a pipe is not waited for.
func open(root *os.Root, file *candidate) (*os.File, error) {
	opened, err := root.OpenFile(file.name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := opened.Stat(); err != nil || !same(info, file.info) {
		return nil, errors.Join(errChanged, err, opened.Close())
	}
	return opened, nil
}

// makeFolder creates a folder if there is none. A link to one is refused.
func makeFolder(root *os.Root, name string) error {
	if err := root.Mkdir(name, 0o770); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := root.Lstat(name)
	if err == nil && !info.IsDir() {
		err = errors.New("something else has this name")
	}
	return err
}

// move moves a file to the folder of its outcome, with the reason if it was refused, and
// removes its .done.
func move(root *os.Root, file *candidate, folder, reason string) error {
	if err := makeFolder(root, folder); err != nil {
		return err
	}
	to, err := claim(root, filepath.Join(folder, file.name), reason)
	if err != nil {
		return err
	}
	if err := root.Rename(file.name, to); err != nil {
		_ = root.Remove(to)
		if reason != "" {
			_ = root.Remove(to + errorSuffix)
		}
		return err
	}
	if !unchanged(root, to, file) { // another file of this name came just before
		back, err := claim(root, file.name, "")
		if err == nil {
			err = root.Rename(to, back)
		}
		return errors.Join(errChanged, err)
	}
	_ = root.Remove(file.name + doneSuffix) // there may be none
	return nil
}

// claim takes a name with an empty file, which can then be replaced, and writes the reason
// beside it if there is one. If the name is taken, it gets a number: delivery-2.csv. If it is
// too long, its end is left out, but for the extension.
func claim(root *os.Root, path, reason string) (string, error) {
	extension := filepath.Ext(path)
	if len(extension) > extensionMost {
		extension = ""
	}
	stem, number := strings.TrimSuffix(path, extension), ""
	for n := 2; ; {
		free := stem + number + extension
		err := writeNew(root, free, "")
		if err == nil && reason != "" {
			if err = writeNew(root, free+errorSuffix, reason+"\n"); err != nil {
				_ = root.Remove(free)
			}
		}
		switch {
		case errors.Is(err, fs.ErrExist):
			number = "-" + strconv.Itoa(n)
			n++
		case errors.Is(err, syscall.ENAMETOOLONG) && len(stem) > len(path)/2:
			_, last := utf8.DecodeLastRuneInString(stem)
			stem = stem[:len(stem)-last]
		default:
			return free, err
		}
	}
}

const extensionMost = 20 // bytes; what is longer is part of the name

// writeNew writes a file, and fails if the name is taken, by a link too.
func writeNew(root *os.Root, path, text string) error {
	file, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o660)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = root.Remove(path)
	}
	return err
}
