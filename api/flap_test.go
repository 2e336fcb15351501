package api_test

import (
	"dispo/models"
	"dispo/models/modelstest"
	"github.com/stretchr/testify/require"
	"testing"
)

// A key that was verified stays known although the feed was away for a moment.
func TestFlap(t *testing.T) {
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	database := newProxy(t, w.URL)
	store := modelstest.Open(t, database.url, models.Service)
	service := serve(t, store, settings{failures: 2})
	require.Eventually(t, store.Hears, patience, pollEvery)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	for range 2 {
		service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED")
	}
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	database.setFeed(cut)
	require.Eventually(t, func() bool { return !store.Hears() }, patience, pollEvery)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	database.setFeed(up)
	require.Eventually(t, store.Hears, patience, pollEvery)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
}
