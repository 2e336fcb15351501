package database_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// If the login may not work as the service or the operator, the error advises the
// right login, in one sentence without the address. It does not advise to give the
// service's login the operator's rights.
func TestLoginRoleWithoutTheGrant(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	for _, c := range []struct {
		role    database.Role
		granted []string
		advice  string
	}{
		{database.Service, nil, "use the service's login, such as dispo_service"},
		{database.Service, []string{"dispo_operator"}, "use the service's login, such as dispo_service"},
		{database.Operator, nil, "use the login of the operator's commands, such as dispo_commands"},
		{database.Operator, []string{"dispo_app"}, "never grant dispo_operator to the service's login"},
	} {
		_, err := database.Open(t.Context(), database.Config{URL: modelstest.Login(t, url, c.granted...), Role: c.role})
		require.ErrorContains(t, err, "the login in DATABASE_URL may not work as "+string(c.role))
		require.ErrorContains(t, err, c.advice)
		require.NotContains(t, err.Error(), "GRANT")
		require.NotContains(t, err.Error(), "login_")
	}
}

// A login role that owns nothing and was granted only the service's role works as the
// service, and likewise for the operator. The service sees one organization at a
// time.
func TestLoginRolesWithTheGrants(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	requireWorks(t, modelstest.Login(t, url, "dispo_app"), modelstest.Login(t, url, "dispo_operator"))
}

// The service's connections stay in its role, whatever a tenant asks for, and see no
// rows unless they work for an organization. The role cannot switch off the policies, and
// its login can take no other role.
func TestServiceStaysInItsRole(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	w.Organization(t, "b", "10000002")
	for _, cvr := range []string{"10000002", `'; RESET ROLE; --`, `' OR ''='`, `x'); SET ROLE dispo_operator; --`, "\x00", "\xff", "%", ""} {
		require.Error(t, modelstest.ErrorOf(ledger.Company(t.Context(), w.Service.Tenant(a.ID), cvr)), "%q", cvr)
		_, err := ledger.Transactions(t.Context(), w.Service.Tenant(a.ID), cvr, ledger.Cursor{Limit: 10})
		require.Error(t, err, "%q", cvr)
	}
	require.ErrorIs(t, modelstest.ErrorOf(ledger.Company(t.Context(), w.Service.Tenant(uuid.Nil), "10000001")),
		database.ErrNoTenant)

	pool := w.Service.DB().Pool
	connections := pool.AcquireAllIdle(t.Context())
	require.NotEmpty(t, connections)
	for _, connection := range connections {
		t.Cleanup(connection.Release)
	}
	for _, connection := range connections {
		var role, organization string
		var seen int
		require.NoError(
			t,
			connection.QueryRow(t.Context(), `SELECT current_user, current_setting('dispo.organization_id'), (SELECT count(*) FROM companies)`).
				Scan(&role, &organization, &seen),
		)
		require.Equal(t, "dispo_app", role)
		require.Empty(t, organization)
		require.Zero(t, seen)
		require.NoError(t, modelstest.ErrorOf(connection.Exec(t.Context(), `SET row_security = off`)))
		_, err := connection.Exec(t.Context(), `SELECT FROM companies`)
		require.Error(t, err)
		require.NoError(t, modelstest.ErrorOf(connection.Exec(t.Context(), `RESET row_security`)))
	}

	login := modelstest.Conn(t, modelstest.Login(t, w.URL, "dispo_app"))
	for _, role := range []string{"dispo_operator", "dispo_keeper", modelstest.Conn(t, w.URL).Config().User} {
		require.ErrorContains(t, modelstest.ErrorOf(login.Exec(t.Context(), `SET ROLE `+role)), "42501", role)
	}
}

