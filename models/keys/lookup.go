package keys

import (
	"context"
	"math"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/fairqueue"
)

// Keys that are not remembered are looked up two at a time, and the addresses they come
// from take turns. So a flood of unknown keys leaves most connections to good keys, and a
// flood from one address waits by itself. Only requests that are still open wait: their
// number is the server's limit on connections.
var lookupLimits = fairqueue.Limits[string]{AtOnce: 2, Waiting: math.MaxInt}

const (
	lookupTimeout = 3 * time.Second

	// unknownPause is how long a look-up that finds no key keeps its place. So a flood of
	// made-up keys, at most 2,000 a second, leaves the processors to others.
	unknownPause = time.Millisecond
	// pausedAddresses is up to how many waiting addresses there are such pauses. A good key
	// waits for one look-up of each address, so more of them would keep it too long.
	pausedAddresses = 8
)

type keyRow struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	SecretHash     string
	Fingerprint    []byte
	ExpiresAt      *time.Time
	RevokedAt      *time.Time
	PausedAt       *time.Time
	Suspended      bool // its organization is
	Networks       Networks
	Replaced       bool // it has a successor that would be accepted
	models.Limits       // of its organization

	generation uint64 // of the feed, before the row was read
	readAt     time.Time
}

// refusal returns why the key is refused, unless it has expired.
func (r *keyRow) refusal() error {
	switch {
	case r.RevokedAt != nil:
		return errRevoked
	case r.PausedAt != nil:
		return errPaused
	case r.Suspended:
		return errSuspended
	}
	return nil
}

// lookup reads the row of a key. It returns nil if no key has this lookup id and is of the same
// kind, a sandbox's or a real one. It crosses organizations on purpose: it finds out whose key
// this is.
func (k *Verifier) lookup(ctx context.Context, key Presented, from netip.Addr) (row *keyRow, err error) {
	leave, ok := k.lookups.Enter(ctx, models.CallerNetwork(from))
	if !ok {
		return nil, ctx.Err()
	}
	defer func() {
		if row == nil && err == nil {
			leaveUnknown(k.lookups, leave)
		} else {
			leave()
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	generation, began := k.feed.Generation(), time.Now()
	const query = `SELECT * FROM api_key_find($1, $2)`
	rows, err := database.Query[keyRow](ctx, k.store.DB(), query, key.LookupID(), key.Sandbox())
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	row = &rows[0]
	row.generation, row.readAt = generation, began
	return row, nil
}

// leaveUnknown gives up the place of a look-up that found no key.
func leaveUnknown(lookups *fairqueue.Queue[string], leave func()) {
	if lookups.Subjects() > pausedAddresses {
		leave()
		return
	}
	time.AfterFunc(unknownPause, leave)
}
