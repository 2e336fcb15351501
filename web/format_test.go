package web

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
)

// Amounts are formatted for the locale without losing digits, however large.
func TestAmount(t *testing.T) {
	for _, c := range []struct{ text, english, danish string }{
		{"0.00", "0.00", "0,00"},
		{"1234.50", "1,234.50", "1.234,50"},
		{"-1234.50", "−1,234.50", "−1.234,50"},
		{"999.99", "999.99", "999,99"},
		{"123456789012345678901234.05", "123,456,789,012,345,678,901,234.05", "123.456.789.012.345.678.901.234,05"},
		{"7", "7", "7"},
		{"", "", ""},
		{"1e5", "1e5", "1e5"},
		{"--1", "--1", "--1"},
		{"1.", "1.", "1."},
	} {
		if got := English.Amount(c.text); got != c.english {
			t.Errorf("%q in English: got %q, want %q", c.text, got, c.english)
		}
		if got := Danish.Amount(c.text); got != c.danish {
			t.Errorf("%q in Danish: got %q, want %q", c.text, got, c.danish)
		}
	}
}

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
		if got := durationIn(English, d); got != want {
			t.Errorf("%s: got %q, want %q", d, got, want)
		}
	}
}

// A time in the future, from another machine's clock, counts as now.
func TestTimeAgoOfFutureTime(t *testing.T) {
	if got := timeAgo(English, now, now.Add(3*time.Second)); got != "just now" {
		t.Error(got)
	}
}

// Common user agents get a short, recognizable name.
func TestShortUserAgent(t *testing.T) {
	for userAgent, want := range map[string]string{
		"":                       "an unnamed client",
		"curl/8.5.0":             "curl/8.5.0",
		"python-requests/2.32.3": "python-requests/2.32.3",
		"Acme Import":            "Acme",
		"nightly-bookkeeping 3":  "nightly-bookkeeping 3",
		"ledger 2.1 (linux)":     "ledger 2.1",
		chrome:                   "Chrome on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0": "Firefox on macOS",
		"Mozilla/5.0": "a browser",
		"Mozilla/5.0 (compatible; LedgerSync/4.2; +https://ledger.example)": "LedgerSync/4.2",
		"Mozilla/5.0 (compatible; )":                                        "a browser",
	} {
		if got := ClientName(English, userAgent); got != want {
			t.Errorf("%q: got %q, want %q", userAgent, got, want)
		}
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
		"overview": OverviewPage(OverviewView{Keys: keyUses(), Refusals: []Refusal{{UserAgent: key.LastUse.UserAgent}}}),
	} {
		var text string
		for node := range elements(t, rendered(t, page)) {
			if node.Data == "main" {
				text = textOf(node)
			}
		}
		if !strings.Contains(text, "by bookkeeper/2.1") || strings.Contains(text, "linux") {
			t.Errorf("%s: the page names the client otherwise: %s", name, text)
		}
	}
}

// The day shown for an expiry is the last one on which the key works, where the
// organization is: the day before, if it expires at midnight there.
func TestLastDay(t *testing.T) {
	for end, want := range map[string]string{
		"2027-01-01T00:00:00+01:00": "2026-12-31",
		"2026-12-31T00:00:01+01:00": "2026-12-31",
		"2027-01-01T00:00:00Z":      "2027-01-01",
		"2026-07-01T00:00:00+02:00": "2026-06-30",
	} {
		at, err := time.Parse(time.RFC3339, end)
		if err != nil {
			t.Fatal(err)
		}
		if got := rendered(t, lastDay(at, copenhagen)); !strings.Contains(got, `datetime="`+want+`"`) || !strings.Contains(got, ">"+want+"<") {
			t.Errorf("%s is shown as %s, want %s", end, got, want)
		}
	}
}

// Grouping a secret only adds spaces.
func TestGroupedSecret(t *testing.T) {
	for _, secret := range []string{"", "AB", "ABCD", "ABCDEFGHI"} {
		if got := (TOTPSetupView{Secret: secret}).groupedSecret(); strings.ReplaceAll(got, " ", "") != secret {
			t.Errorf("%q became %q", secret, got)
		}
	}
}

// People have one or two initials.
func TestInitials(t *testing.T) {
	for email, want := range map[string]string{
		"mette.lund@nordlys.example": "ML", "jonas@nordlys.example": "J", "a.b.c@x.example": "AB", "østergård_1@x.example": "Ø1",
		"The operator": "TO", "": "", "@": "", "...@x": "",
	} {
		if got := initials(email); got != want {
			t.Errorf("initials(%q) = %q, want %q", email, got, want)
		}
	}
}

// A used one-time link says so. Elsewhere a missing page says nothing about links.
func TestUsedLinkSaysSo(t *testing.T) {
	for path, want := range map[string]string{"/invitations/x": "This link no longer works", "/password/x": "This link no longer works", "/companies/x": "Page not found"} {
		if got := (ErrorView{Status: 404, Frame: Frame{Path: path}}).title(); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
