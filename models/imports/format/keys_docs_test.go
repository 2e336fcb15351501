package format

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

var (
	keysBase = regexp.MustCompile(
		"(?s)^The examples[^\n]* change this layout, which reads `([^`]+)`.*?\n```yaml\n(.*?)```\n")
	codeSpan = regexp.MustCompile("`([^`]+)`")
)

// docs/layouts.md has an example of every key of a layout, and each example reads what its
// row says.
func TestEveryKeyHasAnExampleThatRuns(t *testing.T) {
	text, err := os.ReadFile("../../../docs/layouts.md")
	require.NoError(t, err)
	document, shown := string(text), map[string]bool{}
	var base, file string
	examples := 0
	for len(document) > 0 {
		if found := keysBase.FindStringSubmatch(document); found != nil {
			file, base = found[1], found[2]
		}
		var line string
		line, document, _ = strings.Cut(document, "\n")
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), `\|`, "\x00"), " | ")
		if base == "" || !strings.HasPrefix(line, "|") || len(cells) < 4 || !strings.Contains(cells[len(cells)-3], ": ") {
			continue
		}
		cells = cells[len(cells)-3:]
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "\x00", "|")
		}
		layout := changedLayout(t, base, codeSpan.FindAllStringSubmatch(cells[0], -1), shown)
		assert.Equal(t, cells[2], given(t, base, file, layout, strings.Trim(cells[1], "`")), line)
		examples++
	}
	assert.Greater(t, examples, 20)
	for _, key := range keysOf(reflect.TypeFor[layoutFile]()) {
		assert.True(t, shown[key], "%s has no example", key)
	}
}

// changedLayout returns a layout with the keys of the examples, and notes them.
func changedLayout(t testing.TB, base string, examples [][]string, shown map[string]bool) string {
	t.Helper()
	var layout map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(base), &layout))
	fields := layout["fields"].(map[string]any)
	for _, example := range examples {
		var changes map[string]any
		require.NoError(t, yaml.Unmarshal([]byte(example[1]), &changes), example[1])
		noteKeys(changes, shown)
		if changes["header"] == true {
			delete(layout, "columns")
		}
		for key, value := range changes {
			if slices.Contains(fieldNames[:], key) {
				fields[key] = value
			} else {
				layout[key] = value
			}
		}
	}
	noteKeys(layout, shown)
	text, err := yaml.Marshal(layout)
	require.NoError(t, err)
	return string(text)
}

func noteKeys(in any, shown map[string]bool) {
	if keys, ok := in.(map[string]any); ok {
		for key, value := range keys {
			shown[key] = true
			noteKeys(value, shown)
		}
	}
}

// keysOf returns the keys of a type of a layout's file, and of those within it.
func keysOf(of reflect.Type) (keys []string) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return keysOf(of.Elem())
	case reflect.Struct:
		for field := range of.Fields() {
			if name, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); name != "" {
				keys = append(keys, name)
			}
			keys = append(keys, keysOf(field.Type)...)
		}
	}
	return keys
}

// given says which lines of a file become records, and which of their fields differ from the
// base's.
func given(t testing.TB, base, baseFile, layout, file string) string {
	t.Helper()
	known, _, _ := readText(t, mustParse(t, base), baseFile+"\n")
	require.Len(t, known, 1)
	file, err := strconv.Unquote(`"` + strings.ReplaceAll(file, `"`, `\"`) + `"`)
	require.NoError(t, err)
	if !strings.Contains(layout, "line_end: none") && !strings.HasSuffix(file, "\r") {
		file = strings.TrimSuffix(file, "\n") + "\n"
	}
	parsed := mustParse(t, layout)
	rows, bad, _ := readText(t, parsed, file)
	var parts []string
	for _, row := range rows {
		part := fmt.Sprintf("line %d", row.Index+1)
		var differences []string
		for i, value := range row.fields() {
			if value != known[0].fields()[i] {
				differences = append(differences, fieldNames[i]+" "+value)
			}
		}
		if differences != nil {
			part += ": " + strings.Join(differences, ", ")
		}
		parts = append(parts, part)
	}
	for _, line := range bad {
		parts = append(parts, line.String())
	}
	identity, _ := identify(t, parsed, file)
	for _, name := range identity.Names {
		parts = append(parts, "delivery "+name)
	}
	return strings.Join(parts, "; ")
}
