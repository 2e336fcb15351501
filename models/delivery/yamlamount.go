package delivery

import (
	"bytes"
	"strings"
	"unicode"
)

func (s section) amount(format *tableFormat) {
	a := &amountFormat{
		point:     []byte(s.separator(format, "decimal_separator")),
		thousands: []byte(s.separator(format, "thousands_separator")),
		decimals:  s.number("decimals", 0, maxDecimals),
		padded:    true,
	}
	format.amount = a
	switch {
	case !s.has("decimals") && !s.has("decimal_separator"):
		s.fail("decimals", "is missing; expected how many decimals are implied, or decimal_separator")
	case !s.has("decimals"):
		a.decimals = -1
	case a.decimals == 0 && s.has("decimal_separator"):
		s.fail("decimals", "0 decimals have no decimal_separator")
	case a.decimals > 0 && !s.has("decimal_separator"):
		s.refuse("needs a decimal_separator, or decimals: 0", "thousands_separator")
	}
	if s.has("thousands_separator") && bytes.Equal(a.point, a.thousands) {
		s.fail("thousands_separator", "is the decimal_separator too")
	}
	s.section("sign", append(format.placeKeys(), "at", "negative", "positive")...).sign(format)
	a.describe()
}

// separator reads a character inside amounts.
func (s section) separator(format *tableFormat, key string) string {
	character := s.character(key)
	if strings.ContainsAny(character, `0123456789"`) {
		s.fail(key, "expected a character that is no digit and no double quote")
	}
	if !format.fixed && !format.quotes && character == string(rune(format.delimiter)) {
		s.fail(key, "is the delimiter too; that needs quote: true")
	}
	return character
}

func (s section) sign(format *tableFormat) {
	a := format.amount
	a.negative = []byte("-")
	if s.has("negative") {
		a.negative = []byte(strings.TrimSpace(s.text("negative")))
	}
	a.positive = []byte(strings.TrimSpace(s.text("positive")))
	if len(a.negative) == 0 || bytes.Equal(a.negative, a.positive) {
		s.fail("negative", "expected a text that is not blank and not that of positive")
	}
	if s.has("start") || s.has("length") || s.has("column") {
		s.refuse("can't stand beside the place of a field of its own", "at")
		a.sign = signElsewhere
		format.sign = &signField{place: s.place(format), negative: a.negative, positive: a.positive}
		return
	}
	switch s.choice("at", "leading", "trailing", "none") {
	case "trailing":
		a.sign = signTrailing
	case "none":
		a.sign = signElsewhere
		s.refuse("can't stand beside at: none", "negative", "positive")
	}
	if strings.ContainsFunc(string(a.negative)+string(a.positive), unicode.IsDigit) {
		s.fail("negative", "neither it nor positive can have digits where they stand with the amount's")
	}
}
