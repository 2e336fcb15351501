package imports

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"dispo/models"
	"dispo/models/imports/format"
)

// expandMost is how many bytes a compressed file may expand to.
const expandMost = 16 << 30

// sourceFile is what is imported: a file, or the file in a .gz. It can be read
// from its start any number of times, in memory that does not grow with it.
type sourceFile struct {
	name   string // in messages
	file   *os.File
	info   os.FileInfo // as the file was when it was opened
	packed bool
	most   int64 // bytes that it may expand to
}

func openSource(path string) (*sourceFile, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	f, err := newFile(path, file)
	if err != nil {
		_ = file.Close()
	}
	return f, err
}

func newFile(path string, file *os.File) (f *sourceFile, err error) {
	if name := filepath.Base(path); strings.ContainsFunc(name, unicode.IsControl) || models.Invisible(name) != "" {
		return nil, models.NewError(
			models.KindInvalid,
			fmt.Sprintf("the file name %q has control or invisible characters: rename the file", name),
		)
	}
	f = &sourceFile{name: path, file: file, most: math.MaxInt64}
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		f.packed, f.most = true, expandMost
	}
	f.info, err = file.Stat()
	return f, err
}

func (f *sourceFile) close() { _ = f.file.Close() }

// size is how many bytes a reading reports when it is done.
func (f *sourceFile) size() int64 { return f.info.Size() }

// read starts reading from the start. It reports how many bytes of the file have been
// read, compressed or not.
// What it returns stops when ctx ends, bounds what is read, and explains errors.
func (f *sourceFile) read(ctx context.Context, report func(read int64)) (io.Reader, error) {
	at, left := int64(0), f.most
	var from io.Reader = readerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := f.file.ReadAt(p, at)
		at += int64(n)
		report(at)
		return n, err
	})
	if f.packed {
		unpacked, err := gzip.NewReader(bufio.NewReaderSize(from, 1<<16))
		switch {
		case errors.Is(err, gzip.ErrHeader):
			return nil, f.refuse(models.KindInvalid, "is not a gzip file: rename it if it is not compressed")
		case err != nil:
			return nil, f.explain(ctx, err)
		}
		from = unpacked
	}
	return readerFunc(func(p []byte) (int, error) {
		n, err := from.Read(p)
		left -= int64(n)
		switch {
		case left < 0:
			return 0, f.refuse(
				models.KindInvalid,
				fmt.Sprintf("expands to more than %d GiB: unpack it, and import the file if it is the right one", f.most>>30),
			)
		case errors.Is(err, gzip.ErrHeader):
			// The header at the start has been read already.
			return n, f.refuse(models.KindInvalid, "is damaged: something else follows its compressed data")
		case err != nil && !errors.Is(err, io.EOF):
			return n, f.explain(ctx, err)
		}
		return n, err
	}), nil
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// layout returns the chosen layout, or the one that the start shows.
func (f *sourceFile) layout(ctx context.Context, chosen *format.Layout) (*format.Layout, error) {
	if chosen != nil {
		return chosen, nil
	}
	r, err := f.read(ctx, func(int64) {})
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(r, format.DetectSize))
	return format.Detect(head), err
}

// changed returns an error if the file is not as it was when it was opened.
func (f *sourceFile) changed() error {
	now, err := f.file.Stat()
	if err != nil || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
		return f.errChanged()
	}
	return nil
}

func (f *sourceFile) errChanged() error {
	return f.refuse(models.KindConflict, "changed while it was read: import it again once it is complete")
}

func (f *sourceFile) refuse(kind models.Kind, what string) error {
	return models.NewError(kind, f.name+" "+what)
}

// explain returns the sentence for an error in reading the file. Any other error is in
// the compressed data.
func (f *sourceFile) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return models.NewError(models.KindInvalid, fmt.Sprintf("cannot read %s: %v", f.name, path.Err))
	}
	return f.refuse(models.KindInvalid, fmt.Sprintf("is damaged or truncated (%v): get it again", err))
}
