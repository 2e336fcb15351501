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
// mistakes in the exit status.
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
	_, shown, _ := strings.Cut(string(documentation), "--layout docs/example/layout.yaml --lines 2\n")
	shown, _, _ = strings.Cut(shown, "```")
	require.NotEmpty(t, shown)
	two := check(example+"delivery.txt", "--layout", example+"layout.yaml", "--lines", "2")
	assert.Equal(t, shown, two.out)
	assert.Contains(t, done.out, "line 3: record")
	assert.NotContains(t, two.out, "line 3: record")
	assert.NoDirExists(t, dir+"/none")

	bad := file(t, "bad.csv", "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"+strings.Repeat("1,1234,1,CARD,2026-01-31,1,1.00\n", 40))
	done = check(bad, "--lines", "2")
	assert.Equal(t, 1, done.status)
	assert.Contains(t, done.out, "\n\nline 2: cvr: expected exactly 8 digits, found \"1\"\n")
	assert.Contains(t, done.out, "\nline 21: cvr: expected exactly 8 digits")
	assert.Contains(t, done.out, "and 20 more mistakes\n\n41 lines: 0 records, 40 mistakes\n")
	assert.Contains(t, check(bad, "--layout", "csv").out, "read with the layout csv\n")
	assert.Contains(t, check(bad, "--layout", "os").out, "read with the layout os\n")
	assert.Equal(t, 1, check(dir+"/missing").status)
	assert.Equal(t, 1, check(bad, "--layout", dir+"/missing").status)
	assert.Equal(t, 2, check().status)
}
