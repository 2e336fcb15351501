package api_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// revoke revokes the tenant's key on that instance.
func (a tenant) revoke(t testing.TB, store *modelstest.Instance) {
	t.Helper()
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), store.Tenant(a.ID), a.key.ID)))
}

// A key that is revoked or paused is refused with 401 at once, on other instances within a
// second, and its requests are recorded as refused, so that people see what still uses it.
// Other keys, and a key that is resumed, work.
func TestKeyRefusedFromNowOn(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	here, elsewhere := serve(t, w.Service, settings{}), serve(t, modelstest.OpenFollowing(t, w.URL), settings{})
	other := newTenant(t, w, "other")
	for word, end := range map[string]func(context.Context, models.Tenant, uuid.UUID) (keys.Detail, error){"revoked": keys.Revoke, "paused": keys.Pause} {
		a, unused := newTenant(t, w, word), newTenant(t, w, "unused-"+word)
		for _, service := range []*instance{here, elsewhere} {
			service.get(t, "/api/v1/companies", a.token).requireOK(t)
		}
		for range 2 { // the second time changes nothing
			for _, ended := range []tenant{unused, a} {
				require.NoError(t, modelstest.ErrorOf(end(t.Context(), w.Service.Tenant(ended.ID), ended.key.ID)))
				here.get(t, "/api/v1/companies", ended.token).requireError(t, 401, "UNAUTHORIZED", word)
			}
		}
		modelstest.Within(t, time.Second, func() bool { return elsewhere.get(t, "/api/v1/companies", a.token).status == 401 })
		for _, service := range []*instance{here, elsewhere} {
			service.get(t, "/api/v1/companies", a.token).requireError(t, 401, "UNAUTHORIZED", word)
			service.get(t, "/api/v1/companies", other.token).requireOK(t)
		}
		modelstest.Eventually(t, func() bool {
			refusals, err := keys.Refusals(t.Context(), w.Service.Tenant(a.ID), &a.key.ID, 10)
			require.NoError(t, err)
			return len(refusals) > 0 && refusals[0].KeyID == a.key.ID && refusals[0].Status == 401 && refusals[0].Reason == word
		})
		if word == "paused" {
			require.NoError(t, modelstest.ErrorOf(keys.Resume(t.Context(), w.Service.Tenant(a.ID), a.key.ID)))
			here.get(t, "/api/v1/companies", a.token).requireOK(t)
			modelstest.Eventually(t, func() bool { return elsewhere.get(t, "/api/v1/companies", a.token).status == 200 })
		}
	}
}
