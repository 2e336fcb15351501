package database

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errOldTimeline means that a server is a primary that another one has replaced.
var errOldTimeline = errors.New(
	"the server is a primary of an older timeline: another one was promoted since, so stop this one")

// errOtherSystem means that a standby follows another server than the primary.
var errOtherSystem = errors.New(
	"the server is a standby of another database system than the primary's: name standbys of the primary in DATABASE_READ_URL",
)

// timelines remembers the newest timeline of the database that this process has seen, in
// memory only. Each promotion of a standby begins a new one. A primary of an older timeline
// was replaced, and its data is not what others see. It also remembers the identifier of the
// primary's database system, which its standbys share.
type timelines struct {
	newest atomic.Uint32
	system atomic.Value // a string, empty if it is not known
	log    *slog.Logger
}

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
		system, err := ask(ctx, conn, systemIdentifier)
		if err != nil {
			return err
		}
		name, err := ask(ctx, conn, `SELECT pg_walfile_name(pg_current_wal_lsn())`)
		if err != nil || name == "" {
			return err // nil for a standby, or a PostgreSQL whose storage has no timelines
		}
		// The name begins with the timeline, eight hexadecimal digits.
		timeline, err := strconv.ParseUint(name[:min(8, len(name))], 16, 32)
		if err != nil {
			return err
		}
		conn.CustomData()[customTimeline] = uint32(timeline)
		for newest := t.newest.Load(); newest < uint32(timeline); newest = t.newest.Load() {
			if t.newest.CompareAndSwap(newest, uint32(timeline)) && newest > 0 {
				t.log.Warn(
					"a standby was promoted: if it may have lacked commits, run `dispo history renew`, so that clients copy the data again",
					"timeline",
					timeline,
				)
			}
		}
		if err := t.check(conn); err != nil {
			return err
		}
		t.system.Store(system)
		return nil
	}
}

// validateStandby refuses a new connection unless its server is a standby, and one of the
// primary's database system where both say which that is.
func (t *timelines) validateStandby(ctx context.Context, conn *pgconn.PgConn) error {
	err := pgconn.ValidateConnectTargetSessionAttrsStandby(ctx, conn)
	if err != nil {
		return err
	}
	system, err := ask(ctx, conn, systemIdentifier)
	if primary, _ := t.system.Load().(string); err == nil && system != "" && primary != "" && system != primary {
		err = errOtherSystem
	}
	return err
}

const systemIdentifier = `SELECT system_identifier FROM pg_control_system()`

// ask returns the only value of a query, and "" if the server refuses to answer it.
func ask(ctx context.Context, conn *pgconn.PgConn, query string) (string, error) {
	results, err := conn.Exec(ctx, query).ReadAll()
	if errors.As(err, new(*pgconn.PgError)) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return string(results[0].Rows[0][0]), nil
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
