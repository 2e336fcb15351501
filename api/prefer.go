package api

import (
	"strings"

	"github.com/gofiber/fiber/v2"
)

const (
	headerPrefer      = "Prefer"
	headerPreferenced = "Preference-Applied"
)

// preference returns the value of one of the caller's preferences (RFC 7240), or "" if
// the caller does not send it or gives it no value. If it is sent twice, the first counts.
func preference(c *fiber.Ctx, name string) string {
	for _, line := range c.Request().Header.PeekAll(headerPrefer) {
		for rest := string(line); rest != ""; {
			var one string
			one, rest = cutUnquoted(rest, ',')
			one, _ = cutUnquoted(one, ';') // its parameters
			found, value, _ := strings.Cut(one, "=")
			if strings.EqualFold(strings.TrimSpace(found), name) {
				return strings.Trim(strings.TrimSpace(value), `"`)
			}
		}
	}
	return ""
}

// cutUnquoted cuts a text at the first separator that is not in a quoted string.
func cutUnquoted(text string, separator byte) (before, after string) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++ // the next character is taken as it is
		case c == separator && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}
