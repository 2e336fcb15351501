package main

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"dispo/models/disk"
)

// withoutEnvFile are the commands that never read it: systemd does for the service, and the
// others need no database.
var withoutEnvFile = regexp.MustCompile(`^(demo|serve|layout|backup check|mail test|health|version)( |$)`)

// readEnvFile sets our variables of the service's environment file that the shell has not set,
// and before that those of the commands' own file beside it. If systemd has already set a variable
// from these files, it is treated as read from them.
func (s *settings) readEnvFile(command string) error {
	if s.EnvFile == "none" || withoutEnvFile.MatchString(command) {
		return nil
	}
	own := s.EnvFile + "-commands"
	files, assigned := []string{own, s.EnvFile}, map[string][][2]string{}
	for _, file := range files {
		text, err := disk.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && (file == own || file == "/etc/default/dispo"): // there is no package
		case err != nil:
			return usageErrorf("cannot read the service's settings: %v; run this as root, or pass --env-file none", err)
		case !utf8.Valid(text) || slices.Contains(text, 0):
			return usageErrorf("%s is not text in UTF-8, so systemd may not read it either", file)
		}
		assigned[file] = slices.DeleteFunc(assignments(string(text)), func(a [2]string) bool { return !isOurs(a[0]) })
		for _, a := range assigned[file] {
			if a[0] == "DISPO_DATA" && a[1] == s.Data {
				s.Data = ""
			}
			if a[1] == os.Getenv(a[0]) {
				_ = os.Unsetenv(a[0])
			}
		}
	}
	ownDatabase := isSet("DATABASE_URL")
	for _, file := range files {
		for _, a := range slices.Backward(assigned[file]) { // the last one counts
			name, value := strings.TrimSuffix(a[0], "_FILE"), a[1]
			isDatabase := name == "DATABASE_URL" && value != ""
			switch {
			case isSet(name),
				name == "DATABASE_MIGRATION_URL" && ownDatabase, // may be another one's
				name == "DISPO_METRICS_LISTEN" && file != own:   // the service listens there
				continue
			case isDatabase && s.Data != "":
				return usageErrorf("--data (DISPO_DATA) is set, and DATABASE_URL in %s: "+
					"leave --data out, or pass --env-file none", file)
			case isDatabase && file != own:
				s.refusedLogin = usageErrorf("the DATABASE_URL in %s is the service's login: set that of the commands, "+
					"or for migrate and restore the owner's DATABASE_MIGRATION_URL, in %s, which only root may read",
					file, own)
			}
			_ = os.Setenv(a[0], value) // has no NUL
		}
	}
	unsetEmpty()
	return nil
}

// isOurs reports whether a variable is a setting, or names the file of one.
func isOurs(name string) bool {
	return strings.HasPrefix(name, "DISPO_") || name == "PG_BIN" ||
		slices.Contains(secretNames, strings.TrimSuffix(name, "_FILE"))
}

// isSet reports whether a variable is set, or the one that names its file.
func isSet(name string) bool {
	_, value := os.LookupEnv(name)
	_, file := os.LookupEnv(name + "_FILE")
	return value || file
}

// An environment file has comments and assignments, as in EnvironmentFile= of systemd.exec(5).
// A value is texts in quotation marks, and then text in which they mean nothing. As in systemd
// since version 254, a comment ends with its line, even after a backslash.
var (
	assignment = regexp.MustCompile(`(?s)[#;][^\r\n]*|([^ \t\r\n][^=\r\n]*?)[ \t]*=` +
		`((?:[ \t]|'[^']*'?|"(?:\\.|[^"\\])*["\\]?)*)((?:\\.?|[^\\\r\n])*?)[ \t]*(?:[\r\n]|$)`)
	quotation    = regexp.MustCompile(`(?s)'([^']*)'?|"((?:\\.|[^"\\])*)["\\]?`)
	quotedEscape = regexp.MustCompile("\\\\(?:\n|([\"\\\\`$]))")
	escape       = regexp.MustCompile(`(?s)\\(?:[\r\n]|(.?))`)
)

// assignments returns the names and values of an environment file, where nothing is expanded.
// A comment has no name.
func assignments(text string) (found [][2]string) {
	for _, match := range assignment.FindAllStringSubmatch(text, -1) {
		value := ""
		for _, quoted := range quotation.FindAllStringSubmatch(match[2], -1) {
			value += quoted[1] + quotedEscape.ReplaceAllString(quoted[2], "$1")
		}
		found = append(found, [2]string{match[1], value + escape.ReplaceAllString(match[3], "$1")})
	}
	return found
}
