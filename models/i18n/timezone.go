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
	func() []string { return strings.Fields(timeZoneFile[strings.Index(timeZoneFile, "\nAfrica/"):]) },
)

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
