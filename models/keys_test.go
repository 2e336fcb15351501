package models_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"dispo/models"
	"dispo/models/modelstest"
)

// parse reads a key that has to be well formed.
func parse(t testing.TB, text string) models.PresentedKey {
	t.Helper()
	key, err := models.ParseKey(text)
	require.NoError(t, err)
	return key
}

// verify asks a store whose key that is.
func verify(t testing.TB, store *models.Store, text string) error {
	t.Helper()
	_, err := store.Keys().Verify(t.Context(), parse(t, text))
	return err
}

// requireRefused requires a refusal whose message has this word.
func requireRefused(t testing.TB, word string, err error) {
	t.Helper()
	requireKind(t, models.KindUnauthorized, err)
	require.Contains(t, err.Error(), word)
}

// A key is shown once: neither its text nor its secret, nor a form of it from
// which it can be had back, stands anywhere in the database, in what a list tells,
// or in the log. What stands there is its bcrypt hash.
func TestKeyIsNowhere(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	store := modelstest.OpenConfig(t, models.Config{URL: w.URL, Role: models.Service, Secret: modelstest.Secret,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	user, err := w.Operator.Tenant(a.ID).UserCreate(t.Context(), "a@example.com", models.Owner, "")
	require.NoError(t, err)
	require.NotEmpty(t, user)

	key, text, err := store.Tenant(a.ID).KeyCreate(t.Context(), models.NewAPIKey{Name: "one"})
	require.NoError(t, err)
	caller, err := store.Keys().Verify(t.Context(), parse(t, text))
	require.NoError(t, err)
	require.Equal(t, models.Caller{OrganizationID: a.ID, KeyID: key.ID}, caller)
	forged := models.ForgeKey(text)
	requireRefused(t, "invalid", verify(t, store, forged))
	store.Used(caller, usedBy("192.0.2.1", "curl"))
	revoked, err := store.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
	require.NoError(t, err)
	refusal := verify(t, store, text)
	requireRefused(t, "revoked", refusal)
	keys, err := store.Tenant(a.ID).Keys(t.Context())
	require.NoError(t, err)
	store.Close()

	conn := modelstest.Conn(t, w.URL)
	everywhere := log.String() + refusal.Error() + fmt.Sprintf("%+v %+v %+v", key, revoked, keys) + dump(t, conn)
	require.Contains(t, everywhere, key.LookupID)
	for _, secret := range []string{text, forged} {
		for from := 19; from+8 <= len(secret); from++ { // any eight characters of the secret
			part := secret[from : from+8]
			require.NotContains(t, everywhere, part)
			require.NotContains(t, everywhere, hex.EncodeToString([]byte(part)))
		}
		require.NotContains(t, everywhere, base64.StdEncoding.EncodeToString([]byte(secret)))
	}

	hash := modelstest.Value[string](t, conn, `SELECT secret_hash FROM api_keys`)
	require.NoError(t, bcrypt.CompareHashAndPassword([]byte(hash), []byte(text)))
	cost, err := bcrypt.Cost([]byte(hash))
	require.NoError(t, err)
	require.Equal(t, models.BcryptCost, cost)
}

// dump is the text of every row of every table.
func dump(t testing.TB, conn *pgx.Conn) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), `SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	var text strings.Builder
	for _, table := range tables {
		text.WriteString(modelstest.Value[string](t, conn, `SELECT coalesce(string_agg(x::text, E'\n'), '') FROM `+table+` x`))
	}
	return text.String()
}

// A key needs a name of 1 to 100 characters, and an expiry, where it has one, that
// lies ahead; it is good from the moment that it is made.
func TestKeyCreateRules(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	tenant := w.Service.Tenant(w.Organization(t, "a").ID)
	past, now := time.Now().Add(-time.Hour), time.Now()
	for _, wanted := range []models.NewAPIKey{
		{}, {Name: " \t"}, {Name: strings.Repeat("å", 101)}, {Name: "x", ExpiresAt: &past}, {Name: "x", ExpiresAt: &now},
	} {
		_, text, err := tenant.KeyCreate(t.Context(), wanted)
		requireKind(t, models.KindInvalid, err)
		require.Empty(t, text)
	}
	keys, err := tenant.Keys(t.Context())
	require.NoError(t, err)
	require.Empty(t, keys)

	expiry := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	key, text, err := tenant.KeyCreate(t.Context(), models.NewAPIKey{Name: "  " + strings.Repeat("å", 100) + " ", ExpiresAt: &expiry})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("å", 100), key.Name)
	require.Equal(t, expiry, key.ExpiresAt.UTC())
	require.Equal(t, text[6:18], key.LookupID)
	require.Equal(t, text[53:], key.Hint)
	require.Equal(t, models.KeyActive, key.State())

	// Its first use takes no bcrypt either, where the server has a secret.
	modelstest.Execute(t, modelstest.Conn(t, w.URL), `UPDATE api_keys SET secret_hash = $1`, noHash)
	require.NoError(t, verify(t, w.Service, text))
}

// A revoked key stays listed and stays refused; a revocation ends a key of one's
// own organization only, once, and a key that is not there is told as that.
func TestKeyRevoke(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	key, text := w.Key(t, a)

	for _, id := range []uuid.UUID{key.ID, uuid.New()} {
		_, err := w.Service.Tenant(b.ID).KeyRevoke(t.Context(), id)
		requireKind(t, models.KindNotFound, err)
	}
	require.NoError(t, verify(t, w.Service, text))

	first, err := w.Service.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
	require.NoError(t, err)
	require.Equal(t, models.KeyRevoked, first.State())
	requireRefused(t, "revoked", verify(t, w.Service, text))
	again, err := w.Service.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
	require.NoError(t, err)
	require.Equal(t, first, again)
	keys, err := w.Service.Tenant(a.ID).Keys(t.Context())
	require.NoError(t, err)
	require.Equal(t, []models.APIKey{first}, keys)
	requireRefused(t, "revoked", verify(t, w.Service, text))
}

// "revoked" and "expired" are told only to a caller who proved to hold the key:
// with another secret, or a lookup id that nobody has, it is "invalid".
func TestKeyRefusals(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	key, text := w.Key(t, a)
	nobodys := strings.Replace(text, key.LookupID, strings.Repeat("0", 12), 1)
	forged := models.ForgeKey(text)
	_, err := models.ParseKey(nobodys)
	requireRefused(t, "malformed", err) // the checksum covers the lookup id
	for _, c := range []struct{ state, statement string }{
		{"expired", `UPDATE api_keys SET expires_at = now() - interval '1 second'`},
		{"revoked", `UPDATE api_keys SET revoked_at = now()`}, // which outweighs expired
	} {
		modelstest.Execute(t, conn, c.statement)
		store := modelstest.Open(t, w.URL, models.Service)
		requireRefused(t, "invalid", verify(t, store, forged))
		requireRefused(t, c.state, verify(t, store, text))
		requireRefused(t, c.state, verify(t, store, text))
		requireRefused(t, "invalid", verify(t, store, forged))
	}
	modelstest.Execute(t, conn, `DELETE FROM api_keys`)
	requireRefused(t, "invalid", verify(t, modelstest.Open(t, w.URL, models.Service), text))
}
