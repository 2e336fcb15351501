package database

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrPooler means that the service's connections do not stay their own. Its role, its
// organization, its prepared statements and its subscription to changes belong to a
// session, which such a pooler gives to whoever comes next.
var ErrPooler = errors.New("the database's address leads to a pooler in transaction mode, which cannot work: " +
	"connect to PostgreSQL directly, or set the pooler to session mode (pool_mode = session in PgBouncer)")

// probeRounds is how often refusePooler tries to be given another session. An idle
// pooler does so in the first round, and a busy one at every second query or so.
const probeRounds = 5

// refusePooler returns ErrPooler if a session of the server does not belong to one
// connection. Errors of the connection are pgx's.
func (db *DB) refusePooler(ctx context.Context) error {
	acquired, err := db.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer acquired.Release()
	first := acquired.Conn().PgConn()
	firstBackend, err := backend(ctx, first)
	if err != nil || firstBackend == first.PID() {
		return err // PostgreSQL itself answered when it connected
	}
	conn, err := pgx.ConnectConfig(ctx, db.Pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	second := conn.PgConn()
	secondBackend, err := backend(ctx, second)
	if err != nil {
		return err
	}
	if firstBackend == secondBackend {
		return ErrPooler
	}
	for range probeRounds {
		// While the second one holds a session in a transaction, and when it has returned
		// that, the first one would get another.
		for _, step := range []struct {
			conn      *pgconn.PgConn
			statement string
			backend   uint32
		}{{second, "BEGIN; ", secondBackend}, {first, "", firstBackend}, {second, "ROLLBACK; ", secondBackend}, {first, "", firstBackend}, {first, "", firstBackend}} {
			got, err := backend(ctx, step.conn, step.statement)
			if err != nil {
				return err
			}
			if got != step.backend {
				return ErrPooler
			}
		}
	}
	return nil
}

// backend returns the process that serves a connection, after it has run the
// statements in the same message.
func backend(ctx context.Context, conn *pgconn.PgConn, statements ...string) (uint32, error) {
	query := "SELECT pg_backend_pid()"
	for _, statement := range statements {
		query = statement + query
	}
	results, err := conn.Exec(ctx, query).ReadAll()
	if err != nil {
		return 0, err
	}
	last := results[len(results)-1]
	pid, err := strconv.ParseUint(string(last.Rows[0][0]), 10, 32)
	return uint32(pid), err
}

// Pooled returns ErrPooler, with its sign, if err is one of it. Otherwise it returns nil.
func Pooled(err error) error {
	switch {
	case errors.Is(err, ErrPooler):
		return ErrPooler
	case lostSession(err):
		return fmt.Errorf("%w: %w", ErrPooler, err)
	}
	return nil
}

// lostSession reports whether the server does not know a statement that was prepared
// on this connection, or knows one that was not.
func lostSession(err error) bool {
	state := sqlState(err)
	return state == "26000" || state == "42P05"
}
