package accounts_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// The operator can disable a user, who is signed out at once and cannot sign in with the
// right password, until the user is enabled again. Both are in the audit log of each of
// the user's organizations.
func TestUserDisable(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	p, operator, conn := w.Service.Accounts, w.Operator.Accounts, modelstest.Conn(t, w.URL)
	b := w.Organization(t, "b")
	joinAsOperator(t, w, b, "kari@example.com")
	signedIn := enter(t, w, "kari@example.com", password)
	link := passwordLink(t, w, "kari@example.com")

	require.NoError(t, operator.UserDisable(t.Context(), "Kari@example.com"))
	modelstest.RequireKind(t, models.KindUnauthorized, modelstest.ErrorOf(p.Session(t.Context(), signedIn.Token)))
	_, err := p.SignIn(t.Context(), accounts.SignIn{Email: "kari@example.com", Password: password})
	modelstest.RequireKind(t, models.KindForbidden, err)
	require.ErrorContains(t, err, "disabled")
	_, err = p.SignIn(t.Context(), accounts.SignIn{Email: "kari@example.com", Password: "wrong"})
	modelstest.RequireKind(t, models.KindUnauthorized, err) // only somebody with the password learns this
	modelstest.RequireKind(t, models.KindNotFound, p.PasswordSet(t.Context(), link, "another long password", ""))

	require.NoError(t, operator.UserEnable(t.Context(), "kari@example.com"))
	signIn(t, w, "kari@example.com")
	require.Equal(t, 2, notes(t, conn, models.ActionUserDisabled))
	require.Equal(t, 2, notes(t, conn, models.ActionUserEnabled))
	modelstest.RequireKind(t, models.KindNotFound, operator.UserDisable(t.Context(), "nobody@example.com"))
}

// The operator can sign a user out everywhere, and can turn off a second factor, which
// signs the user out too.
func TestUserReset(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	p, operator, conn := w.Service.Accounts, w.Operator.Accounts, modelstest.Conn(t, w.URL)
	for _, row := range []struct {
		action string
		run    func() error
	}{
		{models.ActionSessionEnded, func() error { return operator.UserEndSessions(t.Context(), "kari@example.com") }},
		{models.ActionFactorOff, func() error { return operator.UserResetSecondFactor(t.Context(), "kari@example.com") }},
	} {
		signedIn := enter(t, w, "kari@example.com", password)
		modelstest.Execute(t, conn, `UPDATE users SET totp_secret = 'x'`)
		require.NoError(t, row.run())
		modelstest.RequireKind(t, models.KindUnauthorized, modelstest.ErrorOf(p.Session(t.Context(), signedIn.Token)))
		require.Equal(t, 1, notes(t, conn, row.action))
		modelstest.Execute(t, conn, `UPDATE users SET totp_secret = NULL WHERE totp_secret IS NOT NULL`)
	}
}

// Members of a suspended organization cannot work in it. Their sessions stay there and say so,
// and never go on in another organization by themselves. A sign-in starts in one that is not
// suspended, if the user has any. It can be switched to, to see that it is suspended.
func TestSuspendedMembers(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	p, conn := w.Service.Accounts, modelstest.Conn(t, w.URL)
	b := w.Organization(t, "b")
	w.User(t, a, "both@example.com", terms.Viewer, password)
	joinAsOperator(t, w, b, "both@example.com")
	kari := enter(t, w, "kari@example.com", password)
	before := enter(t, w, "both@example.com", password)
	require.NoError(t, p.SessionSwitch(t.Context(), sessionOf(t, w, before), models.Actor{}, a.ID))

	require.NoError(t, organizations.Suspend(t.Context(), w.Operator.Tenant(a.ID)))
	require.NoError(t, organizations.Suspend(t.Context(), w.Operator.Tenant(a.ID)))
	require.Equal(t, 1, notes(t, conn, models.ActionSuspended))
	for _, signedIn := range []accounts.SignedIn{kari, enter(t, w, "kari@example.com", password), before} {
		session := sessionOf(t, w, signedIn)
		require.Equal(t, a.ID, session.Current.OrganizationID)
		require.True(t, session.Current.Suspended)
	}
	both := signIn(t, w, "both@example.com")
	require.Equal(t, b.ID, both.OrganizationID)
	require.Len(t, both.Memberships, 2)
	require.NoError(t, p.SessionSwitch(t.Context(), both, models.Actor{}, a.ID))

	require.NoError(t, organizations.Resume(t.Context(), w.Operator.Tenant(a.ID)))
	require.False(t, sessionOf(t, w, kari).Current.Suspended)
	require.Equal(t, 1, notes(t, conn, models.ActionResumed))
}

// An inviter sees the invitation's link, so it proves nothing about the address. The
// account that was made by it cannot join another organization until its user has used
// one of the operator's links, which also turns off a second factor that was set up
// before.
func TestInvitationProvesNoAddress(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	p, conn := w.Service.Accounts, modelstest.Conn(t, w.URL)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.User(t, a, "owner@a.example", terms.Owner, password)
	w.User(t, b, "owner@b.example", terms.Owner, password)
	invite := func(organization models.Organization, owner string) string {
		t.Helper()
		id := userID(t, conn, owner)
		_, token := modelstest.Invite(t, w.Service.Tenant(organization.ID).As(models.Actor{UserID: &id, Email: owner}),
			"ceo@victim.example", terms.Viewer)
		return token
	}
	squatter, err := p.InvitationAccept(t.Context(), invite(a, "owner@a.example"), password, "192.0.2.1", "")
	require.NoError(t, err)
	session := sessionOf(t, w, squatter)
	modelstest.Execute(t, conn, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	second := invite(b, "owner@b.example")
	mailID := modelstest.Value[uuid.UUID](t, conn,
		`SELECT id FROM mails WHERE kind = 'invitation' AND organization_id = $1`, b.ID)
	for _, link := range []string{second, mail.Token(w.Service.Secret(), mailID)} { // the victim may open the mailed one in the squatter's account
		err = p.InvitationJoin(t.Context(), link, session, "192.0.2.1")
		modelstest.RequireKind(t, models.KindForbidden, err)
		require.ErrorContains(t, err, "Forgot your password?")
	}
	modelstest.Execute(t, conn, `UPDATE users SET totp_secret = 'squatted' WHERE email = 'ceo@victim.example'`)

	link := passwordLink(t, w, "ceo@victim.example")
	require.NoError(t, p.PasswordSet(t.Context(), link, "my own long password", "192.0.2.2"))
	modelstest.RequireKind(t, models.KindUnauthorized, modelstest.ErrorOf(p.Session(t.Context(), squatter.Token)))
	signedIn := enter(t, w, "ceo@victim.example", "my own long password")
	require.Empty(t, signedIn.Challenge, "the squatter's second factor is off")
	session = sessionOf(t, w, signedIn)
	require.NoError(t, p.InvitationJoin(t.Context(), second, session, "192.0.2.2"))

	// A later reset keeps the second factor: the account is known to be the user's.
	modelstest.Execute(t, conn, `UPDATE users SET totp_secret = 'own' WHERE email = 'ceo@victim.example'`)
	link = passwordLink(t, w, "ceo@victim.example")
	require.NoError(t, p.PasswordSet(t.Context(), link, "my newest long password", "192.0.2.2"))
	require.Equal(
		t,
		"own",
		modelstest.Value[string](t, conn,
			`SELECT convert_from(totp_secret, 'UTF8') FROM users WHERE email = 'ceo@victim.example'`),
	)
}
