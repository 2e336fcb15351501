package format

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
)

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
