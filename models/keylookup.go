package models

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// keyLookup finds keys' rows by lookup id: one query at a time, for all that were
// asked for while the one before was under way. So keys that are nobody's, however
// many come, take one connection and leave the others to those who have a good one;
// and a fleet that comes back at once is looked up in a few queries.
type keyLookup struct {
	store   *Store
	mu      sync.Mutex
	waiting []*wantedKey
	asking  bool
}

// wantedKey is a key's row that somebody waits for.
type wantedKey struct {
	lookupID string
	row      *keyRow // nil: there is none
	err      error
	done     chan struct{}
}

// keyRow is a key as the database has it.
type keyRow struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	LookupID       string
	SecretHash     string
	Fingerprint    []byte
	ExpiresAt      *time.Time
	RevokedAt      *time.Time
}

const (
	lookupTimeout = 3 * time.Second

	// lookupPause is the time after a query in which more gather for the next one:
	// a query for ten costs little more than one for a single key.
	lookupPause = 300 * time.Microsecond
)

// find gives the row of the key with that lookup id, as it is now or will be in a
// moment, or nil where there is none.
func (l *keyLookup) find(ctx context.Context, lookupID string) (*keyRow, error) {
	wanted := &wantedKey{lookupID: lookupID, done: make(chan struct{})}
	l.mu.Lock()
	l.waiting = append(l.waiting, wanted)
	if !l.asking {
		l.asking = true
		go l.askAll()
	}
	l.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-wanted.done:
		return wanted.row, wanted.err
	}
}

// askAll asks until nobody waits.
func (l *keyLookup) askAll() {
	for {
		l.mu.Lock()
		batch := l.waiting
		l.waiting = nil
		l.asking = len(batch) > 0
		l.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		rows, err := l.ask(batch)
		if err != nil && unavailable(err) {
			// Connections that were idle may all be dead without a word, and each
			// would be found out at the cost of one timeout.
			l.store.pool.Reset()
		}
		for _, wanted := range batch {
			wanted.row, wanted.err = rows[wanted.lookupID], err
			close(wanted.done)
		}
		time.Sleep(lookupPause) // nobody is kept by it but those who gather
	}
}

// ask crosses organizations on purpose: whose keys they are, is what it finds out.
func (l *keyLookup) ask(batch []*wantedKey) (map[string]*keyRow, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
	defer cancel()
	lookupIDs := make([]string, len(batch))
	for i, wanted := range batch {
		lookupIDs[i] = wanted.lookupID
	}
	found, err := l.store.pool.Query(ctx, `SELECT id, organization_id, lookup_id, secret_hash, fingerprint, expires_at, revoked_at
		FROM api_keys_lookup($1)`, lookupIDs)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(found, pgx.RowToAddrOfStructByPos[keyRow])
	if err != nil {
		return nil, err
	}
	rows := make(map[string]*keyRow, len(all))
	for _, row := range all {
		rows[row.LookupID] = row
	}
	return rows, nil
}
