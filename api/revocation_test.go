package api_test

import (
	"fmt"
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
	unused := newTenant(t, w, "unused")
	unused.revoke(t, w.Service)
	unused.requireRevoked(t, service)

	a := newTenant(t, w, "a")
	other := newTenant(t, w, "other")
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	var (
		revoked  atomic.Bool
		stop     atomic.Bool
		requests sync.WaitGroup
		accepted atomic.Int64
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

// An instance that revokes a key does not wait for the feed to report it.
func TestRevocationBeforeTheFeedReports(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	proxy := newProxy(t, w.URL)
	store := modelstest.Open(t, proxy.url, database.Service)
	service := serve(t, store, settings{})
	modelstest.Eventually(t, store.DB().Feed.Fresh)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	proxy.setFeed(hung)
	a.revoke(t, store)
	a.requireRevoked(t, service)
}

// A request after a revocation is refused even if the key's first verification is
// still under way and has read the row before.
func TestRevocationDuringVerification(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	proxy := newProxy(t, w.URL)
	store := modelstest.OpenConfig(t, database.Config{URL: proxy.url, Role: database.Service}, models.Secret([]byte("another secret of thirty-two bytes or more")))
	service := serve(t, store, settings{})

	// The verification reads the key's row, runs bcrypt, and then hangs.
	proxy.hold(`SET "fingerprint"`)
	var requests sync.WaitGroup
	requests.Go(func() { service.get(t, "/api/v1/companies", a.token) })
	modelstest.Eventually(t, proxy.holding)
	a.revoke(t, store)
	var second answer
	requests.Go(func() { second = service.get(t, "/api/v1/companies", a.token) })
	for range 50 { // while the second request arrives
		service.get(t, "/api/health", "").requireOK(t)
	}
	proxy.hold("")
	requests.Wait()
	second.requireError(t, 401, "UNAUTHORIZED", "revoked")
}

// Every other instance refuses a revoked key within 1 second.
func TestRevokedKeyIsRefusedElsewhereWithinASecond(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	here, there := serve(t, w.Service, settings{}), serve(t, modelstest.Open(t, w.URL, database.Service), settings{})
	for i := range 3 {
		a := newTenant(t, w, fmt.Sprint("a", i))
		here.get(t, "/api/v1/companies", a.token).requireOK(t)
		there.get(t, "/api/v1/companies", a.token).requireOK(t)
		a.revoke(t, w.Service)
		a.requireRefusedWithinASecond(t, there)
		a.requireRevoked(t, here)
	}
}

// requireRefusedWithinASecond sends requests until the key is refused. None that is
// sent a second from now may be accepted.
func (a tenant) requireRefusedWithinASecond(t testing.TB, service *instance) {
	t.Helper()
	modelstest.Within(t, time.Second, func() bool { return service.get(t, "/api/v1/companies", a.token).status == 401 })
	a.requireRevoked(t, service)
}

// A revocation by the operator reaches every instance too.
func TestKeyRevokedByTheOperator(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	service := serve(t, w.Service, settings{})
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	a.revoke(t, w.Operator)
	a.requireRefusedWithinASecond(t, service)
}

// An instance whose feed is cut refuses a key that was revoked elsewhere with the next
// request, and goes on to serve the other keys. When the feed is back, no revocation
// was missed.
func TestRevocationWhileTheFeedIsCut(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	proxy := newProxy(t, w.URL)
	isolated := serve(t, modelstest.Open(t, proxy.url, database.Service), settings{})
	var tenants []tenant
	for i := range 4 {
		a := newTenant(t, w, fmt.Sprint("a", i))
		isolated.get(t, "/api/v1/companies", a.token).requireOK(t)
		tenants = append(tenants, a)
	}
	modelstest.Eventually(t, isolated.store.DB().Feed.Fresh)

	proxy.setFeed(cut)
	modelstest.Eventually(t, func() bool { return !isolated.store.DB().Feed.Fresh() })
	for _, a := range tenants[:2] {
		isolated.get(t, "/api/v1/companies", a.token).requireOK(t)
		a.revoke(t, w.Service)
		a.requireRevoked(t, isolated)
	}
	tenants[2].revoke(t, w.Service) // and not used while the feed is cut
	isolated.get(t, "/api/v1/companies", tenants[3].token).requireOK(t)

	proxy.setFeed(up)
	modelstest.Eventually(t, isolated.store.DB().Feed.Fresh)
	for _, a := range tenants[:3] {
		a.requireRevoked(t, isolated)
	}
	isolated.get(t, "/api/v1/companies", tenants[3].token).requireOK(t)
	tenants[3].revoke(t, w.Service)
	tenants[3].requireRefusedWithinASecond(t, isolated)
}

// If the feed's connection is open but silent, the instance notices. A key that was
// revoked elsewhere is still refused within 1 second.
func TestRevocationWhileTheFeedHangs(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	proxy := newProxy(t, w.URL)
	isolated := serve(t, modelstest.Open(t, proxy.url, database.Service), settings{})
	modelstest.Eventually(t, isolated.store.DB().Feed.Fresh)
	isolated.get(t, "/api/v1/companies", a.token).requireOK(t)
	proxy.setFeed(hung)
	a.revoke(t, w.Service)
	a.requireRefusedWithinASecond(t, isolated)
}

// If the server keeps ending the feed's connection, no revocation is lost.
func TestRevocationWhileTheFeedIsTerminated(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	there := serve(t, modelstest.Open(t, w.URL, database.Service), settings{})
	for i := range 4 {
		a := newTenant(t, w, fmt.Sprint("a", i))
		there.get(t, "/api/v1/companies", a.token).requireOK(t)
		modelstest.ExecuteAt(t, w.URL, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND query IN ('LISTEN dispo', 'SELECT 1')`)
		a.revoke(t, w.Service)
		a.requireRefusedWithinASecond(t, there)
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
		return len(refusals) > 0 && refusals[0].KeyID == a.key.ID && refusals[0].Status == 401
	})

	_, err = keys.Resume(t.Context(), w.Service.Tenant(a.ID), a.key.ID)
	require.NoError(t, err)
	here.get(t, "/api/v1/companies", a.token).requireOK(t)
	modelstest.Eventually(t, func() bool { return elsewhere.get(t, "/api/v1/companies", a.token).status == 200 })
}
