package models_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
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
			location, err := models.Location(name)
			require.NoError(t, err)
			require.Equal(t, name, location.String())
			names++
		}
	}
	require.Greater(t, names, 300)
	for _, name := range []string{"Europe/Copenhagen", "Europe/Berlin", "America/Nuuk", "Atlantic/Faroe", "UTC"} {
		require.NoError(t, modelstest.ErrorOf(models.Location(name)), name)
	}
	for _, name := range []string{"", "Local", "utc", "EST5EDT", "Etc/GMT+12", "Factory", "posix/UTC", "GB-Eire", "zone1970.tab", "#", "Mars/Olympus", "../etc/passwd"} {
		modelstest.RequireKind(t, models.KindInvalid, modelstest.ErrorOf(models.Location(name)))
	}
}
