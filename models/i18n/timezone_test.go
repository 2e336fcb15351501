package i18n_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
)

// Time zones are those of zone1970.tab, the default and UTC, not the many other names
// that the tz database has for rules and for compatibility.
func TestLocation(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("timezones.txt")
	require.NoError(t, err)
	names := 0
	for name := range strings.Lines(string(file)) {
		if name = strings.TrimSpace(name); !strings.HasPrefix(name, "#") {
			location, ok := i18n.Location(name)
			require.True(t, ok, name)
			require.Equal(t, name, location.String())
			names++
		}
	}
	require.Greater(t, names, 300)
	for _, name := range []string{"Europe/Copenhagen", "Europe/Berlin", "America/Nuuk", "Atlantic/Faroe", "UTC"} {
		_, ok := i18n.Location(name)
		require.True(t, ok, name)
	}
	for _, name := range []string{"", "Local", "utc", "EST5EDT", "Etc/GMT+12", "Factory", "posix/UTC", "GB-Eire", "zone1970.tab", "#", "Mars/Olympus", "../etc/passwd"} {
		_, ok := i18n.Location(name)
		require.False(t, ok, name)
	}
}

// The end of a day is the beginning of the next one, also where clocks change at midnight, and
// leads back to the day. Any other time belongs to its day, too.
func TestEndOfDay(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ zone, day, end string }{
		{"Europe/Copenhagen", "2026-11-28", "2026-11-28T23:00:00Z"},
		{"Europe/Copenhagen", "2026-03-29", "2026-03-29T22:00:00Z"}, // 23 hours long
		{"Europe/Copenhagen", "2026-10-25", "2026-10-25T23:00:00Z"}, // 25
		{"Europe/Copenhagen", "2026-12-31", "2026-12-31T23:00:00Z"},
		{"Asia/Kolkata", "2026-02-28", "2026-02-28T18:30:00Z"},
		{"America/Santiago", "2026-09-05", "2026-09-06T04:00:00Z"}, // the next day begins at 01:00
		{"America/Santiago", "2026-09-06", "2026-09-07T03:00:00Z"},
		{"Asia/Beirut", "2026-03-28", "2026-03-28T22:00:00Z"}, // the next day begins at 01:00
	} {
		zone := i18n.StoredZone(row.zone)
		end, err := i18n.EndOfDate(row.day, zone)
		require.NoError(t, err)
		require.Equal(t, row.end, end.UTC().Format(time.RFC3339), row)
		day, whole := i18n.LastDay(end.In(zone))
		require.True(t, whole, row)
		require.Equal(t, row.day, day.Format(time.DateOnly))
		for _, before := range []time.Duration{time.Microsecond, 8 * time.Hour} {
			day, whole = i18n.LastDay(end.Add(-before).In(zone))
			require.False(t, whole, row)
			require.Equal(t, row.day, day.Format(time.DateOnly))
		}
		for _, now := range []time.Time{end.Add(-time.Microsecond), end.Add(-22 * time.Hour)} {
			require.Zero(t, i18n.DaysUntil(now.In(zone), day), row)
			require.Equal(t, 1, i18n.DaysUntil(now.In(zone), end.UTC()), row)
			require.Equal(t, -1, i18n.DaysUntil(end.In(zone), now.UTC()), row)
		}
	}
	_, err := i18n.EndOfDate("31/12/2026", time.UTC)
	require.Error(t, err)
}
