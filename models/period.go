package models

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Period is a length of time in hours, days or years of the calendar, such as 12h, 35d or 2y.
// Its zero value is none.
type Period struct {
	count int
	unit  byte
}

// mostDays bounds a period, so that a time that is so far away can be stored.
const mostDays = 100_000

// UnmarshalText reads a period.
func (p *Period) UnmarshalText(text []byte) error {
	expected := errors.New("expected hours, days or years such as 12h, 35d or 2y")
	if len(text) == 0 {
		return expected
	}
	count, err := strconv.Atoi(string(text[:len(text)-1]))
	read := Period{count, text[len(text)-1]}
	if days := read.hours() / 24; err != nil || count < 1 || count > mostDays || days > mostDays || read.hours() == 0 {
		return expected
	}
	*p = read
	return nil
}

// hours returns how many hours the period has, a year with 365 days.
func (p Period) hours() int { return p.count * map[byte]int{'h': 1, 'd': 24, 'y': 24 * 365}[p.unit] }

// Shorter reports whether the period is shorter than another.
func (p Period) Shorter(than Period) bool { return p.hours() < than.hours() }

// After returns the time that comes the period after another. Days have 24 hours.
func (p Period) After(t time.Time) time.Time {
	if p.unit == 'y' {
		return t.AddDate(p.count, 0, 0)
	}
	return t.Add(time.Duration(p.hours()) * time.Hour)
}

// String returns the period as it is read; "" for none.
func (p Period) String() string {
	if p.count == 0 {
		return ""
	}
	return fmt.Sprintf("%d%c", p.count, p.unit)
}
