package keys_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/secrets"
	"dispo/models/terms"
)

// A key is shown once. Neither its text nor its secret, nor anything from which they
// can be recovered, is in the database, in a list of keys, or in the log. The
// database has the key's bcrypt hash.
func TestKeyIsStoredNowhere(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := newWorld(t)
	store := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}, modelstest.Secret)
	user, err := w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(w.a.ID), "a@example.com", terms.Owner, "")
	require.NoError(t, err)
	require.NotEmpty(t, user)

	key, text := modelstest.CreateKey(t, store.Tenant(w.a.ID), keys.NewKey{Name: "one"})
	caller, err := store.Keys.Verify(t.Context(), modelstest.ParseKey(t, text), netip.Addr{})
	require.NoError(t, err)
	require.Equal(t, keys.Caller{OrganizationID: w.a.ID, KeyID: key.ID}, caller)
	forged := modelstest.ForgeKey(text)
	modelstest.RequireRefused(t, "invalid", store.Verify(t, forged))
	store.Usage.Record(caller, modelstest.Request("192.0.2.1", "curl"))
	revoked, err := keys.Revoke(t.Context(), store.Tenant(w.a.ID), key.ID)
	require.NoError(t, err)
	refusal := store.Verify(t, text)
	modelstest.RequireRefused(t, "revoked", refusal)
	listed, err := keys.List(t.Context(), store.Tenant(w.a.ID))
	require.NoError(t, err)
	store.Close()

	everywhere := log.String() + refusal.Error() + fmt.Sprintf("%+v %+v %+v", key, revoked, listed) + modelstest.Dump(t,
		w.conn)
	require.Contains(t, everywhere, key.LookupID)
	for _, secret := range []string{text, forged} {
		for from := 19; from+8 <= len(secret); from++ { // any eight characters of the secret
			part := secret[from : from+8]
			require.NotContains(t, everywhere, part)
			require.NotContains(t, everywhere, hex.EncodeToString([]byte(part)))
		}
		require.NotContains(t, everywhere, base64.StdEncoding.EncodeToString([]byte(secret)))
	}

	hash := modelstest.Value[string](t, w.conn, `SELECT secret_hash FROM api_keys`)
	require.NoError(t, bcrypt.CompareHashAndPassword([]byte(hash), []byte(text)))
	cost, err := bcrypt.Cost([]byte(hash))
	require.NoError(t, err)
	require.Equal(t, secrets.BcryptCost, cost)
}

// A key needs a name of 1 to 100 characters, and its expiry, if any, must be in the
// future. The key is accepted as soon as it is created.
func TestKeyCreateRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	past, now := time.Now().Add(-time.Hour), time.Now()
	for _, wanted := range []keys.NewKey{
		{}, {Name: " \t"}, {Name: strings.Repeat("å", 101)}, {Name: "x", ExpiresAt: &past}, {Name: "x", ExpiresAt: &now},
	} {
		_, text, err := keys.Create(t.Context(), w.tenant, wanted)
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Empty(t, text)
	}
	listed, err := keys.List(t.Context(), w.tenant)
	require.NoError(t, err)
	require.Empty(t, listed)

	expiry := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	key, text := modelstest.CreateKey(t, w.tenant,
		keys.NewKey{Name: "  " + strings.Repeat("å", 100) + " ", ExpiresAt: &expiry})
	require.Equal(t, strings.Repeat("å", 100), key.Name)
	require.Equal(t, expiry, key.ExpiresAt.UTC())
	require.Equal(t, text[6:18], key.LookupID)
	require.Equal(t, text[53:], key.Hint)
	require.Equal(t, terms.KeyActive, key.State())

	// If the server has a secret, not even the first use takes a bcrypt.
	w.execute(t, `UPDATE api_keys SET secret_hash = $1`, modelstest.NoHash)
	require.NoError(t, w.Service.Verify(t, text))
}
