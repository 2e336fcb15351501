package database_test

import (
	"net/url"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// The backup that docs/operating.md describes has every row, and needs neither a
// superuser nor a role that bypasses the policies: the login of the operator's
// commands dumps the database, and the owner restores it.
func TestBackup(t *testing.T) {
	t.Parallel()
	from := modelstest.StatementTimeout(modelstest.OwnedDatabase(t, "dispo_app", "dispo_operator", "dispo_keeper"), "")
	require.NoError(t, modelstest.ErrorOf(migrations.Up(t.Context(), from)))
	server := modelstest.Conn(t, modelstest.Database(t))
	superuser := modelstest.As(from, server.Config().User)
	w := &modelstest.World{URL: superuser, Service: modelstest.Open(t, from, database.Service), Operator: modelstest.Open(t, from, database.Operator)}
	for _, slug := range []string{"a", "b"} {
		organization := w.Organization(t, slug)
		w.Companies(t, organization, "10000001")
		w.Key(t, organization)
		require.NoError(t, modelstest.ErrorOf(w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(organization.ID), slug+"@example.com", models.RoleOwner, "")))
	}
	w.Delivery(t, "10000001", 3)
	modelstest.ExecuteAt(t, superuser, `INSERT INTO recovery_codes (user_id, code_hash) SELECT id, decode(repeat('00', 60), 'hex') FROM users`)
	modelstest.ExecuteAt(t, superuser, `INSERT INTO sign_in_failures VALUES ('account x', 1, now())`)

	file := t.TempDir() + "/dispo.dump"
	run := func(name string, arguments ...string) {
		t.Helper()
		output, err := exec.Command(name, arguments...).CombinedOutput()
		require.NoError(t, err, "%s: %s", name, output)
	}
	run("pg_dump", "--enable-row-security", "--role=dispo_operator", "--format=custom", "--file="+file, modelstest.Login(t, from, "dispo_operator"))

	owner, err := url.Parse(from)
	require.NoError(t, err)
	modelstest.Execute(t, server, `CREATE DATABASE restored OWNER `+owner.User.Username())
	t.Cleanup(func() { modelstest.Execute(t, server, `DROP DATABASE restored WITH (FORCE)`) })
	modelstest.Execute(t, server, `REVOKE TEMPORARY ON DATABASE restored FROM PUBLIC; GRANT TEMPORARY ON DATABASE restored TO dispo_operator`) // as roles.sql does
	owner.Path = "/restored"
	to := owner.String()
	modelstest.ExecuteAt(t, to, `GRANT CREATE ON SCHEMA public TO dispo_operator, dispo_keeper`)
	run("pg_restore", "--exit-on-error", "--dbname="+to, file)
	modelstest.ExecuteAt(t, to, `REVOKE CREATE ON SCHEMA public FROM dispo_operator, dispo_keeper`)

	require.Equal(t, modelstest.Dump(t, modelstest.Conn(t, superuser)), modelstest.Dump(t, modelstest.Conn(t, modelstest.As(to, server.Config().User))))
	restored := modelstest.Open(t, to, database.Service)
	organization, err := w.Operator.OrganizationBySlug(t.Context(), "a")
	require.NoError(t, err)
	require.Len(t, modelstest.Transactions(t, restored, organization, "10000001"), 3)
	_, text, err := keys.Create(t.Context(), restored.Tenant(organization.ID), keys.NewKey{Name: "x"})
	require.NoError(t, err)
	require.NoError(t, restored.Verify(t, text), "the functions have the owner that they need")
}

// Every table can be dumped by the operator's role, whole: it may be read, and has a
// policy that shows every row if policies hold. Sequences can be, too.
func TestOperatorReadsEverything(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	require.Empty(t, modelstest.Column[string](t, conn, `SELECT c.relname::text FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S') AND (NOT has_table_privilege('dispo_operator', c.oid, 'SELECT')
			OR c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policies p
				WHERE p.schemaname = 'public' AND p.tablename = c.relname AND p.cmd = 'ALL' AND p.qual = 'true' AND 'dispo_operator' = ANY (p.roles)))`))
}
