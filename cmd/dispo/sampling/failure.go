package sampling

import (
	"log/slog"
	"strings"
	"unicode"
)

// failuresFirst is how many failures of one kind are logged at once: enough for the
// request ids of a rare failure, which people report.
const failuresFirst = 10

// Failure returns the key of a record about a failure. Failures repeat each other if
// their messages are equal, and so are the texts of their attributes "error" but for
// numbers and ids. So a flood of them does not hide one with another cause.
func Failure(record slog.Record) Key {
	key := Key{Kind: record.Message, First: failuresFirst}
	record.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			key.Subject = withoutNumbers(a.Value.String())
		}
		return true
	})
	return key
}

// withoutNumbers replaces each word that has a digit: ports, ids, addresses in a stack.
func withoutNumbers(text string) string {
	var out strings.Builder
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return !inWord(r) })
		if end < 0 {
			end = len(text)
		}
		if word := text[:end]; strings.ContainsFunc(word, unicode.IsDigit) {
			out.WriteByte('#')
		} else {
			out.WriteString(word)
		}
		between := strings.IndexFunc(text[end:], inWord)
		if between < 0 {
			between = len(text) - end
		}
		out.WriteString(text[end : end+between])
		text = text[end+between:]
	}
	return out.String()
}
