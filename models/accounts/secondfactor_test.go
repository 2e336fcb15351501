package accounts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/modelstest"
	"dispo/models/secrets"
)

// While the server's secret is being changed, what was made under the old one works: a
// sign-in that waits for its code, second factors, recovery codes and known devices. Second
// factors and recovery codes are encrypted again, also by two instances at once, and go on
// when the old secret has gone.
func TestSecondFactorOfTwoSecrets(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	session := signIn(t, w, "kari@example.com")
	actor := models.Actor{UserID: &session.UserID, Email: session.Email}
	setup, err := w.Service.Accounts.SecondFactorStart(session)
	require.NoError(t, err)
	code := func(away time.Duration) string {
		code, err := totp.GenerateCode(setup.Secret, time.Now().Add(away))
		require.NoError(t, err)
		return code
	}
	recovery, err := w.Service.Accounts.SecondFactorConfirm(t.Context(), session, actor, setup.Ticket,
		code(-30*time.Second))
	require.NoError(t, err)
	challenge := enter(t, w, "kari@example.com", password).Challenge
	open := func(secret secrets.Secret) *accounts.Accounts {
		return modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service}, secret).Accounts
	}
	fresh := secrets.Secret{[]byte("a new secret, thirty-two bytes long")}
	both := open(append(fresh, modelstest.Secret...))
	signedIn, err := both.SignInCode(t.Context(), challenge, recovery[0], "", "")
	require.NoError(t, err)
	require.NoError(t, modelstest.ErrorOf(both.SignInCode(t.Context(), challenge, code(0), "", "")))
	again, err := both.SignIn(t.Context(),
		accounts.SignIn{Email: "kari@example.com", Password: password, Device: signedIn.Device})
	require.NoError(t, err)

	left := func(a *accounts.Accounts) accounts.Encrypted {
		found, err := a.Encrypted(t.Context())
		require.NoError(t, err)
		return found
	}
	require.Equal(t, accounts.Encrypted{Old: 10}, left(both), "the app's secret and nine codes")
	require.Equal(t, accounts.Encrypted{Lost: 10}, left(open(fresh)))
	other, failed := open(append(fresh, modelstest.Secret...)), make(chan error)
	go func() { failed <- modelstest.ErrorOf(other.RenewOnce(t.Context())) }()
	require.NoError(t, modelstest.ErrorOf(both.RenewOnce(t.Context())))
	require.NoError(t, <-failed)
	require.Equal(t, accounts.Encrypted{}, left(both))

	alone := open(fresh)
	require.NoError(t, modelstest.ErrorOf(alone.SignInCode(t.Context(), again.Challenge, code(30*time.Second), "", "")))
	require.NoError(t, modelstest.ErrorOf(alone.SignInCode(t.Context(), again.Challenge, recovery[1], "", "")))
	modelstest.RequireKind(t, models.KindInvalid,
		modelstest.ErrorOf(alone.SignInCode(t.Context(), challenge, recovery[2], "", "")))
	modelstest.RequireKind(t, models.KindUnauthorized,
		modelstest.ErrorOf(alone.SignInCode(t.Context(), again.Challenge, recovery[0], "", "")))
}

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
	require.NoError(t,
		modelstest.ErrorOf(p.PasswordChange(t.Context(), session, actor, "", password, "my newest long password")))
	_, err = p.SignInCode(t.Context(), before, recovery[5], "", "")
	modelstest.RequireKind(t, models.KindInvalid, err)

	require.NoError(t, modelstest.ErrorOf(p.RecoveryCodesCreate(t.Context(), session, actor)))
	require.NoError(t, p.SecondFactorRemove(t.Context(), session, actor))
	session = sessionOf(t, w, known)
	require.False(t, session.SecondFactor)
}
