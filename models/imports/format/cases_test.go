package format

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what is read into testdata/cases")

// readCase is one case of a file in testdata/cases, whose README.md explains them.
type readCase struct {
	name, layout, file, want string
	readsFile                bool // otherwise, only the layout is parsed

	baseLayout, baseFile string
	line                 *string // its line in the cases file
}

// Every case reads what its file says, and every reason is as written there.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		lines, cases := casesOf(t, path)
		for _, c := range cases {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txt")+"/"+c.name, func(t *testing.T) {
				got := c.outcome(t)
				if *update {
					*c.line = strings.TrimSuffix(*c.line, c.want) + got
					return
				}
				assert.Equal(t, c.want, got)
			})
		}
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
		}
	}
}

// casesOf returns the lines of a cases file, and its cases.
func casesOf(t testing.TB, path string) (lines []string, cases []readCase) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines = strings.Split(string(text), "\n")
	var section, layout, chosen string
	var file []string
	for i, line := range lines {
		if name, found := strings.CutPrefix(line, "-- "); found {
			section, chosen, _ = strings.Cut(strings.TrimSuffix(name, " --"), " ")
			switch section {
			case "layout":
				layout, file = chosen, nil
			case "file":
				file = []string{chosen}
			}
			continue
		}
		switch {
		case section == "layout":
			layout += line + "\n"
		case section == "file":
			file = append(file, line+"\n")
		case line != "" && !strings.HasPrefix(line, "#"):
			c := readCase{readsFile: file != nil, line: &lines[i]}
			c.layout, c.baseLayout = layout, layout
			columns := strings.SplitN(line, " | ", 3)
			if !slices.Contains([]string{"csv", "os"}, layout) {
				columns = strings.SplitN(line, " | ", 4)
				c.layout = edited(t, layout, columns[1])
				columns = slices.Delete(columns, 1, 2)
			}
			c.name, c.want = columns[0], columns[len(columns)-1]
			if c.readsFile {
				c.baseFile = editedFile(t, file, "=")
				c.file = editedFile(t, file, columns[1])
			}
			cases = append(cases, c)
		}
	}
	return lines, cases
}

// firstCase returns the first case of a file, which changes nothing.
func firstCase(t testing.TB, name string) readCase {
	t.Helper()
	_, cases := casesOf(t, "testdata/cases/"+name+".txt")
	return cases[0]
}

func parseLayout(text string) (*Layout, error) {
	switch text {
	case "csv":
		return CSV(), nil
	case "os":
		return OS(), nil
	}
	return ParseLayout([]byte(text))
}

// outcome says what is read: records with the fields that differ from those of the
// unchanged file's first, bad lines, what identifies the delivery if that differs, and
// how many lines were read if it is not all.
func (c *readCase) outcome(t testing.TB) string {
	t.Helper()
	layout, err := parseLayout(c.layout)
	if err != nil || !c.readsFile {
		assert.Equal(t, err == nil, layout != nil)
		return strings.TrimPrefix(fmt.Sprint(err), "<nil>")
	}
	var known row
	var knownNames, parts []string
	if c.file != c.baseFile || c.layout != c.baseLayout {
		base, err := parseLayout(c.baseLayout)
		require.NoError(t, err)
		_, identity, err := base.Identify(strings.NewReader(c.baseFile), func(r *Record) error {
			if known.CVR == "" {
				known = rowOf(r)
			}
			return nil
		}, func(BadLine) error { return nil })
		require.NoError(t, err)
		knownNames = identity.Names
	}
	summary, identity, err := layout.Identify(strings.NewReader(c.file),
		func(r *Record) error { parts = append(parts, recordText(rowOf(r), known, c.file)); return nil },
		func(line BadLine) error { parts = append(parts, line.String()); return nil })
	require.NoError(t, err)
	assert.EqualValues(t, len(parts), summary.Records+summary.Bad)
	if !slices.Equal(identity.Names, knownNames) {
		parts = append(parts, fmt.Sprintf("identity %q", identity.Names))
	}
	if summary.Lines != int64(len(strings.SplitAfter(strings.TrimSuffix(c.file, "\n"), "\n"))) {
		parts = append(parts, fmt.Sprintf("%d lines", summary.Lines))
	}
	return strings.Join(parts, " + ")
}