// The service's role has only the rights that it needs. It cannot change the data
// that it serves or create organizations, and can only add to the audit log. The past stays
// as it was for the operator's role too: the audit log, what was withdrawn, and transactions,
// which are only added and deleted. An organization stays real. Not even a superuser changes
// the audit log by mistake.
func TestRights(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b")
	key, _ := w.Key(t, b)
	conn, super := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	for role, refused := range map[string]struct {
		why        string
		statements []string
	}{
		"dispo_app": {"42501", []string{
			`UPDATE companies SET name = 'x'`, `DELETE FROM companies`, `INSERT INTO companies (organization_id, id, change_id, cvr, name) VALUES (current_organization(), gen_random_uuid(), gen_random_uuid(), '10000009', 'x')`,
			`DELETE FROM transactions`, `DELETE FROM delivery_files`, `UPDATE organizations SET slug = 'x'`, `UPDATE organizations SET history = gen_random_uuid()`, `SELECT history_renew(current_organization())`, `DELETE FROM api_keys`,
			`DELETE FROM users`, `UPDATE audit_log SET action = 'x'`, `DELETE FROM audit_log`, `DELETE FROM key_usage`, `TRUNCATE companies`, `CREATE TABLE x ()`,
			`UPDATE goose_db_version SET version_id = 1`, `UPDATE kept_periods SET period = '30d'`, `ALTER TABLE companies NO FORCE ROW LEVEL SECURITY`,
			`SELECT FROM erasures`, `INSERT INTO erasures (kind, id) VALUES ('key', gen_random_uuid())`, `DELETE FROM erasures`, `SELECT FROM erasure_files`, `DELETE FROM erasure_files`,
		}},
		"dispo_keeper": {"42501", []string{`SELECT FROM erasures`, `DELETE FROM erasures`, `SELECT FROM erasure_files`, `SELECT FROM erasures_take()`}},
		"dispo_operator": {"42501", []string{
			`UPDATE audit_log SET action = 'x'`, `DELETE FROM audit_log`, `TRUNCATE audit_log`, `UPDATE transactions SET count = 1`, `UPDATE withdrawn_files SET record_count = 1`,
			`DELETE FROM withdrawn_files`, `UPDATE withdrawn_totals SET count = 1`, `DELETE FROM withdrawn_totals`, `UPDATE organizations SET sandbox = true`, `DELETE FROM organizations`,
			`UPDATE goose_db_version SET version_id = 1`, `UPDATE kept_periods SET period = '30d'`,
		}},
		conn.Config().User: {"append-only", []string{`UPDATE audit_log SET action = 'x'`, `DELETE FROM audit_log`, `TRUNCATE audit_log`}},
	} {
		modelstest.Execute(t, conn, `SET ROLE `+role)
		modelstest.Execute(t, conn, `SELECT set_config('dispo.organization_id', $1, false)`, a.ID.String())
		for _, statement := range refused.statements {
			require.ErrorContains(t, modelstest.ErrorOf(conn.Exec(t.Context(), statement)), refused.why, statement)
		}
		modelstest.Execute(t, conn, `RESET ROLE`)
	}
	require.Equal(t, []string{"SELECT"},
		modelstest.Column[string](t, super, `SELECT DISTINCT privilege_type FROM information_schema.role_table_grants
		WHERE grantee = 'dispo_app' AND table_name IN ('organizations', 'companies', 'delivery_files', 'transactions', 'goose_db_version')`))
	// Nor can the service create or change another organization's key.
	modelstest.Execute(t, conn, `SET ROLE dispo_app`)
	require.ErrorContains(t, modelstest.ErrorOf(conn.Exec(
		t.Context(),
		`INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name) VALUES (gen_random_uuid(), $1, 'abcdefghijkl', $2, 'x', 'x')`,
		b.ID,
		modelstest.NoHash,
	)), "42501")
	tag, err := conn.Exec(t.Context(), `UPDATE api_keys SET revoked_at = now() WHERE id = $1`, key.ID)
	require.NoError(t, err)
	require.Zero(t, tag.RowsAffected())
}

