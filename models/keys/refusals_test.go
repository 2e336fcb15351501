package keys_test

import (
	"strings"
	"testing"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// Only a caller who holds the key learns that it is paused, or expired or revoked, which
// outweigh each other in this order, because resuming an ended key would not help. With another
// secret, or with an unknown lookup id, the key is "invalid".
func TestKeyRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, text := w.Key(t, w.a)
	unknown := strings.Replace(text, key.LookupID, strings.Repeat("0", 12), 1)
	forged := modelstest.ForgeKey(text)
	modelstest.RequireRefused(t, "malformed", modelstest.ErrorOf(models.ParseKey(unknown))) // the checksum covers the lookup id
	for _, c := range []struct{ state, statement string }{
		{"paused", `UPDATE api_keys SET paused_at = now()`},
		{"expired", `UPDATE api_keys SET expires_at = now() - interval '1 second'`},
		{"revoked", `UPDATE api_keys SET revoked_at = now()`},
	} {
		w.execute(t, c.statement)
		store := modelstest.Open(t, w.URL, database.Service)
		modelstest.RequireRefused(t, "invalid", store.Verify(t, forged))
		modelstest.RequireRefused(t, c.state, store.Verify(t, text))
		modelstest.RequireRefused(t, c.state, store.Verify(t, text))
		modelstest.RequireRefused(t, "invalid", store.Verify(t, forged))
	}
	w.execute(t, `DELETE FROM api_keys`)
	modelstest.RequireRefused(t, "invalid", modelstest.Open(t, w.URL, database.Service).Verify(t, text))
}
