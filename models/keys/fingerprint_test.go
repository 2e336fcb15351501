package keys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// A key that was seen before is accepted by its fingerprint alone, without bcrypt.
// Here an instance that has just started accepts it although its hash no longer fits
// any key. Under another server secret, or none, bcrypt decides. Under another one
// the fingerprint is then replaced, and suffices for that secret.
func TestFingerprintReplacesBcrypt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fresh := func(secret models.Secret) *modelstest.Instance {
		return modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service}, secret)
	}
	other := models.Secret{[]byte("another secret of thirty-two bytes")}
	_, text := w.Key(t, w.a)
	require.NoError(t, w.Service.Verify(t, text))
	hash := modelstest.Value[string](t, w.conn, `SELECT secret_hash FROM api_keys`)
	fingerprint := modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`)
	require.Len(t, fingerprint, 36)

	w.execute(t, `UPDATE api_keys SET secret_hash = $1`, modelstest.NoHash)
	require.NoError(t, fresh(modelstest.Secret).Verify(t, text))
	modelstest.RequireRefused(t, "invalid", fresh(other).Verify(t, text))
	modelstest.RequireRefused(t, "invalid", fresh(nil).Verify(t, text))
	require.Equal(t, fingerprint, modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`), "a refusal stores no fingerprint")

	w.execute(t, `UPDATE api_keys SET secret_hash = $1`, hash)
	require.NoError(t, fresh(nil).Verify(t, text))
	require.Equal(t, fingerprint, modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`))
	require.NoError(t, fresh(other).Verify(t, text))
	replaced := modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`)
	require.NotEqual(t, fingerprint, replaced)

	w.execute(t, `UPDATE api_keys SET secret_hash = $1`, modelstest.NoHash)
	require.NoError(t, fresh(other).Verify(t, text))
	modelstest.RequireRefused(t, "invalid", fresh(modelstest.Secret).Verify(t, text))
}

// A fingerprint made under the present secret also decides against a key: if it
// differs, bcrypt does not run, although it would accept the key.
func TestFingerprintRefusesWithoutBcrypt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, text := w.Key(t, w.a)
	require.NoError(t, w.Service.Verify(t, text))
	w.execute(t, `UPDATE api_keys SET fingerprint = substr(fingerprint, 1, 4) || decode(repeat('00', 32), 'hex')`)
	modelstest.RequireRefused(t, "invalid", modelstest.Open(t, w.URL, database.Service).Verify(t, text))

	// Without a fingerprint bcrypt decides, and a fingerprint is stored.
	w.execute(t, `UPDATE api_keys SET fingerprint = NULL`)
	require.NoError(t, modelstest.Open(t, w.URL, database.Service).Verify(t, text))
	require.Len(t, modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`), 36)
}
