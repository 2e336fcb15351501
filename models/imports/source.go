package imports

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"dispo/models"
	"dispo/models/imports/format"
)

// expandMost is how many bytes a compressed file may expand to.
const expandMost = 16 << 30

// source is what is imported: a file, standard input, or the file in a .gz or .zip. It
// can be read from its start any number of times, in memory that does not grow with
// it.
type source struct {
	name string // in messages
	file *os.File
	info os.FileInfo // as the file was when it was opened
	open func(*source, *filePart) (io.Reader, error)
	most int64
}

func openSource(ctx context.Context, path string) (*source, error) {
	var file *os.File
	var err error
	if path == Stdin {
		file, err = spool(ctx)
	} else {
		file, err = openFile(path)
	}
	if err != nil {
		return nil, err
	}
	s, err := newSource(path, file)
	if err != nil {
		_ = file.Close()
	}
	return s, err
}

func newSource(path string, file *os.File) (*source, error) {
	s := &source{name: path, file: file, open: plain, most: math.MaxInt64}
	if path == Stdin {
		s.name = Filename(path)
	}
	var err error
	if s.info, err = file.Stat(); err != nil {
		return nil, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz":
		s.open, s.most = gunzip, expandMost
	case ".zip":
		s.open, s.most = unzip, expandMost
	}
	return s, nil
}

func (s *source) close() { _ = s.file.Close() }

// size is how many bytes a reading reports when it is done.
func (s *source) size() int64 { return s.info.Size() }

// reader starts reading from the start. It reports how many bytes of the file have
// been read, compressed or not.
func (s *source) reader(ctx context.Context, report func(read int64)) (io.Reader, error) {
	part := &filePart{ctx: ctx, file: s.file, report: report}
	r, err := s.open(s, part)
	if err != nil {
		return nil, s.explain(part, err)
	}
	return &sourceReader{source: s, part: part, r: r}, nil
}

// detect returns the layout that the start shows.
func (s *source) detect(ctx context.Context) (*format.Layout, error) {
	r, err := s.reader(ctx, func(int64) {})
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(r, format.DetectSize))
	return format.Detect(head), err
}

// sum returns a hash of everything that can be read.
func (s *source) sum(ctx context.Context, report func(read int64)) (sum [sha256.Size]byte, err error) {
	r, err := s.reader(ctx, report)
	if err != nil {
		return sum, err
	}
	digest := sha256.New()
	_, err = io.CopyBuffer(digest, r, make([]byte, 1<<18))
	digest.Sum(sum[:0])
	return sum, err
}

// changed returns an error if the file is not as it was when it was opened.
func (s *source) changed() error {
	now, err := s.file.Stat()
	if err != nil || now.Size() != s.info.Size() || !now.ModTime().Equal(s.info.ModTime()) {
		return s.errChanged()
	}
	return nil
}

func (s *source) errChanged() error {
	return s.refuse(models.KindConflict, "changed while it was read: import it again once it is complete")
}

func (s *source) refuse(kind models.Kind, what string) error {
	return models.NewError(kind, s.name+" "+what)
}

// sourceReader bounds what is read, and explains errors.
type sourceReader struct {
	source *source
	part   *filePart
	r      io.Reader
	read   int64
}

func (r *sourceReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.read += int64(n)
	switch {
	case r.read > r.source.most:
		return 0, r.source.refuse(models.KindInvalid, fmt.Sprintf("expands to more than %d GiB: unpack it, and import the file if it is the right one", r.source.most>>30))
	case errors.Is(err, gzip.ErrHeader):
		// The header at the start has been read already.
		return n, r.source.refuse(models.KindInvalid, "is damaged: something else follows its compressed data")
	case err != nil && !errors.Is(err, io.EOF):
		return n, r.source.explain(r.part, err)
	}
	return n, err
}

// explain returns the sentence for an error in reading the source. What is no error of
// the file itself is one of its compressed content.
func (s *source) explain(part *filePart, err error) error {
	var known *models.Error
	var file *fs.PathError
	switch {
	case errors.As(err, &known):
		return err
	case part.ctx.Err() != nil:
		return part.ctx.Err()
	case errors.As(err, &file):
		return models.NewError(models.KindInvalid, fmt.Sprintf("cannot read %s: %v", s.name, file.Err))
	}
	return s.refuse(models.KindInvalid, fmt.Sprintf("is damaged or truncated (%v): get it again", err))
}

// filePart reads a file at any place, reports how far it has come, and stops when its
// context ends.
type filePart struct {
	ctx    context.Context
	file   *os.File
	report func(read int64)
}

func (f *filePart) ReadAt(p []byte, at int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.file.ReadAt(p, at)
	f.report(at + int64(n))
	return n, err
}

// all reads from the start to wherever the file ends.
func (f *filePart) all() io.Reader { return io.NewSectionReader(f, 0, math.MaxInt64) }

func plain(_ *source, part *filePart) (io.Reader, error) { return part.all(), nil }

func gunzip(s *source, part *filePart) (io.Reader, error) {
	r, err := gzip.NewReader(bufio.NewReaderSize(part.all(), 1<<16))
	if errors.Is(err, gzip.ErrHeader) {
		return nil, s.refuse(models.KindInvalid, "is not a gzip file: rename it if it is not compressed")
	}
	return r, err
}

// File is a delivery file that is open to be read.
type File struct{ source *source }

// Open opens a delivery file as an import does.
func Open(ctx context.Context, path string) (*File, error) {
	source, err := openSource(ctx, path)
	return &File{source}, err
}

// Detect returns the layout that the file's start shows.
func (f *File) Detect(ctx context.Context) (*format.Layout, error) { return f.source.detect(ctx) }

// Read returns the file's bytes from its start.
func (f *File) Read(ctx context.Context) (io.Reader, error) {
	return f.source.reader(ctx, func(int64) {})
}

// Close closes the file.
func (f *File) Close() { f.source.close() }