// recordText returns a record's index, its fields that differ from those known, and its
// raw line if it differs from the file's.
func recordText(r, known row, file string) string {
	text, before := fmt.Sprintf("record %d", r.Index), known.fields()
	for i, value := range r.fields() {
		if value != before[i] {
			text += fmt.Sprintf(" %s %q", fieldNames[i], value)
		}
	}
	lines := strings.Split(strings.TrimPrefix(file, "\ufeff"), "\n")
	if int(r.Index) >= len(lines) || strings.TrimSuffix(lines[r.Index], "\r") != r.RawLine {
		text += fmt.Sprintf(" raw %q", r.RawLine)
	}
	return text
}

var repeated = regexp.MustCompile(`\((.)\*([0-9]+)\)`)

// plain returns a text of a case: it has Go's escapes, and (x*9) for nine times x.
func plain(t testing.TB, text string) string {
	t.Helper()
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	require.NoError(t, err, text)
	return repeated.ReplaceAllStringFunc(text, func(found string) string {
		parts := repeated.FindStringSubmatch(found)
		times, err := strconv.Atoi(parts[2])
		require.NoError(t, err)
		return strings.Repeat(parts[1], times)
	})
}

// edited returns a text with its changes made.
func edited(t testing.TB, text, changes string) string {
	t.Helper()
	if changes == "=" {
		return text
	}
	for change := range strings.SplitSeq(changes, " & ") {
		change = plain(t, change)
		if old, replacement, found := strings.Cut(change, " → "); found {
			if every, all := strings.CutPrefix(old, "all "); all {
				text = strings.ReplaceAll(text, every, replacement)
				continue
			}
			require.Equal(t, 1, strings.Count(text, old), "%q in %q", old, text)
			text = strings.Replace(text, old, replacement, 1)
			continue
		}
		key, removed := strings.CutPrefix(change, "-")
		key, _, _ = strings.Cut(key, ":")
		line := regexp.MustCompile(`(?m)^( *)` + regexp.QuoteMeta(key) + `:.*\n`)
		switch at := line.FindStringSubmatchIndex(text); {
		case removed:
			require.NotNil(t, at, key)
			text = text[:at[0]] + text[at[1]:]
		case at != nil:
			text = text[:at[3]] + change + "\n" + text[at[1]:]
		default:
			text += change + "\n"
		}
	}
	return text
}

var (
	lineChange = regexp.MustCompile(`^([0-9]+): (.* → .*)$`)
	lineChoice = regexp.MustCompile(`^lines ([0-9 -]+)$`)
)

// editedFile returns a file with its changes made. Before the file's lines stand those
// that it has if a change does not choose others.
func editedFile(t testing.TB, file []string, changes string) string {
	t.Helper()
	if changes != "=" && !strings.Contains(changes, " → ") && !lineChoice.MatchString(changes) {
		return plain(t, changes)
	}
	choice, lines, others := file[0], slices.Clone(file), []string{}
	for change := range strings.SplitSeq(changes, " & ") {
		if found := lineChange.FindStringSubmatch(change); found != nil {
			number, err := strconv.Atoi(found[1])
			require.NoError(t, err)
			lines[number] = edited(t, lines[number], found[2])
		} else if found := lineChoice.FindStringSubmatch(change); found != nil {
			choice = found[1]
		} else if change != "=" {
			others = append(others, change)
		}
	}
	text := ""
	for part := range strings.FieldsSeq(choice) {
		first, last, several := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		require.NoError(t, err)
		to := from
		if several {
			to, err = strconv.Atoi(last)
			require.NoError(t, err)
		}
		text += strings.Join(lines[from:to+1], "")
	}
	if len(others) == 0 {
		return text
	}
	return edited(t, text, strings.Join(others, " & "))
}
