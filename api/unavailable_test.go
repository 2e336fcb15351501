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

// While the database is unavailable, in whatever way, also because its server has ended all
// connections, requests that need it get 503 and Retry-After, even if the key is remembered, and
// if the connection breaks during their query. That counts as no failed key. Requests that do
// not need it are answered as usual: a missing or malformed key never reaches the database. The
// service recovers by itself.
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
			service := serve(t, modelstest.Open(t, proxy.URL, database.Service),
				settings{noCache: true, timeout: 4 * time.Second, failures: 2})

			requireRecovery(t, service, a.token)

			// One request is in the middle of a query. Old connections have it prepared and would not
			// send its text again.
			proxy.All(modelstest.Cut)
			proxy.All(modelstest.Up)
			modelstest.Eventually(t, func() bool { return service.get(t, "/api/health", "").status == 200 })
			proxy.Hold("company_count")
			var requests sync.WaitGroup
			requests.Go(func() { service.get(t, "/api/v1/companies", a.token).requireUnavailable(t) })
			modelstest.Eventually(t, proxy.Holding)
			outage(t, w, proxy, true)
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
			service.get(t, "/api/health/live", "").requireOK(t)
			service.get(t, "/api/openapi.yaml", "").requireOK(t)
			service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")
			service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED", "missing")
			service.get(t, "/api/v1/companies", a.token+"x").requireError(t, 401, "UNAUTHORIZED", "malformed")

			proxy.Hold("")
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
	modelstest.ExecuteAt(t, server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`,
		config.Database)
}
