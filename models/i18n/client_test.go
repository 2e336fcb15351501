package i18n_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"dispo/models/i18n"
)

// Common user agents get a short, recognizable name.
func TestShortUserAgent(t *testing.T) {
	t.Parallel()
	for userAgent, want := range map[string]string{
		"":                       "an unnamed client",
		"curl/8.5.0":             "curl/8.5.0",
		"python-requests/2.32.3": "python-requests/2.32.3",
		"Acme Import":            "Acme",
		"nightly-bookkeeping 3":  "nightly-bookkeeping 3",
		"ledger 2.1 (linux)":     "ledger 2.1",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36": "Chrome on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0":                            "Firefox on macOS",
		"Mozilla/5.0": "a browser",
		"Mozilla (Windows NT; Win64; x64) AppleWebKit (KHTML, like Gecko) Chrome Safari": "Chrome on Windows",
		"Mozilla/5.0 (compatible; LedgerSync/4.2; +https://ledger.example)":              "LedgerSync/4.2",
		"Mozilla/5.0 (compatible; )": "a browser",
	} {
		assert.Equal(t, want, i18n.English.Client(userAgent), userAgent)
	}
}
