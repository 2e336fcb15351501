package api

import (
	"time"

	"github.com/bytedance/sonic"
	"github.com/gofiber/fiber/v2"
)

// encodeJSON encodes the API's answers. They consist of strings and numbers in
// structs, so the encoder's settings for HTML, maps and marshalers don't matter.
var encodeJSON = sonic.ConfigFastest.Marshal

// sendJSON answers with a body that is already JSON. The body must not be changed
// afterwards.
func sendJSON(c *fiber.Ctx, body []byte) {
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	c.Response().SetBodyRaw(body)
}

// date returns a day as "2026-01-31".
func date(t time.Time) string {
	var text [len(time.DateOnly)]byte
	return string(appendDate(text[:0], t.UTC()))
}

// instant returns a time as "2026-01-31T12:00:00.000Z" (RFC 3339, in UTC with
// milliseconds). A page has 150 of them, and time.Format takes three times as long.
func instant(t time.Time) string {
	t = t.UTC()
	hour, minute, second := t.Clock()
	var text [len("2026-01-31T12:00:00.000Z")]byte
	b := append(appendDate(text[:0], t), 'T')
	b = append(appendDigits(b, hour, 2), ':')
	b = append(appendDigits(b, minute, 2), ':')
	b = append(appendDigits(b, second, 2), '.')
	return string(append(appendDigits(b, t.Nanosecond()/1_000_000, 3), 'Z'))
}

func appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	b = append(appendDigits(b, year, 4), '-')
	b = append(appendDigits(b, int(month), 2), '-')
	return appendDigits(b, day, 2)
}

// appendDigits appends the last digits of a number, with leading zeros.
func appendDigits(b []byte, n, digits int) []byte {
	start := len(b)
	b = append(b, "0000"[:digits]...)
	for i := len(b) - 1; i >= start; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}

func nullableInstant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := instant(*t)
	return &text
}
