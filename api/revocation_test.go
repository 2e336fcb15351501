package api_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// revoke revokes the tenant's key on that instance.
func (a tenant) revoke(t testing.TB, store *modelstest.Instance) {
	t.Helper()
	revoked, err := keys.Revoke(t.Context(), store.Tenant(a.ID), a.key.ID)
	require.NoError(t, err)
	require.Equal(t, models.KeyRevoked, revoked.State())
}

// requireRevoked requires that the key is refused as revoked.
func (a tenant) requireRevoked(t testing.TB, service *instance) {
	t.Helper()
	service.get(t, "/api/v1/companies", a.token).requireError(t, 401, "UNAUTHORIZED", "revoked")
}

// An instance that has revoked a key refuses it from then on, even if other requests
// with the key are under way.
func TestRevokedKeyIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	service := serve(t, w.Service, settings{})
	unused, a, other := newTenant(t, w, "unused"), newTenant(t, w, "a"), newTenant(t, w, "other")
	unused.revoke(t, w.Service)
	unused.requireRevoked(t, service)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	var (
		revoked, stop atomic.Bool
		requests      sync.WaitGroup
		accepted      atomic.Int64
	)
	for range 4 {
		requests.Go(func() {
			for !stop.Load() {
				after := revoked.Load()
				switch got := service.get(t, "/api/v1/companies", a.token); {
				case got.status == 200 && after:
					t.Error("a request after the revocation was accepted")
				case got.status == 200:
					accepted.Add(1)
				case got.status != 401:
					t.Errorf("status %d", got.status)
				}
			}
		})
	}
	modelstest.Eventually(t, func() bool { return accepted.Load() > 20 })
	a.revoke(t, w.Service)
	revoked.Store(true)
	for range 20 {
		a.requireRevoked(t, service)
	}
	stop.Store(true)
	requests.Wait()
	service.get(t, "/api/v1/companies", other.token).requireOK(t)
	a.revoke(t, w.Service) // a second time, which changes nothing
	a.requireRevoked(t, service)
}

// Every other instance refuses a revoked key within 1 second, also while its change feed
// is cut or silent, and serves the other keys meanwhile. When the feed is back, it has
// missed no revocation.
func TestRevokedKeyIsRefusedElsewhereWithinASecond(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]lineState{"up": up, "cut": cut, "silent": hung} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			proxy := newProxy(t, w.URL)
			here, there := serve(t, w.Service, settings{}), serve(t, modelstest.Open(t, proxy.url, database.Service), settings{})
			used, unused, other := newTenant(t, w, "used"), newTenant(t, w, "unused"), newTenant(t, w, "other")
			for _, a := range []tenant{used, unused, other} {
				there.get(t, "/api/v1/companies", a.token).requireOK(t)
			}
			modelstest.Eventually(t, there.store.DB().Feed.Fresh)
			proxy.setFeed(state)
			unused.revoke(t, w.Operator)
			used.revoke(t, w.Service)
			modelstest.Within(t, time.Second, func() bool { return there.get(t, "/api/v1/companies", used.token).status == 401 })
			used.requireRevoked(t, there)
			used.requireRevoked(t, here)
			there.get(t, "/api/v1/companies", other.token).requireOK(t)
			proxy.setFeed(up)
			modelstest.Eventually(t, there.store.DB().Feed.Fresh)
			unused.requireRevoked(t, there)
			there.get(t, "/api/v1/companies", other.token).requireOK(t)
		})
	}
}

// A paused key is refused with 401, on other instances too within a second, and its
// requests are recorded as refused, so that people see what still uses it. Once it is
// resumed, it works again.
func TestPausedKey(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	here, elsewhere := serve(t, w.Service, settings{}), serve(t, modelstest.OpenFollowing(t, w.URL), settings{})
	here.get(t, "/api/v1/companies", a.token).requireOK(t)
	elsewhere.get(t, "/api/v1/companies", a.token).requireOK(t)
	_, err := keys.Pause(t.Context(), w.Service.Tenant(a.ID), a.key.ID)
	require.NoError(t, err)
	here.get(t, "/api/v1/companies", a.token).requireError(t, 401, "UNAUTHORIZED", "paused", "dashboard")
	modelstest.Within(t, time.Second, func() bool { return elsewhere.get(t, "/api/v1/companies", a.token).status == 401 })
	elsewhere.get(t, "/api/v1/companies", a.token).requireError(t, 401, "UNAUTHORIZED", "paused")
	modelstest.Eventually(t, func() bool {
		refusals, err := keys.Refusals(t.Context(), w.Service.Tenant(a.ID), &a.key.ID, 10)
		require.NoError(t, err)
		return len(refusals) > 0 && refusals[0].KeyID == a.key.ID && refusals[0].Status == 401 && refusals[0].Reason == "paused"
	})

	_, err = keys.Resume(t.Context(), w.Service.Tenant(a.ID), a.key.ID)
	require.NoError(t, err)
	here.get(t, "/api/v1/companies", a.token).requireOK(t)
	modelstest.Eventually(t, func() bool { return elsewhere.get(t, "/api/v1/companies", a.token).status == 200 })
}
