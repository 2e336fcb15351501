package main_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/modelstest"
)

// later is a program of a release that follows: its files are this program's and these, each
// with the statements of a version, and %s for the note of which programs it serves.
func later(t *testing.T, url string, versions ...string) error {
	t.Helper()
	files := fstest.MapFS{}
	paths, err := filepath.Glob("../../migrations/*.sql")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		files[filepath.Base(path)] = &fstest.MapFile{Data: text}
	}
	edition := regexp.MustCompile(`'(dispo edition \w+)'`).FindSubmatch(files["00001_roles.sql"].Data)[1]
	for i, statements := range versions {
		version := migrations.Latest() + int64(i) + 1
		note := fmt.Sprintf("COMMENT ON TABLE goose_db_version IS '%s, version %d serves %d';", edition, version, version-1)
		files[fmt.Sprintf("%05d_later.sql", version)] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "-- +goose Up\n"+statements, note),
		}
	}
	return modelstest.ErrorOf(migrations.Apply(t.Context(), url, files))
}

// The rolling upgrade: while and after the next release migrates the schema, this program
// serves, can be started again, and its commands work. After the release that follows, or if
// the schema does not say what it serves, it is refused in one sentence.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	const next = `
		ALTER TABLE companies ADD COLUMN added text, ALTER COLUMN name TYPE varchar(200);
		ALTER TABLE api_keys ADD COLUMN added text, ALTER COLUMN name TYPE varchar(200);
		ALTER TABLE organizations ADD COLUMN added text NOT NULL DEFAULT 'x';
		%s`
	w := newWorld(t)
	login := on(modelstest.Login(t, w.URL, "dispo_app")).with("DISPO_LIMIT_MINUTE=1000000", "DISPO_LIMIT_HOUR=1000000")
	instance := login.serve(t)
	answers := func(s *service) {
		t.Helper()
		for _, path := range []string{"/api/v1/companies", "/api/v1/transactions", "/api/v1/changes", "/api/v1/days", "/api/v1/companies/" + cvr} {
			require.Equal(t, http.StatusOK, s.get(t, path, w.key).status, path)
		}
	}
	answers(instance)
	migrated := make(chan error, 1)
	go func() { migrated <- later(t, w.URL, next) }()
	for running := true; running; {
		answers(instance)
		select {
		case err := <-migrated:
			require.NoError(t, err)
			running = false
		default:
		}
	}
	answers(instance)

	known, newer := migrations.Latest(), migrations.Latest()+1
	served := fmt.Sprintf("at version %d, this dispo needs version %d; it is newer and still serves this dispo", newer,
		known)
	require.Contains(t, w.run(t, "migrate", "--status").requireDone(t), served)
	require.Contains(t, w.run(t, "migrate").requireDone(t),
		fmt.Sprintf("up to date, at version %d; it is newer and still serves this dispo", newer))
	require.Regexp(
		t,
		fmt.Sprintf(
			`(?m)^warning +schema +The schema is at version %d. It is newer than this dispo, which knows version %d, and still serves it. Upgrade this dispo`,
			newer,
			known,
		),
		w.run(t, "doctor").out,
	)
	require.Zero(t, instance.end(t, terminate), instance.err.String())
	instance = login.serve(t)
	require.Len(
		t,
		instance.entries(
			"the database's schema is newer than this program, which it still serves until the next release: upgrade this instance",
		),
		1,
	)
	answers(instance)
	w.run(t, "import", "delivery", file(t, "delivery.csv", delivery(cvr))).requireDone(t)
	w.key = w.run(t, "key", "create", "--organization", "acme", "--name", "new").requireDone(t)
	answers(instance)
	require.Equal(t, 1, instance.get(t, "/api/v1/transactions", w.key).requirePage(t).Meta.Total)

	// The release after the next serves the next, but no longer this one.
	require.NoError(t, later(t, w.URL, next, "%s"))
	answers(instance)
	refusal := fmt.Sprintf(
		"it is at version %d, which serves programs from version %d on, and this one knows %d: use a newer dispo", newer+1,
		newer, known)
	for _, command := range []string{"serve", "migrate"} {
		login.run(t, command).requireRefused(t, 1, refusal)
	}
	modelstest.ExecuteAt(t, w.URL, `INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, newer+2)
	login.run(t, "serve").
		requireRefused(t, 1, fmt.Sprintf("it is at version %d, which serves programs from version %[1]d on", newer+2))
}
