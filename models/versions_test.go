package models_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

func dataVersion(t testing.TB, store *modelstest.Instance, organization models.Organization) int64 {
	t.Helper()
	version, err := store.Tenant(organization.ID).DataVersion(t.Context())
	require.NoError(t, err)
	return version
}

// A data version comes from memory: a change that only the database shows goes
// unnoticed. Another organization's change does not drop it.
func TestDataVersionIsRemembered(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	store := modelstest.OpenFollowing(t, w.URL)
	modelstest.Eventually(t, func() bool {
		before := dataVersion(t, store, a)
		modelstest.ExecuteUnannounced(t, w, `UPDATE organizations SET data_version = data_version + 1`)
		w.Companies(t, b, "10000001")
		return dataVersion(t, store, a) == before
	})
}

// An import that another process commits reaches the data version in memory within a
// second.
func TestDataVersionFollowsImports(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	store := modelstest.OpenFollowing(t, w.URL)
	for _, cvr := range []string{"10000001", "10000002"} {
		before := dataVersion(t, store, a)
		w.Companies(t, a, cvr)
		modelstest.Within(t, time.Second, func() bool { return dataVersion(t, store, a) > before })
	}
}

// A data version follows the clock, so that it never goes back and never repeats, not
// even after the database was restored from a backup.
func TestDataVersionFollowsTheClock(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	before := time.Now().UnixMicro()
	w.Companies(t, a, "10000001")
	require.Greater(t, dataVersion(t, w.Operator, a), before)
	modelstest.ExecuteUnannounced(t, w, `UPDATE organizations SET data_version = $1`, before*2)
	w.Companies(t, a, "10000002")
	require.Equal(t, before*2+1, dataVersion(t, w.Operator, a))
}

// While an instance cannot hear of changes, it reads the version from the database at
// every request. Changes during the outage are not missed when the feed is back.
func TestDataVersionWhileTheFeedIsDown(t *testing.T) {
	t.Parallel()
	for name, disturb := range map[string]func(*modelstest.Proxy){
		"silent": (*modelstest.Proxy).Silence,
		"cut":    (*modelstest.Proxy).Cut,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a := w.Organization(t, "a")
			proxy := modelstest.NewProxy(t, w.URL)
			store := modelstest.OpenFollowing(t, proxy.URL)
			before := dataVersion(t, store, a)

			disturb(proxy)
			modelstest.Within(t, time.Second, func() bool { return !store.DB().Feed.Fresh() })
			for range 3 {
				modelstest.ExecuteUnannounced(t, w, `UPDATE organizations SET data_version = data_version + 1`)
				before++
				require.Equal(t, before, dataVersion(t, store, a))
			}
			w.Companies(t, a, "10000001")
			proxy.Restore()
			modelstest.Eventually(t, store.DB().Feed.Fresh)
			// The feed may have been asked just before the change, on a connection that works
			// again.
			modelstest.Within(t, time.Second, func() bool { return dataVersion(t, store, a) > before })
		})
	}
}

// Requests that share a read of the data version each wait by their own deadline: one that
// began it and gave up fails no other, and one that gives up earlier does not wait for it.
func TestSharedDataVersion(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	store := modelstest.OpenFollowing(t, w.URL)
	lock := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, lock, `BEGIN`)
	modelstest.Execute(t, lock, `LOCK TABLE organizations`)
	first, giveUp := context.WithCancel(t.Context())
	results := make(chan error, 2)
	read := func(ctx context.Context) {
		_, err := store.Tenant(a.ID).DataVersion(ctx)
		results <- err
	}
	waiting := func() bool {
		return modelstest.ValueAt[bool](t, w.URL, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`)
	}
	modelstest.Eventually(t, store.DB().Feed.Fresh)
	go read(first)
	modelstest.Eventually(t, waiting)
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := store.Tenant(a.ID).DataVersion(short)
	require.Error(t, err)
	go read(t.Context())
	giveUp()
	require.Error(t, <-results)
	modelstest.Execute(t, lock, `COMMIT`)
	require.NoError(t, <-results)
}
