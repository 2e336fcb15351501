package models

import (
	"fmt"
	"net/mail"
	"strconv"
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
		return i18n.NewMessage(
			"cannot contain invisible characters, such as this one's {character}",
			"character",
			Invisible(name),
		)
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
		if r >= utf8.RuneSelf &&
			unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}

// EmailLength is the longest e-mail address in bytes (RFC 5321 section 4.5.3.1.3, less
// the brackets).
const EmailLength = 254

// ReadEmail returns an e-mail address in lower case. One with an IP address in place of a domain
// (RFC 5321's address literal) is refused, because nobody gets mail there. Errors: KindInvalid.
func ReadEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	address, err := mail.ParseAddress(text)
	if err != nil || address.Address != text || len(text) > EmailLength || Invisible(text) != "" || HasKey(text) ||
		strings.HasSuffix(text, "]") {
		return "", NewError(KindInvalid, "{email} is not a valid e-mail address", "email", strconv.Quote(MaskKeys(text)))
	}
	return strings.ToLower(text), nil
}
