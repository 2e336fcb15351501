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
	var served [2]uint32
	for round := range 5 {
		for i, conn := range connections {
			if conn == nil {
				var err error
				if conn, err = pgx.ConnectConfig(ctx, db.Pool.Config().ConnConfig); err != nil {
					return err
				}
				defer func() { _ = conn.Close(ctx) }()
				connections[i] = conn
			}
			last := served[i]
			if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&served[i]); err != nil {
				return err
			}
			switch {
			case served[i] == conn.PgConn().PID():
				return nil // PostgreSQL itself answered when it connected
			case round > 0 && served[i] != last, served[0] == served[1]:
				return ErrPooler
			}
		}
	}
	return nil
}
