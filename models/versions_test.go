package models_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

func dataVersion(t testing.TB, store *modelstest.Instance, organization models.Organization) int64 {
	t.Helper()
	version, err := store.Tenant(organization.ID).DataVersion(t.Context())
	require.NoError(t, err)
	return version.DataVersion
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
		return modelstest.ValueAt[bool](
			t,
			w.URL,
			`SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
		)
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

// A history is renewed after imports under way, whose ids are smaller than those that follow it.
func TestRenewHistoryAwaitsItsTurn(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	importing := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, importing, `BEGIN; SELECT FROM writers FOR UPDATE`)
	renewed := make(chan error, 1)
	go func() { renewed <- modelstest.ErrorOf(organizations.RenewHistory(t.Context(), w.Operator.Store, "")) }()
	modelstest.EventuallyBlocked(t, w.URL, 1)
	id := modelstest.Value[string](t, importing,
		`UPDATE organizations SET last_id = next_id(last_id) WHERE id = $1 RETURNING last_id::text`, a.ID)
	modelstest.Execute(t, importing, `COMMIT`)
	require.NoError(t, modelstest.Receive(t, renewed))
	require.Greater(t, modelstest.ValueAt[string](t, w.URL, `SELECT last_id::text FROM organizations WHERE id = $1`, a.ID),
		id)
}
