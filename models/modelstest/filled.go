package modelstest

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/terms"
)

// TenantTables returns the tables with rows of organizations, each as what follows FROM in a
// query of the organization $1.
const TenantTables = `SELECT format('%I WHERE %I = $1', name, own) FROM tenant_tables() WHERE own IS NOT NULL`

// Filled returns a world with two organizations that have rows in every table, and some in common.
func Filled(t testing.TB) (w *World, conn *pgx.Conn, a, b models.Organization) {
	t.Helper()
	w = NewWorld(t)
	conn = Conn(t, w.URL)
	Execute(t, conn, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	a, b = w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000001", "10000003")
	for range 3 {
		w.Delivery(t, "10000001", 7)
	}
	withdrawn := w.Delivery(t, "10000001", 2)
	require.NoError(t, ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), withdrawn.ID, "wrong", nil)))
	w.User(t, a, "both@example.com", terms.Owner, "correct horse battery")
	for _, o := range []models.Organization{a, b} {
		w.User(t, o, o.Slug+"@example.com", terms.Owner, "correct horse battery")
		key, _ := w.Key(t, o)
		_, _, err := keys.Create(t.Context(), w.Operator.Tenant(o.ID), keys.NewKey{Name: "successor", SuccessorOf: &key.ID})
		require.NoError(t, err)
		for _, statement := range []string{
			`INSERT INTO invitations (token_hash, organization_id, id, email, role, expires_at) VALUES (sha256($1::uuid::text::bytea), $1, gen_random_uuid(), 'new@example.com', 'viewer', now())`,
			`INSERT INTO key_usage SELECT $1, now(), id, 1, 0 FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO key_callers (organization_id, key_id, address, client, user_agent, first_seen, last_seen, requests, refused) SELECT $1, id, '10.0.0.1', 'curl', 'curl/8', now(), now(), 1, 0 FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO refused_requests SELECT $1, gen_random_uuid(), now(), id, 429, '', 'GET', '/', '10.0.0.1', 'curl/8' FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO served_requests SELECT $1, id, gen_random_uuid(), now(), '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1 FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO running_tasks VALUES ($1, 'bulk', gen_random_uuid())`,
			`INSERT INTO delivery_notices VALUES ($1, 'delivery_late', now(), now())`,
			`INSERT INTO held_records SELECT f.delivery_id, $1, 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1, 'x' FROM delivery_files f WHERE organization_id = $1 LIMIT 1`,
			`INSERT INTO sign_in_providers VALUES ($1, 'https://login.example.com', 'dispo', '\x00')`,
			`INSERT INTO sign_in_links SELECT $1, 'https://login.example.com', 'dispo', user_id, user_id FROM memberships WHERE organization_id = $1 LIMIT 1`,
			`INSERT INTO sign_in_states VALUES ($1, sha256('x'), now())`,
			`INSERT INTO delivery_withdrawals VALUES ($1, gen_random_uuid(), 'x')`,
			`INSERT INTO sessions (id, token_hash, user_id, organization_id, address, user_agent, expires_at) SELECT gen_random_uuid(), sha256($1::uuid::text::bytea || id::text::bytea), user_id, $1, '10.0.0.1', 'x', now() FROM (SELECT gen_random_uuid() AS id, user_id FROM memberships WHERE organization_id = $1) m`,
		} {
			Execute(t, conn, statement, o.ID)
		}
		for _, of := range Column[string](t, conn, TenantTables) {
			require.NotZero(t, Value[int](t, conn, `SELECT count(*) FROM `+of, o.ID), of)
		}
	}
	Execute(
		t,
		conn,
		`INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'viewer' FROM users WHERE email = 'both@example.com'`,
		b.ID,
	)
	return w, conn, a, b
}
