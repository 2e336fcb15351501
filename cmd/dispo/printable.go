package main

import (
	"strconv"
	"strings"
)

// printable escapes the characters of a text from outside that could control the
// terminal or cannot be seen: an ESC becomes \x1b, and a line end \n.
func printable(text string) string {
	var escaped strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		if strconv.IsGraphic(r) {
			escaped.WriteRune(r)
		} else {
			escaped.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return escaped.String()
}
