package database_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// A waiter is woken once nothing remembered is older than the change,
// whoever subscribed first. Otherwise a request that waits would find its revoked key
// still accepted, and wait on.
func TestChangesWakeAfterAllHaveHeard(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	feed, key := w.Service.DB().Feed, uuid.New()
	waiter := feed.NewWaiter(w.Organization(t, "a").ID, key)
	defer waiter.Stop()
	heard := 0
	feed.Subscribe(database.Subscriber{Drop: func(heardOf database.Notification) {
		if heardOf.ID == key {
			heard++
			require.Empty(t, waiter.C, "woken too early")
		}
	}})
	feed.KeyChanged(uuid.New())
	require.Empty(t, waiter.C, "another key")
	feed.KeyChanged(key)
	require.Equal(t, 1, heard)
	require.Len(t, waiter.C, 1)
}
