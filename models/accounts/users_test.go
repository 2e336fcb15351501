package accounts_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
	"dispo/models/secrets"
	"dispo/models/terms"
)

// A user created without a password gets a one-time link to set one. The link's token
// is 32 random bytes, is good for a week, and only its hash is stored.
func TestUserLink(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	link, err := w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(a.ID), "kari@example.com", terms.Owner, "")
	require.NoError(t, err)
	token, isPath := strings.CutPrefix(link, "/password/")
	require.True(t, isPath, link)
	random, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	require.Len(t, random, 32)

	conn := modelstest.Conn(t, w.URL)
	hash := sha256.Sum256([]byte(token))
	require.Equal(t, hash[:], modelstest.Value[[]byte](t, conn, `SELECT token_hash FROM password_links`))
	expiry := modelstest.Value[time.Time](t, conn, `SELECT expires_at FROM password_links`)
	require.WithinDuration(t, time.Now().Add(7*24*time.Hour), expiry, time.Minute)
	everywhere := modelstest.Dump(t, conn)
	require.NotContains(t, everywhere, token)
	require.NotContains(t, everywhere, token[:12])
	require.True(t, modelstest.Value[bool](t, conn, `SELECT password_hash IS NULL FROM users`))
}

// An e-mail address must be valid, a role is owner, admin or viewer, and a password has at
// least 12 characters and at most 1,000. Else nothing is created, and the error repeats no key.
func TestUserRefused(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	tenant := w.Operator.Tenant(w.Organization(t, "a").ID)
	refused := func(message, email string, role terms.Role, password string) {
		t.Helper()
		_, err := w.Operator.Accounts.UserCreate(t.Context(), tenant, email, role, password)
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Regexp(t, message, err.Error(), email)
		require.NotContains(t, err.Error(), "abcdef")
	}
	for _, email := range []string{"", "kari", "@example.com", "kari@", "Kari <kari@example.com>", "kari@example.com, b@example.com", "a b@example.com", "<kari@example.com>", "kari@example.com\x00", "kari@[127.0.0.1]", "kari@[IPv6:::1]",
		"kari\u202e@example.com", "dispo_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345Zz9Yy8@example.com"} {
		refused("is not a valid e-mail address", email, terms.Owner, "")
	}
	for _, role := range []terms.Role{"", "king", "Owner"} {
		refused("owner, admin or viewer", "a@example.com", role, "")
	}
	for _, password := range []string{"x", "elevenchars", "ååååååååååå", strings.Repeat("x7Kq-2mP9", 112), strings.Repeat("å", 1001)} {
		refused("at least 12 characters|at most 1,000 characters", "a@example.com", terms.Owner, password)
	}
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM users`))
}

// A password is stored as a bcrypt hash of bcrypt's real cost, and signs in, however long it is; a part of it
// does not. A user created with a password gets no link.
func TestUserPasswords(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	tenant := w.Operator.Tenant(w.Organization(t, "a").ID)
	conn := modelstest.Conn(t, w.URL)
	for email, password := range map[string]string{"short@example.com": "blåt æg å ørn", "long@example.com": strings.Repeat("vk7øqz2m", 32)} {
		link, err := w.Operator.Accounts.UserCreate(t.Context(), tenant, email, terms.Owner, password)
		require.NoError(t, err)
		require.Empty(t, link)
		hash := modelstest.Value[string](t, conn, `SELECT password_hash FROM users WHERE email = $1`, email)
		require.Regexp(t, fmt.Sprintf(`^sha384-nfc\$2a\$%02d\$`, secrets.BcryptCost), hash)
		enter(t, w, email, password)
		_, err = w.Service.Accounts.SignIn(t.Context(), accounts.SignIn{Email: email, Password: password[:len(password)-1]})
		modelstest.RequireKind(t, models.KindUnauthorized, err)
	}
	require.NotContains(t, modelstest.Dump(t, conn), "vk7øq")
	require.Zero(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM password_links`))
}

// An e-mail address is the same in upper and lower case. An existing user keeps the password:
// adding the user to another organization cannot set one, and changes nothing if it is tried.
// Somebody who has a password joins by signing in, because nobody else can tell that the
// account is theirs. Others get another link.
func TestUserOfTwoOrganizations(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	a, b, c := w.Organization(t, "a"), w.Organization(t, "b"), w.Organization(t, "c")
	create := func(organization models.Organization, email, password string, role terms.Role) (string, error) {
		return w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(organization.ID), email, role, password)
	}
	link, err := create(a, " Kari.Ærø@Example.COM ", "", terms.Owner)
	require.NoError(t, err)
	require.Equal(t, "kari.ærø@example.com", modelstest.Value[string](t, conn, `SELECT email FROM users`))
	for _, email := range []string{"kari.ærø@example.com", "KARI.ÆRØ@EXAMPLE.COM"} {
		_, err := create(a, email, "", terms.Viewer)
		modelstest.RequireKind(t, models.KindConflict, err)
		require.Equal(t, "kari.ærø@example.com is already a member of this organization", err.Error())
	}
	again, err := create(b, "KARI.ærø@example.com", "", terms.Admin)
	require.NoError(t, err)
	require.NotEqual(t, link, again)
	require.Equal(t, 1, modelstest.Value[int](t, conn, `SELECT count(*) FROM users`))

	modelstest.Execute(t, conn, `UPDATE users SET password_hash = 'set by the user'`)
	before := modelstest.Dump(t, conn)
	_, err = create(c, "kari.ærø@example.com", "another password", terms.Viewer)
	modelstest.RequireKind(t, models.KindConflict, err)
	require.Contains(t, err.Error(), "leave out the password")
	require.Equal(t, before, modelstest.Dump(t, conn))
	link, err = create(c, "kari.ærø@example.com", "", terms.Viewer)
	require.NoError(t, err)
	require.Contains(t, link, "/invitations/")
	require.Equal(t, []string{"admin", "owner"},
		modelstest.Column[string](t, conn, `SELECT role FROM memberships ORDER BY role`))
	require.Equal(t, "set by the user", modelstest.Value[string](t, conn, `SELECT password_hash FROM users`))
}

// A key in place of an e-mail address is not stored with the count of failures.
func TestSignInWithAKey(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	key := "dispo_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345Zz9Yy8"
	_, err := w.Service.Accounts.SignIn(t.Context(), accounts.SignIn{Email: key, Password: "x", Address: "192.0.2.1"})
	modelstest.RequireKind(t, models.KindUnauthorized, err)
	stored := modelstest.Dump(t, modelstest.Conn(t, w.URL))
	require.Contains(t, stored, "dispo_0az9by8cx7dw_…")
	require.NotContains(t, stored, "abcdef")
}
