package models_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// promise is within how long every instance refuses a key that another revoked.
const promise = time.Second

// requireRefusedInTime requires that the store refuses the key within the promise
// from now on.
func requireRefusedInTime(t *testing.T, store *models.Store, text string) {
	t.Helper()
	since := time.Now()
	for {
		err := verify(t, store, text)
		took := time.Since(since)
		if err != nil {
			requireRefused(t, "revoked", err)
			require.Less(t, took, promise)
			return
		}
		require.Less(t, took, promise, "the key is still good")
	}
}

// hearing opens an instance, and waits until it follows the change feed.
func hearing(t *testing.T, url string) *models.Store {
	t.Helper()
	store := modelstest.Open(t, url, models.Service)
	require.Eventually(t, store.Hears, patience, time.Millisecond)
	return store
}

// A key that one instance revokes is refused there as the answer comes, and by
// every other instance within a second, whatever its feed does at that moment:
// it hears, it has fallen silent on an open connection, or it is cut off.
func TestRevocationHoldsEverywhereWithinASecond(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	for name, disturb := range map[string]func(*modelstest.Proxy){
		"hears":  func(*modelstest.Proxy) {},
		"silent": (*modelstest.Proxy).Silence,
		"cut":    (*modelstest.Proxy).Cut,
	} {
		proxy := modelstest.NewProxy(t, w.URL)
		other := hearing(t, proxy.URL)
		key, text := w.Key(t, a)
		require.NoError(t, verify(t, w.Service, text))
		require.NoError(t, verify(t, other, text), name)
		require.True(t, other.Hears())
		disturb(proxy)

		_, err := w.Service.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
		require.NoError(t, err)
		requireRefused(t, "revoked", verify(t, w.Service, text))
		requireRefusedInTime(t, other, text)
		proxy.Restore()
	}
}

// What an operator's command revokes, serving instances hear of too.
func TestRevocationByTheOperator(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	require.NoError(t, verify(t, w.Service, text))
	tenant, err := w.Operator.KeyOrganization(t.Context(), key.ID)
	require.NoError(t, err)
	_, err = tenant.KeyRevoke(t.Context(), key.ID)
	require.NoError(t, err)
	requireRefusedInTime(t, w.Service, text)
}

// An instance that revokes a key refuses it as the answer comes, before it could
// hear of its own revocation: here its feed has just fallen silent, and is not
// yet known to be.
func TestRevocationHereIsImmediate(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	proxy := modelstest.NewProxy(t, w.URL)
	store := hearing(t, proxy.URL)
	for range 5 {
		key, text := w.Key(t, a)
		require.NoError(t, verify(t, store, text))
		proxy.Silence()
		_, err := store.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
		require.NoError(t, err)
		requireRefused(t, "revoked", verify(t, store, text))
		proxy.Restore()
		require.Eventually(t, store.Hears, patience, time.Millisecond)
	}
}

// A key that is revoked between its look-up and the end of its proof is not
// remembered as good, and its caller is refused; so is one who comes after the
// revocation was answered, while the proof that began before is still under way.
func TestRevocationDuringAProof(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	proxy := modelstest.NewProxy(t, w.URL)
	store := hearing(t, proxy.URL)
	release := store.Keys().HoldBcrypts()
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- verify(t, store, text) }()
	requireLookedUp(t, w)
	proxy.Silence() // it can't hear of its own revocation
	_, err := store.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
	require.NoError(t, err)
	go func() { second <- verify(t, store, text) }()
	require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	release()
	requireRefused(t, "revoked", <-second)
	requireRefused(t, "revoked", <-first)
	requireRefused(t, "revoked", verify(t, store, text))
}

// The same on an instance whose feed is down: it trusts no row that was read
// before the caller came.
func TestRevocationElsewhereDuringAProofWithoutFeed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	proxy := modelstest.NewProxy(t, w.URL)
	proxy.Cut()
	store := modelstest.Open(t, proxy.URL, models.Service)
	key, text := w.Key(t, a)
	release := store.Keys().HoldBcrypts()
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- verify(t, store, text) }()
	requireLookedUp(t, w)
	_, err := w.Service.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
	require.NoError(t, err)
	go func() { second <- verify(t, store, text) }()
	require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	release()
	requireRefused(t, "revoked", <-second)
	requireRefused(t, "revoked", <-first)
}

// However many callers use a key while it is revoked, none who comes after the
// answer gets in.
func TestRevocationUnderLoad(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	for range 10 {
		key, text := w.Key(t, a)
		parsed := parse(t, text)
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
					if _, err := w.Service.Keys().Verify(t.Context(), parsed); after && err == nil {
						t.Error("a revoked key was accepted")
						return
					}
				}
			})
		}
		_, err := w.Service.Tenant(a.ID).KeyRevoke(t.Context(), key.ID)
		mu.Lock()
		revoked = true
		mu.Unlock()
		require.NoError(t, err)
		for range 20 {
			requireRefused(t, "revoked", verify(t, w.Service, text))
		}
		stop()
		callers.Wait()
	}
}

// A key's expiry passes also while the key is remembered, without a word from
// anywhere; one that is moved is heard of.
func TestExpiryPassesWhileRemembered(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `UPDATE api_keys SET expires_at = now() + interval '2 seconds'`)
	expiry := modelstest.Value[time.Time](t, conn, `SELECT expires_at FROM api_keys`)
	store := hearing(t, w.URL)
	require.NoError(t, verify(t, store, text))
	require.Eventually(t, func() bool { return time.Now().After(expiry) }, patience, 10*time.Millisecond)
	requireRefused(t, "expired", verify(t, store, text))

	modelstest.Execute(t, conn, `UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE id = $1`, key.ID)
	require.Eventually(t, func() bool { return verify(t, store, text) == nil }, promise, time.Millisecond)
}
