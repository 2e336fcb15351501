package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
	"dispo/models/signon"
	"dispo/models/terms"
)

// With two owners who can come in past a required provider, one of two changes at the same moment
// that would leave none is refused, whichever comes first.
func TestLastWayInAtOnce(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	w.User(t, a, "ola@example.com", terms.Owner, password)
	modelstest.ExecuteAt(
		t,
		w.URL,
		`INSERT INTO sign_in_providers (organization_id, issuer, client_id, client_secret, enabled)
		VALUES ($1, 'https://login.example', 'x', '', true)`,
		a.ID,
	)
	conn, sessions := modelstest.Conn(t, w.URL), map[string]accounts.Session{}
	for _, email := range []string{"kari@example.com", "ola@example.com"} {
		sessions[email] = signIn(t, w, email)
	}
	actor := func(email string) models.Actor {
		id := sessions[email].UserID
		return models.Actor{UserID: &id, Email: email}
	}
	remove := func(email string) func() error {
		return func() error {
			return w.Service.Accounts.SecondFactorRemove(t.Context(), sessions[email], actor(email))
		}
	}
	requireProvider := func() error {
		session := accounts.Session{OpenedBy: accounts.ByProviderAlone}
		return signon.Require(t.Context(), w.Service.Tenant(a.ID).As(actor("kari@example.com")), session, true)
	}
	demote := func() error {
		tenant := w.Service.Tenant(a.ID).As(actor("kari@example.com"))
		return modelstest.ErrorOf(accounts.ChangeRole(t.Context(), tenant, sessions["ola@example.com"].UserID, terms.Viewer))
	}
	const both, one = `UPDATE users SET totp_secret = 'x'`, `UPDATE users SET totp_secret = CASE email WHEN 'kari@example.com' THEN 'x'::bytea END`
	for name, c := range map[string]struct {
		before   string // the second factors
		required bool
		held     string // what the first has to wait for
		first    func() error
		second   func() error
	}{
		"two removals":      {both, true, "users", remove("kari@example.com"), remove("ola@example.com")},
		"removal, demotion": {both, true, "users", remove("kari@example.com"), demote},
		"demotion, removal": {both, true, "audit_log", demote, remove("kari@example.com")},
		"removal, required": {one, false, "users", remove("kari@example.com"), requireProvider},
		"required, removal": {one, false, "sign_in_providers", requireProvider, remove("kari@example.com")},
	} {
		modelstest.Execute(t, conn, c.before)
		modelstest.Execute(t, conn, `UPDATE memberships SET role = 'owner'`)
		modelstest.Execute(t, conn, `UPDATE sign_in_providers SET required = $1`, c.required)
		modelstest.Execute(t, conn, `BEGIN; LOCK TABLE `+c.held+` IN SHARE MODE`)
		first := modelstest.Begin(c.first)
		modelstest.EventuallyBlocked(t, w.URL, 1)
		second := modelstest.Begin(c.second)
		modelstest.EventuallyBlocked(t, w.URL, 2)
		modelstest.Execute(t, conn, `COMMIT`)
		require.NoError(t, modelstest.Receive(t, first), name)
		require.ErrorContains(t, modelstest.Receive(t, second), "one owner needs a password and a second factor", name)
	}
}

// While nobody can come in past a required provider, an owner who could not either can still be
// demoted; and a disabled owner counts as one who cannot.
func TestWayInThatNobodyHas(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	w.User(t, a, "ola@example.com", terms.Owner, password)
	w.User(t, a, "per@example.com", terms.Owner, password)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO sign_in_providers (organization_id, issuer, client_id, client_secret, enabled, required)
		VALUES ($1, 'https://login.example', 'x', '', true, true)`,
		a.ID,
	)
	kari := userID(t, conn, "kari@example.com")
	tenant := w.Service.Tenant(a.ID).As(models.Actor{UserID: &kari, Email: "kari@example.com"})
	demote := func(email string) error {
		return modelstest.ErrorOf(accounts.ChangeRole(t.Context(), tenant, userID(t, conn, email), terms.Viewer))
	}
	require.NoError(t, demote("ola@example.com"))
	modelstest.Execute(t, conn, `UPDATE users SET totp_secret = 'x' WHERE email <> 'ola@example.com'`)
	modelstest.Execute(t, conn, `UPDATE users SET disabled_at = now() WHERE email = 'per@example.com'`)
	require.ErrorContains(t, demote("kari@example.com"), "one owner needs")
	require.NoError(t, demote("per@example.com"))
}
