package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// noHash passes for a bcrypt hash with the database, and fits no key.
const noHash = `$2a$10$this.fits.no.key.at.all`

// A key that was seen before is accepted by its fingerprint alone, without bcrypt:
// an instance that has just started takes it although its hash fits nothing any
// more. With another secret of the server, or none, bcrypt decides; with another
// one the fingerprint is made anew, and is then enough for that secret.
func TestFingerprintStandsForBcrypt(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	fresh := func(secret []byte) *models.Store {
		return modelstest.OpenConfig(t, models.Config{URL: w.URL, Role: models.Service, Secret: secret})
	}
	other := []byte("another secret of thirty-two bytes")
	_, text := w.Key(t, a)
	require.NoError(t, verify(t, w.Service, text))
	hash := modelstest.Value[string](t, conn, `SELECT secret_hash FROM api_keys`)
	fingerprint := modelstest.Value[[]byte](t, conn, `SELECT fingerprint FROM api_keys`)
	require.Len(t, fingerprint, 36)

	modelstest.Execute(t, conn, `UPDATE api_keys SET secret_hash = $1`, noHash)
	require.NoError(t, verify(t, fresh(modelstest.Secret), text))
	requireRefused(t, "invalid", verify(t, fresh(other), text))
	requireRefused(t, "invalid", verify(t, fresh(nil), text))
	require.Equal(t, fingerprint, modelstest.Value[[]byte](t, conn, `SELECT fingerprint FROM api_keys`), "a refusal makes no fingerprint")

	modelstest.Execute(t, conn, `UPDATE api_keys SET secret_hash = $1`, hash)
	require.NoError(t, verify(t, fresh(nil), text))
	require.Equal(t, fingerprint, modelstest.Value[[]byte](t, conn, `SELECT fingerprint FROM api_keys`))
	require.NoError(t, verify(t, fresh(other), text))
	remade := modelstest.Value[[]byte](t, conn, `SELECT fingerprint FROM api_keys`)
	require.NotEqual(t, fingerprint, remade)

	modelstest.Execute(t, conn, `UPDATE api_keys SET secret_hash = $1`, noHash)
	require.NoError(t, verify(t, fresh(other), text))
	requireRefused(t, "invalid", verify(t, fresh(modelstest.Secret), text))
}

// A fingerprint made under the present secret decides at once against a key too:
// where it differs, bcrypt is not asked, although it would accept.
func TestFingerprintRefusesWithoutBcrypt(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	_, text := w.Key(t, a)
	require.NoError(t, verify(t, w.Service, text))
	modelstest.Execute(t, conn, `UPDATE api_keys SET fingerprint = substr(fingerprint, 1, 4) || decode(repeat('00', 32), 'hex')`)
	requireRefused(t, "invalid", verify(t, modelstest.Open(t, w.URL, models.Service), text))

	// Without a fingerprint bcrypt decides, and one is made.
	modelstest.Execute(t, conn, `UPDATE api_keys SET fingerprint = NULL`)
	require.NoError(t, verify(t, modelstest.Open(t, w.URL, models.Service), text))
	require.Len(t, modelstest.Value[[]byte](t, conn, `SELECT fingerprint FROM api_keys`), 36)
}
