package keyring

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models/database"
)

// lookup finds keys' rows by lookup id. It runs one query at a time, for all keys
// that were asked for during the one before. So unknown keys, however many are
// sent, take one connection and leave the others to good keys; and a fleet that
// comes back at once is looked up in a few queries.
type lookup struct {
	pool    *pgxpool.Pool
	mu      sync.Mutex
	waiting []*request
	running bool
}

// request is a lookup that somebody waits for.
type request struct {
	lookupID string
	row      *keyRow // nil if there is none
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
	Suspended      bool // its organization is
}

const (
	lookupTimeout = 3 * time.Second

	// lookupPause is the time after a query in which requests gather for the next
	// one. A query for ten costs little more than one for a single key.
	lookupPause = 300 * time.Microsecond
)

// find returns the row of the key with that lookup id, read after the call began,
// or nil if there is none.
func (l *lookup) find(ctx context.Context, lookupID string) (*keyRow, error) {
	r := &request{lookupID: lookupID, done: make(chan struct{})}
	l.mu.Lock()
	l.waiting = append(l.waiting, r)
	if !l.running {
		l.running = true
		go l.run()
	}
	l.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.done:
		return r.row, r.err
	}
}

// run queries until nobody waits.
func (l *lookup) run() {
	for {
		l.mu.Lock()
		batch := l.waiting
		l.waiting = nil
		l.running = len(batch) > 0
		l.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		rows, err := l.query(batch)
		if database.Unavailable(err) {
			// Idle connections may all be dead without a word, and each would be found
			// out at the cost of a timeout.
			l.pool.Reset()
		}
		for _, r := range batch {
			r.row, r.err = rows[r.lookupID], err
			close(r.done)
		}
		time.Sleep(lookupPause)
	}
}

// query crosses organizations on purpose: it finds out whose keys these are.
func (l *lookup) query(batch []*request) (map[string]*keyRow, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
	defer cancel()
	lookupIDs := make([]string, len(batch))
	for i, r := range batch {
		lookupIDs[i] = r.lookupID
	}
	found, err := l.pool.Query(ctx, `SELECT id, organization_id, lookup_id, secret_hash, fingerprint, expires_at, revoked_at, suspended
		FROM api_keys_find($1)`, lookupIDs)
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
