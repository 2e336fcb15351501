package main_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/modelstest"
)

// migrate brings an empty database up to date and tells each step; again, it
// changes nothing. --status only tells, with status 1 where something is to be done.
func TestMigrate(t *testing.T) {
	t.Parallel()
	db := on(modelstest.EmptyDatabase(t))
	latest := strconv.FormatInt(migrations.Latest(), 10)

	before := db.run(t, "migrate", "--status")
	require.Equal(t, 1, before.status)
	require.Equal(t, "the schema is at version 0, this dispo knows version "+latest+"\n", before.out)
	requireSentence(t, before.err, "version 0 of "+latest, "dispo migrate")

	lines := strings.Split(db.run(t, "migrate").requireDone(t), "\n")
	require.Len(t, lines, int(migrations.Latest())+1)
	require.Equal(t, "applied 00001_roles.sql", lines[0])
	require.Equal(t, "the schema is up to date, at version "+latest, lines[len(lines)-1])
	require.Equal(t, lines[len(lines)-1], db.run(t, "migrate").requireDone(t))

	after := db.run(t, "migrate", "--status")
	require.Equal(t, "the schema is at version "+latest+", this dispo knows version "+latest, after.requireDone(t))
	require.Empty(t, after.err)
}

// Several that migrate at once all end well: one works, the others wait.
func TestMigrateAtOnce(t *testing.T) {
	t.Parallel()
	db := on(modelstest.EmptyDatabase(t))
	var running []*process
	for range 4 {
		running = append(running, db.start(t, "migrate"))
	}
	applied := 0
	for _, p := range running {
		applied += strings.Count(p.result(t).requireDone(t), "applied ")
	}
	require.EqualValues(t, migrations.Latest(), applied)
}

// DATABASE_MIGRATION_URL is what is migrated, where there is one.
func TestMigrationURL(t *testing.T) {
	t.Parallel()
	url := modelstest.EmptyDatabase(t)
	on("postgres://"+nowhere+"/dispo").with("DATABASE_MIGRATION_URL="+url).run(t, "migrate").requireDone(t)
	on(url).run(t, "organization", "list").requireDone(t)
}

// A schema that is older or newer than the program knows is used by nothing: the
// sentence says what to do.
func TestOtherSchema(t *testing.T) {
	t.Parallel()
	older, newer := modelstest.EmptyDatabase(t), modelstest.Database(t)
	execute(t, newer, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
	for _, command := range []string{"serve --listen 127.0.0.1:0", "organization list", "key list --organization acme"} {
		on(older).run(t, strings.Fields(command)...).requireRefused(t, 1, "version 0", "`dispo migrate`")
		on(newer).run(t, strings.Fields(command)...).requireRefused(t, 1, "version 99999", "use a newer dispo")
	}
	on(newer).run(t, "migrate").requireRefused(t, 1, "version 99999", "use a newer dispo")
	status := on(newer).run(t, "migrate", "--status")
	require.Equal(t, 1, status.status)
	require.Contains(t, status.out, "at version 99999")
	requireSentence(t, status.err, "use a newer dispo")
}
