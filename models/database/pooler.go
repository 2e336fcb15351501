package database

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// ErrPooler means that the service's connections share sessions. Its role, its timeout,
// its prepared statements and its subscription to changes belong to a session, which
// such a pooler hands to whichever client comes next.
var ErrPooler = errors.New("the database's address leads to a pooler in transaction mode, which cannot work: " +
	"connect to PostgreSQL directly, or set the pooler to session mode (pool_mode = session in PgBouncer)")

// refusePooler returns ErrPooler if one process of the server serves two connections, or
// two serve one. A busy pooler may do neither at first, so it asks a few times.
func (db *DB) refusePooler(ctx context.Context) error {
	var connections [2]*pgx.Conn
	for i := range connections {
		conn, err := pgx.ConnectConfig(ctx, db.Pool.Config().ConnConfig)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		connections[i] = conn
	}
	served := map[uint32]int{} // connections by the process that serves them
	for range 5 {
		for i, conn := range connections {
			var process uint32
			if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&process); err != nil {
				return err
			}
			if process == conn.PgConn().PID() {
				return nil // PostgreSQL itself answered when it connected
			}
			if other, known := served[process]; known && other != i {
				return ErrPooler
			}
			served[process] = i
		}
	}
	if len(served) > len(connections) {
		return ErrPooler
	}
	return nil
}
