package keys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
)

// While an instance cannot hear of revocations, it reads the key's row at every
// request instead of trusting its memory. It keeps only the proof that the secret is
// right, so that bcrypt does not run again. When the feed is back, the instance drops
// everything once and works from memory again.
func TestKeysWhileTheFeedIsDown(t *testing.T) {
	t.Parallel()
	const (
		revoke  = `UPDATE api_keys SET revoked_at = now()`
		restore = `UPDATE api_keys SET revoked_at = NULL`
	)
	for name, state := range map[string]modelstest.Line{"silent": modelstest.Hung, "cut": modelstest.Cut} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			_, text := w.Key(t, w.a)
			proxy := modelstest.NewProxy(t, w.URL)
			store := modelstest.OpenFollowing(t, proxy.URL)
			requireMemoryTrusted(t, w, store, text)

			proxy.Feed(state)
			modelstest.Within(t, revocationDelay, func() bool { return !store.DB().Feed.Fresh() })
			modelstest.RequireRefused(t, "revoked", store.Verify(t, text)) // although it remembers the key as accepted
			modelstest.ExecuteUnannounced(t, w.World, restore)
			require.NoError(t, store.Verify(t, text))
			modelstest.ExecuteUnannounced(t, w.World, revoke)
			modelstest.RequireRefused(t, "revoked", store.Verify(t, text))
			modelstest.ExecuteUnannounced(t, w.World, restore)
			modelstest.ExecuteUnannounced(t, w.World, `UPDATE api_keys SET fingerprint = NULL`)
			release := store.Keys.HoldBcrypts()
			require.NoError(t, store.Verify(t, text), "the secret was proven before")
			release()

			proxy.Feed(modelstest.Up)
			modelstest.Eventually(t, store.DB().Feed.Fresh)
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
		if _, refused := store.Keys.Verify(t.Context(), modelstest.ParseKey(t, text), ""); err != nil || refused != nil {
			return false
		}
		modelstest.ExecuteUnannounced(t, w.World, `UPDATE api_keys SET revoked_at = now()`)
		return store.Verify(t, text) == nil
	})
}

// The operator's instance follows no feed, so it never trusts its memory.
func TestKeysWithoutAFeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, text := w.Key(t, w.a)
	require.False(t, w.Operator.DB().Feed.Fresh())
	require.NoError(t, w.Operator.Verify(t, text))
	modelstest.ExecuteUnannounced(t, w.World, `UPDATE api_keys SET revoked_at = now()`)
	modelstest.RequireRefused(t, "revoked", w.Operator.Verify(t, text))
}

// When the feed is back, nothing that was remembered before is trusted. A key that was
// revoked during the outage is refused after it, and a key whose hash was replaced is
// refused during and after it, although the old hash has proven it.
func TestChangesDuringAnOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, text := w.Key(t, w.a)
	key, revoked := w.Key(t, w.a)
	proxy := modelstest.NewProxy(t, w.URL)
	during, after := modelstest.OpenFollowing(t, proxy.URL), modelstest.OpenFollowing(t, proxy.URL)
	for _, store := range []*modelstest.Instance{during, after} {
		require.NoError(t, store.Verify(t, text))
		require.NoError(t, store.Verify(t, revoked))
	}
	proxy.Feed(modelstest.Cut)
	modelstest.Within(t, revocationDelay, func() bool { return !during.DB().Feed.Fresh() && !after.DB().Feed.Fresh() })
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), w.tenant, key.ID)))
	modelstest.ExecuteUnannounced(t, w.World, `UPDATE api_keys SET secret_hash = $1, fingerprint = NULL WHERE revoked_at IS NULL`, modelstest.NoHash)
	modelstest.RequireRefused(t, "invalid", during.Verify(t, text))
	proxy.Feed(modelstest.Up)
	modelstest.Eventually(t, after.DB().Feed.Fresh)
	modelstest.RequireRefused(t, "invalid", after.Verify(t, text))
	modelstest.RequireRefused(t, "revoked", after.Verify(t, revoked))
}
