package erasures_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/erasures"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

const table = `SELECT format('%I WHERE %I = $1', name, own) FROM tenant_tables() WHERE own IS NOT NULL`

// full returns a world with two organizations that have rows in every table, and some in common.
func full(t *testing.T) (w *modelstest.World, conn *pgx.Conn, a, b models.Organization) {
	t.Helper()
	w = modelstest.NewWorld(t)
	conn = modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	a, b = w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000001", "10000003")
	for range 3 {
		w.Delivery(t, "10000001", 7)
	}
	withdrawn := w.Delivery(t, "10000001", 2)
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), withdrawn.ID, "wrong", nil)))
	w.User(t, a, "both@example.com", models.RoleOwner, "correct horse battery")
	for _, o := range []models.Organization{a, b} {
		w.User(t, o, o.Slug+"@example.com", models.RoleOwner, "correct horse battery")
		key, _ := w.Key(t, o)
		_, _, err := keys.Create(t.Context(), w.Operator.Tenant(o.ID), keys.NewKey{Name: "successor", SuccessorOf: &key.ID})
		require.NoError(t, err)
		for _, statement := range []string{
			`INSERT INTO invitations (token_hash, organization_id, id, email, role, expires_at) VALUES (sha256($1::uuid::text::bytea), $1, gen_random_uuid(), 'new@example.com', 'viewer', now())`,
			`INSERT INTO key_usage SELECT $1, now(), id, 1, 0 FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO key_callers (organization_id, key_id, address, client, user_agent, first_seen, last_seen, requests, refused) SELECT $1, id, '10.0.0.1', 'curl', 'curl/8', now(), now(), 1, 0 FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO refused_requests SELECT $1, gen_random_uuid(), now(), id, 429, '', 'GET', '/', '10.0.0.1', 'curl/8' FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO served_requests SELECT $1, id, gen_random_uuid(), now(), '10.0.0.1', 'curl', '/', 200, 1 FROM api_keys WHERE organization_id = $1`,
			`INSERT INTO running_tasks VALUES ($1, 'bulk', gen_random_uuid())`,
			`INSERT INTO delivery_notices VALUES ($1, 'delivery_late', now(), now())`,
			`INSERT INTO held_records SELECT f.delivery_id, $1, 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1, 'x' FROM delivery_files f WHERE organization_id = $1 LIMIT 1`,
			`INSERT INTO delivery_withdrawals VALUES ($1, gen_random_uuid(), 'x')`,
			`INSERT INTO sessions (id, token_hash, user_id, organization_id, address, user_agent, expires_at) SELECT gen_random_uuid(), sha256($1::uuid::text::bytea || id::text::bytea), user_id, $1, '10.0.0.1', 'x', now() FROM (SELECT gen_random_uuid() AS id, user_id FROM memberships WHERE organization_id = $1) m`,
		} {
			modelstest.Execute(t, conn, statement, o.ID)
		}
		for _, of := range modelstest.Column[string](t, conn, table) {
			require.NotZero(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM `+of, o.ID), of)
		}
	}
	modelstest.Execute(t, conn, `INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'viewer' FROM users WHERE email = 'both@example.com'`, b.ID)
	return w, conn, a, b
}

// rowsOf returns the text of every row of an organization.
func rowsOf(t *testing.T, conn *pgx.Conn, id uuid.UUID) (text string) {
	t.Helper()
	for _, of := range append(modelstest.Column[string](t, conn, table), "sessions WHERE organization_id = $1") {
		if rows := modelstest.Value[string](t, conn, `SELECT coalesce(string_agg(x::text, E'\n' ORDER BY x::text), '') FROM (SELECT * FROM `+of+`) x`, id); rows != "" {
			text += of + "\n" + rows + "\n"
		}
	}
	return text
}

// A deleted organization leaves no row in any table, and the others' rows stay as they are.
// Its keys are refused before the first row goes. A deletion that ended in the middle says
// so, lets nobody use the organization, and goes on where it was.
func TestDeleteOrganization(t *testing.T) {
	t.Parallel()
	w, conn, a, b := full(t)
	_, text := w.Key(t, a)
	service := modelstest.OpenFollowing(t, w.URL)
	require.NoError(t, service.Verify(t, text))
	before := rowsOf(t, conn, b.ID)
	require.ErrorContains(t, modelstest.ErrorOf(erasures.Erase(t.Context(), w.Operator.Store, a.ID, 1)), "is not being deleted")
	path := filepath.Join(t.TempDir(), "erasures")
	w.Operator.KeepErasures(filepath.Join(path, "missing"))
	require.ErrorContains(t, modelstest.ErrorOf(erasures.Delete(t.Context(), w.Operator.Store, a, slog.New(slog.DiscardHandler))), "DISPO_ERASURES")
	require.NoError(t, service.Verify(t, text), "a deletion that cannot be remembered was started")

	tenant := w.Operator.Tenant(a.ID)
	require.NoError(t, tenant.StartDeletion(t.Context()))
	modelstest.Eventually(t, func() bool { return service.Verify(t, text) != nil })
	for range 10 {
		erased, err := erasures.Erase(t.Context(), w.Operator.Store, a.ID, 3)
		require.NoError(t, err)
		require.EqualValues(t, 3, erased)
		require.Equal(t, before, rowsOf(t, conn, b.ID))
		// Nobody's history gets half of a delivery.
		shares := modelstest.Column[int64](t, conn, `SELECT count(*) FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id WHERE t.organization_id = $1 GROUP BY f.id`, a.ID)
		for _, records := range shares {
			require.EqualValues(t, 7, records)
		}
	}
	require.NoError(t, tenant.Resume(t.Context()))
	require.NotZero(t, modelstest.Value[int](t, conn, `SELECT count(suspended_at) FROM organizations WHERE id = $1`, a.ID), "a deletion cannot be taken back")
	_, err := w.Operator.OrganizationBySlug(t.Context(), "a")
	modelstest.RequireKind(t, models.KindConflict, err)
	require.ErrorContains(t, err, "`dispo organization delete a --confirm a`")

	w.Operator.KeepErasures(path)
	started, err := w.Operator.OrganizationToDelete(t.Context(), "a")
	require.NoError(t, err)
	var logged strings.Builder
	users, err := erasures.Delete(t.Context(), w.Operator.Store, started, slog.New(slog.NewTextHandler(&logged, nil)))
	require.NoError(t, err)
	require.EqualValues(t, 1, users, "both@example.com belongs to b, too")
	require.Equal(t, 1, strings.Count(logged.String(), "\n"))
	require.Empty(t, rowsOf(t, conn, a.ID))
	require.Equal(t, before, rowsOf(t, conn, b.ID))
	require.Equal(t, []string{"a@example.com", "b@example.com", "both@example.com"}, modelstest.Column[string](t, conn, `SELECT email FROM users ORDER BY 1`))

	for _, id := range []uuid.UUID{a.ID, uuid.New()} { // gone already
		require.NoError(t, erasures.DeleteOrganization(t.Context(), w.Operator.Store, id))
	}
	_, err = erasures.Delete(t.Context(), w.Operator.Store, b, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	read, err := erasures.Read(path)
	require.NoError(t, err)
	require.Len(t, read, 1, "one line, by the run that started the deletion")
	require.Equal(t, erasures.Organization, read[0].Kind)
	require.Equal(t, b.ID, read[0].ID)
}
