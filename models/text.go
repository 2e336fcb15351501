package models

import (
	"fmt"
	"log/slog"
	"net/mail"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"dispo/models/i18n"
)

// The parts of a key's text that masking recognizes. Package keys makes and reads such texts.
const (
	KeyPrefix       = "dispo_"
	SandboxInfix    = "test_" // after KeyPrefix, in the keys of sandboxes
	LookupIDLength  = 12      // in base62, then "_"
	KeySecretLength = 32      // in base62
)

// The parts of a key in texts from outside. Each character may be percent-encoded,
// also repeatedly, and have the wrong case.
var (
	spelledPrefix = spelled(KeyPrefix)
	spelledBase62 = `(?:[0-9a-z]|%(?:25)*(?:3[0-9]|[46][1-9a-f]|[57][0-9a]))`

	// A key, or its beginning with as little as one character of its secret, or a key
	// that is masked already.
	keySecret = regexp.MustCompile(fmt.Sprintf(`(?i)(%s(?:%s)?%s{%d}%s)(?:%s+|…)`,
		spelledPrefix, spelled(SandboxInfix), spelledBase62, LookupIDLength, spelled("_"), spelledBase62))

	// What is too long for anything but a key with typos.
	brokenKey = regexp.MustCompile(
		fmt.Sprintf(`(?i)(%s)(?:%s|%s){%d,}`, spelledPrefix, spelledBase62, spelled("_"), KeySecretLength))
)

// spelled returns a regular expression for a text of lower-case letters and
// underscores.
func spelled(text string) string {
	var expression strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&expression, `(?:%c|%%(?:25)*(?:%x|%x))`, c, c, strings.ToUpper(string(c)))
	}
	return expression.String()
}

// MaskKeys replaces the secret of every API key in a text by "…". What was a key can
// then be stored, shown and logged, and still be found by its lookup id. It masks
// percent-encoded keys, keys that were cut, and keys with typos, too. Mask a text
// before you cut it. Texts without a key are returned as they are.
func MaskKeys(text string) string {
	if !mayHaveKey(text) {
		return text
	}
	return brokenKey.ReplaceAllString(keySecret.ReplaceAllString(text, "$1…"), "$1…")
}

// HasKey reports whether a text contains an API key, also one that MaskKeys has masked.
func HasKey(text string) bool {
	return mayHaveKey(text) && (keySecret.MatchString(text) || brokenKey.MatchString(text))
}

// mayHaveKey is a fast test, because most texts that are tested have no key.
func mayHaveKey(text string) bool {
	if strings.IndexByte(text, '%') >= 0 {
		return true
	}
	return strings.IndexByte(text, '_') >= 0 && strings.Contains(strings.ToLower(text), KeyPrefix)
}

// MaskLog masks the keys in an attribute of a log record. It is a ReplaceAttr of
// slog.HandlerOptions.
func MaskLog(_ []string, attribute slog.Attr) slog.Attr {
	switch value := attribute.Value.Any().(type) {
	case string:
		attribute.Value = slog.StringValue(MaskKeys(value))
	case error:
		attribute.Value = slog.StringValue(MaskKeys(value.Error()))
	}
	return attribute
}

// Storable returns the beginning of a text from outside, with its keys masked, in a
// form that PostgreSQL can store. length is in bytes.
func Storable(text string, length int) string {
	text = MaskKeys(text)
	text = text[:min(len(text), length)]
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}

// NameLength is the most characters that the name of an organization or a key has.
const NameLength = 100

// NameFault completes the sentence "The name …", if a name must not be used: because
// it could not be read for what it is, or would give a key away.
func NameFault(name string) i18n.Message {
	switch {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return i18n.NewMessage("cannot contain control characters")
	case Invisible(name) != "":
		return i18n.NewMessage("cannot contain invisible characters, such as this one's {character}", "character",
			Invisible(name))
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
