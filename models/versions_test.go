package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

func dataVersion(t testing.TB, store *models.Store, organization models.Organization) int64 {
	t.Helper()
	version, err := store.Tenant(organization.ID).DataVersion(t.Context())
	require.NoError(t, err)
	return version
}

// A data version is told from memory, by a change that only who asks the database
// can know of, and that of another organization when it is changed stays there.
func TestDataVersionIsRemembered(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	store := hearing(t, w.URL)
	require.Eventually(t, func() bool {
		before := dataVersion(t, store, a)
		unannounced(t, w, `UPDATE organizations SET data_version = data_version + 1`)
		w.Companies(t, b, "10000001")
		return dataVersion(t, store, a) == before
	}, patience, 10*time.Millisecond)
}

// A data version never runs back and never repeats, not even where the database
// came from a backup: it follows the clock.
func TestDataVersionFollowsTheClock(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	before := time.Now().UnixMicro()
	w.Companies(t, a, "10000001")
	require.Greater(t, dataVersion(t, w.Operator, a), before)
	unannounced(t, w, `UPDATE organizations SET data_version = $1`, before*2)
	w.Companies(t, a, "10000002")
	require.Equal(t, before*2+1, dataVersion(t, w.Operator, a))
}

// While an instance can't hear of changes, it asks the database for the version at
// every request; and what happened meanwhile is not missed when the feed is back.
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
			store := hearing(t, proxy.URL)
			before := dataVersion(t, store, a)

			disturb(proxy)
			require.Eventually(t, func() bool { return !store.Hears() }, promise, time.Millisecond)
			for range 3 {
				unannounced(t, w, `UPDATE organizations SET data_version = data_version + 1`)
				before++
				require.Equal(t, before, dataVersion(t, store, a))
			}
			w.Companies(t, a, "10000001")
			proxy.Restore()
			require.Eventually(t, store.Hears, patience, time.Millisecond)
			// A connection that comes alive again may have been asked just before the change.
			require.Eventually(t, func() bool { return dataVersion(t, store, a) > before }, promise, time.Millisecond)
		})
	}
}
