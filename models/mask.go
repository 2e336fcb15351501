package models

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

// What masks know of the text of a key, which package keys makes and reads.
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
		fmt.Sprintf(`(?i)(%s)(?:%s|%s){%d,}`, spelledPrefix, spelledBase62, spelled("_"), KeySecretLength),
	)
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
