package database_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// Every table with rows of organizations has row-level security, also for its owner.
// One policy is a plain comparison for the service, and the others let the operator and the
// keeper see all rows. A new table
// without them fails this test.
func TestTenantTablesHavePolicies(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	tables := modelstest.Column[string](t, conn,
		`SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
		AND (relname = 'organizations' OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id' AND NOT attisdropped)) ORDER BY 1`)
	require.Subset(t, tables,
		[]string{"api_keys", "companies", "delivery_files", "memberships", "organizations", "transactions"})
	for _, table := range tables {
		if table == "sessions" { // it belongs to a user, and is found by a token's hash before the organization is known
			continue
		}
		require.True(t, modelstest.Value[bool](t, conn,
			`SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = $1::text::regclass`, table), table)
		id := "organization_id"
		if table == "organizations" {
			id = "id"
		}
		require.ElementsMatch(t, []string{
			"PERMISSIVE {dispo_app} ALL (" + id + " = current_organization()) -",
			"PERMISSIVE {dispo_operator} ALL true -",
			"PERMISSIVE {dispo_keeper} ALL true -",
		}, modelstest.Column[string](t, conn, `SELECT concat_ws(' ', permissive, roles::text, cmd, qual, coalesce(with_check, '-')) FROM pg_policies WHERE schemaname = 'public' AND tablename = $1`, table), table)
	}
	// Deliveries are the operator's alone.
	for _, table := range []string{"deliveries", "delivery_names", "delivery_bytes", "delivery_withdrawals", "writers"} {
		require.False(t, modelstest.Value[bool](
			t,
			conn,
			`SELECT has_table_privilege('dispo_app', $1, 'SELECT') OR NOT relforcerowsecurity FROM pg_class WHERE oid = $1::text::regclass`,
			table,
		), table)
	}
	// An organization sees the held records that wait for it alone, and no others.
	require.ElementsMatch(t, []string{
		"{dispo_app} (only_organization_id = current_organization())",
		"{dispo_operator} true",
		"{dispo_keeper} true",
	}, modelstest.Column[string](t, conn,
		`SELECT concat_ws(' ', roles::text, qual) FROM pg_policies WHERE tablename = 'held_records'`))
	// No role gets past the policies, and no view or function does, except those
	// that are meant to.
	require.Zero(t, modelstest.Value[int](
		t,
		conn,
		`SELECT count(*) FROM pg_roles WHERE rolname IN ('dispo_app', 'dispo_operator', 'dispo_keeper') AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin)`,
	))
	require.Zero(t, modelstest.Value[int](t, conn,
		`SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')`))
	require.ElementsMatch(t, []string{
		"api_key_find",
		"api_key_revoked",
		"api_keys_due",
		"api_keys_elsewhere",
		"api_keys_expiring",
		"api_keys_find",
		"api_keys_leaked",
		"api_keys_used",
		"audit_log_everywhere",
		"audit_log_forget",
		"company_matches",
		"deliveries_counted",
		"deliveries_expected",
		"deliveries_undecided",
		"erasures_keep",
		"erasures_take",
		"erasures_waiting",
		"invitation_find",
		"key_callers_add",
		"key_usage_add",
		"mail_account",
		"mail_claim",
		"mail_settle",
		"mail_tend",
		"only_way_in",
		"organization_erase",
		"organizations_of_user",
		"refused_requests_add",
		"sandbox_store",
		"sandboxes_due",
		"served_requests_add",
		"sign_in_organization",
		"sign_in_secrets",
		"withdraw_aged",
		"keep_audit_log",
		"keep_callers",
		"keep_held_records",
		"keep_mails",
		"keep_requests",
		"keep_sessions",
		"keep_usage",
		"keep_usage_hours",
		"keep_withdrawn_totals",
	}, modelstest.Column[string](t, conn,
		`SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`))
	known := string(modelstest.ReadFile(t, "../doctor/rights.sql")) // doctor misses none of them
	for _, name := range modelstest.Column[string](t, conn, `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`) {
		require.Regexp(t, `[ ']`+name+`[\n ']`, known)
	}
	// What works as the keeper is the operator's alone, or deletes what is too old.
	require.Equal(t, []string{"audit_log_forget", "organization_erase"},
		modelstest.Column[string](t, conn, `SELECT proname::text FROM pg_proc
		WHERE proowner = 'dispo_keeper'::regrole AND NOT has_function_privilege('dispo_app', oid, 'EXECUTE') AND has_function_privilege('dispo_operator', oid, 'EXECUTE') ORDER BY 1`))
	require.Zero(t, modelstest.Value[int](t, conn,
		`SELECT count(*) FROM pg_proc WHERE proname LIKE 'keep\_%' AND prosecdef AND proowner <> 'dispo_keeper'::regrole`))
}

