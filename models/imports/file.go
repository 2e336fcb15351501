// Package imports brings companies and deliveries into the database: each file in
// one transaction, whole or not at all.
package imports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dispo/models"
	"dispo/models/delivery"
)

// Progress is called with the number of bytes that have been worked on, and their
// total.
type Progress func(done, total int64)

func noProgress(int64, int64) {}

// openFile opens a file to import. It must be a regular file, because it is read
// twice. That is checked before opening: opening a named pipe would wait for a
// writer.
func openFile(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		what := "not a regular file"
		if info.IsDir() {
			what = "a directory"
		}
		return nil, nil, models.NewError(models.KindInvalid, fmt.Sprintf("%s is %s: name a file", path, what))
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, models.NewError(models.KindInvalid, fmt.Sprintf("there is no file %s", path))
	case errors.Is(err, fs.ErrPermission):
		return nil, nil, models.NewError(models.KindInvalid, fmt.Sprintf("cannot read %s: this user has no permission", path))
	case err != nil:
		return nil, nil, models.NewError(models.KindInvalid, fmt.Sprintf("cannot read %s: %v", path, err))
	}
	return file, info, nil
}

// File is a delivery file that is open to be read.
type File struct{ file *os.File }

// Open opens a delivery file as an import does.
func Open(path string) (*File, error) {
	file, _, err := openFile(path)
	return &File{file}, err
}

// Detect returns the layout that the file's start shows.
func (f *File) Detect() (*delivery.Layout, error) { return detect(f.file) }

// Read returns the file's bytes from its start.
func (f *File) Read(ctx context.Context) (io.Reader, error) {
	_, err := f.file.Seek(0, io.SeekStart)
	return f.file, err
}

func (f *File) Close() error { return f.file.Close() }

// filename returns a file's name without its folder, in a form that the database
// can store: bytes that are not UTF-8 are replaced.
func filename(path string) string { return strings.ToValidUTF8(filepath.Base(path), "\ufffd") }

// progressReader reports how far reading has come, and stops when its context ends.
type progressReader struct {
	ctx    context.Context
	source io.Reader
	read   int64
	report func(read int64)
}

func (r *progressReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.source.Read(p)
	r.read += int64(n)
	r.report(r.read)
	return n, err
}
