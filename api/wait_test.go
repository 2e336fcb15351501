package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// waiting returns the headers of a request that waits for a change.
func waiting(key, tag, prefer string) http.Header {
	return headers("X-API-Key", key, "If-None-Match", tag, "Prefer", prefer)
}

// later sends a request that waits, and returns where its answer will come.
func (i *instance) later(t *testing.T, path string, header http.Header) <-chan answer {
	t.Helper()
	got := make(chan answer, 1)
	go func() { got <- i.send(t, http.MethodGet, path, header) }()
	return got
}

// requireWaiting waits until so many requests wait for a change.
func requireWaiting(t *testing.T, service *instance, requests int) {
	t.Helper()
	modelstest.Eventually(t, func() bool { return service.store.Store.DB().Feed.Waiting() == requests })
}

// waitingLonger starts a wait before the test's own ones, and returns its answer. As long
// as it still waits, none of the later ones has ended by its timeout.
func waitingLonger(t *testing.T, service *instance, a tenant) <-chan answer {
	t.Helper()
	tag := service.get(t, "/api/v1/companies", a.token).header.Get("ETag")
	longer := service.later(t, "/api/v1/companies", waiting(a.token, tag, "wait=60"))
	requireWaiting(t, service, 1)
	return longer
}

// A request with the current tag waits until the organization's data changes, in whatever
// way, on each of the reads, and counts once. The answer has another tag. A change of another
// organization's data does not answer it.
func TestWait(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	w.Companies(t, a.Organization, "10000001")
	w.Companies(t, b.Organization, "10000002")
	service := serve(t, modelstest.OpenFollowing(t, w.URL), settings{hour: 50})
	changes := []func(i int){
		func(int) { w.Delivery(t, "10000001", 1) },
		func(i int) { w.Companies(t, a.Organization, fmt.Sprint(20000000+i)) },
		func(i int) {
			importCompanies(t, w, a.Organization, []string{"cvr", "name"}, []string{"10000001", fmt.Sprint("Name ", i)})
		},
	}
	for i, path := range []string{"/api/v1/companies", "/api/v1/companies/10000001", "/api/v1/companies/10000001/transactions", "/api/v1/days", "/api/v1/companies/10000001/days", "/api/v1/changes"} {
		requireCaughtUp(t, w, a, service.store)
		full := service.get(t, path, a.token)
		full.requireOK(t)
		left := remaining(t, full)
		got := service.later(t, path, waiting(a.token, full.header.Get("ETag"), "wait=60"))
		requireWaiting(t, service, 1)
		w.Delivery(t, "10000002", 1)
		requireCaughtUp(t, w, b, service.store)
		select {
		case early := <-got:
			t.Fatalf("%s answered %d without a change", path, early.status)
		default:
		}
		changes[i%3](i)
		changed := <-got
		changed.requireOK(t)
		require.Equal(t, "wait=50", changed.header.Get("Preference-Applied"))
		require.NotEqual(t, full.header.Get("ETag"), changed.header.Get("ETag"))
		require.Equal(t, left-1, remaining(t, changed), "it counts as one request")
	}
	requireWaiting(t, service, 0)
}

func remaining(t *testing.T, a answer) int {
	t.Helper()
	left, err := strconv.Atoi(a.header.Get("X-RateLimit-Remaining"))
	require.NoError(t, err)
	return left
}

// Without a change the answer is 304 when the time is up, also if a proxy that compresses has
// changed the tag. A request with an invalid preference, or with an old tag, does not wait, and
// neither does one whose tag is "*": it says so by naming no preference.
func TestWaitEnds(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	service := serve(t, modelstest.OpenFollowing(t, w.URL), settings{})
	const path = "/api/v1/companies"
	tag := service.get(t, path, a.token).header.Get("ETag")
	changed := strings.TrimSuffix(tag, `"`) + `-gzip"`
	for prefer, tag := range map[string]string{"wait=1": tag, `respond-async, Wait="1"; x=y`: tag, "wait=1, x": changed} {
		start := time.Now()
		got := service.send(t, "GET", path, waiting(a.token, tag, prefer))
		require.Equal(t, http.StatusNotModified, got.status)
		require.GreaterOrEqual(t, time.Since(start), time.Second)
		require.Equal(t, "wait=1", got.header.Get("Preference-Applied"))
	}
	any := service.send(t, "GET", path, waiting(a.token, "*", "wait=60"))
	require.Equal(t, http.StatusNotModified, any.status)
	require.Empty(t, any.header.Get("Preference-Applied"))
	for _, prefer := range []string{"", "wait", "wait=0", "wait=61", "wait=-1", "wait=1.5", "wait=+1", "wait=1e1", "respond-async"} {
		got := service.send(t, "GET", path, waiting(a.token, tag, prefer))
		require.Equal(t, http.StatusNotModified, got.status, prefer)
		require.Empty(t, got.header.Get("Preference-Applied"), prefer)
	}
	service.send(t, "GET", path, headers("X-API-Key", a.token, "Prefer", "wait=60")).requireOK(t)
	stale := service.send(t, "GET", path, waiting(a.token, `W/"0123456789abcdef"`, "wait=60"))
	stale.requireOK(t)
	require.Equal(t, "wait=50", stale.header.Get("Preference-Applied"))
	service.send(t, "GET", "/api/v1/companies/1", waiting(a.token, tag, "wait=60")).requireError(t, 400, "BAD_REQUEST")
	service.send(t, "GET", "/api/v1/companies/99999999", waiting(a.token, tag, "wait=60")).
		requireError(t, 404, "COMPANY_NOT_FOUND")
}

