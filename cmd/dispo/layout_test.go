package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layout check shows what the documentation shows, needs no database, and reports
// bad lines as an import does.
func TestLayoutCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check := func(arguments ...string) result {
		return onData(dir+"/none").run(t, append([]string{"layout", "check"}, arguments...)...)
	}
	example, err := filepath.Abs("../../docs/example")
	require.NoError(t, err)
	example += "/"
	done := check(example+"delivery.txt", "--layout", example+"layout.yaml")
	done.requireDone(t)
	documentation, err := os.ReadFile("../../docs/layouts.md")
	require.NoError(t, err)
	_, shown, _ := strings.Cut(string(documentation), "--layout docs/example/layout.yaml --records 1\n")
	shown, _, _ = strings.Cut(shown, "```")
	require.NotEmpty(t, shown)
	assert.Equal(t, shown, check(example+"delivery.txt", "--layout", example+"layout.yaml", "--records", "1").out)
	assert.Contains(t, done.out, "line 3: D001")
	assert.NoDirExists(t, dir+"/none")

	bad := file(t, "bad.csv", "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"+strings.Repeat("1,1234,1,CARD,2026-01-31,1,1.00\n", 40))
	done = check(bad)
	assert.Equal(t, 1, done.status)
	assert.Contains(t, done.err, "bad.csv has 40 bad lines")
	assert.Contains(t, done.err, "\n  line 2: cvr: expected exactly 8 digits, found \"1\"\n")
	assert.Contains(t, check(bad, "--layout", "os").err, "expected the line to start with OS1")
	assert.Equal(t, 1, check(dir+"/missing").status)
	assert.Equal(t, 1, check(bad, "--layout", dir+"/missing").status)
	assert.Equal(t, 2, check().status)
}