// A right that the service's role should not have is found, and so is one that the operator's
// lacks, with the statement that corrects it, and takes nothing away that the service needs.
func TestRightsToCorrect(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	database := modelstest.Value[string](t, conn, `SELECT current_database()`)
	toCorrect := func() []string { return modelstest.Column[string](t, conn, `SELECT rights_to_correct()`) }
	require.Empty(t, toCorrect())
	rights := func() []string {
		return modelstest.Column[string](
			t,
			conn,
			`SELECT concat_ws(' ', privilege_type, table_name, column_name) FROM information_schema.column_privileges WHERE grantee = 'dispo_app' ORDER BY 1`,
		)
	}
	needed := rights()
	ofOrganizations := modelstest.Value[string](t, conn, `SELECT rights FROM tenant_tables() WHERE name = 'organizations'`)
	modelstest.Execute(
		t,
		conn,
		`CREATE VIEW statistics AS SELECT 1; GRANT SELECT ON statistics TO PUBLIC; ALTER EXTENSION plpgsql ADD VIEW statistics`,
	)
	require.Empty(t, toCorrect(), "an extension's view")
	// Where no superuser has taken the right away, the service can make large objects. They keep no instance from starting.
	large := func() error {
		return modelstest.ErrorOf(conn.Exec(t.Context(), `SET ROLE dispo_app; SELECT lo_create(0)`))
	}
	require.ErrorContains(t, large(), "42501")
	modelstest.Execute(t, conn, `RESET ROLE`)
	modelstest.Execute(t, conn, `GRANT EXECUTE ON FUNCTION lo_create(oid) TO dispo_app`)
	require.NoError(t, large())
	modelstest.Execute(t, conn, `RESET ROLE`)
	require.Empty(t, toCorrect(), "a large object")
	for given, correction := range map[string]string{
		`GRANT TEMPORARY ON DATABASE ` + database + ` TO PUBLIC`:                    `REVOKE TEMPORARY ON DATABASE ` + database + ` FROM PUBLIC`,
		`GRANT ALL ON DATABASE ` + database + ` TO dispo_app`:                       `REVOKE CREATE, TEMPORARY ON DATABASE ` + database + ` FROM dispo_app`,
		`REVOKE TEMPORARY ON DATABASE ` + database + ` FROM dispo_operator`:         `GRANT TEMPORARY ON DATABASE ` + database + ` TO dispo_operator`,
		`GRANT CREATE ON SCHEMA public TO PUBLIC`:                                   `REVOKE CREATE ON SCHEMA public FROM PUBLIC`,
		`GRANT dispo_operator TO dispo_app`:                                         `REVOKE dispo_operator FROM dispo_app`,
		`ALTER ROLE dispo_app BYPASSRLS`:                                            `ALTER ROLE dispo_app NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION`,
		`ALTER TABLE organizations OWNER TO dispo_app`:                              `REASSIGN OWNED BY dispo_app TO CURRENT_USER`,
		`GRANT UPDATE, DELETE ON transactions TO dispo_app`:                         `REVOKE DELETE, UPDATE ON transactions FROM dispo_app`,
		`GRANT UPDATE ON organizations TO dispo_app`:                                `REVOKE UPDATE ON organizations FROM dispo_app; GRANT ` + ofOrganizations + ` ON organizations TO dispo_app`,
		`GRANT UPDATE (sandbox, name, slug) ON organizations TO dispo_app`:          `REVOKE UPDATE (sandbox), UPDATE (slug) ON organizations FROM dispo_app; GRANT ` + ofOrganizations + ` ON organizations TO dispo_app`,
		`GRANT UPDATE (history) ON organizations TO dispo_app`:                      `REVOKE UPDATE (history) ON organizations FROM dispo_app; GRANT ` + ofOrganizations + ` ON organizations TO dispo_app`,
		`GRANT SELECT (id) ON deliveries TO PUBLIC`:                                 `REVOKE SELECT (id) ON deliveries FROM PUBLIC`,
		`GRANT ALL ON SEQUENCE deliveries_number_seq TO dispo_app`:                  `REVOKE SELECT, UPDATE, USAGE ON SEQUENCE deliveries_number_seq FROM dispo_app`,
		`CREATE VIEW v AS TABLE deliveries; GRANT SELECT ON v TO PUBLIC`:            `REVOKE SELECT ON v FROM PUBLIC`,
		`CREATE MATERIALIZED VIEW m AS TABLE users; GRANT SELECT ON m TO dispo_app`: `REVOKE SELECT ON m FROM dispo_app`,
		`GRANT SELECT ON deliveries TO PUBLIC`:                                      `REVOKE SELECT ON deliveries FROM PUBLIC`,
		`GRANT TRIGGER ON users TO dispo_app`:                                       `REVOKE TRIGGER ON users FROM dispo_app`,
	} {
		modelstest.Execute(t, conn, `BEGIN`)
		modelstest.Execute(t, conn, given)
		found := toCorrect()
		require.Contains(t, found, correction, given)
		for _, statement := range found {
			modelstest.Execute(t, conn, statement)
		}
		require.Empty(t, toCorrect(), given)
		require.Equal(t, needed, rights(), "the service lost a right: %s", given)
		modelstest.Execute(t, conn, `ROLLBACK`)
	}
}

// While there is something to correct, the service does not start and nothing is migrated
// without an error, whoever the login is. The operator's commands work.
func TestServiceRefusesExcessRights(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	modelstest.ExecuteAt(t, url, `GRANT DELETE ON companies TO dispo_app`)
	for _, login := range []string{url, modelstest.Login(t, url, "dispo_app")} {
		_, err := database.Open(t.Context(), database.Config{URL: login, Role: database.Service})
		require.ErrorIs(t, err, migrations.ErrRights)
		require.ErrorContains(t, err, "run: REVOKE DELETE ON companies FROM dispo_app")
	}
	require.ErrorIs(t, modelstest.ErrorOf(migrations.Up(t.Context(), url)), migrations.ErrRights)
	modelstest.Open(t, url, database.Operator)
	modelstest.ExecuteAt(t, url, `REVOKE DELETE ON companies FROM dispo_app`)
	modelstest.Open(t, url, database.Service)
}
