package database_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// migrationFiles counts the files. Their numbers may have gaps.
func migrationFiles(t *testing.T) int {
	t.Helper()
	files, err := filepath.Glob("../../migrations/*.sql")
	require.NoError(t, err)
	return len(files)
}

// Several programs can migrate two databases of one server at once, before any of the
// roles exist. Each file is applied once to each database. They may do so as a plain
// owner, who may create roles and is not a superuser. The service then works as that
// owner, restricted by the policies.
func TestMigrateAtOnceAsAnOwner(t *testing.T) {
	t.Parallel()
	server, stop, err := modelstest.Start() // roles belong to the whole server
	require.NoError(t, err)
	t.Cleanup(stop)
	admin := modelstest.Conn(t, server)
	modelstest.Execute(t, admin,
		`ALTER DATABASE postgres OWNER TO CURRENT_USER; DROP ROLE dispo_owner, dispo_app, dispo_operator, dispo_keeper`)
	modelstest.Execute(t, admin, `CREATE ROLE owner LOGIN NOSUPERUSER CREATEROLE`)
	var urls []string
	for _, name := range []string{"one", "two"} {
		modelstest.Execute(t, admin, `CREATE DATABASE `+name+` OWNER owner`)
		urls = append(urls, modelstest.As(modelstest.At(server, name), "owner"))
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
		return modelstest.Value[int](t, admin,
			`SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'transactionid'`) == 2
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
	w := &modelstest.World{
		URL:      operatorURL,
		Service:  modelstest.Open(t, serviceURL, database.Service),
		Operator: modelstest.Open(t, operatorURL, database.Operator),
	}
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000002")
	w.Delivery(t, "10000001", 2)
	key, text, err := keys.Create(t.Context(), w.Service.Tenant(a.ID), keys.NewKey{Name: "x"})
	require.NoError(t, err)
	require.NoError(t, w.Service.Verify(t, text))
	w.Service.Usage.Record(modelstest.Caller(key), modelstest.Request("192.0.2.1", ""))
	modelstest.RequireKind(t, models.KindNotFound,
		modelstest.ErrorOf(keys.Revoke(t.Context(), w.Service.Tenant(b.ID), key.ID)))
	_, err = keys.Revoke(t.Context(), w.Service.Tenant(a.ID), key.ID)
	require.NoError(t, err)
	require.NoError(t, modelstest.ErrorOf(
		w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(a.ID), "x@example.com", terms.Owner, "")))

	require.Len(t, modelstest.Transactions(t, w.Service, a, "10000001"), 2)
	modelstest.RequireKind(t, models.KindCompanyNotFound,
		modelstest.ErrorOf(ledger.Company(t.Context(), w.Service.Tenant(b.ID), "10000001")))
	var seen int
	require.NoError(t, w.Service.DB().Pool.QueryRow(t.Context(), `SELECT count(*) FROM companies`).Scan(&seen))
	require.Zero(t, seen, "rows without an organization")
}

// An owner of the tables who does not own the database cannot take from everybody the right
// to make temporary tables. The migration then says what the database's owner has to run.
func TestMigrateAnotherOwnersDatabase(t *testing.T) {
	t.Parallel()
	url := modelstest.EmptyDatabase(t)
	owner := modelstest.Login(t, url, "dispo_app", "dispo_operator", "dispo_keeper")
	modelstest.ExecuteAt(t, url,
		`GRANT CREATE ON SCHEMA public TO `+modelstest.Conn(t, owner).Config().User+` WITH GRANT OPTION`)
	_, err := migrations.Up(t.Context(), owner)
	require.ErrorIs(t, err, migrations.ErrRights)
	_, statements, found := strings.Cut(err.Error(), "run: ")
	require.True(t, found)
	require.Regexp(t, `^GRANT TEMPORARY ON DATABASE \w+ TO dispo_operator; REVOKE TEMPORARY ON DATABASE \w+ FROM PUBLIC$`,
		statements)
	modelstest.ExecuteAt(t, url, statements)
	require.NoError(t, modelstest.ErrorOf(migrations.Up(t.Context(), owner)))
	requireWorks(t, owner, owner)
}
