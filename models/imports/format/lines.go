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
	end    byte   // the byte that ends a line
	before []byte // what belongs to the line end if it precedes end; empty for none
	width  int    // if positive, lines have this many bytes and no line end
	record int    // if positive, so many characters of a record NULs may fill up
}

type lines struct {
	source *bufio.Reader
	ending ending

	raw     []byte // the current line, unless it is long; valid until the next call of next
	ended   bool   // the current line has its line end, or its width
	padding bool   // the current line has nothing but what may follow the last one
	long    bool   // the current line is longer than maxLine
	count   int64  // lines so far, including the current one
	err     error  // what ended the stream: io.EOF, or the source's error
}

func newLines(source io.Reader, ending ending) *lines {
	return &lines{source: bufio.NewReaderSize(source, bufferSize), ending: ending}
}

// padding is what may follow the last line: Ctrl-Z, as DOS ends a file, and NULs, which fill one up.
const padding = "\x1a\x00"

// next advances to the next line, and returns false at the end of the stream
// or if the source failed. What follows the last line end is a line only if it
// is not empty.
func (l *lines) next() bool {
	if l.err != nil {
		return false
	}
	l.raw, l.err = l.read()
	l.long = len(l.raw) > maxLine
	l.padding = len(bytes.TrimLeft(l.raw, padding)) == 0
	for errors.Is(l.err, bufio.ErrBufferFull) {
		l.long = true
		l.raw, l.err = l.read()
		l.padding = l.padding && len(bytes.TrimLeft(l.raw, padding)) == 0
	}
	if l.ended = l.err == nil; !l.ended {
		whole := l.raw
		l.raw, l.long = bytes.TrimRight(whole, padding), l.long && !l.padding
		for n := len(l.raw); 0 < n && n < min(l.ending.record, len(whole)) && whole[n] == 0; n++ {
			l.raw = whole[:n+1]
		}
		if !errors.Is(l.err, io.EOF) || len(l.raw) == 0 && !l.long {
			return false
		}
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
	return bytes.TrimSuffix(raw[:len(raw)-1], l.ending.before), nil
}

// charset is how a file's bytes are characters: UTF-8, or one byte each.
type charset struct {
	name  string
	runes *[256]rune // nil for UTF-8; utf8.RuneError for a byte without meaning
	plain [256]bool  // the byte is a character for itself, the same in ASCII, and may stand in a line
}

var (
	utf8Charset        = newUTF8()
	windows1252Charset = newSingleByte("windows-1252", charmap.Windows1252.DecodeByte)
)

// charsetByName finds UTF-8, or a single-byte encoding under its IANA name. Code pages of
// mainframes are also known as cp277 and so on.
//
// The WHATWG's index of names would not do: there iso-8859-1 means
// windows-1252.
func charsetByName(name string) (*charset, bool) {
	if strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8") {
		return utf8Charset, true
	}
	if decode, ok := codePage(name); ok {
		return newSingleByte(name, decode), true
	}
	encoding, err := ianaindex.IANA.Encoding(name)
	if err != nil {
		return nil, false
	}
	table, ok := encoding.(*charmap.Charmap)
	if !ok {
		return nil, false
	}
	return newSingleByte(name, table.DecodeByte), true
}

func newUTF8() *charset {
	c := &charset{name: "UTF-8"}
	for b := range utf8.RuneSelf {
		c.plain[b] = allowed(rune(b))
	}
	return c
}

func newSingleByte(name string, decode func(byte) rune) *charset {
	c := &charset{name: name, runes: new([256]rune)}
	for b := range c.runes {
		r := decode(byte(b))
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
	nuls    bool // a line may have NULs where nobody reads them
	buffer  []byte

	joined []byte // a line that spans several
}

// decode sets a line's text from its bytes, without the byte-order mark of a file's first
// line, or says why the line cannot be decoded.
func (d *decoder) decode(lines *lines, l *line) (reason string) {
	raw, first := lines.raw, lines.count == 1
	switch {
	case first && !lines.ended && lines.ending.before != nil && bytes.Contains(raw, lines.ending.before):
		return "lines end with CR alone; save them with LF or CRLF, or describe the file in a layout with line_end: cr"
	case !first && lines.ending.end == '\r' && bytes.HasPrefix(raw, []byte("\n")):
		return "lines end with CRLF; leave out line_end: cr"
	case lines.long:
		return fmt.Sprintf("the line is longer than %d bytes", maxLine)
	case first && d.charset.runes == nil:
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	}
	return d.decodeBytes(raw, l)
}

func (d *decoder) decodeBytes(raw []byte, l *line) (reason string) {
	l.text, l.ascii, l.nuls, l.several, l.cut = raw, true, false, false, 0
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
		case r == 0 && d.nuls:
			l.nuls = true
		case r == '\r':
			return fmt.Sprintf("stray carriage return at character %d; lines must end with LF or CRLF", position)
		case !allowed(r):
			return fmt.Sprintf("control character %U at character %d", r, position)
		}
		rest = rest[size:]
	}
	return ""
}

// mostJoined is how many lines one record may span.
const mostJoined = 20

// join adds to a line the next ones, to that where its quoted field ends.
func (d *decoder) join(lines *lines, l *line, s *splitter) (reason string) {
	if _, reason := s.split(l.text); reason != unclosed {
		return "" // whole, or bad in another way
	}
	l.blanked = l.blanked[:0]
	whole := *l
	d.joined = append(d.joined[:0], l.text...)
	rest, err := lines.source.Peek(max(0, maxLine-len(lines.raw)))
	size := len(rest)
	for count := int64(1); count < mostJoined && len(rest) > 0; count++ {
		raw, after, ended := bytes.Cut(rest, []byte{lines.ending.end})
		if rest = after; ended {
			raw = bytes.TrimSuffix(raw, lines.ending.before)
		} else if lines.err = err; !errors.Is(err, io.EOF) {
			break // the line is too long, or the source failed
		} else {
			lines.err = nil
		}
		if reason := d.decodeBytes(raw, l); reason != "" {
			return fmt.Sprintf("%s of line %d", reason, whole.index+1+count)
		}
		d.joined = append(append(d.joined, '\n'), l.text...)
		whole.ascii, whole.nuls, whole.ended = whole.ascii && l.ascii, whole.nuls || l.nuls, ended
		_, reason := s.split(d.joined)
		if reason != "" && reason != unclosed {
			return reason // the next lines are read by themselves
		}
		if reason == "" {
			_, _ = lines.source.Discard(size - len(rest)) // cannot fail: it is buffered
			lines.count += count
			whole.raw, whole.text, whole.several = d.joined, d.joined, true
			*l = whole
			return ""
		}
	}
	return fmt.Sprintf("unclosed double quote; a field can't span more than %d lines or %d bytes", mostJoined, maxLine)
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

// listed joins names into "a, b or c".
func listed(names []string) string {
	last := len(names) - 1
	if last <= 0 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// inQuotes lists texts as quoted shows them.
func inQuotes(list []string) string {
	names := make([]string, len(list))
	for i, text := range list {
		names[i] = fmt.Sprintf("%q", text)
	}
	return listed(names)
}
