package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"dispo/models/accounts/password"
	"dispo/models/modelstest"
)

// The scripts in testdata/script show what each command does, one script for a command or a
// subject. Each starts with a migrated database without data, which DATABASE_URL names.
// ROOT is the repository.
// Beside testscript's own commands there are:
//
//	refused STATUS PATTERN [NAME=VALUE...] COMMAND...
//		requires that exit status, no standard output, and one sentence that matches on
//		standard error, without "hunter2", which stands for a password in all scripts
//	shows FILE
//		compares standard output with the file: see shownPattern
//	set NAME PATTERN
//		sets a variable to the pattern's first group in standard output
//	database NAME
//		creates another database, without a schema, and sets NAME to its URL as its owner
//	sql STATEMENT...
//		prints the rows of the statement as the superuser; its texts stand between double quotes
//	serve [FLAG...]
//		starts the service, and sets ADDRESS, PORT, and METRICS to the metrics' URL
//	shutdown
//		stops it, requires that it ends well, and prints its output and its log
//	await FILE
//		waits until the file exists
//	get STATUS URL [NAME:VALUE...]
//		requests a path of the service or a URL with these headers, requires that status,
//		and prints the response's headers and body
//	measures FILE...
//		requires that standard output has each metric that the files name, but those of the
//		watcher, with each label that they name in quotation marks
//	bcrypt PASSWORD
//		requires that standard output is a hash of the password
func TestScripts(t *testing.T) {
	commands := map[string]func(*script, *testscript.TestScript, []string){
		"refused":  (*script).refused,
		"shows":    (*script).shows,
		"set":      (*script).set,
		"database": (*script).database,
		"sql":      (*script).sql,
		"serve":    (*script).serve,
		"shutdown": (*script).shutdown,
		"await":    (*script).await,
		"get":      (*script).get,
		"measures": (*script).measures,
		"bcrypt":   (*script).bcrypt,
	}
	params := testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Cmds:               map[string]func(*testscript.TestScript, bool, []string){},
	}
	for name, command := range commands {
		params.Cmds[name] = func(ts *testscript.TestScript, _ bool, arguments []string) {
			command(ts.Value("script").(*script), ts, arguments)
		}
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	params.Setup = func(env *testscript.Env) error {
		s := &script{TB: env.T().(testing.TB)}
		env.Values["script"] = s
		url := modelstest.Database(s)
		s.Cleanup(func() { modelstest.RequireTotals(s, url) })
		env.Vars = append(env.Vars, on(url).with("DISPO_LISTEN=127.0.0.1:0", "ROOT="+root)...)
		return nil
	}
	testscript.Run(t, params)
}

// script is the test of a script, with the service that it has started.
type script struct {
	testing.TB
	service *service
}

func (s *script) refused(ts *testscript.TestScript, arguments []string) {
	var ended *exec.ExitError
	if !errors.As(ts.Exec("env", arguments[2:]...), &ended) || strconv.Itoa(ended.ExitCode()) != arguments[0] {
		ts.Fatalf("exit status %s is expected", arguments[0])
	}
	text := ts.ReadFile("stderr")
	if ts.ReadFile("stdout") != "" || !regexp.MustCompile(`^dispo: [^\n]+\n$`).MatchString(text) ||
		strings.Contains(text, "%!") || strings.Contains(text, "hunter2") {
		ts.Fatalf("one sentence on standard error is expected, without a password")
	}
	if !regexp.MustCompile(arguments[1]).MatchString(text) {
		ts.Fatalf("no match for %s", arguments[1])
	}
}

func (s *script) shows(ts *testscript.TestScript, arguments []string) {
	if !shownPattern(ts.ReadFile(arguments[0])).MatchString(strings.Join(strings.Fields(ts.ReadFile("stdout")), " ")) {
		ts.Fatalf("this is not what %s shows", arguments[0])
	}
}

