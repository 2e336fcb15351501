package models

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the container image has no time zones of its own
)

//go:embed timezones.txt
var timeZoneFile string

var timeZones = sync.OnceValue(func() []string { return strings.Fields(timeZoneFile[strings.Index(timeZoneFile, "\nAfrica/"):]) })

// Location returns a time zone of timezones.txt by its IANA name. Errors: KindInvalid.
func Location(name string) (*time.Location, error) {
	if slices.Contains(timeZones(), name) {
		if location, err := time.LoadLocation(name); err == nil {
			return location, nil
		}
	}
	return nil, NewError(KindInvalid, "{name} is not a time zone: choose one such as Europe/Copenhagen.", "name", strconv.Quote(name))
}

// StoredZone returns a time zone whose name Location has accepted once.
func StoredZone(name string) *time.Location {
	zone, err := Location(name)
	if err != nil { // timezones.txt lacks it by now
		return time.UTC
	}
	return zone
}