// The functions that run as the operator's role look only where their caller can put
// nothing, temporary tables last. Those that they call to write are not for the service.
func TestFunctionsOfTheOperatorTrustNoCaller(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	require.Empty(t, modelstest.Column[string](t, conn,
		`SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
		AND ('search_path=public, pg_temp' = ANY (proconfig)) IS NOT TRUE`))
	require.Equal(t, []string{
		"audit_log_forget", "companies_store", "file_open", "history_renew", "move_totals",
		"organization_erase", "records_store", "take_id", "turns_end", "turns_take", "withdraw_delivery",
		"withdraw_files",
	}, modelstest.Column[string](t, conn, `SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
			AND NOT has_function_privilege('dispo_app', oid, 'EXECUTE') AND has_function_privilege('dispo_operator', oid, 'EXECUTE') ORDER BY 1`))
}

// The tables that grow with the data can be spread over machines by organization: their
// primary keys and unique indexes start with it, and they have neither triggers nor
// foreign keys. Who writes them moves the totals.
func TestGrowingTablesCanBeDistributed(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	for _, table := range []string{"companies", "daily_totals", "delivery_files", "delivery_withdrawals", "transactions", "withdrawn_files", "withdrawn_totals"} {
		first := modelstest.Column[string](t, conn,
			`SELECT attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
			WHERE indrelid = $1::text::regclass AND (indisprimary OR indisunique)`, table)
		require.NotEmpty(t, first)
		for _, column := range first {
			require.Equal(t, "organization_id", column, table)
		}
		require.Zero(t, modelstest.Value[int](t, conn,
			`SELECT count(*) FROM pg_constraint WHERE conrelid = $1::text::regclass AND contype IN ('f', 'x')`, table), table)
		require.Zero(t,
			modelstest.Value[int](t, conn, `SELECT count(*) FROM pg_trigger WHERE tgrelid = $1::text::regclass`, table), table)
	}
}

// The database checks what the imports check, so that nothing can store values that
// the API cannot return.
func TestChecks(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	w.Delivery(t, "10000001", 1)
	w.Key(t, a)
	require.NoError(t, modelstest.ErrorOf(
		w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(a.ID), "a@example.com", terms.Owner, "")))
	conn := modelstest.Conn(t, w.URL)
	for _, c := range []struct{ table, set string }{
		{"organizations", `slug = 'A'`}, {"organizations", `slug = ''`}, {"organizations", `slug = '-a'`}, {"organizations", `slug = 'a-'`},
		{"organizations", `slug = repeat('a', 64)`}, {"organizations", `slug = 'å'`}, {"organizations", `name = ''`}, {"organizations", `company_count = -1`},
		{"users", `email = 'A@example.com'`}, {"users", `email = 'example.com'`}, {"users", `email = '@example.com'`}, {"users", `email = 'a@'`},
		{"memberships", `role = 'king'`}, {"password_links", `token_hash = 'short'`},
		{"api_keys", `lookup_id = 'short'`}, {"api_keys", `lookup_id = 'abcdefghijk-'`}, {"api_keys", `secret_hash = 'plain'`}, {"api_keys", `fingerprint = 'short'`}, {"api_keys", `name = ''`}, {"api_keys", `networks = repeat('192.0.2.1,', 50) || '192.0.2.1'`},
		{"companies", `cvr = '1234567'`}, {"companies", `cvr = '1234567x'`}, {"companies", `cvr = '123456789'`}, {"companies", `name = ''`}, {"companies", `status = 'created'`},
		{"companies", `sender_reg_number = '123'`}, {"companies", `sender_reg_number = ''`}, {"companies", `sender_account_number = '12345678901'`}, {"companies", `sender_account_number = ''`},
		{"companies", `receiver_reg_number = '12345'`}, {"companies", `receiver_account_number = '1x'`}, {"companies", `default_amount_cents = 100000000000000`},
		{"companies", `default_amount_cents = -100000000000000`}, {"companies", `transaction_count = -1`},
		{"delivery_files", `record_count = -1`}, {"deliveries", `records_sha256 = 'short'`}, {"deliveries", `record_count = -1`},
		{"deliveries", `withdrawn_at = now()`}, {"delivery_bytes", `sha256 = 'short'`},
		{"transactions", `record_index = -1`}, {"transactions", `count = -1`}, {"transactions", `cvr = '1'`}, {"transactions", `transfer_type = ''`},
	} {
		_, err := conn.Exec(t.Context(), `UPDATE `+c.table+` SET `+c.set)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, "%s: %s", c.table, c.set)
		require.Equal(t, "23514", refused.Code, "%s: %s: %s", c.table, c.set, refused.Message) // check_violation
	}
	require.ErrorContains(t,
		modelstest.ErrorOf(conn.Exec(t.Context(), `UPDATE transactions SET amount_dkk = 1000000000000`)), "overflow")
	for _, c := range []string{
		`INSERT INTO companies SELECT (c).* FROM (SELECT c FROM companies c) x`,
		`INSERT INTO companies (organization_id, id, change_id, cvr, name, folded_name, sort_key) SELECT organization_id, gen_random_uuid(), gen_random_uuid(), cvr, name, folded_name, sort_key FROM companies`,
		`INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout) SELECT organization_id, id, delivery_id, last_id, filename, layout FROM delivery_files`,
		`INSERT INTO delivery_bytes TABLE delivery_bytes`,
		`INSERT INTO organizations (id, slug, name) SELECT gen_random_uuid(), slug, name FROM organizations`,
		`INSERT INTO users (id, email) SELECT gen_random_uuid(), email FROM users`,
		`INSERT INTO memberships TABLE memberships`,
		`INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name) SELECT gen_random_uuid(), organization_id, lookup_id, secret_hash, hint, name FROM api_keys`,
	} {
		_, err := conn.Exec(t.Context(), c)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, c)
		require.Equal(t, "23505", refused.Code, c) // unique_violation
	}
}

