package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
)

// Answers say when the key expires, also those to a key that has expired, and whether
// the key is about to expire or has a successor: as soon as that is so, and only while
// the successor would be accepted. An answer that waited says what is so by then.
func TestKeyNotices(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	tenant := w.Service.Tenant(a.ID)
	service := serve(t, w.Service, settings{minute: 10_000, hour: 10_000})
	requireNotice := func(status int, expires, notice string) {
		t.Helper()
		var got answer
		modelstest.Eventually(t, func() bool {
			got = service.get(t, "/api/v1/companies", a.token)
			return got.status == status && got.header.Get("X-API-Key-Notice") == notice &&
				got.header.Get("X-API-Key-Expires") == expires
		}, "%s %q", expires, notice)
		if status == 200 {
			missing := service.get(t, "/api/v1/companies/99999999", a.token)
			require.Equal(t, notice, missing.header.Get("X-API-Key-Notice"))
		}
	}
	requireNotice(200, "", "")
	waited := service.later(t, "/api/v1/companies",
		waiting(a.token, service.get(t, "/api/v1/companies", a.token).header.Get("ETag"), "wait=60"))
	requireWaiting(t, service, 1)
	later := time.Now().AddDate(0, 0, 15).UTC().Truncate(time.Millisecond)
	_, err := keys.Expire(t.Context(), tenant, a.key.ID, later)
	require.NoError(t, err)
	requireNotice(200, later.Format("2006-01-02T15:04:05.000Z"), "")
	next, _, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "next", SuccessorOf: &a.key.ID})
	require.NoError(t, err)
	requireNotice(200, later.Format("2006-01-02T15:04:05.000Z"), "replaced")
	w.Companies(t, a.Organization, "10000001")
	changed := (<-waited).header
	require.Equal(t, "replaced", changed.Get("X-API-Key-Notice"))
	require.NotEmpty(t, changed.Get("X-API-Key-Expires"))
	_, err = keys.Pause(t.Context(), tenant, next.ID)
	require.NoError(t, err)
	requireNotice(200, later.Format("2006-01-02T15:04:05.000Z"), "")
	_, err = keys.Resume(t.Context(), tenant, next.ID)
	require.NoError(t, err)
	soon := later.AddDate(0, 0, -2)
	_, err = keys.Expire(t.Context(), tenant, a.key.ID, soon)
	require.NoError(t, err)
	requireNotice(200, soon.Format("2006-01-02T15:04:05.000Z"), "replaced, expires-soon")
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM api_keys WHERE id = $1`, next.ID)
	requireNotice(200, soon.Format("2006-01-02T15:04:05.000Z"), "expires-soon")
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = '2026-01-01T00:00:00Z' WHERE id = $1`, a.key.ID)
	requireNotice(401, "2026-01-01T00:00:00.000Z", "")
}
