package format

import (
	"bytes"
	"strings"
	"unicode"
)

// The greatest figures of an identity.
const (
	maxIdentityFields = 10
	maxIdentityValue  = 200
)

// identity reads what identifies a delivery.
func (s section) identity(format *tableFormat) {
	node := s.values["identity"]
	if node == nil {
		return
	}
	var names []string
	for i := 0; i < len(node.Content); i += 2 {
		names = append(names, node.Content[i].Value)
	}
	if len(names) == 0 || len(names) > maxIdentityFields {
		s.fail("identity", "expected a mapping of 1 to %d names to where they stand", maxIdentityFields)
		return
	}
	fields := s.section("identity", names...)
	for _, name := range names {
		if len(name) > maxName || name == "" || strings.ContainsFunc(name, func(c rune) bool {
			return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_'
		}) {
			fields.fail(name, "expected a name of at most %d ASCII letters, digits and underscores", maxName)
			return
		}
		one := fields.section(name, append(format.placeKeys(), "value", "from_line")...)
		field := identityField{name: name, place: one.place(format)}
		if field.place.constant {
			field.value = bytes.TrimSpace([]byte(one.text("value")))
			if len(field.value) == 0 || len(field.value) > maxIdentityValue || bytes.ContainsFunc(field.value, func(c rune) bool { return !allowed(c) }) {
				one.fail("value", "expected 1 to %d bytes of text without control characters", maxIdentityValue)
			}
		}
		format.identity = append(format.identity, field)
	}
}
