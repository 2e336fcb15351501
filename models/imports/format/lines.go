package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
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

// charset is how a file's bytes are characters: UTF-8, or one byte each.
type charset struct {
	name  string
	runes *[256]rune // nil for UTF-8; utf8.RuneError for a byte without meaning
	plain [256]bool  // the byte is a character for itself, the same in ASCII, and may stand in a line
}

var (
	utf8Charset        = newUTF8()
	windows1252Charset = newSingleByte("windows-1252", charmap.Windows1252)
)

// charsetByName finds UTF-8, or a single-byte encoding under its IANA name.
//
// The WHATWG's index of names would not do: there iso-8859-1 means
// windows-1252.
func charsetByName(name string) (*charset, bool) {
	if strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8") {
		return utf8Charset, true
	}
	encoding, err := ianaindex.IANA.Encoding(name)
	if err != nil {
		return nil, false
	}
	table, ok := encoding.(*charmap.Charmap)
	if !ok {
		return nil, false
	}
	return newSingleByte(name, table), true
}

func newUTF8() *charset {
	c := &charset{name: "UTF-8"}
	for b := range utf8.RuneSelf {
		c.plain[b] = allowed(rune(b))
	}
	return c
}

func newSingleByte(name string, table *charmap.Charmap) *charset {
	c := &charset{name: name, runes: new([256]rune)}
	for b := range c.runes {
		r := table.DecodeByte(byte(b))
		c.runes[b] = r
		c.plain[b] = r == rune(b) && r < utf8.RuneSelf && allowed(r)
	}
	return c
}

// allowed reports whether a character may stand in a line.
func allowed(r rune) bool { return r == '\t' || !unicode.IsControl(r) }

func (c *charset) byteOf(r rune) (byte, bool) {
	if c.runes == nil {
		return byte(r), r < utf8.RuneSelf
	}
	for b, have := range c.runes {
		if have == r {
			return byte(b), true
		}
	}
	return 0, false
}

// decoder decodes one line after the other, in memory that it uses again.
type decoder struct {
	charset *charset
	buffer  []byte
}

// decode sets a line's text from its bytes, without the byte-order mark of a file's first
// line, or says why the line cannot be decoded.
func (d *decoder) decode(lines *lines, l *line) (reason string) {
	raw := lines.raw
	if lines.long {
		return fmt.Sprintf("the line is longer than %d bytes", maxLine)
	}
	if lines.count == 1 && d.charset.runes == nil {
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	}
	l.text, l.ascii = raw, true
	for _, b := range raw {
		if !d.charset.plain[b] {
			l.ascii = false
			break
		}
	}
	if l.ascii {
		return ""
	}
	if runes := d.charset.runes; runes != nil {
		d.buffer = d.buffer[:0]
		for _, b := range raw {
			d.buffer = utf8.AppendRune(d.buffer, runes[b])
		}
		l.text = d.buffer
		l.ascii = len(l.text) == len(raw)
	}
	position := 0
	for rest := l.text; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		position++
		switch {
		case r == utf8.RuneError && d.charset.runes != nil:
			return fmt.Sprintf("byte 0x%02X at character %d is not valid in %s", raw[position-1], position, d.charset.name)
		case r == utf8.RuneError && size == 1:
			return fmt.Sprintf("byte 0x%02X at character %d is not valid UTF-8", rest[0], position)
		case r == '\r':
			return fmt.Sprintf("stray carriage return at character %d; lines must end with LF or CRLF", position)
		case !allowed(r):
			return fmt.Sprintf("control character %U at character %d", r, position)
		}
		rest = rest[size:]
	}
	return ""
}

// part returns length characters of text from the zero-based position start
// on, or all from there on where length is 0, and whether text has them.
func part(text []byte, ascii bool, start, length int) ([]byte, bool) {
	from, ok := offsetOf(text, ascii, start)
	if !ok {
		return nil, false
	}
	text = text[from:]
	if length == 0 {
		return text, true
	}
	to, ok := offsetOf(text, ascii, length)
	return text[:to], ok
}

// offsetOf returns where in text its first n characters end, and whether it has as many.
func offsetOf(text []byte, ascii bool, n int) (offset int, ok bool) {
	if ascii {
		return min(n, len(text)), n <= len(text)
	}
	for ; n > 0; n-- {
		if offset == len(text) {
			return offset, false
		}
		_, size := utf8.DecodeRune(text[offset:])
		offset += size
	}
	return offset, true
}

// characters counts those of valid UTF-8. Unlike utf8.RuneCount it never
// copies a long text.
func characters(text []byte) (n int) {
	for _, b := range text {
		if utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

// isBlank reports whether a line has nothing but spaces and tabs.
func isBlank(text []byte) bool {
	return len(bytes.Trim(text, " \t")) == 0
}

// quoted shows a value in a reason. It is not for bank numbers.
func quoted(text []byte) string {
	const most = 40
	const ascii = false
	if end, more := offsetOf(text, ascii, most); more && end < len(text) {
		return fmt.Sprintf("%q…", text[:end])
	}
	return fmt.Sprintf("%q", text)
}

// listed joins two or more names into "a, b or c".
func listed(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
