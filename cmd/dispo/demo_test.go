package main_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// curl matches a line of the demo that can be pasted into a shell.
var curl = regexp.MustCompile(`(?m)^curl -H 'X-API-Key: (\S+)' '(\S+)'$`)

// demo starts the demo and returns the responses to its curl lines.
func (p program) demo(t *testing.T) (s *service, company map[string]any, transactions page) {
	t.Helper()
	s = started(t, p.with("DISPO_LISTEN=127.0.0.1:0").start(t, "demo"))
	var lines [][]string
	modelstest.Eventually(t, func() bool { // standard output may lag behind the log
		lines = curl.FindAllStringSubmatch(s.out.String(), -1)
		return len(lines) == 2
	})
	got, err := ask(lines[0][2], withKey(lines[0][1]))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.NoError(t, json.Unmarshal([]byte(got.body), &company))
	got, err = ask(lines[1][2], withKey(lines[1][1]))
	require.NoError(t, err)
	require.Contains(t, s.out.String(), s.url, "the address of the page")
	return s, company, got.requirePage(t)
}

// demoKey returns the key that the demo has printed.
func (s *service) demoKey() string { return curl.FindStringSubmatch(s.out.String())[1] }

// requireCommand requires that the demo has printed a command with these flags, which lists
// its organizations.
func requireCommand(t *testing.T, s *service, flags string) {
	t.Helper()
	line := regexp.MustCompile(`(?m)^dispo organization list --data \S+` + flags + `$`).FindString(s.out.String())
	require.NotEmpty(t, line, s.out.String())
	shell := exec.Command("sh", "-c", line)
	shell.Env = plain().with("DISPO_ENV_FILE=/none")
	if flags == "" {
		shell.Env = plain()
	}
	listed, err := shell.CombinedOutput()
	require.NoError(t, err, "%s", listed)
	require.Contains(t, string(listed), "Havnens Handel ApS")
}

// The demo starts with an empty directory and imports the data that its curl lines
// request: two organizations with sixty companies in every status, one of them in
// both, and eighteen months of transactions. Links that commands print lead to it. A start that is interrupted meanwhile says so,
// and the next one imports the rest. The one after that uses the same data.
func TestDemo(t *testing.T) {
	t.Parallel()
	dir := newData(t)
	p := onData(dir).with("DISPO_LISTEN=127.0.0.1:0").start(t, "demo")
	modelstest.Eventually(t, func() bool {
		written, _ := filepath.Glob(filepath.Join(dir, "demo", "companies-*.csv"))
		return len(written) == 2
	})
	require.Equal(t, 1, p.end(t, interrupt))
	require.Regexp(t, `(?m)^dispo: interrupted`, p.err.String())
	require.NotContains(t, p.out.String(), "curl")

	s, company, transactions := onData(dir).demo(t)
	require.Equal(t, "REGISTERED", company["status"])
	require.Len(t, transactions.Data, 2)
	require.Greater(t, transactions.Meta.Total, 1000)
	require.Equal(t, company["cvr"], transactions.Data[0]["cvr"])

	url := dataURL(dir)
	require.Equal(t, "Havnens Handel ApS 22, Nordlys Butikker A/S 38", modelstest.ValueAt[string](t, url,
		`SELECT string_agg(name || ' ' || company_count, ', ' ORDER BY name) FROM organizations`))
	require.Equal(t, "CREATED MODIFIED REGISTERED REJECTED TERMINATED", modelstest.ValueAt[string](t, url,
		`SELECT string_agg(DISTINCT status, ' ') FROM companies`))
	require.Equal(t, 1, modelstest.ValueAt[int](t, url,
		`SELECT count(*) FROM (SELECT FROM companies GROUP BY cvr HAVING count(DISTINCT organization_id) = 2) shared`))
	stored := modelstest.ValueAt[int](t, url, `SELECT count(*) FROM transactions`)
	require.InDelta(t, 50_000, stored, 5_000)
	require.Equal(t, "csv os",
		modelstest.ValueAt[string](t, url, `SELECT string_agg(DISTINCT layout, ' ') FROM delivery_files`))
	require.Equal(t, 2, modelstest.ValueAt[int](t, url, `SELECT count(*) FROM memberships WHERE role = 'owner'`))
	requireCommand(t, s, "")
	link := onData(dir).with("DISPO_LISTEN=127.0.0.1:1", "DISPO_PUBLIC_URL=https://elsewhere.example").
		run(t, "user", "password", "freja@nordlys.example.com").out
	require.Regexp(t, "^"+s.url+"/password/", link, "not the command's own settings")
	key := s.demoKey()
	before := rows(t, url)
	require.Zero(t, s.end(t, interrupt), s.err.String())

	s, again, _ := onData(dir).with("DISPO_ENV_FILE=" + file(t, "dispo", "DATABASE_URL=x")).demo(t)
	requireCommand(t, s, " --env-file none")
	require.Equal(t, company["id"], again["id"])
	require.Equal(t, before, rows(t, url))
	require.NotEqual(t, key, s.demoKey())
	s.get(t, "/api/v1/companies", key).requireError(t, http.StatusUnauthorized, "UNAUTHORIZED")
	require.Equal(t, 38, s.get(t, "/api/v1/companies", s.demoKey()).requirePage(t).Meta.Total)
}
