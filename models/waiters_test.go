package models_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// Whoever waits for a change is woken once nothing remembered is older than the change,
// whoever subscribed first. Otherwise a request that waits would find its revoked key
// still accepted, and wait on.
func TestChangesWakeAfterAllHaveHeard(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	caller := models.Caller{OrganizationID: w.Organization(t, "a").ID, KeyID: uuid.New()}
	waiter := w.Service.NewWaiter(caller)
	defer waiter.Stop()
	heard := 0
	w.Service.DB().Feed.Subscribe(database.Subscriber{Drop: func(heardOf database.Notification) {
		if heardOf.ID == caller.KeyID {
			heard++
			require.Empty(t, waiter.C, "woken too early")
		}
	}})
	w.Service.DB().Feed.KeyChanged(uuid.New())
	require.Empty(t, waiter.C, "another key")
	w.Service.DB().Feed.KeyChanged(caller.KeyID)
	require.Equal(t, 1, heard)
	require.Len(t, waiter.C, 1)
}
