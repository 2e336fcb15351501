package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// No PG… variable but PG_BIN has any effect, nor has a file of PostgreSQL at home. One warning
// names the variables, and so does doctor. What a URL names counts, for pg_dump too.
func TestOnlyTheURLCounts(t *testing.T) {
	t.Parallel()
	w, home := newWorld(t), newFolder(t)
	require.NoError(t, os.Mkdir(filepath.Join(home, ".postgresql"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".postgresql/root.crt"), []byte("x"), 0o644))
	p := w.with(ignoredVariables...).with("HOME=" + home)
	for _, arguments := range [][]string{{"key", "list", "--organization", "acme"}, {"backup", home + "/x.dispo"}} {
		r := p.run(t, arguments...)
		r.requireDone(t)
		require.Regexp(
			t,
			`^.*"level":"WARN","msg":"PG… variables have no effect: .*"variables":"PGCHANNELBINDING PGCLIENTENCODING PGCONNECT_TIMEOUT .*PGUSER"}\n$`,
			r.err,
		)
	}
	require.Contains(t,
		w.with("DATABASE_URL=", "DATABASE_MIGRATION_URL="+w.URL, "PGSSLMODE=verify-full").run(t, "migrate").err, "no effect")
	require.Regexp(t, `(?m)^warning +settings +PG… variables have no effect: PGCHANNELBINDING, .*DATABASE_URL`,
		p.run(t, "doctor").out)
	w.with("HOME="+home, "DATABASE_URL=postgres://dispo@"+nowhere+"/dispo").
		run(t, "organization", "list").
		requireRefused(t, 1, "connection refused")

	config, err := pgx.ParseConfig(w.URL)
	require.NoError(t, err)
	service := file(
		t,
		"a service",
		fmt.Sprintf("[dispo]\nhost=%s\nport=%d\nuser=%s\ndbname=%s\n", config.Host, config.Port, config.User,
			config.Database),
	)
	q := w.with("DATABASE_URL=postgres:///?service=dispo&servicefile=" + filepath.Dir(service) + "/a%20service")
	q.run(t, "key", "list", "--organization", "acme").requireDone(t)
	q.run(t, "backup", home+"/y.dispo").requireDone(t)
	w.with("DATABASE_URL=postgres:///?service=dispo").
		run(t, "organization", "list").
		requireRefused(t, 2, "service= needs servicefile= beside it")
}

// A pooler in transaction mode is refused before migrate and restore change anything.
func TestOwnerNeedsSessions(t *testing.T) {
	t.Parallel()
	w, path := newWorld(t), filepath.Join(newFolder(t), "x.dispo")
	w.run(t, "backup", path).requireDone(t)
	url := modelstest.EmptyDatabase(t)
	p := on(modelstest.NewPooler(t, url, modelstest.TransactionMode))
	for _, arguments := range [][]string{{"migrate"}, {"migrate", "--status"}, {"restore", path}} {
		p.run(t, arguments...).requireRefused(t, 1, "a pooler in transaction mode")
	}
	require.Zero(t,
		modelstest.ValueAt[int](t, url, `SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace`))
}
