package format

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// part returns length characters of text from the zero-based position start
// on, or all from there on where length is 0, and whether text has them.
func part(text []byte, ascii bool, start, length int) ([]byte, bool) {
	if !ascii {
		return partOfRunes(text, start, length)
	}
	if start+length > len(text) {
		return nil, false
	}
	if length == 0 {
		return text[start:], true
	}
	return text[start : start+length], true
}

func partOfRunes(text []byte, start, length int) ([]byte, bool) {
	from, ok := runeOffset(text, start)
	if !ok {
		return nil, false
	}
	text = text[from:]
	if length == 0 {
		return text, true
	}
	to, ok := runeOffset(text, length)
	return text[:to], ok
}

// runeOffset returns where in text its first n characters end.
func runeOffset(text []byte, n int) (offset int, ok bool) {
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
	for _, c := range text {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// quoted shows a value in a reason. It is not for bank numbers.
func quoted(text []byte) string {
	const most = 40
	if end, more := runeOffset(text, most); more && end < len(text) {
		return fmt.Sprintf("%q…", text[:end])
	}
	return fmt.Sprintf("%q", text)
}

// listed joins two or more names into "a, b or c".
func listed(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
