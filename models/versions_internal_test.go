package models

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A version that was read before a change was heard of is not remembered after it:
// it may be the one before the change.
func TestVersionReadBeforeAChange(t *testing.T) {
	t.Parallel()
	store := &Store{feed: &feed{}}
	store.versions = newVersions(store)
	store.feed.dataChanged = store.versions.forget
	id := newID()
	generation := store.feed.generation.Load()
	store.versions.remember(id, 1, generation)
	require.True(t, store.versions.known.Contains(id))
	store.feed.heard("data " + id.String())
	require.False(t, store.versions.known.Contains(id))
	store.versions.remember(id, 1, generation)
	require.False(t, store.versions.known.Contains(id))
	store.versions.remember(id, 2, store.feed.generation.Load())
	require.True(t, store.versions.known.Contains(id))
	store.feed.heard("data " + uuid.Nil.String())
	require.True(t, store.versions.known.Contains(id))
}
