package models

import (
	"net/mail"
	"strconv"
	"strings"
)

// EmailLength is the longest e-mail address in bytes (RFC 5321 section 4.5.3.1.3, less
// the brackets).
const EmailLength = 254

// ReadEmail returns an e-mail address in lower case. Errors: KindInvalid.
func ReadEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	address, err := mail.ParseAddress(text)
	if err != nil || address.Address != text || len(text) > EmailLength || Invisible(text) != "" || HasKey(text) {
		return "", NewError(KindInvalid, "{email} is not a valid e-mail address", "email", strconv.Quote(MaskKeys(text)))
	}
	return strings.ToLower(text), nil
}

// ReadNotificationAddress returns an e-mail address in lower case, or "" for none.
// Errors: KindInvalid.
func ReadNotificationAddress(text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	return ReadEmail(text)
}
