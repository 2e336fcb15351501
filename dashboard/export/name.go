package export

import (
	"net/url"
	"strings"
	"unicode"
)

const nameLength = 120 // characters; with the extension, any file system accepts them

// Disposition returns the Content-Disposition of a file with that name (RFC 6266). The
// name may be any text. Characters that a system does not allow in names are replaced.
func Disposition(name string, format Format) string {
	var safe, ascii strings.Builder
	for i, r := range []rune(safeName(name)) {
		if i == nameLength {
			break
		}
		safe.WriteRune(r)
		switch replacement, known := danishLetters[r]; {
		case known:
			ascii.WriteString(replacement)
		case r > unicode.MaxASCII:
			ascii.WriteByte('_')
		default:
			ascii.WriteRune(r)
		}
	}
	extension := format.Extension()
	return `attachment; filename="` + ascii.String() + extension + `"; filename*=UTF-8''` + url.PathEscape(safe.String()+extension)
}

var danishLetters = map[rune]string{'æ': "ae", 'ø': "oe", 'å': "aa", 'Æ': "Ae", 'Ø': "Oe", 'Å': "Aa"}

// safeName keeps letters, digits and single separators between them.
func safeName(name string) string {
	var b strings.Builder
	gap := rune(0)
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.L, unicode.N, unicode.M):
			if gap != 0 && b.Len() > 0 {
				b.WriteRune(gap)
			}
			gap = 0
			b.WriteRune(r)
		case r == ' ' && gap == 0:
			gap = ' '
		case r == '.', r == '_':
			gap = r
		case r != ' ':
			gap = '-'
		}
	}
	return b.String()
}
