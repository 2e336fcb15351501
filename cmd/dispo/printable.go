package main

import (
	"strconv"
	"strings"
)

// printable escapes the characters of a text from outside that could control the
// terminal or cannot be seen: an ESC becomes \x1b, and a line end \n.
func printable(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var escaped strings.Builder
	for _, r := range text {
		if hidden(r) {
			escaped.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			escaped.WriteRune(r)
		}
	}
	return escaped.String()
}

func hidden(r rune) bool { return !strconv.IsGraphic(r) }
