package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

// EachTimeout is how long the service may read a snapshot.
const EachTimeout = 15 * time.Minute

// connectionPatience is how long ReadSnapshot waits for a connection.
const connectionPatience = 2 * time.Second

// Snapshot is the data of one moment.
type Snapshot struct {
	ctx context.Context
	tx  TxConn

	counts func() bool // whether what is read counts; called when the first row is there, or there are none
}

// errHeldUp means that a replica took too long for its first row.
var errHeldUp = errors.New("the replica took too long for the first row")

// ReadSnapshot calls f, which reads a snapshot for the context's organization: the operator
// for as long as that takes, also where a slow disk holds it up. The errors are pgx's, f's,
// and ErrBusy if no connection becomes free within two seconds.
func ReadSnapshot(ctx context.Context, db *DB, f func(Snapshot) error) error {
	patience, stopWaiting := context.WithTimeout(ctx, connectionPatience)
	defer stopWaiting()
	conn, err := db.acquire(patience)
	if err != nil {
		return err
	}
	defer conn.Release()
	// One processor is enough, because others need the server meanwhile.
	begin := beginFor(ctx).BeginQuery + "; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; " +
		"SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL statement_timeout = "
	if db.Role == Operator {
		begin += "0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL tcp_user_timeout = 0"
	} else {
		begin += fmt.Sprint(EachTimeout.Milliseconds())
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, EachTimeout)
		defer cancel()
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return err
	}
	defer func() { _ = db.finish(ctx, tx.Rollback) }()
	return f(Snapshot{ctx, InTransaction(tx), func() bool { return true }})
}

// ReadReplica is ReadSnapshot on a replica, over the connections that are kept for exports,
// if there is one whose data has the version and whose first row is there in time. Else it
// returns false, and Each has passed on no row.
func (db *DB) ReadReplica(ctx context.Context, version Version, f func(Snapshot) error) (counted bool, err error) {
	return db.Replicas.Read(ctx, version, func(ctx context.Context, replica *DB, counts func(Version) bool) error {
		return ReadSnapshot(ctx, replica.exports, func(s Snapshot) error {
			var found Version
			err := s.tx.QueryRow(s.ctx, "SELECT data_version, history FROM organizations WHERE id = $1", organizationOf(ctx)).
				Scan(&found.DataVersion, &found.History)
			if err != nil {
				return err
			}
			if found != version {
				counts(found)
				return nil
			}
			started := false
			s.counts = sync.OnceValue(func() bool {
				started = counts(found)
				return started
			})
			if err = f(s); err != nil && !started { // held up by work, or by a lock that was replayed
				err = fmt.Errorf("%w: %w", ErrBusy, err)
			}
			return err
		})
	})
}

// ReadInOrder makes PostgreSQL read the queries that follow by an index in their order, if
// there is one, so that the first row comes at once, and look up what they join. It would
// sort if it took that to be faster in all.
func (s Snapshot) ReadInOrder() error {
	_, err := s.tx.Exec(s.ctx, "SET LOCAL enable_sort = off; SET LOCAL enable_material = off")
	return err
}

// Copy writes the result of a query of our own as PostgreSQL's COPY writes it with options.
// Like Each, it has little of it in memory at a time.
func (s Snapshot) Copy(to io.Writer, query, options string) error {
	_, err := s.tx.PgConn().CopyTo(s.ctx, to, "COPY ("+query+") TO STDOUT WITH ("+options+")")
	return err
}

// Rows runs a query of our own and returns its rows. Columns go to the fields of T by their names.
func Rows[T any](s Snapshot, query string, arguments ...any) ([]T, error) {
	rows, err := s.tx.Query(s.ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}

// Each runs a query from DB.GORM, with its scope, and calls f with every row. The row is valid
// only until f returns: there is one in memory at a time. The errors are GORM's, pgx's and f's.
func Each[T any](s Snapshot, query *gorm.DB, f func(*T) error) error {
	composed := query.Session(&gorm.Session{DryRun: true}).Find(new([]T))
	if composed.Error != nil {
		return composed.Error
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	rows, err := s.tx.Query(ctx, composed.Statement.SQL.String(), composed.Statement.Vars...)
	if err != nil {
		return err
	}
	err = EachRow(rows, func(row *T) error {
		if !s.counts() {
			return errHeldUp
		}
		err := f(row)
		if err != nil {
			cancel() // else the other rows would be read
		}
		return err
	})
	if err == nil && !s.counts() {
		return errHeldUp
	}
	return err
}
