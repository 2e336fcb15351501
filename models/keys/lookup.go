package keys

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"dispo/models/database"
)

// lookup finds keys' rows by lookup id. It runs one query at a time, for keys that
// were asked for during the one before. So unknown keys, however many are sent, take
// one connection and leave the others to good keys; and a fleet that comes back at
// once is looked up in a few queries.
//
// A query takes no more than lookupShare keys from one address, so a flood from there
// makes the query small for everybody else and waits by itself. Only requests that are
// still open wait: their number is the server's limit on connections.
type lookup struct {
	db      *database.DB
	mu      sync.Mutex
	waiting map[string][]*request // by the address they come from, in order of arrival
	running bool
}

// request is a lookup that somebody waits for.
type request struct {
	ctx      context.Context
	lookupID string
	sandbox  bool    // whether the key begins as those of sandboxes do
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
	PausedAt       *time.Time
	Suspended      bool // its organization is
	Replaced       bool // it has a successor that would be accepted
	Sandbox        bool // its organization is one
}

const (
	lookupTimeout = 3 * time.Second
	lookupShare   = 64

	// lookupPause is the time after a query in which requests gather for the next
	// one. A query for ten costs little more than one for a single key.
	lookupPause = 300 * time.Microsecond
)

// find reads the row of the key with that lookup id. It returns nil if no key of a sandbox,
// or of a real organization, has the id. The row was read after the call began. from is
// the address or network that the key comes from.
func (l *lookup) find(ctx context.Context, lookupID string, sandbox bool, from string) (*keyRow, error) {
	r := &request{ctx: ctx, lookupID: lookupID, sandbox: sandbox, done: make(chan struct{})}
	l.mu.Lock()
	if l.waiting == nil {
		l.waiting = map[string][]*request{}
	}
	l.waiting[from] = append(l.waiting[from], r)
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
		batch := l.next()
		if len(batch) == 0 {
			return
		}
		rows, err := l.query(batch)
		if database.Unavailable(err) && !database.CutOff(err) && !errors.Is(err, database.ErrBusy) {
			// Idle connections may all be dead without a word, and each would be found
			// out at the cost of a timeout.
			l.db.Pool.Reset()
		}
		for _, r := range batch {
			r.row, r.err = rows[wanted{r.lookupID, r.sandbox}], err
			close(r.done)
		}
		time.Sleep(lookupPause)
	}
}

// next takes the requests of the next query from those that wait: the oldest of each
// address. It drops those whose caller has given up.
func (l *lookup) next() (batch []*request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for from, queue := range l.waiting {
		for share := 0; len(queue) > 0 && share < lookupShare; queue = queue[1:] {
			if queue[0].ctx.Err() == nil {
				batch = append(batch, queue[0])
				share++
			}
		}
		if l.waiting[from] = queue; len(queue) == 0 {
			delete(l.waiting, from)
		}
	}
	l.running = len(batch) > 0
	return batch
}

// wanted is what a key is looked up by.
type wanted struct {
	lookupID string
	sandbox  bool
}

// query crosses organizations on purpose: it finds out whose keys these are.
func (l *lookup) query(batch []*request) (map[wanted]*keyRow, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
	defer cancel()
	lookupIDs, sandboxes := make([]string, len(batch)), make([]bool, len(batch))
	for i, r := range batch {
		lookupIDs[i], sandboxes[i] = r.lookupID, r.sandbox
	}
	all, err := database.Query[keyRow](ctx, l.db, `SELECT id, organization_id, lookup_id, secret_hash, fingerprint, expires_at, revoked_at, paused_at, suspended, replaced, sandbox
		FROM api_keys_check($1, $2)`, lookupIDs, sandboxes)
	if err != nil {
		return nil, err
	}
	rows := make(map[wanted]*keyRow, len(all))
	for i := range all {
		rows[wanted{all[i].LookupID, all[i].Sandbox}] = &all[i]
	}
	return rows, nil
}
