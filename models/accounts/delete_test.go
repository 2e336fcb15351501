package accounts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/erasures"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// After a user is deleted, no table has the address, also not inside of another text. What
// others have stays, also those whose addresses contain this one. Keys go on working, and
// name a deleted user, as does the audit log.
func TestDeleteUser(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	const gone, password = "ann.b+x@example.com", "correct horse battery"
	others := []string{"jo" + gone, gone + ".dk", "an.n" + gone, "annxb+x@example.com"}
	w.User(t, a, gone, terms.Owner, password)
	w.User(t, b, gone+".dk", terms.Owner, password)
	for _, email := range others[:1] {
		w.User(t, a, email, terms.Admin, password)
	}
	id := modelstest.Value[uuid.UUID](t, conn, `SELECT id FROM users WHERE email = $1`, gone)
	modelstest.Execute(t, conn, `INSERT INTO memberships VALUES ($1, $2, 'admin')`, b.ID, id)
	tenant := w.Service.Tenant(a.ID).As(models.Actor{UserID: &id, Email: gone, Address: "192.0.2.7"})
	key, _ := modelstest.CreateKey(t, tenant, keys.NewKey{Name: "Of " + gone})
	require.NoError(
		t,
		modelstest.ErrorOf(
			keys.Describe(t.Context(), tenant, key.ID, "Of "+gone, "Ask "+strings.ToUpper(gone)+". Not "+others[0])),
	)
	require.NoError(t, modelstest.ErrorOf(keys.Pause(t.Context(), tenant, key.ID)))
	for email, by := range map[string]models.Tenant{others[1]: w.Operator.Tenant(a.ID), others[2]: w.Operator.Tenant(a.ID), others[3]: w.Operator.Tenant(a.ID), "new@example.com": tenant} {
		modelstest.Invite(t, by, email, terms.Viewer)
	}
	require.NoError(
		t,
		organizations.Change(t.Context(), tenant,
			models.OrganizationSettings{Name: "A", TimeZone: "UTC", NotificationAddress: gone}),
	)
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO invitations (token_hash, organization_id, id, email, role, expires_at) VALUES (sha256('x'), $1, gen_random_uuid(), $2, 'viewer', now())`,
		b.ID,
		gone,
	)
	modelstest.Execute(t, conn, `INSERT INTO recovery_codes VALUES ($1, convert_to(repeat('x', 60), 'UTF8'))`, id)
	modelstest.Execute(t, conn, `INSERT INTO password_requests VALUES (gen_random_uuid(), 'password', $1, '192.0.2.7')`,
		gone)
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO sessions (id, token_hash, user_id, organization_id, address, user_agent, expires_at) VALUES (gen_random_uuid(), sha256('x'), $1, $2, '192.0.2.7', 'x', now())`,
		id,
		a.ID,
	)
	for _, email := range append(others, gone) {
		modelstest.Execute(
			t,
			conn,
			`INSERT INTO sign_in_failures VALUES ('account ' || $1::text || ' code', 1, now()), ('invited ' || $1::text, 1, now()) ON CONFLICT DO NOTHING`,
			email,
		)
	}
	require.NoError(t, modelstest.ErrorOf(w.Operator.Accounts.PasswordLinkCreate(t.Context(), gone)))

	modelstest.RequireKind(t, models.KindConflict, w.Operator.Accounts.UserDelete(t.Context(), gone))
	require.ErrorContains(t, w.Operator.Accounts.UserDelete(t.Context(), gone),
		"is the last owner of a: make somebody else an owner first")
	modelstest.Execute(t, conn, `UPDATE memberships SET role = 'owner' WHERE organization_id = $1`, a.ID)
	path := filepath.Join(t.TempDir(), "erasures")
	w.Operator.KeepErasures(filepath.Join(path, "missing"))
	require.ErrorContains(t, w.Operator.Accounts.UserDelete(t.Context(), gone), "DISPO_ERASURES")
	require.Equal(t, 1, modelstest.Value[int](t, conn, `SELECT count(*) FROM users WHERE id = $1`, id))
	w.Operator.KeepErasures(path)
	modelstest.Execute(t, conn, `DELETE FROM mails WHERE recipient = $1 AND kind <> 'password_changed'`,
		gone) // some name others
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO mails (organization_id, id, kind, recipient, details) VALUES ($1, gen_random_uuid(), 'password_changed', $2, '{}')`,
		a.ID,
		gone,
	)
	before := modelstest.Dump(t, conn)
	require.NoError(t, w.Operator.Accounts.UserDelete(t.Context(), strings.ToUpper(gone)))

	rest := strings.ToLower(modelstest.Dump(t, conn))
	for _, email := range others {
		require.NotZero(t, strings.Count(rest, email))
		require.Equal(t, strings.Count(before, email), strings.Count(rest, email), "%s was taken for theirs", email)
		rest = strings.ReplaceAll(rest, email, "")
	}
	require.NotContains(t, rest, gone)
	require.NotContains(t, rest, "192.0.2.7")
	detail, err := keys.Get(t.Context(), w.Service.Tenant(a.ID), key.ID)
	require.NoError(t, err)
	require.Equal(t, "Of a deleted user", detail.Name)
	require.Equal(t, "Ask a deleted user. Not "+others[0], detail.Note)
	require.Equal(t, "a deleted user", *detail.CreatedByEmail)
	entries := modelstest.AuditLog(t, w.Service.Tenant(a.ID),
		models.AuditFilter{Person: models.DeletedUser, Action: models.ActionKeyCreated})
	require.Len(t, entries, 1)
	for _, organization := range []models.Organization{a, b} {
		entries := modelstest.AuditLog(t, w.Service.Tenant(organization.ID),
			models.AuditFilter{Action: models.ActionUserDeleted})
		require.Len(t, entries, 1, organization.Slug)
	}
	read, err := erasures.Read(t.Context(), path)
	require.NoError(t, err)
	require.Len(t, read, 1)
	require.Equal(t, []any{erasures.User, id}, []any{read[0].Kind, read[0].ID})

	modelstest.RequireKind(t, models.KindNotFound, w.Operator.Accounts.UserDelete(t.Context(), gone))
	require.NoError(t, accounts.DeleteUser(t.Context(), w.Operator.Store, id), "gone already")
	last := modelstest.Value[uuid.UUID](t, conn, `SELECT id FROM users WHERE email = $1`, others[1])
	require.NoError(t, accounts.DeleteUser(t.Context(), w.Operator.Store, last), "a restore deletes last owners, too")
}
