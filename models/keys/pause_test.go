package keys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
)

// A key that one instance pauses is refused there when the call returns, and by every
// other instance within a second, whatever state its feed is in. Resuming it makes it
// accepted again as fast.
func TestPauseHoldsEverywhereWithinASecond(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	tenant := w.Service.Tenant(a.ID)
	for name, disturb := range map[string]func(*modelstest.Proxy){
		"up":     func(*modelstest.Proxy) {},
		"silent": (*modelstest.Proxy).Silence,
		"cut":    (*modelstest.Proxy).Cut,
	} {
		proxy := modelstest.NewProxy(t, w.URL)
		other := modelstest.OpenFollowing(t, proxy.URL)
		key, text := w.Key(t, a)
		require.NoError(t, w.Service.Verify(t, text))
		require.NoError(t, other.Verify(t, text), name)
		disturb(proxy)

		_, err := keys.Pause(t.Context(), tenant, key.ID)
		require.NoError(t, err)
		modelstest.RequireRefused(t, "paused", w.Service.Verify(t, text))
		modelstest.Within(t, revocationDelay, func() bool { return other.Verify(t, text) != nil }, name)
		modelstest.RequireRefused(t, "paused", other.Verify(t, text))

		_, err = keys.Resume(t.Context(), tenant, key.ID)
		require.NoError(t, err)
		require.NoError(t, w.Service.Verify(t, text))
		modelstest.Eventually(t, func() bool { return other.Verify(t, text) == nil }, name)
		proxy.Restore()
	}
}

// A key that is paused and revoked, or paused and expired, is refused as revoked or
// expired, because resuming it would not help.
func TestPausedAndEnded(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	for word, column := range map[string]string{"revoked": "revoked_at", "expired": "expires_at"} {
		key, text := w.Key(t, a)
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET paused_at = now(), `+column+` = now() WHERE id = $1`, key.ID)
		modelstest.RequireRefused(t, word, w.Service.Verify(t, text))
	}
}
