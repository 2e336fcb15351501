package database

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5"
)

// ErrPooler means that the service's connections share sessions. Its role, its timeout,
// its prepared statements and its subscription to changes belong to a session, which
// such a pooler hands to whichever client comes next.
var ErrPooler = errors.New("the database's address leads to a pooler in transaction mode, which cannot work: " +
	"connect to PostgreSQL directly, or set the pooler to session mode (pool_mode = session in PgBouncer)")

// CheckSessions returns an error for the operator unless the database at url answers, and each
// connection to it keeps its session.
func CheckSessions(ctx context.Context, url string) error {
	config, err := poolConfig(Config{URL: url, timelines: &timelines{log: slog.Default()}})
	if err != nil {
		return err
	}
	return connectError(RefusePooler(ctx, config.ConnConfig), config.ConnConfig)
}

// RefusePooler returns ErrPooler if one process of the server serves two connections, or
// two serve one. A busy pooler may do neither at first, so it asks a few times.
func RefusePooler(ctx context.Context, config *pgx.ConnConfig) error {
	var connections [2]*pgx.Conn
	var before, now [2]uint32 // the processes that serve them
	for round := range 5 {
		for i := range connections {
			if connections[i] == nil {
				conn, err := pgx.ConnectConfig(ctx, config)
				if err != nil {
					return err
				}
				defer func() { _ = conn.Close(ctx) }()
				connections[i] = conn
			}
			conn := connections[i]
			if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&now[i]); err != nil {
				return err
			}
			if now[i] == conn.PgConn().PID() {
				return nil // PostgreSQL itself answered when it connected
			}
		}
		if now[0] == now[1] || round > 0 && now != before {
			return ErrPooler
		}
		before = now
	}
	return nil
}
