package models

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"dispo/models/i18n"
)

// NameLength is the most characters that the name of an organization or a key has.
const NameLength = 100

// NameFault completes the sentence "The name …", if a name must not be used: because
// it could not be read for what it is, or would give a key away.
func NameFault(name string) i18n.Message {
	switch {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return i18n.NewMessage("cannot contain control characters")
	case Invisible(name) != "":
		return i18n.NewMessage("cannot contain invisible characters, such as this one's {character}", "character", Invisible(name))
	case HasKey(name):
		return i18n.NewMessage("cannot contain an API key")
	}
	return i18n.Message{}
}

// Invisible returns the code point, such as U+202E, of the first character in a text
// that shows nothing and can change how the rest is shown, or "". These are the
// bidirectional controls, the other format characters, and the line separators.
func Invisible(text string) string {
	for _, r := range text {
		if r >= utf8.RuneSelf && unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}
