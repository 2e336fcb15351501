package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// Help and the version go to standard output, with exit status 0.
func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		arguments []string
		parts     []string
	}{
		{[]string{"--help"}, []string{"Usage: dispo <command>", "demo", "serve", "migrate", "organization create", "organization list", "user create",
			"key create", "key list", "key revoke", "import companies", "import delivery", "health", "version", "--data"}},
		{[]string{"version"}, []string{"dispo ", "go1."}},
	} {
		r := plain().run(t, row.arguments...)
		text := r.requireDone(t)
		require.Empty(t, r.err)
		for _, part := range row.parts {
			require.Contains(t, text, part, row.arguments)
		}
	}
}

// The help of a command shows its own commands or flags first, and then the service's
// settings.
func TestHelpShowsOwnFlagsFirst(t *testing.T) {
	t.Parallel()
	for command, flag := range map[string]string{"key create": "--expires", "import delivery": "--skip-unknown", "serve": "--listen", "delivery": "delivery list", "": "demo"} {
		text := plain().run(t, append(strings.Fields(command), "--help")...).requireDone(t)
		own, settings, found := strings.Cut(text, "\nSettings:\n")
		require.True(t, found, text)
		require.Contains(t, own, flag)
		require.NotContains(t, own, "--limit-minute")
		require.Contains(t, settings, "--limit-minute")
		require.Contains(t, settings, "--data")
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

// Only demo, serve, migrate and organization create make an embedded database. With a
// mistyped data directory, every other command says that there is no database, and creates
// nothing.
func TestCommandsCreateNothing(t *testing.T) {
	t.Parallel()
	dir := newFolder(t) + "/none"
	layout, delivery, id := file(t, "empty.yaml", ""), file(t, "delivery.csv", delivery(cvr)), "01900000-0000-7000-8000-000000000000"
	for _, command := range []string{
		"organization list", "organization suspend acme", "organization resume acme",
		"user create a@example.com --organization acme --role owner", "user password a@example.com", "user disable a@example.com", "user enable a@example.com",
		"user end-sessions a@example.com", "user reset-second-factor a@example.com",
		"key create --organization acme --name k", "key list --organization acme", "key revoke " + id,
		"import companies " + delivery + " --organization acme", "import delivery " + delivery, "import delivery " + delivery + " --dry-run", "watch " + newFolder(t),
		"delivery list", "delivery show " + id, "delivery held", "delivery backfill --organization acme", "delivery withdraw " + id + " --reason x --yes",
		"mail list", "mail retry", "migrate --status",
	} {
		onData(dir).run(t, strings.Fields(command)...).requireRefused(t, 1, "there is no database in "+dir)
		require.NoDirExists(t, dir, command)
	}
	for command, status := range map[string]int{
		"version": 0, "health --listen " + nowhere: 1, "layout check " + delivery: 0, "import delivery " + delivery + " --layout " + layout: 1,
		"mail test a@example.com": 2, "--help": 0,
	} {
		require.Equal(t, status, onData(dir).run(t, strings.Fields(command)...).status, command)
		require.NoDirExists(t, dir, command)
	}
}
