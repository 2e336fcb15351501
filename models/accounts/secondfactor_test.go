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

// Wrong codes lock out strangers with the password, and not the user of a known device. That
// each code is accepted once is tested in the dashboard's test.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	p := w.Service.Accounts
	session := signIn(t, w, "kari@example.com")
	actor := models.Actor{UserID: &session.UserID, Email: session.Email}
	setup, err := p.SecondFactorStart(session)
	require.NoError(t, err)
	code, err := totp.GenerateCode(setup.Secret, time.Now())
	require.NoError(t, err)
	recovery, err := p.SecondFactorConfirm(t.Context(), session, actor, setup.Ticket, code)
	require.NoError(t, err)
	require.Len(t, recovery, 10)

	signedIn := enter(t, w, "kari@example.com", password)
	require.Empty(t, signedIn.Token)
	known, err := p.SignInCode(t.Context(), signedIn.Challenge, strings.ToUpper(recovery[3]), "", "")
	require.NoError(t, err)
	left, err := p.RecoveryCodesLeft(t.Context(), session.UserID)
	require.NoError(t, err)
	require.Equal(t, 9, left)

	// Ten wrong codes keep a stranger with the password from going on, but not the user of
	// a known device, from codes of the app or recovery codes.
	device := known.Device
	challenge := func(device string) string {
		signedIn, err := p.SignIn(t.Context(), accounts.SignIn{Email: "kari@example.com", Password: password, Device: device})
		require.NoError(t, err)
		return signedIn.Challenge
	}
	try := func(device, code string) error {
		_, err := p.SignInCode(t.Context(), challenge(device), code, "", "")
		return err
	}
	for range 10 {
		modelstest.RequireKind(t, models.KindUnauthorized, try("", "000000"))
	}
	modelstest.RequireKind(t, models.KindLimited, try("", recovery[4]))
	for range 10 {
		modelstest.RequireKind(t, models.KindUnauthorized, try(device, "000000"))
	}
	modelstest.RequireKind(t, models.KindLimited, try(device, "000000"))
	require.NoError(t, try(device, recovery[4]))

	// A challenge ends when the password changes.
	before := challenge(device)
	session = sessionOf(t, w, known)
	require.NoError(t, modelstest.ErrorOf(p.PasswordChange(t.Context(), session, actor, "", password, "my newest long password")))
	_, err = p.SignInCode(t.Context(), before, recovery[5], "", "")
	modelstest.RequireKind(t, models.KindInvalid, err)

	require.NoError(t, modelstest.ErrorOf(p.RecoveryCodesCreate(t.Context(), session, actor)))
	require.NoError(t, p.SecondFactorRemove(t.Context(), session, actor))
	session = sessionOf(t, w, known)
	require.False(t, session.SecondFactor)
}
