package retention

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Length is a length of time in hours, days or years of the calendar, such as 12h, 35d or 2y.
// Its zero value is none.
type Length struct {
	count int
	unit  byte
}

// mostDays bounds a length, so that a time that is so far away can be stored.
const mostDays = 100_000

// UnmarshalText reads a length.
func (l *Length) UnmarshalText(text []byte) error {
	expected := errors.New("expected hours, days or years such as 12h, 35d or 2y")
	if len(text) == 0 {
		return expected
	}
	count, err := strconv.Atoi(string(text[:len(text)-1]))
	read := Length{count, text[len(text)-1]}
	if days := read.hours() / 24; err != nil || count < 1 || count > mostDays || days > mostDays || read.hours() == 0 {
		return expected
	}
	*l = read
	return nil
}

// hours returns how many hours the length has, a year with 365 days.
func (l Length) hours() int { return l.count * map[byte]int{'h': 1, 'd': 24, 'y': 24 * 365}[l.unit] }

// Shorter reports whether the length is shorter than another.
func (l Length) Shorter(than Length) bool { return l.hours() < than.hours() }

// After returns the time that comes the length after another. Days and years are those of the
// calendar where that is.
func (l Length) After(t time.Time) time.Time {
	switch l.unit {
	case 'd':
		return t.AddDate(0, 0, l.count)
	case 'y':
		return t.AddDate(l.count, 0, 0)
	}
	return t.Add(time.Duration(l.hours()) * time.Hour)
}

// String returns the length as it is read; "" for none.
func (l Length) String() string {
	if l.count == 0 {
		return ""
	}
	return fmt.Sprintf("%d%c", l.count, l.unit)
}
