package format

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
		s.fail("decimals", "missing; expected the number of implied decimals, or decimal_separator")
	case !s.has("decimals"):
		a.decimals = -1
	case a.decimals == 0 && s.has("decimal_separator"):
		s.fail("decimals", "must not be 0 with a decimal_separator")
	case a.decimals > 0 && !s.has("decimal_separator"):
		s.refuse("requires a decimal_separator or decimals: 0", "thousands_separator")
	}
	if s.has("thousands_separator") && bytes.Equal(a.point, a.thousands) {
		s.fail("thousands_separator", "must differ from decimal_separator")
	}
	s.section("sign", append(format.placeKeys(), "at", "negative", "positive")...).sign(format)
	a.describe()
}

// separator reads a character inside amounts.
func (s section) separator(format *tableFormat, key string) string {
	character := s.character(key)
	if strings.ContainsAny(character, `0123456789"`) {
		s.fail(key, "expected a character other than a digit or double quote")
	}
	if !format.fixed && !format.quotes && character == string(rune(format.delimiter)) {
		s.fail(key, "must differ from the delimiter unless quote is true")
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
		s.fail("negative", "must not be blank or the same as positive")
	}
	if s.has("start") || s.has("length") || s.has("column") {
		s.refuse("not allowed with start, length or column", "at")
		a.sign = signElsewhere
		format.sign = &signField{place: s.place(format), negative: a.negative, positive: a.positive}
		return
	}
	switch s.choice("at", "leading", "trailing", "none") {
	case "trailing":
		a.sign = signTrailing
	case "none":
		a.sign = signElsewhere
		s.refuse("not allowed with at: none", "negative", "positive")
	}
	if strings.ContainsFunc(string(a.negative)+string(a.positive), unicode.IsDigit) {
		s.fail("negative", "negative and positive must not contain digits unless the sign is a field of its own")
	}
}
