package export

import (
	"mime"
	"strings"
	"unicode"
)

const nameLength = 120 // characters; with the extension, any file system accepts them

// Disposition returns the Content-Disposition of a file with that name (RFC 6266). The
// name may be any text. Characters that a system does not allow in names are replaced.
func Disposition(name string, format Format) string {
	extension := strings.TrimSuffix(string(format), "-da")
	return mime.FormatMediaType("attachment", map[string]string{"filename": safeName(name) + "." + extension})
}

// safeName keeps letters, digits and single separators between them.
func safeName(name string) string {
	var parts []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.N, unicode.M) && !strings.ContainsRune(" ._", r)
	}) {
		if part = strings.Trim(strings.Join(strings.Fields(part), " "), " ."); part != "" {
			parts = append(parts, part)
		}
	}
	safe := []rune(strings.Join(parts, "-"))
	return string(safe[:min(len(safe), nameLength)])
}
