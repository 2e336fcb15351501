package api_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// requireUnavailable wants 503 with Retry-After, within 5 seconds. It may be called
// from any goroutine.
func (a answer) requireUnavailable(t testing.TB) {
	t.Helper()
	if a.status != 503 || a.header.Get("Retry-After") == "" || a.took > 5*time.Second {
		t.Errorf("status %d after %s: %s", a.status, a.took, a.body)
	}
}

// requireRecovery wants the service to answer again by itself, within seconds.
func requireRecovery(t testing.TB, service *instance, key string) {
	t.Helper()
	for _, path := range paths {
		require.Eventually(t, func() bool { return service.get(t, path, key).status == 200 }, patience, pollEvery, path)
	}
	require.Eventually(t, service.store.Hears, patience, pollEvery)
}

// While the database is away, whatever needs it is answered with 503 and
// Retry-After, within 5 seconds, also where the key is remembered; what does not
// need it, as ever. The service recovers by itself.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]line{"refusing": cut, "silent": hung} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a, fresh := newTenant(t, w, "a"), newTenant(t, w, "fresh")
			w.Companies(t, a.Organization, "10000001")
			database := newProxy(t, w.URL)
			service := serve(t, modelstest.Open(t, database.url, models.Service), settings{noAnswers: true})
			requireRecovery(t, service, a.token)

			database.setAll(away)
			var asking sync.WaitGroup
			for range 4 { // more than there are connections
				for _, key := range []string{a.token, fresh.token, unknownKey} {
					for _, path := range paths[3:] {
						asking.Go(func() { service.get(t, path, key).requireUnavailable(t) })
					}
				}
				asking.Go(func() { service.send(t, "GET", "/api/health", nil).requireUnavailable(t) })
			}
			asking.Wait()
			service.get(t, "/api/health", "").requireError(t, 503, "SERVICE_UNAVAILABLE")
			service.get(t, "/api/openapi.yaml", "").requireOK(t)
			service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")
			service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED", "missing")

			database.setAll(up)
			requireRecovery(t, service, a.token)
		})
	}
}

// A request whose connection to the database breaks in the middle of its query is
// answered with 503 too.
func TestDatabaseBreaksDuringAQuery(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	w.Delivery(t, "10000001", 3)
	database := newProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, database.url, models.Service), settings{noAnswers: true})
	for path, query := range map[string]string{
		paths[3]: "company_count", paths[4]: "c.cvr = $2", paths[5]: "transaction_count",
	} {
		// On connections of before, the query is prepared, and its text is not sent again.
		database.setAll(cut)
		database.setAll(up)
		require.Eventually(t, func() bool { return service.get(t, "/api/health", "").status == 200 }, patience, pollEvery)
		database.hold(query)
		var asking sync.WaitGroup
		asking.Go(func() { service.get(t, path, a.token).requireUnavailable(t) })
		require.Eventually(t, database.holds, patience, pollEvery, path)
		database.setAll(cut)
		asking.Wait()
		database.hold("")
		database.setAll(up)
		requireRecovery(t, service, a.token)
	}
}

// A server that ends all connections, as at its restart, is no failure inside.
func TestDatabaseEndsConnections(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	service := serve(t, modelstest.Open(t, w.URL, models.Service), settings{})
	for range 5 {
		requireRecovery(t, service, a.token)
		modelstest.ExecuteAt(t, w.URL, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		for _, path := range paths[2:] {
			if got := service.get(t, path, a.token); got.status != 200 {
				got.requireUnavailable(t)
			}
		}
	}
}

const manyReads = 100 // more than there are connections

// readMany lets many read at once, and wants each to be answered with one of the
// statuses. It is begun at once; the reads end with wait.
func readMany(t *testing.T, service *instance, key string, statuses ...int) (wait func()) {
	var reading sync.WaitGroup
	for range manyReads {
		reading.Go(func() {
			if got := service.get(t, "/api/v1/companies", key); !slices.Contains(statuses, got.status) {
				t.Errorf("%d: %s", got.status, got.body)
			}
		})
	}
	return reading.Wait
}

// openAllConnections makes the service open as many connections as it may.
func openAllConnections(t *testing.T, w *modelstest.World, service *instance, key string) {
	t.Helper()
	locking := modelstest.Conn(t, w.URL)
	_, err := locking.Exec(t.Context(), `BEGIN; LOCK TABLE companies IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)
	wait := readMany(t, service, key, 200)
	require.Eventually(t, func() bool { c := service.store.Connections(); return c.Busy == c.Max }, patience, pollEvery)
	_, err = locking.Exec(t.Context(), `ROLLBACK`)
	require.NoError(t, err)
	wait()
}

// Where all connections die at once and without a word, as when another server
// takes over, those who were being answered get 503, and whoever comes after them
// is answered: the dead connections keep no place in the pool, nor are those that
// were idle tried one by one.
func TestConnectionsDieSilently(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, fresh := newTenant(t, w, "a"), newTenant(t, w, "fresh")
	w.Companies(t, a.Organization, "10000001")
	database := newProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, database.url, models.Service), settings{noAnswers: true})
	requireRecovery(t, service, a.token)
	openAllConnections(t, w, service, a.token)
	database.abandon()
	readMany(t, service, a.token, 200, 503)()
	readMany(t, service, a.token, 200)()
	service.get(t, "/api/v1/companies", fresh.token).requireOK(t)
}

// Where connections die that were idle, and the change feed's lives on, the look-up
// of a key fails once at most: it does not try them one by one.
func TestIdleConnectionsDieSilently(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, fresh := newTenant(t, w, "a"), newTenant(t, w, "fresh")
	w.Companies(t, a.Organization, "10000001")
	database := newProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, database.url, models.Service), settings{noAnswers: true})
	requireRecovery(t, service, a.token)
	openAllConnections(t, w, service, a.token)
	database.abandonIdle()
	if got := service.get(t, "/api/v1/companies", fresh.token); got.status != 200 {
		got.requireUnavailable(t)
	}
	service.get(t, "/api/v1/companies", fresh.token).requireOK(t)
}
