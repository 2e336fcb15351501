package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

// The manual page has every command, flag and argument that --help shows, and every variable.
func TestManual(t *testing.T) {
	page := strings.ReplaceAll(printed(t, "manual"), `\-`, "-")
	parser, err := kong.New(&program{})
	require.NoError(t, err)
	leaves := parser.Model.Leaves(true)
	require.Greater(t, len(leaves), 40)
	for _, command := range leaves {
		require.Contains(t, page, "\n.SS "+command.Path())
		for _, argument := range command.Positional {
			require.Contains(t, page, "\n.I "+argument.Summary())
		}
		for _, group := range command.AllFlags(true) {
			for _, flag := range group {
				require.Contains(t, page, flag.String()+"\n", command.Path())
				for _, variable := range flag.Envs {
					require.Contains(t, page, "$"+variable)
				}
			}
		}
	}
	for _, name := range secretNames {
		require.Contains(t, page, name)
	}
	for line := range strings.Lines(page) {
		require.NotRegexp(t, `^'|\\[^&e]`, line)
	}
}

// Shells complete commands, flags and their values, and files where nothing is printed.
func TestComplete(t *testing.T) {
	for _, row := range []struct{ line, candidates string }{
		{"ke", "key"},
		{"man", ""},
		{"key ", "create list revoke leaked resume"},
		{"key create --org", "--organization"},
		{"--log-level de", "debug"},
		{"--log-level debug key le", "leaked"},
		{"--mcp key le", "leaked"},
		{"serve --access-log=", "--access-log=on --access-log=off"},
		{"user create a@example.com --role ", "owner admin viewer"},
		{"serve --data ", ""},
		{"serve --data=", ""},
		{"import companies ", ""},
	} {
		var candidates []string
		for line := range strings.Lines(printed(t, append([]string{"complete", "--"}, strings.Split(row.line, " ")...)...)) {
			name, _, found := strings.Cut(line, "\t")
			require.True(t, found, line)
			candidates = append(candidates, name)
		}
		require.Equal(t, row.candidates, strings.Join(candidates, " "), row.line)
	}
	require.Contains(t, printed(t, "complete"), "serve\tServe the API and the dashboard.\n")
}

func printed(t *testing.T, arguments ...string) string {
	t.Helper()
	t.Setenv("HOME", os.Getenv("HOME")) // run changes it
	var out, err bytes.Buffer
	require.Equal(t, exitDone, run(t.Context(), arguments, streams{out: &output{to: &out}, err: &err}), err.String())
	require.Empty(t, err.String())
	return out.String()
}
