package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/secrets"
	"dispo/models/terms"
)

// Whoever asks for a link gets the same answer whether there is such an account or not,
// and nothing looks for the account before the answer: the service could not even read
// the users.
func TestForgottenDoesNotLook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.user(t, "kari@example.com", terms.Viewer)
	modelstest.ExecuteAt(t, w.URL, `REVOKE ALL ON users, memberships, mails, password_links FROM dispo_app`)
	for i, kind := range []mail.Kind{mail.Password, mail.Unlock} {
		address := fmt.Sprintf("192.0.2.%d", i+1)
		for _, email := range []string{"kari@example.com", "nobody@example.com"} {
			for range 3 {
				require.NoError(t, w.Service.Accounts.LinkRequest(t.Context(), kind, email, address))
			}
			modelstest.RequireKind(t, models.KindLimited, w.Service.Accounts.LinkRequest(t.Context(), kind, email, address))
		}
		modelstest.RequireKind(t, models.KindInvalid, w.Service.Accounts.LinkRequest(t.Context(), kind, "kari", address))
	}
	for i := range 14 { // refused requests were not counted
		require.NoError(t,
			w.Service.Accounts.LinkRequest(t.Context(), mail.Password, strings.Repeat("x", i+1)+"@example.com", "192.0.2.1"))
	}
	modelstest.RequireKind(t, models.KindLimited,
		w.Service.Accounts.LinkRequest(t.Context(), mail.Password, "per@example.com", "192.0.2.1"))
	require.NoError(t, w.Service.Accounts.LinkRequest(t.Context(), mail.Password, "per@example.com", "192.0.2.2"))
}

// Somebody with an account gets one mail for each request, however many instances answer,
// with a link that sets a password once, and works for two hours. Nobody else gets a mail:
// not for an unknown address, nor as a disabled user or as a member of nothing.
func TestForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	for _, email := range []string{"kari@example.com", "disabled@example.com", "left@example.com"} {
		w.user(t, email, terms.Viewer)
	}
	w.user(t, "owner@example.com", terms.Owner)
	require.NoError(t, w.Operator.Accounts.UserDisable(t.Context(), "disabled@example.com"))
	modelstest.ExecuteAt(t, w.URL,
		`DELETE FROM memberships WHERE user_id = (SELECT id FROM users WHERE email = 'left@example.com')`)
	instances := []*modelstest.Instance{
		w.Service,
		modelstest.Open(t, w.URL, database.Service),
		modelstest.Open(t, w.URL, database.Service),
	}
	answer := func() []modelstest.ReceivedMail {
		t.Helper()
		modelstest.AtOnce(t, len(instances),
			func(i int) error { return instances[i].Accounts.AnswerPasswordRequests(t.Context()) })
		require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM password_requests`))
		return w.sent(t)
	}
	ask := func(emails ...string) {
		t.Helper()
		for _, email := range emails {
			modelstest.ExecuteAt(t, w.URL, `DELETE FROM sign_in_failures`) // which count requests
			require.NoError(t, w.Service.Accounts.LinkRequest(t.Context(), mail.Password, email, "192.0.2.1"))
		}
	}
	ask("Kari@example.com", "disabled@example.com", "left@example.com", "nobody@example.com")
	mails := answer()
	require.Equal(t, []string{"kari@example.com"}, recipients(mails))
	requireHarmless(t, mails[0])
	token, ok := strings.CutPrefix(linkOf(t, mails[0]), publicURL+"/password/")
	require.True(t, ok)
	dump := modelstest.ValueAt[string](
		t,
		w.URL,
		`SELECT concat((SELECT json_agg(m) FROM mails m), (SELECT json_agg(l) FROM password_links l), (SELECT json_agg(a) FROM audit_log a))`,
	)
	require.NotContains(t, dump, token)
	require.Contains(t, dump, models.ActionPasswordForgotten)
	require.Equal(
		t,
		120,
		modelstest.ValueAt[int](
			t,
			w.URL,
			`SELECT round(extract(epoch FROM max(expires_at) - now()) / 60)::int FROM password_links WHERE expires_at < now() + interval '3 hours'`,
		),
	)

	require.NoError(t, w.Service.Accounts.PasswordSet(t.Context(), token, "korrekt hest batteri", "192.0.2.1"))
	modelstest.RequireKind(t, models.KindNotFound,
		w.Service.Accounts.PasswordSet(t.Context(), token, "another long password", "192.0.2.1"))
	require.True(t,
		modelstest.ValueAt[bool](t, w.URL, `SELECT email_proven_at IS NOT NULL FROM users WHERE email = 'kari@example.com'`))

	require.Equal(t, []string{"kari@example.com"}, recipients(w.sent(t)), "of the new password")
	// No more than three links at once, whatever the limits of requests are.
	for range 5 {
		ask("kari@example.com")
	}
	require.Len(t, answer(), 3)
	// A mail that waits from the time of the secret before has the link that was made then.
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM password_links`)
	ask("kari@example.com")
	require.NoError(t, w.Service.Accounts.AnswerPasswordRequests(t.Context()))
	changed := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service},
		append(secrets.Secret{[]byte("a new secret, thirty-two bytes long")}, modelstest.Secret...))
	w.sender = newSender(t, changed, w.server.URL)
	require.NoError(
		t,
		changed.Accounts.PasswordSet(t.Context(), strings.TrimPrefix(linkOf(t, answer()[0]), publicURL+"/password/"),
			"another long password", "192.0.2.1"),
	)
	w.sent(t)

	// A link that has expired before it could be sent is not sent.
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM password_links`)
	ask("kari@example.com")
	require.NoError(t, w.Service.Accounts.AnswerPasswordRequests(t.Context()))
	modelstest.ExecuteAt(t, w.URL, `UPDATE password_links SET expires_at = now()`)
	require.Empty(t, answer())
	require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails WHERE given_up_at IS NOT NULL`))
}

