package dashboard_test

import (
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var recoveryForm = regexp.MustCompile(`\b[a-z2-7]{5}-[a-z2-7]{5}\b`)

// findSecret reads the secret from the page's otpauth link.
func findSecret(t *testing.T, page *answer) string {
	t.Helper()
	link, ok := page.page.Find(`a[href^="otpauth:"]`).Attr("href")
	require.True(t, ok, page.text())
	parsed, err := url.Parse(link)
	require.NoError(t, err)
	return parsed.Query().Get("secret")
}
