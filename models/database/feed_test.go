package database_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// An answer of another server process than the one that listens proves nothing, so nothing
// remembered is trusted because of it.
func TestFeedTrustsTheListeningProcessAlone(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	const ping = "SELECT pg_backend_pid()"
	process, fresh := database.AskFeed(t.Context(), conn, "LISTEN dispo; "+ping, "")
	require.True(t, fresh)
	_, fresh = database.AskFeed(t.Context(), conn, ping, process)
	require.True(t, fresh)
	_, fresh = database.AskFeed(t.Context(), conn, ping, "1")
	require.False(t, fresh)
}