// Wrong passwords from many networks lock an account for new devices. Its user gets a link
// by mail, which lets the browser that opens it try ten times within 15 minutes, and no
// other. The link works once, and sets no password. The password and the second factor are
// still needed, and the user hears of the new device.
func TestUnlock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.user(t, "kari@example.com", terms.Owner)
	p := w.Service.Accounts
	lock := func() {
		modelstest.ExecuteAt(t, w.URL, `DELETE FROM sign_in_failures`)
		modelstest.ExecuteAt(
			t,
			w.URL,
			`INSERT INTO sign_in_failures VALUES ('account kari@example.com in all', 100, now() + interval '15 minutes'), ('network 192.0.2.1', 50, now() + interval '15 minutes')`,
		)
	}
	link := func(kind mail.Kind, path string) string {
		t.Helper()
		require.NoError(t, p.LinkRequest(t.Context(), kind, "kari@example.com", "192.0.2.1"))
		require.NoError(t, p.LinkRequest(t.Context(), kind, "nobody@example.com", "192.0.2.1"))
		require.NoError(t, p.AnswerPasswordRequests(t.Context()))
		mails := w.sent(t)
		require.Equal(t, []string{"kari@example.com"}, recipients(mails))
		requireHarmless(t, mails[0])
		token, ok := strings.CutPrefix(linkOf(t, mails[0]), publicURL+path)
		require.True(t, ok)
		return token
	}
	signIn := func(password, device string) (accounts.SignedIn, error) {
		return p.SignIn(t.Context(),
			accounts.SignIn{Email: "kari@example.com", Password: password, Address: "192.0.2.1", Device: device})
	}
	const password = "korrekt hest batteri"
	reset := link(mail.Password, "/password/")
	modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(p.Unlock(t.Context(), reset)))
	require.NoError(t, p.PasswordSet(t.Context(), reset, password, "192.0.2.1"))
	require.Equal(t, []string{"kari@example.com"}, recipients(w.sent(t)), "of the new password")
	lock()

	token := link(mail.Unlock, "/sign-in/link/")
	modelstest.RequireKind(t, models.KindNotFound, p.PasswordSet(t.Context(), token, "another long password", "192.0.2.1"))
	require.Equal(
		t,
		15,
		modelstest.ValueAt[int](t, w.URL,
			`SELECT round(extract(epoch FROM max(expires_at) - now()) / 60)::int FROM password_links`),
	)
	modelstest.RequireKind(t, models.KindLimited, modelstest.ErrorOf(signIn(password, "")))
	device, err := p.Unlock(t.Context(), token)
	require.NoError(t, err)
	modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(p.Unlock(t.Context(), token)))
	modelstest.RequireKind(t, models.KindLimited, modelstest.ErrorOf(signIn(password, "")))
	modelstest.RequireKind(t, models.KindUnauthorized, modelstest.ErrorOf(signIn("wrong", device)))
	signedIn, err := signIn(password, device)
	require.NoError(t, err)
	require.Contains(t, w.sent(t)[0].Header(t, "Subject"), "New sign-in")
	require.NoError(t, modelstest.ErrorOf(signIn(password, signedIn.Device)), "the browser is a known device now")
	require.Empty(t, w.sent(t))

	modelstest.ExecuteAt(t, w.URL, `UPDATE users SET totp_secret = 'x'`)
	challenged, err := signIn(password, device)
	require.NoError(t, err)
	require.NotEmpty(t, challenged.Challenge)
	require.Empty(t, challenged.Token)
	for range 10 {
		modelstest.RequireKind(t, models.KindUnauthorized, modelstest.ErrorOf(signIn("wrong", device)))
	}
	modelstest.RequireKind(t, models.KindLimited, modelstest.ErrorOf(signIn(password, device)))

	lock()
	token = link(mail.Unlock, "/sign-in/link/")
	modelstest.ExecuteAt(t, w.URL, `UPDATE password_links SET expires_at = now()`)
	modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(p.Unlock(t.Context(), token)))
	require.Contains(t, modelstest.ValueAt[string](t, w.URL, `SELECT json_agg(a)::text FROM audit_log a`),
		models.ActionUnlockRequested)
}
