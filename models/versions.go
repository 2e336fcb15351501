package models

import (
	"context"
	"sync"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
)

// versions remembers organizations' data versions, as long as the change feed
// vouches for them.
type versions struct {
	store *Store
	mu    sync.Mutex // held to remember a version and to forget one
	known *lru.Cache[uuid.UUID, int64]
}

const rememberedVersions = 100_000 // some 100 bytes each

func newVersions(store *Store) *versions {
	v := &versions{store: store}
	v.known, _ = lru.New[uuid.UUID, int64](rememberedVersions)
	return v
}

func (v *versions) forget(organizationID uuid.UUID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known.Remove(organizationID)
}

func (v *versions) forgetAll() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known.Purge()
}

// remember keeps a version, unless the feed has moved since before it was read:
// then it may be the one before the change.
func (v *versions) remember(organizationID uuid.UUID, version int64, generation uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.store.feed.generation.Load() == generation {
		v.known.Add(organizationID, version)
	}
}

// DataVersion tells the version of the organization's companies and transactions.
// It moves, and never back, in every transaction that changes them. What is read
// after it was told is of that version or a later one; and it is never older than
// a second, since the change feed tells of changes, or, while that is down, the
// database is asked.
func (t Tenant) DataVersion(ctx context.Context) (int64, error) {
	if t.store.feed.fresh() {
		if version, ok := t.store.versions.known.Get(t.organizationID); ok {
			return version, nil
		}
	}
	generation := t.store.feed.generation.Load()
	var version int64
	err := t.store.pool.QueryRow(t.bind(ctx), `SELECT data_version FROM organizations WHERE id = $1`, t.organizationID).Scan(&version)
	if err != nil {
		return 0, wrap(err)
	}
	t.store.versions.remember(t.organizationID, version, generation)
	return version, nil
}
