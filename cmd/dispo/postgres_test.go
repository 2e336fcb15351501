package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/database/embedded"
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

// newerPostgres returns a folder with the installed PostgreSQL, which says that it is version 99.
func newerPostgres(t *testing.T) string {
	t.Helper()
	clients, err := embedded.FindClients(t.Context(), os.Getenv("PG_BIN"), 15)
	require.NoError(t, err)
	dir := newFolder(t)
	entries, err := os.ReadDir(clients.Dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if entry.Name() != "postgres" {
			require.NoError(t, os.Symlink(filepath.Join(clients.Dir, entry.Name()), filepath.Join(dir, entry.Name())))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "postgres"), fmt.Appendf(nil,
		"#!/bin/sh\n[ \"$1\" != --version ] || exec echo 'postgres (PostgreSQL) 99.1'\nexec '%s/postgres' \"$@\"\n",
		clients.Dir), 0o755))
	return dir
}

// The log and doctor warn of a newer PostgreSQL. postgres upgrade makes a backup and moves the database, whose keys work
// on. It refuses while the service runs, and is not for a database of one's own.
func TestPostgresUpgrade(t *testing.T) {
	t.Parallel()
	dir, backups := newData(t), newFolder(t)
	p := onData(dir).with("PATH="+newerPostgres(t)+":"+os.Getenv("PATH"), "DISPO_BACKUPS="+backups)
	onData(dir).run(t, "postgres", "upgrade").requireRefused(t, 1, "there is no database")
	key := onData(dir).fill(t)
	s := p.serve(t)
	require.Contains(t, s.err.String(), "stop the service and run `dispo postgres upgrade`")
	p.run(t, "postgres", "upgrade").requireRefused(t, 1, "stop the service first")
	require.Contains(t, p.run(t, "doctor").out, "this machine has PostgreSQL 99")
	require.Zero(t, s.end(t, terminate), s.err.String())

	said := p.run(t, "postgres", "upgrade").requireDone(t)
	require.Contains(t, said, "delete the old data: rm -r "+dir+"/postgres.old")
	made, err := filepath.Glob(backups + "/before-upgrade-*.dispo")
	require.NoError(t, err)
	require.Len(t, made, 1)
	p.run(t, "backup", "check", "--quick", made[0]).requireDone(t)
	s = p.serve(t)
	require.Equal(t, 2, s.transactions(t, key))
	require.Zero(t, s.end(t, terminate), s.err.String())

	newWorld(t).run(t, "postgres", "upgrade").requireRefused(t, 2, "embedded database")
}
