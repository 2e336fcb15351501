package accounts_test

import (
	"os"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

const password = "korrekt hest batteri"

// newWorld returns a world and its organization a, whose owner is kari@example.com.
func newWorld(t *testing.T) (*modelstest.World, models.Organization) {
	t.Helper()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.User(t, a, "kari@example.com", terms.Owner, password)
	return w, a
}

// enter signs a user in.
func enter(t *testing.T, w *modelstest.World, email, password string) accounts.SignedIn {
	t.Helper()
	signedIn, err := w.Service.Accounts.SignIn(t.Context(),
		accounts.SignIn{Email: email, Password: password, Address: "192.0.2.1", UserAgent: "test"})
	require.NoError(t, err)
	return signedIn
}

// sessionOf returns the session that a sign-in started.
func sessionOf(t *testing.T, w *modelstest.World, signedIn accounts.SignedIn) accounts.Session {
	t.Helper()
	session, err := w.Service.Accounts.Session(t.Context(), signedIn.Token)
	require.NoError(t, err)
	return session
}

// signIn returns the session of a user who signs in with the password.
func signIn(t *testing.T, w *modelstest.World, email string) accounts.Session {
	t.Helper()
	return sessionOf(t, w, enter(t, w, email, password))
}

// passwordLink returns the token of an operator's link for a new password.
func passwordLink(t *testing.T, w *modelstest.World, email string) string {
	t.Helper()
	token, err := w.Operator.Accounts.PasswordLinkCreate(t.Context(), email)
	require.NoError(t, err)
	return token
}

func userID(t *testing.T, conn *pgx.Conn, email string) uuid.UUID {
	t.Helper()
	return modelstest.Value[uuid.UUID](t, conn, `SELECT id FROM users WHERE email = $1`, email)
}

// notes counts an action's entries in all audit logs.
func notes(t *testing.T, conn *pgx.Conn, action string) int {
	t.Helper()
	return modelstest.Value[int](t, conn, `SELECT count(*) FROM audit_log WHERE action = $1`, action)
}

// joinAsOperator makes an existing user a member by the operator's invitation.
func joinAsOperator(t *testing.T, w *modelstest.World, organization models.Organization, email string) {
	t.Helper()
	_, token := modelstest.Invite(t, w.Operator.Tenant(organization.ID), email, terms.Viewer)
	require.NoError(t, w.Service.Accounts.InvitationJoin(t.Context(), token, signIn(t, w, email), "192.0.2.1"))
}
