package web

import (
	"strings"
	"testing"
	"time"
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
		if got := amount(c.text, English); got != c.english {
			t.Errorf("%q in English: got %q, want %q", c.text, got, c.english)
		}
		if got := amount(c.text, Danish); got != c.danish {
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
		if got := duration(d); got != want {
			t.Errorf("%s: got %q, want %q", d, got, want)
		}
	}
}

// A time in the future, from another machine's clock, counts as now.
func TestTimeAgoOfFutureTime(t *testing.T) {
	if got := timeAgo(now, now.Add(3*time.Second)); got != "just now" {
		t.Error(got)
	}
}

// Common user agents get a short, recognizable name.
func TestShortUserAgent(t *testing.T) {
	for userAgent, want := range map[string]string{
		"":                       "an unnamed client",
		"curl/8.5.0":             "curl 8.5.0",
		"python-requests/2.32.3": "python-requests 2.32.3",
		"Acme Import":            "Acme",
		chrome:                   "Chrome on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0": "Firefox on macOS",
		"Mozilla/5.0": "a browser",
	} {
		if got := shortUserAgent(userAgent); got != want {
			t.Errorf("%q: got %q, want %q", userAgent, got, want)
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
