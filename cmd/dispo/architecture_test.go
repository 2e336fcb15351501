package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// architecture returns the part of docs/architecture.md between two texts.
func architecture(t *testing.T, from, to string) string {
	text, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	_, part, found := strings.Cut(string(text), from)
	require.True(t, found, from)
	part, _, found = strings.Cut(part, to)
	require.True(t, found, to)
	return part
}

// docs/architecture.md lists every import between packages of the program.
func TestArchitectureListsAllImports(t *testing.T) {
	t.Parallel()
	const format = `{{.ImportPath}} →{{range $i, $p := .Imports}} {{$p}}{{end}}`
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-f", format, "dispo/...").Output()
	require.NoError(t, err)
	var arrows []string
	for line := range strings.Lines(string(listed)) {
		words := strings.Fields(line)
		name, imports := strings.TrimPrefix(words[0], "dispo/"), []string{}
		for _, imported := range words[2:] {
			if own, found := strings.CutPrefix(imported, "dispo/"); found {
				imports = append(imports, own)
			}
		}
		if len(imports) > 0 && !regexp.MustCompile(`test$|test/|/bench$`).MatchString(name) {
			arrows = append(arrows, name+" → "+strings.Join(imports, ", "))
		}
	}
	drawn := strings.Split(
		strings.TrimSpace(architecture(t, "Every import, without those of test kits and measurements:\n\n```\n", "```")),
		"\n",
	)
	require.Equal(t, arrows, drawn)
}

// docs/architecture.md names every file with SQL of its own, or its folder, and no others.
func TestArchitectureListsAllSQL(t *testing.T) {
	t.Parallel()
	var named []string
	for line := range strings.Lines(architecture(t, "Places with SQL of our own, and why:\n\n", "\n\n")) {
		folder := ""
		for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			place := quoted[1]
			if strings.HasSuffix(place, ".go") && !strings.Contains(place, "/") {
				place = folder + "/" + place
			}
			folder = filepath.Dir(place)
			named = append(named, place)
		}
	}
	sql := regexp.MustCompile(
		"[`\"](SELECT|INSERT|UPDATE|DELETE|WITH|SET|LISTEN|COPY|LOCK|CREATE|TRUNCATE) |pg_notify|percentile_",
	)
	files, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`, "dispo/...").
		Output()
	require.NoError(t, err)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	used := map[string]bool{}
	for path := range strings.FieldsSeq(string(files)) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		path, err = filepath.Rel(root, path)
		require.NoError(t, err)
		if strings.HasPrefix(path, "cmd/bench/") || strings.HasPrefix(path, "models/modelstest/") || !sql.Match(text) {
			continue
		}
		place := path
		if !slices.Contains(named, place) {
			place = filepath.Dir(path)
		}
		require.Contains(t, named, place, path)
		used[place] = true
	}
	for _, place := range named {
		require.True(t, used[place], "%s has no SQL of its own", place)
	}
}
