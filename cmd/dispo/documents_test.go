package main_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The commands that these documents show print what they show, one
// after the other: README's examples fill the database that the others read. In what they
// show, ids, keys, times and spaces may differ, and … is any text. A block after the comment
// "not run" needs more than a test has, such as a running service.
func TestDocumentsShowWhatIsPrinted(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	variables := on(modelstest.Database(t)).with("DISPO_LOG_LEVEL=warn")
	ids := map[string]string{} // shown ids, and the real ones
	run, skipped := 0, 0
	for _, name := range []string{"README.md", "docs/operating.md", "docs/layout-from-description.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		for _, block := range regexp.MustCompile("(?ms)(<!-- not run[^\n]*-->\n)?^```\n(\\$ .*?)^```$").FindAllStringSubmatch(string(text), -1) {
			if block[1] != "" {
				skipped++
				continue
			}
			for _, example := range strings.Split("\n"+block[2], "\n$ ")[1:] {
				command, shown, _ := strings.Cut(strings.TrimSpace(example), "\n")
				if strings.HasPrefix(command, "export ") { // what the test sets
					continue
				}
				for id, real := range ids {
					command = strings.ReplaceAll(command, id, real)
				}
				shell := exec.Command("sh", "-c", command)
				shell.Dir, shell.Env = root, variables
				printed, err := shell.CombinedOutput()
				require.NoError(t, err, "%s\n%s", command, printed)
				match := shownPattern(shown).FindStringSubmatch(strings.Join(strings.Fields(string(printed)), " "))
				require.NotNil(t, match, "%s: %s prints\n%s\nbut shows\n%s", name, command, printed, shown)
				for i, id := range idPattern.FindAllString(shown, -1) {
					ids[id] = match[i+1]
				}
				run++
			}
		}
	}
	require.Greater(t, run, 6)
	require.Less(t, skipped, run)
}

// An operator has to know where personal data is: docs/privacy.md has a row for every table
// but those without any.
func TestPrivacyNamesEveryTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/privacy.md")
	require.NoError(t, err)
	const others = `SELECT relname::text FROM pg_class
		WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> ALL (string_to_array($1, ' '))`
	const without = "delivery_bytes delivery_files delivery_names delivery_notices erasure_files erasures goose_db_version " +
		"kept_periods key_usage mail_senders refused_deliveries running_tasks sign_in_providers sign_in_states writers"
	for _, table := range modelstest.Column[string](t, modelstest.Conn(t, modelstest.Database(t)), others, without) {
		require.Regexp(t, "(?m)^\\| [^|]*`"+table+"`", string(text))
	}
}

// docs/security.md names only tests and files that exist, and counts its rows as they are.
func TestSecurityNamesWhatExists(t *testing.T) {
	t.Parallel()
	read, err := os.ReadFile("../../docs/security.md")
	require.NoError(t, err)
	text := string(read)
	tests := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, name := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(code, -1) {
			tests[string(name[1])] = true
		}
		return err
	}))
	for _, name := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(text, -1) {
		require.True(t, tests[name], "%s does not exist", name)
	}
	for _, path := range regexp.MustCompile("`([a-z.]+/[\\w./-]+|\\w+\\.md|go\\.(?:mod|sum))`").FindAllStringSubmatch(text, -1) {
		_, err := os.Stat("../../" + path[1])
		require.NoError(t, err)
	}
	kept, not := strings.Count(text, " | yes | "), strings.Count(text, " | no | ")
	require.Contains(t, text, fmt.Sprintf("%d are kept, %d are not", kept, not))
}

var (
	idPattern      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
	varyingPattern = regexp.MustCompile(idPattern.String() + `|dispo_\w+|…\w*|\d{4}-\d\d-\d\d( |\\ )\d\d:\d\d:\d\dZ`)
)

// shownPattern matches what a document shows. Its groups are the ids.
func shownPattern(shown string) *regexp.Regexp {
	pattern, end := "", 0
	shown = strings.Join(strings.Fields(shown), " ")
	for _, at := range varyingPattern.FindAllStringIndex(shown, -1) {
		varying := shown[at[0]:at[1]]
		pattern += regexp.QuoteMeta(shown[end:at[0]])
		switch end = at[1]; {
		case idPattern.MatchString(varying):
			pattern += "(" + idPattern.String() + ")"
		case strings.HasPrefix(varying, "dispo_"):
			pattern += `dispo_\w+`
		case strings.HasPrefix(varying, "…"):
			pattern += ".*"
		default:
			pattern += `\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`
		}
	}
	return regexp.MustCompile("^" + pattern + regexp.QuoteMeta(shown[end:]) + "$")
}
