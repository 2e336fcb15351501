// Package imports loads companies and deliveries into the database: each file in
// one transaction, whole or not at all.
package imports

import (
	"errors"
	"fmt"
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

// Filename returns what a file to import is called: its name without its folder, in a
// form that the database can store. Bytes that are not UTF-8 are replaced.
func Filename(path string) string {
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
