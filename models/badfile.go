package models

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dispo/models/delivery"
)

// BadFile says which lines kept a file from being imported. Nothing of it was
// stored. A line stands there for each of its bad fields.
type BadFile struct {
	Filename string
	Lines    []delivery.BadLine // the first badLinesShown, in the file's order
	More     int64              // how many more there are

	count int64 // lines, each once
	last  int64 // the latest line's number
}

const badLinesShown = 20

func (f *BadFile) add(line delivery.BadLine) {
	if line.Line != f.last {
		f.count, f.last = f.count+1, line.Line
	}
	if len(f.Lines) < badLinesShown {
		f.Lines = append(f.Lines, line)
	} else {
		f.More++
	}
}

// Error tells every shown line with its number, field and reason, a line each.
func (f *BadFile) Error() string {
	var text strings.Builder
	noun := "bad line"
	if f.count > 1 {
		noun = "bad lines"
	}
	fmt.Fprintf(&text, "%s has %d %s, so nothing of it was imported:", f.Filename, f.count, noun)
	for _, line := range f.Lines {
		fmt.Fprintf(&text, "\n  line %d: ", line.Line)
		if line.Field != "" {
			fmt.Fprintf(&text, "%s: ", line.Field)
		}
		text.WriteString(line.Reason)
	}
	if f.More > 0 {
		fmt.Fprintf(&text, "\n  and %d more", f.More)
	}
	return text.String()
}

// openFile opens a file that is to be imported, and refuses, in one sentence,
// what is no file to read: it is read twice, so it has to be a regular one. That
// is seen before it is opened: a named pipe would wait for somebody to write.
func openFile(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		what := "no regular file"
		if info.IsDir() {
			what = "a directory"
		}
		return nil, nil, NewError(KindInvalid, fmt.Sprintf("%s is %s: name a file", path, what))
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, NewError(KindInvalid, fmt.Sprintf("there is no file %s", path))
	case errors.Is(err, fs.ErrPermission):
		return nil, nil, NewError(KindInvalid, fmt.Sprintf("%s can't be read: this user has no permission to", path))
	case err != nil:
		return nil, nil, NewError(KindInvalid, fmt.Sprintf("%s can't be read: %v", path, err))
	}
	return file, info, nil
}

// filename is a file's name without its folder, as the database takes it: bytes
// that are no UTF-8 are replaced.
func filename(path string) string { return strings.ToValidUTF8(filepath.Base(path), "\ufffd") }
