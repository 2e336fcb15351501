package keys_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// While an instance cannot hear of revocations, it reads the key's row at every
// request instead of trusting its memory. It keeps only the proof that the secret is
// right, so that bcrypt does not run again, unless the hash was replaced. When the feed is
// back, the instance drops everything once and works from memory again: it refuses what was
// revoked or replaced during the outage, whether or not it was asked meanwhile.
func TestKeysWhileTheFeedIsDown(t *testing.T) {
	t.Parallel()
	const (
		revoke  = `UPDATE api_keys SET revoked_at = now() WHERE id = $1`
		restore = `UPDATE api_keys SET revoked_at = NULL, fingerprint = NULL WHERE id = $1`
		replace = `UPDATE api_keys SET secret_hash = '` + modelstest.NoHash + `', fingerprint = NULL WHERE id = $1`
	)
	for name, state := range map[string]modelstest.Line{"silent": modelstest.Hung, "cut": modelstest.Cut} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			key, text := w.Key(t, w.a)
			proxy := modelstest.NewProxy(t, w.URL)
			store := modelstest.OpenFollowing(t, proxy.URL)
			requireMemoryTrusted(t, w, store, text)
			revokedKey, revoked := w.Key(t, w.a)
			replacedKey, replaced := w.Key(t, w.a)
			askedKey, asked := w.Key(t, w.a)
			for _, text := range []string{revoked, replaced, asked} {
				require.NoError(t, store.Verify(t, text))
			}

			proxy.Feed(state)
			modelstest.Within(t, revocationDelay, func() bool { return !store.DB().Feed.Fresh() })
			modelstest.ExecuteUnannounced(t, w.World, revoke, revokedKey.ID)
			modelstest.ExecuteUnannounced(t, w.World, replace, replacedKey.ID)
			modelstest.ExecuteUnannounced(t, w.World, replace, askedKey.ID)
			modelstest.RequireRefused(t, "revoked", store.Verify(t, text)) // although it remembers the key as accepted
			modelstest.ExecuteUnannounced(t, w.World, restore, key.ID)
			release := store.Keys.HoldBcrypts()
			require.NoError(t, store.Verify(t, text), "the secret was proven before")
			release()
			modelstest.ExecuteUnannounced(t, w.World, revoke, key.ID)
			modelstest.RequireRefused(t, "revoked", store.Verify(t, text))
			modelstest.RequireRefused(t, "invalid", store.Verify(t, asked))

			proxy.Feed(modelstest.Cut) // after a short silence the feed would go on, having missed only what is unannounced
			proxy.Feed(modelstest.Up)
			modelstest.Eventually(t, store.DB().Feed.Fresh)
			modelstest.RequireRefused(t, "revoked", store.Verify(t, revoked))
			modelstest.RequireRefused(t, "invalid", store.Verify(t, replaced))
			modelstest.RequireRefused(t, "invalid", store.Verify(t, asked))
			requireMemoryTrusted(t, w, store, text)
		})
	}
}

// requireMemoryTrusted requires that the instance accepts a key from memory: it does
// not notice a revocation that only the database shows. On a busy machine the feed
// may be late, and the instance may ask the database a few times, but not always.
func requireMemoryTrusted(t *testing.T, w *world, store *modelstest.Instance, text string) {
	t.Helper()
	modelstest.Eventually(t, func() bool {
		_, err := w.conn.Exec(t.Context(), `UPDATE api_keys SET revoked_at = NULL`)
		_, refused := store.Keys.Verify(t.Context(), modelstest.ParseKey(t, text), netip.Addr{})
		if err != nil || refused != nil {
			return false
		}
		modelstest.ExecuteUnannounced(t, w.World, `UPDATE api_keys SET revoked_at = now()`)
		return store.Verify(t, text) == nil
	})
}
