package api_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// reads are all reads of an organization's data, with the Accept header.
var reads = func() map[[2]string]string {
	accepts := map[[2]string]string{{"GET", allTransactionsPath + "?after=" + uuid.Nil.String()}: "application/json"}
	for _, path := range []string{"/api/v1/companies", "/api/v1/companies/10000001", "/api/v1/companies/10000001/transactions", allTransactionsPath, "/api/v1/changes", "/api/v1/days", "/api/v1/companies/10000001/days"} {
		accepts[[2]string{"GET", path}], accepts[[2]string{"HEAD", path}] = "application/json", "application/json"
	}
	accepts[[2]string{"GET", allTransactionsPath + "?dispositionDate=2026-01-31"}] = "text/csv"
	accepts[[2]string{"HEAD", allTransactionsPath + "?dispositionDate=2026-01-31"}] = "application/x-ndjson"
	accepts[[2]string{"GET", "/api/v1/companies?after=" + uuid.Nil.String()}] = "application/x-ndjson"
	accepts[[2]string{"GET", "/api/v1/companies/10000001/transactions?after=" + uuid.Nil.String()}] = "text/csv"
	return accepts
}()

// readAll sends every read, with the tag of an earlier answer to it if there is one.
func (i *instance) readAll(t *testing.T, a tenant, earlier map[[2]string]answer) map[[2]string]answer {
	t.Helper()
	answers := map[[2]string]answer{}
	for read, accept := range reads {
		header := headers("X-API-Key", a.token, "Accept", accept)
		if before, ok := earlier[read]; ok {
			header.Set("If-None-Match", before.header.Get("ETag"))
		}
		answers[read] = i.send(t, read[0], read[1], header)
	}
	return answers
}

// requireHistory returns the history and the version that all answers have, with a status.
func requireHistory(t *testing.T, status int, answers map[[2]string]answer) (history, version string) {
	t.Helper()
	for read, got := range answers {
		require.Equal(t, status, got.status, "%s: %s", read, got.body)
		if history == "" {
			history, version = got.header.Get("X-Data-History"), got.header.Get("X-Data-Version")
		}
		require.Equal(t, []string{history, version},
			[]string{got.header.Get("X-Data-History"), got.header.Get("X-Data-Version")}, read)
	}
	require.NotEmpty(t, history)
	return history, version
}

// Every read names the history of the organization's data, which is its own. Renewing it
// reaches every instance by the change feed, and ends waits. From then on a tag of the old
// history is not current, even at an equal version, and ids and versions are greater than any
// before. Another organization's stay what they are.
func TestRenewedHistory(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	all := []tenant{newTenant(t, w, "a"), newTenant(t, w, "b"), withNewKey(t, w, w.Sandbox(t, "s"))}
	a, b := all[0], all[1]
	for _, one := range all[:2] {
		w.Companies(t, one.Organization, "10000001")
	}
	w.Delivery(t, "10000001", 2)
	limits := settings{minute: 100_000, hour: 100_000}
	service, other := serve(t, w.Service, limits), serve(t, modelstest.OpenFollowing(t, w.URL), limits)
	requireCaughtUp(t, w, a)
	requireCaughtUp(t, w, b)

	histories := map[string]bool{}
	histories[service.get(t, "/api/v1/companies", all[2].token).header.Get("X-Data-History")] = true
	before := map[string]map[[2]string]answer{}
	for _, one := range all[:2] {
		before[one.Slug] = service.readAll(t, one, nil)
		history, _ := requireHistory(t, 200, before[one.Slug])
		histories[history] = true
		unchanged, _ := requireHistory(t, 304, other.readAll(t, one, before[one.Slug]))
		require.Equal(t, history, unchanged)
	}
	require.Len(t, slices.Collect(maps.Keys(histories)), 3)
	old, oldVersion := requireHistory(t, 200, before["a"])
	last := func() string {
		return modelstest.ValueAt[string](t, w.URL, `SELECT last_id::text FROM organizations WHERE id = $1`, a.ID)
	}
	oldLast := last()

	companies := [2]string{"GET", "/api/v1/companies"}
	waits := other.later(t, companies[1], waiting(a.token, before["a"][companies].header.Get("ETag"), "wait=60"))
	requireWaiting(t, other, 1)
	renewed, err := organizations.RenewHistory(t.Context(), w.Operator.Store, "a")
	require.NoError(t, err)
	require.EqualValues(t, 1, renewed)
	woken := modelstest.Receive(t, waits)
	woken.requireOK(t)
	require.NotEqual(t, old, woken.header.Get("X-Data-History"))
	require.Greater(t, last(), oldLast)
	for _, i := range []*instance{service, other} {
		requireCaughtUp(t, w, a, i.store)
		history, version := requireHistory(t, 200, i.readAll(t, a, before["a"]))
		require.Equal(t, woken.header.Get("X-Data-History"), history)
		require.Greater(t, version, oldVersion)
		requireHistory(t, 304, i.readAll(t, b, before["b"]))
	}
	require.Equal(t, "operator",
		modelstest.AuditLog(t, w.Operator.Tenant(a.ID), models.AuditFilter{Action: models.ActionHistoryRenewed})[0].UserEmail)

	// Only the history differs.
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET data_version = $1 WHERE id = $2`, oldVersion, a.ID)
	late := serve(t, modelstest.OpenFollowing(t, w.URL), limits)
	_, version := requireHistory(t, 200, late.readAll(t, a, before["a"]))
	require.Equal(t, oldVersion, version)
}
