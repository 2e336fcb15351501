package web

import (
	"strings"
	"testing"
	"time"
)

// Amounts are written in the reader's way, digit for digit, however large.
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
			t.Errorf("%q in English is %q, not %q", c.text, got, c.english)
		}
		if got := amount(c.text, Danish); got != c.danish {
			t.Errorf("%q in Danish is %q, not %q", c.text, got, c.danish)
		}
	}
}

// A span is said in its largest whole unit, never as nothing.
func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        "1 second",
		59 * time.Second:         "59 seconds",
		60 * time.Second:         "1 minute",
		119 * time.Minute:        "1 hour",
		47 * time.Hour:           "1 day",
		61 * 24 * time.Hour:      "2 months",
		3 * 365 * 24 * time.Hour: "3 years",
	} {
		if got := span(d); got != want {
			t.Errorf("%s is %q, not %q", d, got, want)
		}
	}
}

// A clock that runs ahead on another machine doesn't make a use lie in the future.
func TestSinceNeverLiesAhead(t *testing.T) {
	if got := since(now, now.Add(3*time.Second)); got != "just now" {
		t.Error(got)
	}
}

// People recognise a client by a short name.
func TestClient(t *testing.T) {
	for userAgent, want := range map[string]string{
		"":                       "an unnamed client",
		"curl/8.5.0":             "curl 8.5.0",
		"python-requests/2.32.3": "python-requests 2.32.3",
		"Acme Import":            "Acme",
		chrome:                   "Chrome on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0": "Firefox on macOS",
		"Mozilla/5.0": "a browser",
	} {
		if got := client(userAgent); got != want {
			t.Errorf("%q is %q, not %q", userAgent, got, want)
		}
	}
}

// A secret that is typed by hand is read in groups, and is the same secret.
func TestGrouped(t *testing.T) {
	for _, secret := range []string{"", "AB", "ABCD", "ABCDEFGHI"} {
		if got := grouped(secret); strings.ReplaceAll(got, " ", "") != secret {
			t.Errorf("%q became %q", secret, got)
		}
	}
}
