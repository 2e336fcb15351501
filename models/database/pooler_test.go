package database_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A pooler in transaction mode is refused at the start, by the service and by the
// operator's commands, in a sentence that says what to do.
func TestPoolerInTransactionModeIsRefused(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	for _, role := range []database.Role{database.Service, database.Operator} {
		pooler := modelstest.NewPooler(t, url)
		pooler.Transaction.Store(true)
		_, err := database.Open(t.Context(), database.Config{URL: pooler.URL, Role: role})
		require.EqualError(t, err, database.ErrPooler.Error())
	}
}

// A pooler in session mode works: connections stay their own, and changes are heard of.
func TestPoolerInSessionModeWorks(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	key, text := w.Key(t, a)
	instance := modelstest.OpenFollowing(t, modelstest.NewPooler(t, w.URL).URL)
	for range 3 {
		_, err := ledger.Company(t.Context(), instance.Tenant(a.ID), "10000001")
		require.NoError(t, err)
		require.NoError(t, instance.Verify(t, text))
	}
	_, err := keys.Revoke(t.Context(), w.Operator.Tenant(a.ID), key.ID)
	require.NoError(t, err)
	modelstest.Eventually(t, func() bool { return instance.Verify(t, text) != nil })
}

// If a pooler changes to transaction mode while the service runs, the service stops
// answering as soon as it notices, because what it reads may be of another
// organization's session. Before that, each sign of it says what to do.
func TestPoolerChangesToTransactionMode(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	pooler := modelstest.NewPooler(t, w.URL)
	instance := modelstest.OpenFollowing(t, pooler.URL)
	read := func() error {
		_, err := ledger.Company(t.Context(), instance.Tenant(a.ID), "10000001")
		return err
	}
	require.NoError(t, read())
	pooler.Transaction.Store(true)
	modelstest.Eventually(t, func() bool {
		if err := read(); err != nil && models.ErrorKind(err) != models.KindCompanyNotFound {
			modelstest.RequireKind(t, models.KindUnavailable, err)
			require.ErrorIs(t, err, database.ErrPooler)
		}
		return errors.Is(instance.Ping(t.Context()), database.ErrPooler) && !instance.DB().Feed.Fresh()
	})
	require.ErrorIs(t, read(), database.ErrPooler)
}
