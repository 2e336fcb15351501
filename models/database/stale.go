package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// stalePlan reports whether a statement failed because it was prepared before a
// migration changed the columns that it reads. pgx has then forgotten the statement,
// and the same connection prepares it again.
func stalePlan(err error) bool {
	var server *pgconn.PgError
	if !errors.As(err, &server) {
		return false
	}
	switch server.Code {
	case "0A000": // feature not supported: PostgreSQL has no code of its own for this
		return server.Routine == "RevalidateCachedQuery"
	case "42804": // datatype mismatch: what a function returns has changed
		return true
	}
	return false
}

// openSQL returns the pool for GORM, whose queries survive a change of columns too.
func openSQL(pool *pgxpool.Pool) *sql.DB {
	db := sql.OpenDB(sqlConnector{stdlib.GetPoolConnector(pool)})
	db.SetMaxIdleConns(0) // the pool keeps them
	return db
}

type sqlConnector struct{ driver.Connector }

// Connect acquires a connection of the pool.
func (c sqlConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return sqlConn{conn.(*stdlib.Conn)}, nil
}

// sqlConn is pgx's connection for database/sql, except for stale plans.
type sqlConn struct{ *stdlib.Conn }

// QueryContext runs a query, and again if its plan was stale. An error in a
// transaction would end that, so there each statement is prepared anew.
func (c sqlConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.Conn.Conn().PgConn().TxStatus() != 'I' {
		return c.Conn.QueryContext(ctx, query, append([]driver.NamedValue{{Value: pgx.QueryExecModeDescribeExec}}, args...))
	}
	rows, err := c.Conn.QueryContext(ctx, query, args)
	if stalePlan(err) {
		rows, err = c.Conn.QueryContext(ctx, query, args)
	}
	return rows, err
}
