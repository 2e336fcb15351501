package i18n

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Numbers, dates and times have the form of their language. Amounts lose no digit.
func TestFormats(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	at := time.Date(2026, 11, 21, 14, 5, 6, 0, zone)
	for _, c := range []struct{ got, want string }{
		{English.Number(-1234567), "−1,234,567"},
		{Danish.Number(-1234567), "−1.234.567"},
		{English.Amount("1234.50"), "1,234.50"},
		{Danish.Amount("1234.50"), "1.234,50"},
		{Danish.Amount("12345678901234567890.05"), "12.345.678.901.234.567.890,05"},
		{Danish.Amount("1e5"), "1e5"},
		{English.Date(at), "2026-11-21"},
		{Danish.Date(at), "21.11.2026"},
		{English.Time(at), "2026-11-21 14:05"},
		{Danish.Time(at), "21.11.2026 14.05"},
		{Danish.Time(at.UTC()), "21.11.2026 13.05 UTC"},
		{Danish.ExactTime(at), "21.11.2026 14.05.06 CET"},
		{English.ShortDay(at), "21 Nov"},
		{Danish.ShortDay(at), "21. nov."},
		{Language("").Time(at), "2026-11-21 14:05"},
	} {
		assert.Equal(t, c.want, c.got)
	}
}

// A text without a translation is in English, with its parameters.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Danish.T("Sign in"), "Log ind"},
		{English.T("Sign in"), "Sign in"},
		{Danish.T("of {a} and {b}", "b", "{a}", "a", 1000), "of 1.000 and {a}"},
		{Danish.T("{unknown"), "{unknown"},
		{Danish.N(1, "{n} day", "{n} days"), "1 dag"},
		{Danish.N(0, "{n} day", "{n} days"), "0 dage"},
		{Danish.N(1234, "{n} day", "{n} days"), "1.234 dage"},
		{English.N(1, "{n} day", "{n} days"), "1 day"},
		{English.N(1, "{n} day of {what}", "{n} days of {what}", "what", "rest"), "1 day of rest"},
	} {
		assert.Equal(t, c.want, c.got)
	}
}

// The first of the browser's languages that is offered is taken, or else English.
func TestMatch(t *testing.T) {
	all := matching(English, Danish)
	for header, want := range map[string]Language{
		"": English, "da": Danish, "da-DK,da;q=0.9,en;q=0.8": Danish, "en-GB,en;q=0.9,da;q=0.5": English, "fr,de;q=0.9": English,
		"fr,da;q=0.5": Danish, "en;q=0.1,da": Danish, "*": English, "da;q=x,\x00": English, "sv,en;q=0.5": English,
	} {
		assert.Equal(t, want, all.match(header), header)
	}
}
