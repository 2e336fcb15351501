package keys_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// revocationDelay is how soon every instance refuses a key that another one revoked.
const revocationDelay = time.Second

// requireRefusedInTime requires that the instance refuses the key as revoked, within
// revocationDelay from now.
func requireRefusedInTime(t *testing.T, store *modelstest.Instance, text string) {
	t.Helper()
	modelstest.Within(t, revocationDelay, func() bool { return store.Verify(t, text) != nil }, "the key is still accepted")
	modelstest.RequireRefused(t, "revoked", store.Verify(t, text))
}

// A key that one instance revokes is refused there when the call returns, and by
// every other instance within a second, whatever state its feed is in: up, silent on
// an open connection, or cut off.
func TestRevocationHoldsEverywhereWithinASecond(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
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
		require.True(t, other.DB().Feed.Fresh())
		disturb(proxy)

		_, err := keys.Revoke(t.Context(), w.Service.Tenant(a.ID), key.ID)
		require.NoError(t, err)
		modelstest.RequireRefused(t, "revoked", w.Service.Verify(t, text))
		requireRefusedInTime(t, other, text)
		proxy.Restore()
	}
}

// While an organization is suspended, its keys are refused by every instance, and a key
// says why only to somebody who holds it. The others' keys and those of before are
// accepted as ever.
func TestSuspension(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	_, text := w.Key(t, a)
	_, unused := w.Key(t, a)
	_, others := w.Key(t, b)
	for _, good := range []string{text, others} {
		require.NoError(t, w.Service.Verify(t, good))
	}
	require.NoError(t, w.Operator.Tenant(a.ID).Suspend(t.Context()))
	modelstest.Within(t, revocationDelay, func() bool { return w.Service.Verify(t, text) != nil }, "the key is still accepted")
	modelstest.RequireRefused(t, "suspended", w.Service.Verify(t, text))
	modelstest.RequireRefused(t, "suspended", w.Service.Verify(t, unused))
	require.NoError(t, w.Service.Verify(t, others))

	require.NoError(t, w.Operator.Tenant(a.ID).Resume(t.Context()))
	modelstest.Eventually(t, func() bool { return w.Service.Verify(t, text) == nil })
}

// A revocation by an operator's command reaches the service's instances too.
func TestRevocationByTheOperator(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	require.NoError(t, w.Service.Verify(t, text))
	tenant, err := keys.TenantOf(t.Context(), w.Operator.Store, key.ID)
	require.NoError(t, err)
	_, err = keys.Revoke(t.Context(), tenant, key.ID)
	require.NoError(t, err)
	requireRefusedInTime(t, w.Service, text)
}

// An instance that revokes a key refuses it when the call returns, before it can hear
// of its own revocation. Here its feed has just fallen silent, which the instance
// does not know yet.
func TestRevocationHereIsImmediate(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	proxy := modelstest.NewProxy(t, w.URL)
	store := modelstest.OpenFollowing(t, proxy.URL)
	for range 5 {
		key, text := w.Key(t, a)
		require.NoError(t, store.Verify(t, text))
		proxy.Silence()
		_, err := keys.Revoke(t.Context(), store.Tenant(a.ID), key.ID)
		require.NoError(t, err)
		modelstest.RequireRefused(t, "revoked", store.Verify(t, text))
		proxy.Restore()
		modelstest.Eventually(t, store.DB().Feed.Fresh)
	}
}

// A key that is revoked between its lookup and the end of its proof is not remembered
// as accepted, and its caller is refused. So is a caller who arrives after the
// revocation has returned, while the earlier proof is still under way.
func TestRevocationDuringAProof(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	proxy := modelstest.NewProxy(t, w.URL)
	store := modelstest.OpenFollowing(t, proxy.URL)
	release := store.Keys.HoldBcrypts()
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- store.Verify(t, text) }()
	requireLookedUp(t, w)
	proxy.Silence() // so that it cannot hear of its own revocation
	_, err := keys.Revoke(t.Context(), store.Tenant(a.ID), key.ID)
	require.NoError(t, err)
	go func() { second <- store.Verify(t, text) }()
	require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	release()
	modelstest.RequireRefused(t, "revoked", <-second)
	modelstest.RequireRefused(t, "revoked", <-first)
	modelstest.RequireRefused(t, "revoked", store.Verify(t, text))
}

// The same holds on an instance whose feed is down: it does not trust a row that was
// read before the caller arrived.
func TestRevocationElsewhereDuringAProofWithoutFeed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	proxy := modelstest.NewProxy(t, w.URL)
	proxy.Cut()
	store := modelstest.Open(t, proxy.URL, database.Service)
	key, text := w.Key(t, a)
	release := store.Keys.HoldBcrypts()
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- store.Verify(t, text) }()
	requireLookedUp(t, w)
	_, err := keys.Revoke(t.Context(), w.Service.Tenant(a.ID), key.ID)
	require.NoError(t, err)
	go func() { second <- store.Verify(t, text) }()
	require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	release()
	modelstest.RequireRefused(t, "revoked", <-second)
	modelstest.RequireRefused(t, "revoked", <-first)
}

// However many callers use a key while it is being revoked, none is accepted that
// arrives after the revocation has returned.
func TestRevocationUnderLoad(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	for range 10 {
		key, text := w.Key(t, a)
		parsed := modelstest.ParseKey(t, text)
		ctx, stop := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		var mu sync.RWMutex
		revoked := false
		for range 4 {
			callers.Go(func() {
				for ctx.Err() == nil {
					mu.RLock()
					after := revoked
					mu.RUnlock()
					if _, err := w.Service.Keys.Verify(t.Context(), parsed, ""); after && err == nil {
						t.Error("a revoked key was accepted")
						return
					}
				}
			})
		}
		_, err := keys.Revoke(t.Context(), w.Service.Tenant(a.ID), key.ID)
		mu.Lock()
		revoked = true
		mu.Unlock()
		require.NoError(t, err)
		for range 20 {
			modelstest.RequireRefused(t, "revoked", w.Service.Verify(t, text))
		}
		stop()
		callers.Wait()
	}
}

// A remembered key expires on time, without a notification. A new expiry is heard of
// by the feed.
func TestRememberedKeyExpires(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `UPDATE api_keys SET expires_at = now() + interval '2 seconds'`)
	expiry := modelstest.Value[time.Time](t, conn, `SELECT expires_at FROM api_keys`)
	store := modelstest.OpenFollowing(t, w.URL)
	require.NoError(t, store.Verify(t, text))
	modelstest.Eventually(t, func() bool { return time.Now().After(expiry) })
	modelstest.RequireRefused(t, "expired", store.Verify(t, text))

	modelstest.Execute(t, conn, `UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE id = $1`, key.ID)
	modelstest.Eventually(t, func() bool { return store.Verify(t, text) == nil })
}
