package delivery

import (
	"bytes"
	"io"
)

// maxLine is the longest line in bytes, without its line end. A longer one is
// bad, and is passed over without being held.
const maxLine = 64 << 10

// bufferSize is what one Read holds of the file: several lines of the greatest
// length, so that little is moved about.
const bufferSize = 256 << 10

// emptyReads is how often in a row a reader may give neither bytes nor an
// error before it counts as stuck.
const emptyReads = 100

// ending says where a line ends.
type ending struct {
	end    byte // the byte that ends a line
	before byte // a byte that belongs to the line end where it stands before end; 0 for none
	width  int  // where positive, lines have this many bytes and no end between them
}

// lines cuts a stream into lines.
type lines struct {
	source io.Reader
	ending ending

	buffer     []byte
	start, top int // buffer[start:top] is read but not yet given out
	searched   int // bytes after start known to hold no line end

	raw   []byte // the current line; valid until next
	ended bool   // the current line had its line end, or its width
	long  bool   // the current line is longer than maxLine, and raw is not set
	count int64  // lines so far, the current one included
	err   error  // why next returned false: io.EOF at the end
}

func newLines(source io.Reader, ending ending) *lines {
	return &lines{source: source, ending: ending, buffer: make([]byte, bufferSize)}
}

// next moves on to the next line, and returns false at the end or where the
// source failed. What follows the last line end is a line only if it is not
// empty.
func (l *lines) next() bool {
	l.long = false
	for {
		if l.cut() {
			l.count++
			return true
		}
		if l.err == io.EOF && (l.start < l.top || l.long) {
			l.raw, l.ended = l.buffer[l.start:l.top], false
			l.long = l.long || len(l.raw) > maxLine
			l.start, l.searched = l.top, 0
			l.count++
			return true
		}
		if l.err != nil {
			return false
		}
		// The line end may take one more byte than the line.
		if l.top-l.start > maxLine+1 {
			l.long = true
			l.start, l.searched = l.top, 0
		}
		l.fill()
	}
}

// cut takes the next whole line from the buffer, if it holds one.
func (l *lines) cut() bool {
	unread := l.buffer[l.start:l.top]
	if width := l.ending.width; width > 0 {
		if len(unread) < width {
			return false
		}
		l.raw, l.ended = unread[:width], true
		l.start += width
		return true
	}
	i := bytes.IndexByte(unread[l.searched:], l.ending.end)
	if i < 0 {
		l.searched = len(unread)
		return false
	}
	i += l.searched
	l.raw, l.ended = unread[:i], true
	if before := l.ending.before; before != 0 && i > 0 && unread[i-1] == before {
		l.raw = unread[:i-1]
	}
	l.long = l.long || len(l.raw) > maxLine
	l.start += i + 1
	l.searched = 0
	return true
}

func (l *lines) fill() {
	if l.start == l.top {
		l.start, l.top = 0, 0
	} else if l.top == len(l.buffer) {
		l.top = copy(l.buffer, l.buffer[l.start:])
		l.start = 0
	}
	for range emptyReads {
		n, err := l.source.Read(l.buffer[l.top:])
		l.top += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}
