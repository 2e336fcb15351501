package main_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/modelstest"
)

// migrationFiles counts the files. Their numbers may have gaps.
func migrationFiles(t *testing.T) int {
	t.Helper()
	files, err := filepath.Glob("../../migrations/*.sql")
	require.NoError(t, err)
	return len(files)
}

// migrate brings an empty database up to date and prints each step. A second run
// changes nothing. --status only prints the version; its exit status is 1 if the
// schema is not up to date.
func TestMigrate(t *testing.T) {
	t.Parallel()
	db := on(modelstest.EmptyDatabase(t))
	latest := strconv.FormatInt(migrations.Latest(), 10)

	before := db.run(t, "migrate", "--status")
	require.Equal(t, 1, before.status)
	require.Equal(t, "the schema is at version 0, this dispo needs version "+latest+"\n", before.out)
	requireSentence(t, before.err, "version 0 of "+latest, "dispo migrate")

	lines := strings.Split(db.run(t, "migrate").requireDone(t), "\n")
	require.Len(t, lines, migrationFiles(t)+1)
	require.Equal(t, "applied 00001_roles.sql", lines[0])
	require.True(t, slices.IsSorted(lines))
	require.Equal(t, "the schema is up to date, at version "+latest, lines[len(lines)-1])
	require.Equal(t, lines[len(lines)-1], db.run(t, "migrate").requireDone(t))

	after := db.run(t, "migrate", "--status")
	require.Equal(t, "the schema is at version "+latest+", this dispo needs version "+latest, after.requireDone(t))
	require.Empty(t, after.err)
}

// migrate uses DATABASE_MIGRATION_URL if it is set.
func TestMigrationURL(t *testing.T) {
	t.Parallel()
	url := modelstest.EmptyDatabase(t)
	on("postgres://"+nowhere+"/dispo").with("DATABASE_MIGRATION_URL="+url).run(t, "migrate").requireDone(t)
	on(url).run(t, "organization", "list").requireDone(t)
}

// No command uses a schema that is older or newer than the one the program needs. One
// sentence says what to do.
func TestOtherSchema(t *testing.T) {
	t.Parallel()
	older, previous, newer := modelstest.EmptyDatabase(t), modelstest.Database(t), modelstest.Database(t)
	modelstest.ExecuteAt(t, previous, `DELETE FROM goose_db_version WHERE version_id = $1`, migrations.Latest())
	modelstest.ExecuteAt(t, newer, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
	for _, command := range []string{"serve --listen 127.0.0.1:0", "organization list", "key list --organization acme"} {
		on(older).run(t, strings.Fields(command)...).requireRefused(t, 1, "version 0", "`dispo migrate`")
		on(previous).run(t, strings.Fields(command)...).requireRefused(t, 1, "`dispo migrate`")
		on(newer).run(t, strings.Fields(command)...).requireRefused(t, 1, "version 99999", "use a newer dispo")
	}
	on(newer).run(t, "migrate").requireRefused(t, 1, "version 99999", "use a newer dispo")
	status := on(newer).run(t, "migrate", "--status")
	require.Equal(t, 1, status.status)
	require.Contains(t, status.out, "at version 99999")
	requireSentence(t, status.err, "use a newer dispo")

	for _, url := range []string{previous, newer} {
		modelstest.ExecuteAt(t, url, `COMMENT ON TABLE goose_db_version IS NULL`) // as the unreleased editions left it
		for _, command := range []string{"serve --listen 127.0.0.1:0", "organization list", "migrate", "migrate --status"} {
			on(url).run(t, strings.Fields(command)...).requireRefused(t, 1, "unreleased edition", "import the data anew")
		}
	}
}
