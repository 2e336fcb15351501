package folder

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"dispo/models"
)

// Expectation is a time of day by which a file must have come, on some days.
type Expectation struct {
	hour, minute int
	zone         *time.Location
	expected     func(day time.Time) bool
}

var dayRules = map[string]func(day time.Time) bool{
	"bank-days": isBankDay,
	"weekdays":  func(day time.Time) bool { return day.Weekday() != time.Saturday && day.Weekday() != time.Sunday },
	"every-day": func(time.Time) bool { return true },
}

// UnmarshalText parses a time, a zone and which days: "16:00 Europe/Copenhagen bank-days".
func (e *Expectation) UnmarshalText(text []byte) error {
	wrong := func(what string) error {
		return errors.New(what + `: expected a time, a time zone, and bank-days, weekdays or every-day, such as "16:00 Europe/Copenhagen bank-days"`)
	}
	parts := strings.Fields(string(text))
	if len(parts) != 3 {
		return wrong("not three words")
	}
	clock, err := time.Parse("15:04", parts[0])
	if err != nil || len(parts[0]) != len("15:04") {
		return wrong(fmt.Sprintf("%q is not a time from 00:00 to 23:59", parts[0]))
	}
	zone, err := models.Location(parts[1])
	if err != nil {
		return wrong(fmt.Sprintf("%q is not a time zone", parts[1]))
	}
	expected := dayRules[parts[2]]
	if expected == nil {
		return wrong(fmt.Sprintf("%q does not name days", parts[2]))
	}
	*e = Expectation{clock.Hour(), clock.Minute(), zone, expected}
	return nil
}

// last returns the latest expected time that is not after now.
func (e *Expectation) last(now time.Time) time.Time {
	for days := 1; ; days-- {
		if at, expected := e.on(now, days); expected && !at.After(now) {
			return at
		}
	}
}

// next returns the earliest expected time after now.
func (e *Expectation) next(now time.Time) time.Time {
	for days := -1; ; days++ {
		if at, expected := e.on(now, days); expected && at.After(now) {
			return at
		}
	}
}

// on returns the time of the day that is that many days after now's, and whether a file
// is expected on it. Where clocks change, a time that does not exist is an hour earlier
// or later, and one that exists twice is taken once.
func (e *Expectation) on(now time.Time, days int) (at time.Time, expected bool) {
	year, month, day := now.In(e.zone).Date()
	day += days
	return time.Date(year, month, day, e.hour, e.minute, 0, 0, e.zone), e.expected(time.Date(year, month, day, 12, 0, 0, 0, time.UTC))
}
