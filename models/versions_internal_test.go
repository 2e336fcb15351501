package models

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
)

// A version that was read before the feed reported a change is not remembered after
// it, because it may be the one before the change.
func TestVersionReadBeforeAChange(t *testing.T) {
	t.Parallel()
	feed := &database.Feed{}
	versions := newVersions(&database.DB{Feed: feed})
	id := database.NewID()
	generation := feed.Generation()
	versions.remember(id, Version{DataVersion: 1}, generation)
	require.True(t, versions.known.Contains(id))

	feed.KeyChanged(database.NewID()) // any change moves the generation
	versions.drop(database.Notification{Kind: database.DataChanged, ID: id})
	versions.remember(id, Version{DataVersion: 1}, generation)
	require.False(t, versions.known.Contains(id))
	versions.remember(id, Version{DataVersion: 2}, feed.Generation())
	require.True(t, versions.known.Contains(id))
	versions.drop(database.Notification{Kind: database.DataChanged, ID: database.NewID()})
	require.True(t, versions.known.Contains(id))
}
