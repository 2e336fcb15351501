package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
)

// A one-time link sets a password once and ends the user's sessions. Changing the
// password ends the other sessions.
func TestPasswords(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	p := w.Service.Accounts
	_, err := w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(a.ID), "kari@example.com", models.RoleOwner, "another good password")
	require.NoError(t, err)
	_, err = p.SignIn(t.Context(), accounts.SignIn{Email: "kari@example.com", Password: password})
	modelstest.RequireKind(t, models.KindUnauthorized, err)
	signedIn, err := p.SignIn(t.Context(), accounts.SignIn{Email: "KARI@example.com", Password: "another good password"})
	require.NoError(t, err)

	_, err = w.Operator.Accounts.PasswordLinkCreate(t.Context(), "nobody@example.com")
	modelstest.RequireKind(t, models.KindNotFound, err)
	token, err := w.Operator.Accounts.PasswordLinkCreate(t.Context(), "kari@example.com")
	require.NoError(t, err)
	user, err := p.PasswordLink(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, "kari@example.com", user.Email)
	modelstest.RequireKind(t, models.KindInvalid, p.PasswordSet(t.Context(), token, "short", ""))
	require.NoError(t, p.PasswordSet(t.Context(), token, password, ""))
	modelstest.RequireKind(t, models.KindNotFound, p.PasswordSet(t.Context(), token, password, ""))
	_, err = p.Session(t.Context(), signedIn.Token)
	modelstest.RequireKind(t, models.KindUnauthorized, err)

	kept, other := signIn(t, w.Service, "kari@example.com"), signIn(t, w.Service, "kari@example.com")
	actor := models.Actor{UserID: &kept.UserID, Email: kept.Email}
	_, err = p.PasswordChange(t.Context(), kept, actor, "", "wrong", "a third good password")
	require.ErrorIs(t, err, accounts.ErrPasswordWrong)
	_, err = p.PasswordChange(t.Context(), kept, actor, "", password, "a third good password")
	require.NoError(t, err)
	sessions, err := p.Sessions(t.Context(), kept.UserID)
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	require.Equal(t, kept.ID, sessions[0].ID)
	require.NotEqual(t, other.ID, kept.ID)

	entries, more, err := w.Service.Tenant(a.ID).AuditLog(t.Context(), models.AuditFilter{}, nil, 3)
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, models.ActionPasswordSet, entries[0].Action)
	require.Equal(t, models.ActionSignedIn, entries[1].Action)
	older, _, err := w.Service.Tenant(a.ID).AuditLog(t.Context(), models.AuditFilter{}, &entries[2].ID, 100)
	require.NoError(t, err)
	require.Equal(t, models.ActionPasswordSet, older[0].Action)
	require.Equal(t, models.ActionUserCreated, older[len(older)-1].Action)
}
