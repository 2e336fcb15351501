package accounts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
)

// With a second factor, signing in takes a code, which is accepted once, or a
// recovery code, which is used up.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	p := w.Service.Accounts
	_, err := w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(a.ID), "kari@example.com", models.RoleOwner, password)
	require.NoError(t, err)
	session := signIn(t, w.Service, "kari@example.com")
	actor := models.Actor{UserID: &session.UserID, Email: session.Email}
	setup, err := p.SecondFactorStart(session)
	require.NoError(t, err)
	_, err = p.SecondFactorConfirm(t.Context(), session, actor, setup.Ticket, "000000x")
	modelstest.RequireKind(t, models.KindInvalid, err)
	code, err := totp.GenerateCode(setup.Secret, time.Now())
	require.NoError(t, err)
	recovery, err := p.SecondFactorConfirm(t.Context(), session, actor, setup.Ticket, code)
	require.NoError(t, err)
	require.Len(t, recovery, 10)

	signedIn, err := p.SignIn(t.Context(), accounts.SignIn{Email: "kari@example.com", Password: password})
	require.NoError(t, err)
	require.Empty(t, signedIn.Token)
	_, err = p.SignInCode(t.Context(), signedIn.Challenge, code, "", "")
	modelstest.RequireKind(t, models.KindUnauthorized, err) // it confirmed the setup
	next, err := totp.GenerateCode(setup.Secret, time.Now().Add(30*time.Second))
	require.NoError(t, err)
	_, err = p.SignInCode(t.Context(), signedIn.Challenge, next, "", "")
	require.NoError(t, err)
	_, err = p.SignInCode(t.Context(), signedIn.Challenge, next, "", "")
	modelstest.RequireKind(t, models.KindUnauthorized, err)
	_, err = p.SignInCode(t.Context(), signedIn.Challenge, strings.ToUpper(recovery[3]), "", "")
	require.NoError(t, err)
	_, err = p.SignInCode(t.Context(), signedIn.Challenge, recovery[3], "", "")
	modelstest.RequireKind(t, models.KindUnauthorized, err)
	left, err := p.RecoveryCodesLeft(t.Context(), session.UserID)
	require.NoError(t, err)
	require.Equal(t, 9, left)

	_, err = p.RecoveryCodesCreate(t.Context(), session, actor)
	require.NoError(t, err)
	require.NoError(t, p.SecondFactorRemove(t.Context(), session, actor))
	require.False(t, signIn(t, w.Service, "kari@example.com").SecondFactor)
}