func (s *script) set(ts *testscript.TestScript, arguments []string) {
	match := regexp.MustCompile(`(?m)` + arguments[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if match == nil {
		ts.Fatalf("no match for %s", arguments[1])
	}
	ts.Setenv(arguments[0], match[1])
}

func (s *script) database(ts *testscript.TestScript, arguments []string) {
	ts.Setenv(arguments[0], modelstest.OwnedDatabase(s, "dispo_app", "dispo_operator", "dispo_keeper"))
}

func (s *script) sql(ts *testscript.TestScript, arguments []string) {
	conn := modelstest.Conn(s, modelstest.As(ts.Getenv("DATABASE_URL"), modelstest.Superuser))
	results, err := conn.PgConn().Exec(s.Context(), strings.ReplaceAll(strings.Join(arguments, " "), `"`, `'`)).ReadAll()
	ts.Check(err)
	for _, row := range results[0].Rows {
		fmt.Fprintf(ts.Stdout(), "%s\n", bytes.Join(row, []byte(" ")))
	}
}

func (s *script) serve(ts *testscript.TestScript, arguments []string) {
	ts.Check(ts.Exec("env"))
	s.service = program(strings.Split(ts.ReadFile("stdout"), "\n")).serve(s, arguments...)
	ts.Setenv("ADDRESS", strings.TrimPrefix(s.service.url, "http://"))
	_, port, _ := net.SplitHostPort(ts.Getenv("ADDRESS"))
	ts.Setenv("PORT", port)
	ts.Setenv("METRICS", s.service.metrics)
}

func (s *script) shutdown(ts *testscript.TestScript, _ []string) {
	require.Zero(s, s.service.end(s, terminate), s.service.err.String())
	fmt.Fprint(ts.Stdout(), s.service.out.String())
	fmt.Fprint(ts.Stderr(), s.service.err.String())
}

func (s *script) await(ts *testscript.TestScript, arguments []string) {
	modelstest.Eventually(s, func() bool {
		_, err := os.Stat(ts.MkAbs(arguments[0]))
		return err == nil
	})
}

func (s *script) get(ts *testscript.TestScript, arguments []string) {
	url := arguments[1]
	if strings.HasPrefix(url, "/") {
		url = s.service.url + url
	}
	header := map[string]string{}
	for _, argument := range arguments[2:] {
		name, value, _ := strings.Cut(argument, ":")
		header[name] = value
	}
	got, err := ask(url, header)
	ts.Check(err)
	for name := range got.header {
		fmt.Fprintf(ts.Stdout(), "%s: %s\n", name, got.header.Get(name))
	}
	fmt.Fprintf(ts.Stdout(), "\n%s\n", got.body)
	if arguments[0] != strconv.Itoa(got.status) {
		ts.Fatalf("the status is %d", got.status)
	}
}

func (s *script) measures(ts *testscript.TestScript, arguments []string) {
	served, named := ts.ReadFile("stdout"), 0
	for _, file := range arguments {
		for _, match := range regexp.MustCompile(`\b((?:dispo|go|process)_[a-z_]+)\b(?:\{([^}]*)\})?`).FindAllStringSubmatch(ts.ReadFile(file), -1) {
			if strings.HasPrefix(match[1], "dispo_watch_") {
				continue
			}
			named++
			series := regexp.MustCompile(`(?m)^` + match[1] + `(\{.*\})? `).FindString(served)
			if series == "" {
				ts.Fatalf("%s names %s, which is not served", file, match[1])
			}
			for _, label := range regexp.MustCompile(`(\w+)[=!]~?\\?"`).FindAllStringSubmatch(match[2], -1) {
				if label[1] != "instance" && !strings.Contains(series, label[1]+`="`) {
					ts.Fatalf("%s names the label %s of %s, which is not served", file, label[1], match[1])
				}
			}
		}
	}
	if named == 0 {
		ts.Fatalf("no metric is named")
	}
}

func (s *script) bcrypt(ts *testscript.TestScript, arguments []string) {
	hash := strings.TrimSpace(ts.ReadFile("stdout"))
	right, err := password.NewHasher().Matches(context.Background(), password.Origin{}, &hash, arguments[0])
	ts.Check(err)
	if !right {
		ts.Fatalf("it is another password's")
	}
}