// The change feed reports each committed change of something that instances remember:
// a key's by its id, and one of an organization's data by the organization's id. It
// reports nothing else: no use of a key, no import that changed nothing, and nothing
// that was rolled back.
func TestChangeFeed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	key, text := w.Key(t, a)
	listener, conn := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	modelstest.Execute(t, listener, `LISTEN dispo`)
	requireNotified := func(expected ...string) {
		t.Helper()
		modelstest.Execute(t, conn, `NOTIFY dispo, 'end'`)
		var payloads []string
		for {
			notification, err := listener.WaitForNotification(t.Context())
			require.NoError(t, err)
			if notification.Payload == "end" {
				break
			}
			payloads = append(payloads, notification.Payload)
		}
		require.ElementsMatch(t, expected, payloads)
	}
	dataOf := func(organization models.Organization) string { return "data " + organization.ID.String() }

	w.Companies(t, a, "10000001", "10000002")
	requireNotified(dataOf(a))
	w.Companies(t, a, "10000001", "10000002")
	requireNotified()
	w.Companies(t, b, "10000002")
	requireNotified(dataOf(b))
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000002"))
	require.NoError(t, modelstest.ErrorOf(w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})))
	requireNotified(dataOf(a), dataOf(b))
	require.NoError(t, modelstest.ErrorOf(w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})))
	_, err := w.ImportDelivery(t.Context(),
		imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, modelstest.Record("10000009"))})
	modelstest.BadFile(t, err)
	requireNotified()
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(),
		modelstest.Value[uuid.UUID](t, conn, `SELECT id FROM deliveries`), "test", &a)))
	requireNotified(dataOf(a))
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `SELECT turns_take(ARRAY(SELECT id FROM organizations))`)
	modelstest.Execute(t, conn, `SELECT take_id(id), turns_end() FROM organizations`)
	modelstest.Execute(t, conn, `UPDATE api_keys SET revoked_at = now()`)
	modelstest.Execute(t, conn, `ROLLBACK`)
	requireNotified()

	require.NoError(t, w.Service.Verify(t, text)) // stores the fingerprint
	w.Service.Usage.Record(modelstest.Caller(key), modelstest.Request("192.0.2.1", ""))
	modelstest.Eventually(t, func() bool { return modelstest.LastUsedAddress(t, conn, key) != "" })
	requireNotified()
	for _, statement := range []string{
		`UPDATE api_keys SET expires_at = now() + interval '1 day'`, `UPDATE api_keys SET revoked_at = now()`, `UPDATE api_keys SET revoked_at = NULL`,
		`UPDATE api_keys SET secret_hash = '` + modelstest.NoHash + `'`,
	} {
		modelstest.Execute(t, conn, statement)
		requireNotified("key " + key.ID.String())
	}
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), w.Service.Tenant(a.ID), key.ID)))
	requireNotified("key " + key.ID.String())
	modelstest.Execute(t, conn, `DELETE FROM api_keys`)
	requireNotified("key " + key.ID.String())
}
