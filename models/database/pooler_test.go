package database_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// A pooler in transaction mode is refused at the start, by the service and by the
// operator's commands, in a sentence that says what to do.
func TestPoolerInTransactionModeIsRefused(t *testing.T) {
	t.Parallel()
	address := modelstest.Database(t)
	for _, role := range []database.Role{database.Service, database.Operator} {
		require.EqualError(t, modelstest.ErrorOf(database.Open(t.Context(), database.Config{URL: modelstest.NewPooler(t, address, true), Role: role})), database.ErrPooler.Error())
	}
}

// A pooler in session mode works.
func TestPoolerInSessionModeWorks(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, text := w.Key(t, a)
	instance := modelstest.OpenFollowing(t, modelstest.NewPooler(t, w.URL, false))
	require.NoError(t, instance.Verify(t, text))
}
