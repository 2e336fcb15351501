package main_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A command fails if what it prints goes nowhere: into a full disk, or a pipe that is closed,
// whose signal does not end it first. A key that nobody can see is revoked again.
func TestOutputIsChecked(t *testing.T) {
	t.Parallel()
	w, folder := newWorld(t), newFolder(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	read, closed, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, read.Close())
	for to, part := range map[*os.File]string{full: "no space left on device", closed: "broken pipe"} {
		for _, arguments := range [][]string{
			{"version"}, {"--help"}, {"backup", folder + "/x.dispo"}, {"backup", "-"}, {"doctor"}, {"doctor", "--json"}, {"organization", "list"},
			{"key", "list", "--organization", "acme", "--json"}, {"user", "create", part[:1] + "@example.com", "--organization", "acme", "--role", "owner"},
			{"key", "create", "--organization", "acme", "--name", "unseen"},
		} {
			p := w.prepare(arguments...)
			p.cmd.Stdout = to
			p.begin(t)
			require.Equal(t, 1, p.wait(t), "%v: %s", arguments, p.err.String())
			if arguments[0] != "doctor" { // it may have found failures
				require.Regexp(t, `(?m)^dispo: .*cannot write to standard output: `+part+`[^\n]*$`, p.err.String())
			}
		}
		require.NoError(t, to.Close())
	}
	require.Equal(
		t,
		"2 2",
		modelstest.ValueAt[string](t, w.URL,
			`SELECT count(*) || ' ' || count(revoked_at) FROM api_keys WHERE name = 'unseen'`),
	)
}
