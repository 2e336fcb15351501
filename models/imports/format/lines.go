package format

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the maximum length of a line in bytes, without its line end. A
// longer line is bad, and is skipped without being kept in memory.
const maxLine = 64 << 10

// bufferSize is how much of the file one Read keeps in memory. It is several
// times maxLine, so that little is copied within the buffer.
const bufferSize = 256 << 10

// ending says where a line ends.
type ending struct {
	end    byte // the byte that ends a line
	before byte // a byte that belongs to the line end if it precedes end; 0 for none
	width  int  // if positive, lines have this many bytes and no line end
}

type lines struct {
	source *bufio.Reader
	ending ending

	raw   []byte // the current line, unless it is long; valid until the next call of next
	ended bool   // the current line has its line end, or its width
	long  bool   // the current line is longer than maxLine
	count int64  // lines so far, including the current one
	err   error  // what ended the stream: io.EOF, or the source's error
}

func newLines(source io.Reader, ending ending) *lines {
	return &lines{source: bufio.NewReaderSize(source, bufferSize), ending: ending}
}

// next advances to the next line, and returns false at the end of the stream
// or if the source failed. What follows the last line end is a line only if it
// is not empty.
func (l *lines) next() bool {
	if l.err != nil {
		return false
	}
	l.raw, l.err = l.read()
	l.long = len(l.raw) > maxLine
	for errors.Is(l.err, bufio.ErrBufferFull) {
		l.long = true
		l.raw, l.err = l.read()
	}
	l.ended = l.err == nil
	if !l.ended && (!errors.Is(l.err, io.EOF) || len(l.raw) == 0 && !l.long) {
		return false
	}
	l.count++
	return true
}

// read returns the next line without its line end. With an error, it returns
// what precedes the error.
func (l *lines) read() ([]byte, error) {
	if l.ending.width > 0 {
		raw, err := l.source.Peek(l.ending.width)
		_, _ = l.source.Discard(len(raw)) // cannot fail: raw is buffered
		return raw, err
	}
	raw, err := l.source.ReadSlice(l.ending.end)
	if err != nil {
		return raw, err
	}
	raw = raw[:len(raw)-1]
	if l.ending.before != 0 {
		raw = bytes.TrimSuffix(raw, []byte{l.ending.before})
	}
	return raw, nil
}
