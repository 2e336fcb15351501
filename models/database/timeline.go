package database

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errOldTimeline means that a server is a primary that another one has replaced.
var errOldTimeline = errors.New("the server is a primary of an older timeline: another one was promoted since, so stop this one")

// timelines remembers the newest timeline of the database that this process has seen, in
// memory only. Each promotion of a standby begins a new one. A primary of an older timeline
// was replaced, and its data is not what others see.
type timelines struct{ newest atomic.Uint32 }

// customTimeline is where a connection's custom data has the timeline of its server.
const customTimeline = "dispo timeline"

// validate returns a function that asks a new connection for its server's timeline, after
// first, and refuses an older one than the newest.
func (t *timelines) validate(first pgconn.ValidateConnectFunc) pgconn.ValidateConnectFunc {
	return func(ctx context.Context, conn *pgconn.PgConn) error {
		if first != nil {
			if err := first(ctx, conn); err != nil {
				return err
			}
		}
		results, err := conn.Exec(ctx, `SELECT pg_walfile_name(pg_current_wal_lsn())`).ReadAll()
		if errors.As(err, new(*pgconn.PgError)) {
			return nil // a standby, or a PostgreSQL whose storage has no timelines
		}
		if err != nil {
			return err
		}
		// The name begins with the timeline, eight hexadecimal digits.
		name := string(results[0].Rows[0][0])
		timeline, err := strconv.ParseUint(name[:min(8, len(name))], 16, 32)
		if err != nil {
			return err
		}
		conn.CustomData()[customTimeline] = uint32(timeline)
		for newest := t.newest.Load(); newest < uint32(timeline); newest = t.newest.Load() {
			t.newest.CompareAndSwap(newest, uint32(timeline))
		}
		return t.check(conn)
	}
}

// check returns errOldTimeline if another server was promoted since the connection was made.
func (t *timelines) check(conn *pgconn.PgConn) error {
	if timeline, known := conn.CustomData()[customTimeline].(uint32); known && timeline < t.newest.Load() {
		return errOldTimeline
	}
	return nil
}

// prepare lets a pool drop such a connection before it is used.
func (t *timelines) prepare(_ context.Context, conn *pgx.Conn) (bool, error) {
	return t.check(conn.PgConn()) == nil, nil
}
