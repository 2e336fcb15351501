package api_test

import (
	"testing"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// A verified key stays known when the feed breaks and comes back.
func TestFeedFlap(t *testing.T) {
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	proxy := newProxy(t, w.URL)
	store := modelstest.Open(t, proxy.url, database.Service)
	service := serve(t, store, settings{failures: 2})
	modelstest.Eventually(t, store.DB().Feed.Fresh)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	for range 2 {
		service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED")
	}
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	proxy.setFeed(cut)
	modelstest.Eventually(t, func() bool { return !store.DB().Feed.Fresh() })
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	proxy.setFeed(up)
	modelstest.Eventually(t, store.DB().Feed.Fresh)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
}
