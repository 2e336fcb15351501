package ledger

import "strings"

// ParseCVR returns the 8 digits of a CVR as people write it: with the country's letters
// before it, or with spaces between its digits, as in DK94379792 and 94 37 97 92.
func ParseCVR(text string) (string, bool) {
	digits := CVRDigits(text)
	return digits, len(digits) == 8
}

// CVRDigits returns the digits of text that may be a CVR or its beginning. It is empty
// for any other text.
func CVRDigits(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 2 && strings.EqualFold(text[:2], "DK") {
		text = text[2:]
	}
	digits := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "-", "", ".", "").Replace(text)
	if len(digits) > 8 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}
