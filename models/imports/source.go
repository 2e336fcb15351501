package imports

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"

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
		return nil, refusal(models.KindInvalid, "the file name %q has control or invisible characters: rename the file", name)
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
		unpacked := &unpacked{bufio.NewReaderSize(from, 1<<16), new(gzip.Reader)}
		switch err := unpacked.open(); {
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
			return 0, refusal(models.KindInvalid,
				"%s expands to more than %d GiB: unpack it, and import the file if it is the right one", f.name, f.most>>30)
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
	head, err := f.head(ctx, format.DetectSize)
	if err == nil && chosen == nil {
		chosen = format.Detect(head)
	}
	return chosen, err
}

// head returns the first bytes of the file, at most so many. It refuses a file that is not
// text, and UTF-16.
func (f *sourceFile) head(ctx context.Context, most int64) ([]byte, error) {
	r, err := f.read(ctx, func(int64) {})
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(r, most))
	latin1, _ := charmap.ISO8859_1.NewDecoder().Bytes(head) // cannot fail: every byte is a character
	for _, other := range notText {
		if err == nil && other.start.Match(latin1) {
			return nil, f.refuse(models.KindInvalid, other.what)
		}
	}
	return head, err
}

// notText are the starts of files that are not text in bytes, as Latin-1, and what to do about them.
var notText = []struct {
	start *regexp.Regexp
	what  string
}{
	{regexp.MustCompile(`^\xd0\xcf\x11\xe0|^PK[^/]*(\[Content_Types]\.xml|_rels/|docProps/|xl/|` +
		`mimetypeapplication/vnd.oasis.opendocument.spreadsheet)`), "is a spreadsheet: save it as CSV in UTF-8"},
	{regexp.MustCompile(`^\x1f\x8b`), "is compressed with gzip: let its name end with .gz"},
	{regexp.MustCompile(`^PK(\x03\x04|\x05\x06)`), "is a zip file: unpack it"},
	// With a byte-order mark, or with zeros for every second byte.
	{regexp.MustCompile(`^(\xff\xfe|\xfe\xff|([^\x00]\x00){4}|(\x00[^\x00]){4})`),
		"is UTF-16: save it as UTF-8, or convert it with `iconv -f UTF-16 -t UTF-8`"},
}

// unpacked reads the parts of a gzip file one after the other. Zeros may follow the last
// one, as for gzip itself.
type unpacked struct {
	from *bufio.Reader
	part *gzip.Reader
}

func (u *unpacked) open() error {
	err := u.part.Reset(u.from)
	u.part.Multistream(false)
	return err
}

func (u *unpacked) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil {
		if n, err = u.part.Read(p); errors.Is(err, io.EOF) {
			err = u.next()
		}
	}
	return n, err
}

// next opens the next part. At the end of the file it returns io.EOF.
func (u *unpacked) next() error {
	c, err := u.from.ReadByte()
	if err == nil && c != 0 {
		_ = u.from.UnreadByte() // a byte was read
		return u.open()
	}
	for err == nil && c == 0 {
		c, err = u.from.ReadByte()
	}
	return cmp.Or(err, gzip.ErrHeader)
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
	return refusal(kind, "%s %s", f.name, what)
}

// refusal returns an error with a sentence.
func refusal(kind models.Kind, format string, arguments ...any) *models.Error {
	return models.NewError(kind, fmt.Sprintf(format, arguments...))
}

// explain returns the sentence for an error in reading the file. Any other error is in
// the compressed data.
func (f *sourceFile) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return refusal(models.KindInvalid, "cannot read %s: %v", f.name, path.Err)
	}
	return f.refuse(models.KindInvalid, fmt.Sprintf("is damaged or truncated (%v): get it again", err))
}

// Progress is called with the number of bytes that have been worked on, and their
// total.
type Progress func(done, total int64)

func noProgress(int64, int64) {}

// Head returns the first bytes of a file, at most so many, as an import reads it.
func Head(ctx context.Context, path string, most int64) ([]byte, error) {
	source, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer source.close()
	return source.head(ctx, most)
}

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
		return nil, refusal(models.KindInvalid, "%s is %s: name a file", path, what)
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refusal(models.KindInvalid, "there is no file %s", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, refusal(models.KindInvalid, "cannot read %s: this user has no permission", path)
	case err != nil:
		return nil, refusal(models.KindInvalid, "cannot read %s: %v", path, err)
	}
	return file, nil
}

// BadFile is the error of a file that was refused for bad lines. Nothing of it was
// stored. A line appears once for each of its bad fields.
type BadFile struct {
	Filename string
	Lines    []format.BadLine // the first badLinesShown, in the file's order
	More     int64            // the number of further ones

	count int64 // of lines, each counted once
	last  int64 // the number of the latest line

	notUTF8 bool
	checked bool // it was not to be imported
}

const (
	badLinesShown = 20
	badLinesMost  = 1000
)

// add counts a bad line. It returns the file as an error when there are so many that
// reading further is of no use.
func (f *BadFile) add(line format.BadLine) error {
	if line.Line != f.last {
		f.count, f.last = f.count+1, line.Line
	}
	if len(f.Lines) < badLinesShown {
		f.Lines = append(f.Lines, line)
	} else {
		f.More++
	}
	f.notUTF8 = f.notUTF8 || strings.Contains(line.Reason, "UTF-8")
	if f.count > badLinesMost {
		return f
	}
	return nil
}

// Error lists the bad lines with number, field and reason, each on a line of its
// own.
func (f *BadFile) Error() string {
	var text strings.Builder
	many, noun := strconv.FormatInt(f.count, 10), "bad lines"
	switch {
	case f.count > badLinesMost:
		many = "more than 1,000"
	case f.count == 1:
		noun = "bad line"
	}
	fmt.Fprintf(&text, "%s has %s %s", f.Filename, many, noun)
	if !f.checked {
		text.WriteString(", so nothing of it was imported")
	}
	text.WriteString(":")
	for _, line := range f.Lines {
		fmt.Fprintf(&text, "\n  %s", line)
	}
	switch {
	case f.count > badLinesMost:
		text.WriteString("\n  and more")
	case f.More > 0:
		fmt.Fprintf(&text, "\n  and %d more", f.More)
	}
	if f.notUTF8 {
		text.WriteString("\n  If the file is Latin-1, convert it with `iconv -f WINDOWS-1252 -t UTF-8`. " +
			"A delivery can also be read by a layout that names its encoding.")
	}
	return text.String()
}

// Checked is what a delivery file holds.
type Checked struct {
	Layout string
	format.Summary
	Names []string // of the deliveries that it identifies itself as
}

// Check reads a delivery file as [Delivery] does, without a database, and calls record for
// each good record. The layout is nil to detect it. Errors: *BadFile for bad lines, else
// one sentence.
func Check(
	ctx context.Context, path string, layout *format.Layout, record func(*format.Record) error,
) (Checked, error) {
	source, err := openSource(path)
	if err != nil {
		return Checked{}, err
	}
	defer source.close()
	if layout, err = source.layout(ctx, layout); err != nil {
		return Checked{}, err
	}
	reader, err := source.read(ctx, func(int64) {})
	if err != nil {
		return Checked{}, err
	}
	bad := &BadFile{Filename: Filename(path), checked: true}
	summary, identity, err := layout.Identify(reader, record, bad.add)
	if err == nil && len(bad.Lines) > 0 {
		err = bad
	}
	return Checked{layout.Name(), summary, identity.Names}, err
}
