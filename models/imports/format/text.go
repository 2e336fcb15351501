package format

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

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
