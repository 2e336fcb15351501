package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

// A wrong command line gets exit status 2, and one sentence that names the mistake. It is
// refused before anything is done, so no process is needed to see it.
func TestUsedWrongly(t *testing.T) {
	for _, row := range []struct{ line, part string }{
		{"", "expected one of"},
		{"sreve", "sreve"},
		{"key", `"create", "list", "revoke"`},
		{"key shred", "shred"},
		{"serve --speed 9", "--speed"},
		{"serve extra", "extra"},
		{"--log-level loud version", "--log-level"},
		{"organization create --slug acme", "<name>"},
		{"organization create Acme", "--slug"},
		{"user create a@example.com --organization acme", "--role"},
		{"user create a@example.com --organization acme --role king", "king"},
		{"key create --organization acme", "--name"},
		{"key list", "--organization"},
		{"key revoke", "<id>"},
		{"import companies --organization acme", "<file>"},
		{"import companies companies.csv", "--organization"},
		{"import delivery", "<file>"},
		{"key create --speed 9", "`dispo key create --help`"},
		{"user", "`dispo user --help`"},
		{"sreve", "`dispo --help`"},
		{"import delivery x --replace --additional", "--additional"},
	} {
		requireWrong(t, row.line, row.part, "--help`)")
	}
	for flag, values := range map[string]string{
		"--limit-minute": "0|-1|1.5|99999999999999999999", "--limit-hour": "many", "--limit-failures": "0", "--cache-mb": "-1|64MB", "--keep-audit-log": "0d|2|y|1.5y|2years|-35d|300y|99999999999d", "--limit-by": "x",
		"--trusted-proxies": "x|10.0.0.0/8,10.0.0.0/33", "--public-url": "x|ftp://dispo.example.com|https://dispo.example.com/path",
		"--support": "x|http://example.com|javascript:alert(1)|support@", "--metrics-listen": "x|127.0.0.1:99999", "--listen": "x|127.0.0.1|127.0.0.1:http://",
	} {
		for value := range strings.SplitSeq(values, "|") {
			requireWrong(t, "serve "+flag+"="+value, flag)
		}
	}
	for _, expires := range []string{"soon", "d", "0d", "-1d", "1.5d", "90", "90days", "90D", "2026-13-01", "2026-1-1", "1000000d", "9999999999999999999h"} {
		requireWrong(t, "key create --organization acme --name k --expires="+expires, "--expires", `"`+expires+`"`,
			"90d or 12h", "2027-01-31")
	}
}

// The log names variables that are nearly settings, each with the setting that may be meant. It
// does not name those that may be somebody else's.
func TestMisspeltSettings(t *testing.T) {
	for _, name := range []string{"DISPO_ACESS_LOG", "DISPO_SECRET_FIL", "DISPO_LIMITS_MINUTE", "DISPO_PORT", "DISPO_KEY", "DISPO_URL",
		"DISPO_PUBLISH", "DISPO_SERVICE_HOST", "DISPO_OWNER_PASSWORD", "DISPO_LISTEN", "DISPO_SECRET_FILE"} {
		t.Setenv(name, "1")
	}
	parser, err := kong.New(&program{})
	require.NoError(t, err)
	require.Equal(t, []string{
		"DISPO_ACESS_LOG (is DISPO_ACCESS_LOG meant?)", "DISPO_LIMITS_MINUTE (is DISPO_LIMIT_MINUTE meant?)",
		"DISPO_SECRET_FIL (is DISPO_SECRET_FILE meant?)",
	}, misspelt(parser.Model.Node))
}

func requireWrong(t *testing.T, line string, parts ...string) {
	t.Helper()
	t.Setenv("HOME", os.Getenv("HOME")) // run changes it
	var out, err bytes.Buffer
	require.Equal(t, exitUsage, run(t.Context(), strings.Fields(line), streams{out: &output{to: &out}, err: &err}),
		"%s\n%s", line, err.String())
	require.Empty(t, out.String())
	require.Regexp(t, `^dispo: [^\n]+\n$`, err.String())
	for _, part := range parts {
		require.Contains(t, err.String(), part, line)
	}
}

// Docker does not kill the service before it has stopped: after the requests in progress, the
// use of keys may take as long again.
func TestDockerWaitsForAStop(t *testing.T) {
	text, err := os.ReadFile("../../compose.yaml")
	require.NoError(t, err)
	found := regexp.MustCompile(`stop_grace_period: (\S+)`).FindSubmatch(text)
	require.NotNil(t, found)
	grace, err := time.ParseDuration(string(found[1]))
	require.NoError(t, err)
	require.GreaterOrEqual(t, grace, drainTimeout+20*time.Second)
}

// Compose passes on every setting that .env.example offers.
func TestComposePassesSettings(t *testing.T) {
	offered, err := os.ReadFile("../../.env.example")
	require.NoError(t, err)
	compose, err := os.ReadFile("../../compose.yaml")
	require.NoError(t, err)
	names := regexp.MustCompile(`(?m)^#?([A-Z_]+)=`).FindAllSubmatch(offered, -1)
	require.Greater(t, len(names), 30)
	for _, name := range names {
		require.Contains(t, string(compose), "${"+string(name[1]))
	}
}
