package api_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// revoke revokes the tenant's key on that store.
func (a tenant) revoke(t testing.TB, store *models.Store) {
	t.Helper()
	revoked, err := store.Tenant(a.ID).KeyRevoke(t.Context(), a.key.ID)
	require.NoError(t, err)
	require.Equal(t, models.KeyRevoked, revoked.State())
}

// requireRevoked wants the key to be refused as revoked.
func (a tenant) requireRevoked(t testing.TB, service *instance) {
	t.Helper()
	service.get(t, "/api/v1/companies", a.token).requireError(t, 401, "UNAUTHORIZED", "revoked")
}

// When the revocation has returned, that instance refuses the key: whatever
// requests came with it before and come meanwhile.
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
		asking   sync.WaitGroup
		accepted atomic.Int64
	)
	for range 4 {
		asking.Go(func() {
			for !stop.Load() {
				after := revoked.Load()
				switch got := service.get(t, "/api/v1/companies", a.token); {
				case got.status == 200 && after:
					t.Error("a request that came after the revocation was let in")
				case got.status == 200:
					accepted.Add(1)
				case got.status != 401:
					t.Errorf("status %d", got.status)
				}
			}
		})
	}
	require.Eventually(t, func() bool { return accepted.Load() > 20 }, patience, pollEvery)
	a.revoke(t, w.Service)
	revoked.Store(true)
	for range 20 {
		a.requireRevoked(t, service)
	}
	stop.Store(true)
	asking.Wait()
	service.get(t, "/api/v1/companies", other.token).requireOK(t)

	a.revoke(t, w.Service) // again changes nothing
	a.requireRevoked(t, service)
}

// The instance that revokes does not wait to hear of it by the feed.
func TestRevocationBeforeTheFeedTells(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	database := newProxy(t, w.URL)
	store := modelstest.Open(t, database.url, models.Service)
	service := serve(t, store, settings{})
	require.Eventually(t, store.Hears, patience, pollEvery)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	database.setFeed(hung)
	a.revoke(t, store)
	a.requireRevoked(t, service)
}

// A request that comes after the revocation has returned is refused also where the
// key's first verification is still under way, whose row was read before.
func TestRevocationDuringAVerification(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	database := newProxy(t, w.URL)
	store := modelstest.OpenConfig(t, models.Config{URL: database.url, Role: models.Service, Secret: []byte("another secret of thirty-two bytes or more")})
	service := serve(t, store, settings{})

	// The verification reads the key's row, runs bcrypt, and then hangs.
	database.hold(`SET "fingerprint"`)
	var asking sync.WaitGroup
	asking.Go(func() { service.get(t, "/api/v1/companies", a.token) })
	require.Eventually(t, database.holds, patience, pollEvery)
	a.revoke(t, store)
	var second answer
	asking.Go(func() { second = service.get(t, "/api/v1/companies", a.token) })
	for range 50 { // while the second request arrives
		service.get(t, "/api/health", "").requireOK(t)
	}
	database.hold("")
	asking.Wait()
	second.requireError(t, 401, "UNAUTHORIZED", "revoked")
}

// Every other instance refuses a revoked key within 1 second.
func TestRevokedKeyIsRefusedElsewhereWithinASecond(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	here, there := serve(t, w.Service, settings{}), serve(t, modelstest.Open(t, w.URL, models.Service), settings{})
	for i := range 3 {
		a := newTenant(t, w, fmt.Sprint("a", i))
		here.get(t, "/api/v1/companies", a.token).requireOK(t)
		there.get(t, "/api/v1/companies", a.token).requireOK(t)
		a.revoke(t, w.Service)
		a.requireRefusedWithinASecond(t, there)
		a.requireRevoked(t, here)
	}
}

// requireRefusedWithinASecond asks until the key is refused: no request that is
// sent a second from now is let in.
func (a tenant) requireRefusedWithinASecond(t testing.TB, service *instance) {
	t.Helper()
	revoked := time.Now()
	for {
		sent := time.Now()
		got := service.get(t, "/api/v1/companies", a.token)
		if got.status == 401 {
			break
		}
		got.requireOK(t)
		require.Less(t, sent.Sub(revoked), time.Second)
	}
	a.requireRevoked(t, service)
}

// The operator's command revokes for every instance too.
func TestKeyRevokedByTheOperator(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	service := serve(t, w.Service, settings{})
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	a.revoke(t, w.Operator)
	a.requireRefusedWithinASecond(t, service)
}

// While an instance can't hear of revocations, it refuses a key that was revoked
// elsewhere with the very next request, and goes on to serve the others. When it
// hears again, it has missed nothing.
func TestRevocationWhileTheFeedIsCut(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	database := newProxy(t, w.URL)
	deaf := serve(t, modelstest.Open(t, database.url, models.Service), settings{})
	var tenants []tenant
	for i := range 4 {
		a := newTenant(t, w, fmt.Sprint("a", i))
		deaf.get(t, "/api/v1/companies", a.token).requireOK(t)
		tenants = append(tenants, a)
	}
	require.Eventually(t, deaf.store.Hears, patience, pollEvery)

	database.setFeed(cut)
	require.Eventually(t, func() bool { return !deaf.store.Hears() }, patience, pollEvery)
	for _, a := range tenants[:2] {
		deaf.get(t, "/api/v1/companies", a.token).requireOK(t)
		a.revoke(t, w.Service)
		a.requireRevoked(t, deaf)
	}
	tenants[2].revoke(t, w.Service) // and not asked for while the feed is cut
	deaf.get(t, "/api/v1/companies", tenants[3].token).requireOK(t)

	database.setFeed(up)
	require.Eventually(t, deaf.store.Hears, patience, pollEvery)
	for _, a := range tenants[:3] {
		a.requireRevoked(t, deaf)
	}
	deaf.get(t, "/api/v1/companies", tenants[3].token).requireOK(t)
	tenants[3].revoke(t, w.Service)
	tenants[3].requireRefusedWithinASecond(t, deaf)
}

// A feed that stands, but that nothing comes through, is found out in time: a key
// that was revoked elsewhere is refused within 1 second all the same.
func TestRevocationWhileTheFeedHangs(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	database := newProxy(t, w.URL)
	deaf := serve(t, modelstest.Open(t, database.url, models.Service), settings{})
	require.Eventually(t, deaf.store.Hears, patience, pollEvery)
	deaf.get(t, "/api/v1/companies", a.token).requireOK(t)
	database.setFeed(hung)
	a.revoke(t, w.Service)
	a.requireRefusedWithinASecond(t, deaf)
}

// A server that ends the feed's connection again and again loses no revocation.
func TestRevocationWhileTheFeedIsTerminated(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	there := serve(t, modelstest.Open(t, w.URL, models.Service), settings{})
	for i := range 4 {
		a := newTenant(t, w, fmt.Sprint("a", i))
		there.get(t, "/api/v1/companies", a.token).requireOK(t)
		modelstest.ExecuteAt(t, w.URL, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND query IN ('LISTEN dispo', 'SELECT 1')`)
		a.revoke(t, w.Service)
		a.requireRefusedWithinASecond(t, there)
	}
}
