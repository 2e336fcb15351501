package web

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A duration is written in its largest unit, and is never zero.
func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        "1 second",
		59 * time.Second:         "59 seconds",
		60 * time.Second:         "1 minute",
		119 * time.Minute:        "1 hour",
		47 * time.Hour:           "1 day",
		61 * 24 * time.Hour:      "2 months",
		3 * 365 * 24 * time.Hour: "3 years",
	} {
		assert.Equal(t, want, durationIn(English, d))
	}
}

// A client has the same name on every page.
func TestClientHasOneName(t *testing.T) {
	key := bookkeeping
	key.LastUse.UserAgent = "bookkeeper/2.1 (linux)"
	for name, page := range map[string]templ.Component{
		"key":      KeyPage(KeyView{Key: key}),
		"revoking": KeyRevokePage(KeyStopView{Key: key}),
		"rotation": RotationPage(RotationView{Old: key, Successor: &successorUsed}),
		"overview": OverviewPage(OverviewView{Keys: []KeyUse{{KeyRow: key}}, Refusals: []Refusal{{UserAgent: key.LastUse.UserAgent}}}),
	} {
		var text string
		for node := range elements(t, rendered(t, page)) {
			if node.Data == "main" {
				text = textOf(node)
			}
		}
		assert.Contains(t, text, "by bookkeeper/2.1", name)
		assert.NotContains(t, text, "linux", name)
	}
}

// The day shown for an expiry is the last one on which the key works, where the
// organization is: the day before, if it expires at midnight there.
func TestLastDay(t *testing.T) {
	f := frame("")
	f.Zone = copenhagen
	for end, want := range map[string][2]string{
		"2027-01-01T00:00:00+01:00": {"2026-12-31", "2026-12-31"},
		"2026-12-31T00:01:00+01:00": {"2026-12-30T23:01:00Z", "2026-12-31 00:01"},
		"2027-01-01T00:00:00Z":      {"2027-01-01T00:00:00Z", "2027-01-01 01:00"},
		"2026-07-01T00:00:00+02:00": {"2026-06-30", "2026-06-30"},
	} {
		at, err := time.Parse(time.RFC3339, end)
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, lastDay(at).Render(withReader(t.Context(), f), &text))
		if got := text.String(); !strings.Contains(got, `datetime="`+want[0]+`"`) ||
			!strings.Contains(got, ">"+want[1]+"<") {
			t.Errorf("%s is shown as %s, want %s", end, got, want)
		}
	}
}

// People have one or two initials.
func TestInitials(t *testing.T) {
	for email, want := range map[string]string{
		"mette.lund@nordlys.example": "ML", "jonas@nordlys.example": "J", "a.b.c@x.example": "AB", "østergård_1@x.example": "Ø1",
		"The operator": "TO", "": "", "@": "", "...@x": "",
	} {
		assert.Equal(t, want, initials(email), email)
	}
}
