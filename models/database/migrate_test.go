package database_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// migrationFiles counts the files. Their numbers may have gaps.
func migrationFiles(t *testing.T) int {
	t.Helper()
	files, err := filepath.Glob("../../migrations/*.sql")
	require.NoError(t, err)
	return len(files)
}

// versionAt returns the version of a database's schema.
func versionAt(t *testing.T, url string) int64 {
	t.Helper()
	db := stdlib.OpenDB(*modelstest.Conn(t, url).Config())
	defer db.Close()
	version, err := migrations.Version(t.Context(), db)
	require.NoError(t, err)
	return version
}

// Migrating an empty database brings it to the version that this program knows. The
// second time there is nothing to do.
func TestMigrateTwice(t *testing.T) {
	t.Parallel()
	url := modelstest.EmptyDatabase(t)
	require.Zero(t, versionAt(t, url))
	applied, err := migrations.Up(t.Context(), url)
	require.NoError(t, err)
	require.Len(t, applied, migrationFiles(t))
	require.True(t, slices.IsSorted(applied))
	require.Equal(t, migrations.Latest(), versionAt(t, url))
	applied, err = migrations.Up(t.Context(), url)
	require.NoError(t, err)
	require.Empty(t, applied)
}

// Several programs can migrate two databases of one server at once, before any of the
// roles exist. Each file is applied once to each database. They may do so as a plain
// owner, who may create roles and is not a superuser. The service then works as that
// owner, restricted by the policies.
func TestMigrateAtOnceAsAnOwner(t *testing.T) {
	t.Parallel()
	urlFor := modelstest.Server(t)
	admin := modelstest.Conn(t, urlFor("postgres"))
	modelstest.Execute(t, admin, `CREATE ROLE owner LOGIN NOSUPERUSER CREATEROLE`)
	var urls []string
	for _, name := range []string{"one", "two"} {
		modelstest.Execute(t, admin, `CREATE DATABASE `+name+` OWNER owner`)
		urls = append(urls, modelstest.As(t, urlFor(name), "owner"))
	}
	// Both databases' migrations find the first role missing, and then created by
	// somebody else.
	creating := modelstest.Conn(t, urls[0])
	modelstest.Execute(t, creating, `BEGIN`)
	modelstest.Execute(t, creating, `CREATE ROLE dispo_app NOLOGIN`)
	applied := make([][]string, 6)
	var programs errgroup.Group
	for i := range applied {
		programs.Go(func() (err error) {
			applied[i], err = migrations.Up(t.Context(), urls[i%2])
			return err
		})
	}
	modelstest.Eventually(t, func() bool {
		return modelstest.Value[int](t, admin, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'transactionid'`) == 2
	})
	modelstest.Execute(t, creating, `COMMIT`)
	require.NoError(t, programs.Wait())
	for database := range urls {
		var all []string
		for i := database; i < len(applied); i += 2 {
			all = append(all, applied[i]...)
		}
		require.Len(t, all, migrationFiles(t))
	}
	requireWorks(t, urls[1], urls[1])
}

// requireWorks requires that the service and the operator's commands work with these
// login roles, and that the service sees only its organization's rows.
func requireWorks(t *testing.T, serviceURL, operatorURL string) {
	t.Helper()
	w := &modelstest.World{URL: operatorURL,
		Service: modelstest.Open(t, serviceURL, database.Service), Operator: modelstest.Open(t, operatorURL, database.Operator)}
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000002")
	w.Delivery(t, "10000001", 2)
	key, text, err := keys.Create(t.Context(), w.Service.Tenant(a.ID), keys.NewKey{Name: "x"})
	require.NoError(t, err)
	require.NoError(t, w.Service.Verify(t, text))
	w.Service.Usage.Record(modelstest.Caller(key), modelstest.Request("192.0.2.1", ""))
	modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(keys.Revoke(t.Context(), w.Service.Tenant(b.ID), key.ID)))
	_, err = keys.Revoke(t.Context(), w.Service.Tenant(a.ID), key.ID)
	require.NoError(t, err)
	require.NoError(t, modelstest.ErrorOf(w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(a.ID), "x@example.com", models.RoleOwner, "")))

	require.Len(t, modelstest.Transactions(t, w.Service, a, "10000001"), 2)
	modelstest.RequireKind(t, models.KindCompanyNotFound, modelstest.ErrorOf(ledger.Company(t.Context(), w.Service.Tenant(b.ID), "10000001")))
	var seen int
	require.NoError(t, w.Service.DB().Pool.QueryRow(t.Context(), `SELECT count(*) FROM companies`).Scan(&seen))
	require.Zero(t, seen, "rows without an organization")
}

// An owner who may not create roles can migrate if the roles exist and were granted
// to the owner.
func TestMigrateWithExistingRoles(t *testing.T) {
	t.Parallel()
	// Roles belong to the server, which has them from the other tests' databases.
	url := modelstest.OwnedDatabase(t, "dispo_app", "dispo_operator")
	require.NoError(t, modelstest.ErrorOf(migrations.Up(t.Context(), url)))
	requireWorks(t, url, url)
}

// A schema that is older or newer than this program's is refused with advice, by
// Check, by Open and, if it is newer, by Up.
func TestSchemaOfAnotherVersion(t *testing.T) {
	t.Parallel()
	latest := migrations.Latest()
	require.NoError(t, migrations.Check(latest))
	for version, advice := range map[int64]string{0: "run `dispo migrate`", latest - 1: "run `dispo migrate`", latest + 1: "use a newer dispo"} {
		err := migrations.Check(version)
		require.ErrorIs(t, err, migrations.ErrSchema)
		require.ErrorContains(t, err, advice)
	}

	open := func(url string) error {
		store, err := database.Open(t.Context(), database.Config{URL: url, Role: database.Service})
		if err == nil {
			store.Close()
		}
		return err
	}
	empty := modelstest.EmptyDatabase(t)
	require.ErrorIs(t, open(empty), migrations.ErrSchema)
	require.ErrorContains(t, open(empty), "run `dispo migrate`")

	url := modelstest.Database(t)
	conn := modelstest.Conn(t, url)
	require.NoError(t, open(url))
	modelstest.Execute(t, conn, `DELETE FROM goose_db_version WHERE version_id = $1`, latest)
	require.ErrorContains(t, open(url), "run `dispo migrate`")
	modelstest.Execute(t, conn, `INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true), ($2, true)`, latest, latest+1)
	require.ErrorContains(t, open(url), "use a newer dispo")
	_, err := migrations.Up(t.Context(), url)
	require.ErrorIs(t, err, migrations.ErrSchema)
	require.ErrorContains(t, err, "use a newer dispo")

	// What an unreleased edition has made is refused, whatever its version.
	modelstest.Execute(t, conn, `COMMENT ON TABLE goose_db_version IS NULL`)
	require.ErrorIs(t, open(url), migrations.ErrEdition)
	modelstest.Execute(t, conn, `DELETE FROM goose_db_version WHERE version_id > 3`)
	require.ErrorIs(t, open(url), migrations.ErrEdition)
	require.ErrorIs(t, modelstest.ErrorOf(migrations.Up(t.Context(), url)), migrations.ErrEdition)
}
