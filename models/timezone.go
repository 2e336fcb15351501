package models

import (
	"context"
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

var timeZones = sync.OnceValue(
	func() []string { return strings.Fields(timeZoneFile[strings.Index(timeZoneFile, "\nAfrica/"):]) },
)

// Location returns a time zone of timezones.txt by its IANA name. Errors: KindInvalid.
func Location(name string) (*time.Location, error) {
	if slices.Contains(timeZones(), name) {
		if location, err := time.LoadLocation(name); err == nil {
			return location, nil
		}
	}
	return nil, NewError(
		KindInvalid,
		"{name} is not a time zone: choose one such as Europe/Copenhagen.",
		"name",
		strconv.Quote(name),
	)
}

// CheckZone refuses a time zone that Location or the database does not know. Errors: KindInvalid.
func (t Tenant) CheckZone(ctx context.Context, name string) error {
	if _, err := Location(name); err != nil {
		return err
	}
	var known string
	if err := t.DB(ctx).Raw(`SELECT known_zone(?)`, name).Scan(&known).Error; err != nil || known == name {
		return Wrap(err)
	}
	return NewError(
		KindInvalid,
		"The database does not know the time zone {name}: choose another one with the same time.",
		"name",
		name,
	)
}

// StoredZone returns a time zone whose name Location has accepted once.
func StoredZone(name string) *time.Location {
	zone, err := Location(name)
	if err != nil { // timezones.txt lacks it by now
		return time.UTC
	}
	return zone
}
