package i18n

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the container image has no time zones of its own
)

//go:embed timezones.txt
var timeZoneFile string

var timeZones = sync.OnceValue(
	func() []string { return strings.Fields(timeZoneFile[strings.Index(timeZoneFile, "\nAfrica/"):]) })

// Location returns a time zone of timezones.txt by its IANA name, or false if there is none.
func Location(name string) (*time.Location, bool) {
	if !slices.Contains(timeZones(), name) {
		return nil, false
	}
	location, err := time.LoadLocation(name)
	return location, err == nil
}

// StoredZone returns a time zone whose name Location has accepted once.
func StoredZone(name string) *time.Location {
	zone, ok := Location(name)
	if !ok { // timezones.txt lacks it by now
		return time.UTC
	}
	return zone
}

// EndOfDay returns the end of the day of t in its time zone, which is the beginning of the next day.
func EndOfDay(t time.Time) time.Time {
	end := time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, t.Location())
	if end.Day() == t.Day() { // the next day has no midnight, because clocks go forward then
		end = end.Add(time.Hour)
	}
	return end
}

// EndOfDate returns the end of a day, YYYY-MM-DD, in a time zone.
func EndOfDate(date string, zone *time.Location) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, date)
	return EndOfDay(time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, zone)), err
}

// LastDay returns the day at whose end something ends, or in which it does, in the end's time
// zone. It reports whether the end is that of the day.
func LastDay(end time.Time) (day time.Time, whole bool) {
	day = end.Add(-time.Nanosecond)
	return day, EndOfDay(day).Equal(end)
}

// DaysUntil returns how many days of the calendar the day of then comes after that of now, in the
// time zone of now.
func DaysUntil(now, then time.Time) int {
	date := func(t time.Time) time.Time {
		year, month, day := t.In(now.Location()).Date()
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	return int(date(then).Sub(date(now)) / (24 * time.Hour))
}