// A key that is revoked, paused, bound to other addresses or expires while its request waits, or whose organization
// is suspended, is refused then, with the reason, not when the time is up. That counts as
// no failed key: the address may still send another key that is not known. Nor does a request
// wait on whose client has hung up.
func TestWaitEndsWithTheKeyAndTheClient(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	store := modelstest.OpenFollowing(t, w.URL)
	service := serve(t, store, settings{})
	b := newTenant(t, w, "b")
	longer := waitingLonger(t, service, b)
	for text, end := range map[string]func(a tenant) error{
		"revoked": func(a tenant) error {
			return modelstest.ErrorOf(keys.Revoke(t.Context(), w.Service.Tenant(a.ID), a.key.ID))
		},
		"paused": func(a tenant) error {
			return modelstest.ErrorOf(keys.Pause(t.Context(), w.Service.Tenant(a.ID), a.key.ID))
		},
		"suspended": func(a tenant) error { return organizations.Suspend(t.Context(), w.Operator.Tenant(a.ID)) },
		"expired":   func(tenant) error { return nil },
		"not allowed from the address 127.0.0.1": func(a tenant) error {
			return modelstest.ErrorOf(bindElsewhere(t.Context(), w.Service.Tenant(a.ID), a.key.ID))
		},
	} {
		// On a slow machine a key may expire before its request waits. Then another key lasts longer.
		for seconds, waited := 3, false; !waited; seconds *= 2 {
			service, a := serve(t, store, settings{failures: 1}), newTenant(t, w, fmt.Sprint(text[:3], seconds))
			if text == "expired" {
				modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = now() + make_interval(secs => $2) WHERE id = $1`,
					a.key.ID, seconds)
			}
			tag := service.get(t, "/api/v1/companies", a.token).header.Get("ETag")
			got := service.later(t, "/api/v1/companies", waiting(a.token, tag, "wait=60"))
			modelstest.Eventually(t, func() bool {
				waited = store.Store.DB().Feed.Waiting() == 2
				return waited || text == "expired" && len(got) == 1
			})
			require.NoError(t, end(a))
			(<-got).requireError(t, 401, "UNAUTHORIZED", text)
			if waited {
				service.get(t, "/api/v1/companies", "unknown").requireError(t, 401, "UNAUTHORIZED")
				service.get(t, "/api/v1/companies", "unknown").requireError(t, 429, "RATE_LIMIT_EXCEEDED")
			}
			require.Less(t, seconds, 50, "no key waited")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, "GET", "http://"+service.address+"/api/v1/companies", nil)
	require.NoError(t, err)
	request.Header = waiting(b.token, service.get(t, "/api/v1/companies", b.token).header.Get("ETag"), "wait=60")
	ended := make(chan error, 1)
	go func() {
		_, err := service.client.Do(request)
		ended <- err
	}()
	requireWaiting(t, service, 2)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	requireWaiting(t, service, 1)
	require.Empty(t, longer)
}

// A response may show a change that its instance has not heard of yet. A wait with its
// tag waits for the next change: it does not end at once because of this one.
func TestWaitAfterAnUnheardChange(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	proxy := modelstest.NewProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, proxy.URL, database.Service), settings{noCache: true})
	for tries := 0; ; tries++ { // the feed is trusted for a moment only
		require.Less(t, tries, 20)
		modelstest.Eventually(t, service.store.DB().Feed.Fresh)
		service.get(t, "/api/v1/companies", a.token).requireOK(t)
		known, _ := service.store.Tenant(a.ID).RememberedDataVersion()
		proxy.Feed(modelstest.Hung)
		w.Companies(t, a.Organization, fmt.Sprint(10000001+tries))
		got := service.get(t, "/api/v1/companies", a.token)
		heard, ok := service.store.Tenant(a.ID).RememberedDataVersion()
		proxy.Feed(modelstest.Up)
		if ok && known != (models.Version{}) && heard.DataVersion > known.DataVersion {
			require.Equal(t, fmt.Sprint(heard.DataVersion), got.header.Get("X-Data-Version"))
			return
		}
	}
}

// While the feed cannot connect, a wait looks for changes itself, and an instance that loses
// the whole database tells of them once it is back. The answer says how long the limit's window
// lasts from then on, not from when the wait began.
func TestWaitWithoutTheFeed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	w.Companies(t, a.Organization, "10000001")
	proxy := modelstest.NewProxy(t, w.URL)
	service := serve(t, modelstest.OpenFollowing(t, proxy.URL), settings{minute: 60})
	longer := waitingLonger(t, service, b)
	left := func(a answer) (seconds int) {
		_, err := fmt.Sscanf(a.header.Get("RateLimit")[strings.Index(a.header.Get("RateLimit"), ";t="):], ";t=%d", &seconds)
		require.NoError(t, err)
		return seconds
	}
	for i, lose := range []func(modelstest.Line){proxy.Feed, proxy.All} {
		modelstest.Eventually(t, service.store.DB().Feed.Fresh)
		first := service.get(t, "/api/v1/companies", a.token)
		got := service.later(t, "/api/v1/companies", waiting(a.token, first.header.Get("ETag"), "wait=60"))
		requireWaiting(t, service, 2)
		lose(modelstest.Cut)
		time.Sleep(time.Duration(1-i) * 2 * time.Second) // of the limit's window
		w.Companies(t, a.Organization, fmt.Sprint(10000002+i))
		proxy.All(modelstest.Up)
		changed := <-got
		changed.requireOK(t)
		if i == 0 {
			require.Empty(t, longer, "the change was not noticed before the wait was over")
			require.Less(t, left(changed), left(first))
		}
		proxy.Feed(modelstest.Up)
	}
}
