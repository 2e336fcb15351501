package main_test

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// No command lets a name, a user agent, a file or an argument control the terminal:
// control and invisible characters are escaped.
func TestCommandsEscapeControlCharacters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const evil, shown = "\x1b[2J\a\r\n\u202eevil\u009b", `\x1b[2J\a\r\n\u202eevil\u009b`
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET name = $1`, evil)
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE api_keys SET name = $1, last_used_at = now(), last_used_address = '', last_used_user_agent = $1`, evil)
	modelstest.ExecuteAt(t, w.URL, `INSERT INTO organizations (id, slug, name) VALUES (gen_random_uuid(), 'empty', $1)`,
		evil)
	folder := newFolder(t)
	named := func(name, text string) string {
		path := folder + "/" + name
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	good, bad := named(evil+".csv", delivery(cvr)), named(evil+"bad.csv", "cvr,name\n1,"+evil+"\n")
	for _, arguments := range [][]string{
		{"organization", "list"},
		{"key", "list", "--organization", "acme"},
		{"key", "list", "--organization", "empty"},
		{"key", "create", "--organization", "acme", "--name", "x"},
		{"key", "revoke", w.keyID},
		{"user", "create", "x@example.com", "--organization", "acme", "--role", "owner"},
		{"import", "delivery", good},
		{"import", "delivery", good},
		{"import", "companies", bad, "--organization", "acme"},
		{"import", "companies", folder + "/none" + evil, "--organization", "acme"},
		{evil},
		{"key", "list", "--organization", evil},
		{"key", "create", "--organization", "acme", "--name", evil},
		{"user", "create", evil + "@example.com", "--organization", "acme", "--role", "owner"},
	} {
		r := w.run(t, arguments...)
		output := r.out + r.err
		require.NotEmpty(t, output)
		require.Equal(
			t,
			-1,
			strings.IndexFunc(output,
				func(c rune) bool { return c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c)) }),
			"%q: %q",
			arguments,
			output,
		)
		require.NotContains(t, output, "evil\n", arguments)
	}
	require.Contains(t, w.run(t, "organization", "list").out, "acme   "+shown)
}

// A key that somebody gives to a command by mistake is not repeated in its error.
func TestCommandsMaskKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, arguments := range [][]string{
		{w.key}, {"key", "list", "--organization", w.key}, {"key", "create", "--organization", "acme", "--name", w.key}, {"key", "revoke", w.key},
		{"key", "create", "--organization", "acme", "--name", "x", "--expires", w.key},
		{"organization", "create", w.key, "--slug", "x"}, {"organization", "create", "x", "--slug", w.key},
		{"user", "create", w.key, "--organization", "acme", "--role", "owner"}, {"user", "create", w.key + "@example.com", "--organization", "acme", "--role", "owner"},
		{"user", "password", w.key + "@example.com"}, {"import", "delivery", "/" + w.key}, {"serve", "--listen", w.key}, {"serve", "--" + w.key},
	} {
		r := w.run(t, arguments...)
		require.NotZero(t, r.status)
		require.NotContains(t, r.out+r.err, w.key[19:24], arguments)
	}
}

// A user without a home can use everything but the embedded database.
func TestWithoutHome(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	user := ordinary(t, url)
	homeless := plain().with("DISPO_DATA=", "HOME=", "XDG_DATA_HOME=")
	homeless.runAs(t, user, "version").requireDone(t)
	homeless.runAs(t, user, "health", "--listen", nowhere).requireRefused(t, 1, "does not answer")
	homeless.with("DATABASE_URL="+url).runAs(t, user, "organization", "list").requireDone(t)
	homeless.runAs(t, user, "organization", "list").requireRefused(t, 1, "--data")
}
