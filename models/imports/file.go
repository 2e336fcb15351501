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
)

// Progress is called with the number of bytes that have been worked on, and their
// total.
type Progress func(done, total int64)

func noProgress(int64, int64) {}

// Stdin is the path that stands for standard input.
const Stdin = "-"

// Filename returns what a file to import is called: its name without its folder, in a
// form that the database can store. Bytes that are not UTF-8 are replaced.
func Filename(path string) string {
	if path == Stdin {
		return "standard input"
	}
	return strings.ToValidUTF8(filepath.Base(path), "\ufffd")
}

// openFile opens a regular file. That it is one is checked before opening: opening a
// named pipe would wait for a writer.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		what := "not a regular file"
		if info.IsDir() {
			what = "a directory"
		}
		return nil, models.NewError(models.KindInvalid, fmt.Sprintf("%s is %s: name a file", path, what))
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, models.NewError(models.KindInvalid, fmt.Sprintf("there is no file %s", path))
	case errors.Is(err, fs.ErrPermission):
		return nil, models.NewError(models.KindInvalid, fmt.Sprintf("cannot read %s: this user has no permission", path))
	case err != nil:
		return nil, models.NewError(models.KindInvalid, fmt.Sprintf("cannot read %s: %v", path, err))
	}
	return file, nil
}

// spool copies standard input to a file that has no name, so that nothing is left of
// it when the process ends, however it ends.
func spool(ctx context.Context) (*os.File, error) {
	file, err := os.CreateTemp("", "dispo-")
	if err != nil {
		return nil, cannotSpool(err)
	}
	if err := os.Remove(file.Name()); err != nil {
		_ = file.Close()
		return nil, cannotSpool(err)
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(file, os.Stdin)
		copied <- err
	}()
	select {
	case <-ctx.Done():
		// Nothing can end a read from a terminal or pipe. The process ends soon.
		return nil, ctx.Err()
	case err := <-copied:
		if err != nil {
			_ = file.Close()
			return nil, cannotSpool(err)
		}
		return file, nil
	}
}

func cannotSpool(err error) error {
	return models.NewError(models.KindInvalid, fmt.Sprintf("cannot keep standard input in %s, which TMPDIR sets: %v", os.TempDir(), err))
}
