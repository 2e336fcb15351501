package models

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"dispo/models/database"
)

// Version names a moment of an organization's data.
type Version = database.Version

// versions remembers organizations' data versions for as long as the change feed
// vouches for them.
type versions struct {
	feed  *database.Feed
	mu    sync.Mutex // held to remember a version and to drop one
	known *lru.Cache[uuid.UUID, Version]
	reads singleflight.Group
}

const (
	rememberedVersions = 100_000         // about 100 bytes each
	sharedRead         = 5 * time.Second // for all that wait for it
)

func newVersions(db *database.DB) *versions {
	v := &versions{feed: db.Feed}
	v.known, _ = lru.New[uuid.UUID, Version](rememberedVersions)
	db.Feed.Subscribe(database.Subscriber{Drop: v.drop})
	return v
}

func (v *versions) drop(change database.Notification) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch change.Kind {
	case database.DataChanged:
		v.known.Remove(change.ID)
	case database.Missed:
		v.known.Purge()
	}
}

// remember keeps a version, unless the feed has moved since before it was read:
// then it may be the one before the change.
func (v *versions) remember(organizationID uuid.UUID, version Version, generation uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known, ok := v.known.Peek(organizationID); v.feed.Generation() == generation &&
		(!ok || known.DataVersion < version.DataVersion) {
		v.known.Add(organizationID, version)
	}
}

// RememberedDataVersion returns what DataVersion would, if it is in memory.
func (t Tenant) RememberedDataVersion() (version Version, ok bool) {
	versions := t.store.versions
	if !versions.feed.Fresh() {
		return Version{}, false
	}
	return versions.known.Get(t.organizationID)
}

// DataVersion returns the version of the organization's companies and
// transactions. Every transaction that changes them moves it, and never back, unless the
// database itself goes back: then RenewHistory begins another history. What
// is read afterwards is of that version or a later one. The version is never older
// than a second: it comes from memory only while the change feed is fresh.
func (t Tenant) DataVersion(ctx context.Context) (Version, error) {
	if version, ok := t.RememberedDataVersion(); ok {
		return version, nil
	}
	versions := t.store.versions
	generation := versions.feed.Generation()
	if !versions.feed.Fresh() {
		return t.readDataVersion(ctx, generation)
	}
	// A read that others began in the same generation of the feed is as good: those who
	// hear of a change have a later one. Each waits for it no longer than its own deadline.
	key := t.organizationID.String() + strconv.FormatUint(generation, 10)
	shared := versions.reads.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedRead)
		defer cancel()
		return t.readDataVersion(ctx, generation)
	})
	select {
	case read := <-shared:
		return read.Val.(Version), read.Err
	case <-ctx.Done():
		return Version{}, Wrap(ctx.Err())
	}
}

// LearnDataVersion returns a function that remembers a data version which was read, with
// data, after this call. So what is read next shows no older one.
func (t Tenant) LearnDataVersion() func(Version) {
	generation := t.store.versions.feed.Generation()
	return func(version Version) { t.store.versions.remember(t.organizationID, version, generation) }
}

func (t Tenant) readDataVersion(ctx context.Context, generation uint64) (version Version, err error) {
	if err := t.DB(ctx).Model(&Organization{}).Take(&version).Error; err != nil {
		return Version{}, Wrap(err)
	}
	t.store.versions.remember(t.organizationID, version, generation)
	return version, nil
}
