package i18n_test

import (
	"os"
	"strings"
	"testing"

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
