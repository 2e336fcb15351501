package main_test

import (
	"crypto/sha256"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"dispo/models/modelstest"
)

// Without a password, standard output is only a one-time link. The database has only
// the link's hash.
func TestUserCreateLink(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "acme")
	for _, row := range []struct{ email, public, base string }{
		{"Ada@Example.com", "", "http://127.0.0.1:8080"},
		{"bo@example.com", "https://dispo.example.com/", "https://dispo.example.com"},
	} {
		r := on(w.URL).with("DISPO_PUBLIC_URL="+row.public).run(t, "user", "create", row.email, "--organization", "acme", "--role", "owner")
		link := r.requireDone(t)
		require.Regexp(t, `^`+row.base+`/password/[A-Za-z0-9_-]{43}$`, link)
		require.Contains(t, r.err, row.email+" is now owner of Organization acme")
		require.Contains(t, r.err, "once")
		require.NotContains(t, r.err, path.Base(link))

		hash := sha256.Sum256([]byte(path.Base(link)))
		require.Equal(t, strings.ToLower(row.email), modelstest.ValueAt[string](t, w.URL,
			`SELECT email FROM users JOIN password_links ON user_id = id WHERE token_hash = $1 AND password_hash IS NULL AND expires_at > now() + interval '6 days'`, hash[:]))
	}
	modelstest.ExecuteAt(t, w.URL, `UPDATE users SET password_hash = '$2a$'`)
	w.Organization(t, "bolt")
	r := on(w.URL).run(t, "user", "create", "bo@example.com", "--organization", "bolt", "--role", "admin")
	require.Contains(t, r.requireDone(t), "http://127.0.0.1:8080/invitations/")
	require.Contains(t, r.err, "bo@example.com already has an account. This link to join Organization bolt works once")
}

// A password is the first line of standard input and is stored only as a bcrypt hash.
// Standard output is empty.
func TestUserCreatePassword(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "acme")
	const password = "correct horse æøå"
	for email, input := range map[string]string{"a@example.com": password, "b@example.com": password + "\n", "c@example.com": password + "\r\nsecond line\n"} {
		r := on(w.URL).runWith(t, input, "user", "create", email, "--organization", "acme", "--role", "viewer", "--password-stdin")
		require.Empty(t, r.requireDone(t))
		require.NotContains(t, r.err, "horse")
		hash := modelstest.ValueAt[string](t, w.URL, `SELECT password_hash FROM users WHERE email = $1`, email)
		require.NoError(t, bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)))
		require.Equal(t, "viewer", modelstest.ValueAt[string](t, w.URL, `SELECT role FROM memberships JOIN users ON id = user_id WHERE email = $1`, email))
	}
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM password_links`))
}

// A wrong e-mail address, organization or password is refused, and nothing is stored.
func TestUserCreateRefused(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "acme")
	for _, row := range []struct {
		email, organization, input string
		status                     int
		part                       string
	}{
		{"ada", "acme", "correct horse", 1, `"ada" is not a valid e-mail address`},
		{"Ada <ada@example.com>", "acme", "correct horse", 1, "not a valid e-mail address"},
		{"ada@example.com", "nobody", "correct horse", 1, "dispo organization list"},
		{"ada@example.com", "acme", "hunter2\n", 1, "12 characters"},
		{"ada@example.com", "acme", strings.Repeat("hunter2", 11), 1, "72 bytes"},
		{"ada@example.com", "acme", "", 2, "standard input"},
		{"ada@example.com", "acme", "\ncorrect horse\n", 2, "first line"},
	} {
		r := on(w.URL).runWith(t, row.input, "user", "create", row.email, "--organization", row.organization, "--role", "owner", "--password-stdin")
		r.requireRefused(t, row.status, row.part)
		require.NotContains(t, r.err, "hunter2")
	}
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM memberships)`))
}
