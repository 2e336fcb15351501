package api_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// requireUnavailable requires 503 with Retry-After. Beside a database that is silent for
// ever, only the deadline of a request, 4 seconds, leads to this answer. It may be called
// from any goroutine.
func (a answer) requireUnavailable(t testing.TB) {
	t.Helper()
	if a.status != 503 || a.header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}

// requireRecovery requires that the service recovers by itself within seconds.
func requireRecovery(t testing.TB, service *instance, key string) {
	t.Helper()
	for _, path := range paths {
		modelstest.Eventually(t, func() bool { return service.get(t, path, key).status == 200 }, path)
	}
	modelstest.Eventually(t, service.store.DB().Feed.Fresh)
}

// While the database is unavailable, in whatever way, requests that need it get 503 and
// Retry-After, even if the key is remembered. That counts as no failed key. Requests that do
// not need it are answered as usual: a missing or malformed key never reaches the database.
// The service recovers by itself.
func TestDatabaseUnavailable(t *testing.T) {
	t.Parallel()
	line := func(state modelstest.Line) func(*testing.T, *modelstest.World, *modelstest.Proxy, bool) {
		return func(_ *testing.T, _ *modelstest.World, proxy *modelstest.Proxy, away bool) {
			proxy.All(map[bool]modelstest.Line{true: state, false: modelstest.Up}[away])
		}
	}
	for name, outage := range map[string]func(t *testing.T, w *modelstest.World, proxy *modelstest.Proxy, away bool){
		"broken": line(modelstest.Cut), "silent": line(modelstest.Hung), "refusing": allowConnections,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a, fresh := newTenant(t, w, "a"), newTenant(t, w, "fresh")
			w.Companies(t, a.Organization, "10000001")
			proxy := modelstest.NewProxy(t, w.URL)
			bad := badKeys(a.token)
			service := serve(t, modelstest.Open(t, proxy.URL, database.Service), settings{noCache: true, timeout: 4 * time.Second, failures: int64(len(bad) + 1)})
			requireRecovery(t, service, a.token)

			outage(t, w, proxy, true)
			var requests sync.WaitGroup
			for range 4 { // more than there are connections
				for _, key := range []string{a.token, fresh.token, unknownKey} {
					for _, path := range keyPaths {
						requests.Go(func() { service.get(t, path, key).requireUnavailable(t) })
					}
				}
				requests.Go(func() { service.send(t, "GET", "/api/health", nil).requireUnavailable(t) })
			}
			requests.Wait()
			service.get(t, "/api/health", "").requireError(t, 503, "SERVICE_UNAVAILABLE")
			service.get(t, "/api/openapi.yaml", "").requireOK(t)
			service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")
			service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED", "missing")
			for _, key := range bad {
				service.get(t, "/api/v1/companies", key).requireError(t, 401, "UNAUTHORIZED", "malformed")
			}

			outage(t, w, proxy, false)
			requireRecovery(t, service, a.token)
		})
	}
}

// allowConnections ends all connections to the database, and refuses new ones while it is
// away.
func allowConnections(t *testing.T, w *modelstest.World, _ *modelstest.Proxy, away bool) {
	t.Helper()
	server := modelstest.At(w.URL, "postgres")
	config, err := pgx.ParseConfig(w.URL)
	require.NoError(t, err)
	modelstest.ExecuteAt(t, server, fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS %t", config.Database, !away))
	modelstest.ExecuteAt(t, server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, config.Database)
}

// If the connection to the database breaks during a query, the request gets 503 too.
func TestDatabaseBreaksDuringAQuery(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	w.Delivery(t, "10000001", 3)
	proxy := modelstest.NewProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, proxy.URL, database.Service), settings{noCache: true, timeout: 4 * time.Second})
	for path, query := range map[string]string{
		keyPaths[0]: "company_count", keyPaths[1]: "default_amount_cents", keyPaths[2]: "transaction_count", "/api/v1/changes": "delivery_file_count",
	} {
		// Old connections have the query prepared and would not send its text again.
		proxy.All(modelstest.Cut)
		proxy.All(modelstest.Up)
		modelstest.Eventually(t, func() bool { return service.get(t, "/api/health", "").status == 200 })
		proxy.Hold(query)
		var requests sync.WaitGroup
		requests.Go(func() { service.get(t, path, a.token).requireUnavailable(t) })
		modelstest.Eventually(t, proxy.Holding, path)
		proxy.All(modelstest.Cut)
		requests.Wait()
		proxy.Hold("")
		proxy.All(modelstest.Up)
		requireRecovery(t, service, a.token)
	}
}

// A server that ends all connections, as in a restart, causes no internal error.
func TestDatabaseEndsConnections(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	service := serve(t, modelstest.Open(t, w.URL, database.Service), settings{})
	for range 5 {
		requireRecovery(t, service, a.token)
		modelstest.ExecuteAt(t, w.URL, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		for _, path := range append(keyPaths, "/api/openapi.yaml") {
			if got := service.get(t, path, a.token); got.status != 200 {
				got.requireUnavailable(t)
			}
		}
	}
}
