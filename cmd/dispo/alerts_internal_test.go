package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"dispo/models/imports/folder"
)

// The alerts fire when they should and not before, by Prometheus' own tool, which also
// parses every expression of the dashboard. Each alert has a paragraph that says what to do.
// The script metrics.txtar holds that the metrics exist, and this test those of the watcher.
func TestAlertsAndDashboard(t *testing.T) {
	t.Parallel()
	docs, err := filepath.Abs("../../docs")
	require.NoError(t, err)
	promtool := func(arguments ...string) {
		command := exec.Command("promtool", arguments...)
		command.Dir = docs
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	promtool("check", "rules", "alerts.yaml")
	promtool("test", "rules", "alerts_test.yaml", "alerts_days_test.yaml")

	alerts, err := os.ReadFile(filepath.Join(docs, "alerts.yaml"))
	require.NoError(t, err)
	operating, err := os.ReadFile(filepath.Join(docs, "operating.md"))
	require.NoError(t, err)
	tests, err := os.ReadFile(filepath.Join(docs, "alerts_test.yaml"))
	require.NoError(t, err)
	ofDays, err := os.ReadFile(filepath.Join(docs, "alerts_days_test.yaml"))
	require.NoError(t, err)
	first := func(pattern string, text []byte) (found []string) {
		for _, match := range regexp.MustCompile(`(?m)`+pattern).FindAllSubmatch(text, -1) {
			found = append(found, string(match[1]))
		}
		return found
	}
	names := slices.Compact(first(`- alert: (\w+)$`, alerts)) // one may have two severities
	require.Equal(t, names, first(`^#### (Dispo\w+)\n\n\w`, operating))
	require.Equal(t, strings.ToLower(strings.Join(names, " ")),
		strings.Join(slices.Compact(first(`runbook_url: '{{ \$externalLabels.runbook_dispo }}#(\w+)'$`, alerts)), " "))
	require.Subset(t, first(`- alertname: (\w+)$`, append(tests, ofDays...)), names)

	text, err := os.ReadFile(filepath.Join(docs, "grafana.json"))
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard))
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	var rules []rule
	for _, panel := range dashboard.Panels {
		require.NotEmpty(t, panel.Targets, panel.Title)
		for _, target := range panel.Targets {
			rules = append(rules, rule{"x", strings.ReplaceAll(target.Expr, "$__rate_interval", "5m")})
		}
	}
	generated, err := json.Marshal(
		map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": rules}}}) // JSON is YAML
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(file, generated, 0o600))
	promtool("check", "rules", "--lint=none", file)

	registry := prometheus.NewRegistry()
	registry.MustRegister(watchMetrics(&folder.Watcher{}))
	gathered, err := registry.Gather()
	require.NoError(t, err)
	served := map[string]bool{}
	for _, family := range gathered {
		served[family.GetName()] = true
	}
	for _, name := range append(first(`(dispo_watch_\w+)`, alerts), first(`(dispo_watch_\w+)`, text)...) {
		require.True(t, served[name], name)
	}
}
