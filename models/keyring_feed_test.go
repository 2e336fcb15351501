package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// While an instance can't hear of revocations, it asks the database at every
// request instead of trusting its memory; of its memory it keeps only that the
// secret was proven, so that bcrypt is not asked again. When the feed is back it
// drops everything once, and works from memory again.
func TestKeysWhileTheFeedIsDown(t *testing.T) {
	t.Parallel()
	const (
		revoke  = `UPDATE api_keys SET revoked_at = now()`
		restore = `UPDATE api_keys SET revoked_at = NULL`
	)
	for name, disturb := range map[string]func(*modelstest.Proxy){
		"silent": (*modelstest.Proxy).Silence,
		"cut":    (*modelstest.Proxy).Cut,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a := w.Organization(t, "a")
			_, text := w.Key(t, a)
			proxy := modelstest.NewProxy(t, w.URL)
			store := hearing(t, proxy.URL)
			requireMemoryTrusted(t, w, store, text)

			disturb(proxy)
			require.Eventually(t, func() bool { return !store.Hears() }, promise, time.Millisecond)
			requireRefused(t, "revoked", verify(t, store, text)) // what it remembers is another thing
			unannounced(t, w, restore)
			require.NoError(t, verify(t, store, text))
			unannounced(t, w, revoke)
			requireRefused(t, "revoked", verify(t, store, text))
			unannounced(t, w, restore)
			hash := modelstest.Value[string](t, modelstest.Conn(t, w.URL), `SELECT secret_hash FROM api_keys`)
			unannounced(t, w, `UPDATE api_keys SET secret_hash = $1, fingerprint = NULL`, noHash)
			require.NoError(t, verify(t, store, text), "its secret was proven before")

			unannounced(t, w, `UPDATE api_keys SET secret_hash = $1`, hash)
			proxy.Restore()
			require.Eventually(t, store.Hears, patience, time.Millisecond)
			requireMemoryTrusted(t, w, store, text)
		})
	}
}

// requireMemoryTrusted requires that the store takes a key from its memory, by a
// revocation that only who asks the database can know of. That it hears a change
// late, and asks, may happen on a busy machine; not again and again.
func requireMemoryTrusted(t *testing.T, w *modelstest.World, store *models.Store, text string) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	require.Eventually(t, func() bool {
		_, err := conn.Exec(t.Context(), `UPDATE api_keys SET revoked_at = NULL`)
		if _, refused := store.Keys().Verify(t.Context(), parse(t, text)); err != nil || refused != nil {
			return false
		}
		unannounced(t, w, `UPDATE api_keys SET revoked_at = now()`)
		return verify(t, store, text) == nil
	}, patience, 10*time.Millisecond)
}

// What happened while the feed was down is not missed when it is back: nothing
// that was remembered before is trusted again.
func TestFeedThatIsBackTrustsNothingOld(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	proxy := modelstest.NewProxy(t, w.URL)
	store := hearing(t, proxy.URL)
	require.NoError(t, verify(t, store, text))
	proxy.Cut()
	require.Eventually(t, func() bool { return !store.Hears() }, promise, time.Millisecond)
	_, err := w.Service.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
	require.NoError(t, err)
	proxy.Restore()
	require.Eventually(t, store.Hears, patience, time.Millisecond)
	requireRefused(t, "revoked", verify(t, store, text))
}

// A store of the operator's, which follows no feed, trusts no memory at all.
func TestKeysWithoutAFeed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	_, text := w.Key(t, w.Organization(t, "a"))
	require.False(t, w.Operator.Hears())
	require.NoError(t, verify(t, w.Operator, text))
	unannounced(t, w, `UPDATE api_keys SET revoked_at = now()`)
	requireRefused(t, "revoked", verify(t, w.Operator, text))
}
