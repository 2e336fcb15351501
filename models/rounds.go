package models

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

// rounds lets reads that come at once go to the database together: as one message,
// one transaction and one answer, since all that is around the read of a company
// costs more than the read. A read goes at once while there is room for another
// round; only those that come while there is none wait, and share the next one.
// Who has waited for long goes alone: what the rounds hang on may be a lock, or dead
// connections, that others have nothing to do with. Nobody works for them but the
// callers themselves: one of a round asks for all.
type rounds struct {
	pool     *pgxpool.Pool
	most     int           // rounds at once
	patience time.Duration // after which who waits goes alone

	mu       sync.Mutex
	underWay int
	waiting  []*read // who came first is first
}

// read is a query of one organization's, and how its rows are taken.
type read struct {
	ctx       context.Context
	sql       string
	arguments [][]byte            // binary
	scan      func(i int, r *row) // with the row's number, from 0; and again from 0 where it is asked twice
	apart     bool                // it may take long: others are not to wait for it

	organizationID uuid.UUID
	rows           int       // that were taken
	signal         chan turn // for who waits
	tell           bool      // the connection has to be told of the organization before
}

// turn is what comes after waiting.
type turn int

const (
	lead  turn = iota // a round has to be begun
	taken             // somebody else's round took the rows
	alone             // somebody else's round failed, or none has come
)

const (
	// roundSize is how many reads go together at most: the first one's answer
	// comes with the last one's.
	roundSize = 8

	// roundsPerProcessor, this program's, keep PostgreSQL at work while it works
	// itself on what came before.
	roundsPerProcessor = 2

	// roundPatience is many times what a round takes.
	roundPatience = 100 * time.Millisecond
)

func newRounds(pool *pgxpool.Pool) *rounds {
	room := int(pool.Config().MaxConns) * 3 / 4 // the rest is for all that is no such read
	return &rounds{pool: pool, most: max(1, min(room, roundsPerProcessor*runtime.GOMAXPROCS(0))), patience: roundPatience}
}

// do reads, alone or with others. Who waits longer than ctx allows leaves.
func (q *rounds) do(r *read) error {
	turn, err := q.await(r)
	if err != nil || turn == taken {
		return err
	}
	if turn == lead {
		defer q.end()
		if shared, err := q.ask(r, true); err == nil || !shared {
			return err
		}
	}
	// In a round it may have failed by another's fault, or deadline. Who goes alone
	// does not count as a round, and has but the pool's bounds.
	_, err = q.ask(r, false)
	return err
}

// ask asks for a read and, in a round, for others that wait: shared tells whether
// there were any.
func (q *rounds) ask(r *read, round bool) (shared bool, err error) {
	conn, err := q.pool.Acquire(context.WithValue(r.ctx, toldByFetchKey{}, true))
	if err != nil {
		return false, wrap(err)
	}
	defer conn.Release()
	reads := append(make([]*read, 0, roundSize), r)
	if round {
		reads = q.join(reads)
	}
	outcome := alone
	defer func() {
		for _, other := range reads[1:] {
			other.signal <- outcome
		}
	}()
	if err := fetchAll(conn.Conn(), reads); err != nil {
		// Whatever it was: the next one begins on a connection, and with statements, of
		// its own. In the pool, one that hangs would keep its place for another 15 s.
		_ = conn.Hijack().Close(r.ctx)
		return len(reads) > 1, wrap(err)
	}
	outcome = taken
	return len(reads) > 1, nil
}

// await finds room for a round, or else waits for its turn.
func (q *rounds) await(r *read) (turn, error) {
	if r.apart {
		return alone, nil
	}
	q.mu.Lock()
	if q.underWay < q.most {
		q.underWay++
		q.mu.Unlock()
		return lead, nil
	}
	r.signal = make(chan turn, 1)
	q.waiting = append(q.waiting, r)
	q.mu.Unlock()
	patience := time.NewTimer(q.patience)
	defer patience.Stop()
	select {
	case turn := <-r.signal:
		return turn, nil
	case <-patience.C:
	case <-r.ctx.Done():
	}
	q.mu.Lock()
	i := slices.Index(q.waiting, r)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.mu.Unlock()
	if i < 0 {
		return <-r.signal, nil // somebody reads for it, and has its deadline
	}
	return alone, wrap(r.ctx.Err())
}

// join adds those who wait to a round.
func (q *rounds) join(reads []*read) []*read {
	q.mu.Lock()
	defer q.mu.Unlock()
	count := min(len(q.waiting), roundSize-len(reads))
	reads = append(reads, q.waiting[:count]...)
	q.waiting = slices.Delete(q.waiting, 0, count)
	return reads
}

// end leaves the room of a round to who waits longest.
func (q *rounds) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.underWay--
		return
	}
	q.waiting[0].signal <- lead
	q.waiting = slices.Delete(q.waiting, 0, 1)
}
