package database

import (
	"cmp"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// ErrPooler means that the service's connections share sessions. Its role, its timeout,
// its prepared statements and its subscription to changes belong to a session, which
// such a pooler hands to whichever client comes next.
var ErrPooler = errors.New("the database's address leads to a pooler in transaction mode, which cannot work: " +
	"connect to PostgreSQL directly, or set the pooler to session mode (pool_mode = session in PgBouncer)")

// refusePooler returns ErrPooler if one process serves two connections, or two serve one.
// A busy pooler may do neither at first, so it asks a few times.
func (db *DB) refusePooler(ctx context.Context) error {
	pooled, err := db.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer pooled.Release()
	first := pooled.Conn()
	served, err := servedBy(ctx, first)
	if err != nil || served == first.PgConn().PID() {
		return err // PostgreSQL itself answered when it connected
	}
	second, err := pgx.ConnectConfig(ctx, db.Pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = second.Close(ctx) }()
	for range 5 {
		other, err := servedBy(ctx, second)
		again, errAgain := servedBy(ctx, first)
		if err := cmp.Or(err, errAgain); err != nil {
			return err
		}
		if other == served || again != served {
			return ErrPooler
		}
	}
	return nil
}

// servedBy returns the server's process that serves a connection.
func servedBy(ctx context.Context, conn *pgx.Conn) (process uint32, err error) {
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&process)
	return process, err
}
