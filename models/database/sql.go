package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// openSQL returns the pool for GORM.
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

// sqlConn is pgx's connection for database/sql, except that each statement and each
// transaction works for the context's organization, and that statements survive a
// change of the schema.
type sqlConn struct{ *stdlib.Conn }

// QueryContext runs a query and reads all of its rows.
func (c sqlConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	read := &sqlRows{}
	return read, retryable(send(ctx, c.Conn.Conn(), read.collect, query, values(args)))
}

// ExecContext runs a statement.
func (c sqlConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	conn := c.Conn.Conn()
	if len(args) == 0 && (organizationOf(ctx) == uuid.Nil || inTransaction(conn)) {
		return c.Conn.ExecContext(ctx, query, args) // by the simple protocol, which caches nothing
	}
	var tag pgconn.CommandTag
	err := send(ctx, conn, func(rows pgx.Rows) error {
		rows.Close()
		tag = rows.CommandTag()
		return rows.Err()
	}, query, values(args))
	return driver.RowsAffected(tag.RowsAffected()), retryable(err)
}

// BeginTx begins a transaction that works for the context's organization.
func (c sqlConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if options.Isolation != driver.IsolationLevel(sql.LevelDefault) || options.ReadOnly {
		return nil, errors.New("transactions have PostgreSQL's default isolation")
	}
	tx, err := c.Conn.Conn().BeginTx(ctx, beginFor(ctx))
	return sqlTx{ctx, tx}, retryable(err)
}

type sqlTx struct {
	ctx context.Context
	tx  pgx.Tx
}

func (t sqlTx) Commit() error {
	if began, ok := t.ctx.Value(commitKey{}).(*bool); ok {
		*began = true
	}
	return t.tx.Commit(t.ctx)
}

func (t sqlTx) Rollback() error { return t.tx.Rollback(t.ctx) }

type commitKey struct{}

// WatchCommits returns a context, and whether a transaction in it has begun to commit: from then
// on, something may have changed, also if the answer was lost. One goroutine may use it.
func WatchCommits(ctx context.Context) (context.Context, *bool) {
	began := new(bool)
	return context.WithValue(ctx, commitKey{}, began), began
}

// retryable lets database/sql try another connection if nothing has reached the server.
func retryable(err error) error {
	if err != nil && pgconn.SafeToRetry(err) {
		return errors.Join(driver.ErrBadConn, err)
	}
	return err
}

func values(args []driver.NamedValue) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		all[i] = arg.Value
	}
	return all
}

type sqlRows struct {
	columns []string
	rows    [][]driver.Value
}

func (r *sqlRows) collect(rows pgx.Rows) error {
	defer rows.Close()
	*r = sqlRows{}
	for rows.Next() {
		fields, types := rows.FieldDescriptions(), rows.Conn().TypeMap()
		row := make([]driver.Value, len(fields))
		for i, raw := range rows.RawValues() {
			if raw == nil {
				continue
			}
			kind, known := types.TypeForOID(fields[i].DataTypeOID)
			if !known { // it comes as text
				row[i] = string(raw)
				continue
			}
			var err error
			if row[i], err = kind.Codec.DecodeDatabaseSQLValue(types, kind.OID, fields[i].Format, raw); err != nil {
				return err
			}
		}
		r.rows = append(r.rows, row)
	}
	if rows.Err() != nil {
		return rows.Err()
	}
	for _, field := range rows.FieldDescriptions() {
		r.columns = append(r.columns, field.Name)
	}
	return nil
}

// Columns returns the columns' names.
func (r *sqlRows) Columns() []string { return r.columns }

// Close does nothing.
func (r *sqlRows) Close() error { return nil }

// Next copies the next row.
func (r *sqlRows) Next(row []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	copy(row, r.rows[0])
	r.rows = r.rows[1:]
	return nil
}

// beginFor returns options that begin a transaction and set the context's
// organization for it, in one message.
func beginFor(ctx context.Context) pgx.TxOptions {
	id := organizationOf(ctx)
	if id == uuid.Nil {
		return pgx.TxOptions{BeginQuery: "BEGIN"}
	}
	return pgx.TxOptions{BeginQuery: "BEGIN; SET LOCAL dispo.organization_id = '" + id.String() + "'"}
}

// TxConn is the connection of a transaction, for SQL of our own. Its statements are described
// again each time: a plan that was cached before a migration changed its columns would abort the
// transaction. Statements outside of transactions are repeated instead, see send.
type TxConn struct{ *pgx.Conn }

// InTransaction returns the connection of a transaction.
func InTransaction(tx pgx.Tx) TxConn { return TxConn{tx.Conn()} }

// Exec is pgx's.
func (c TxConn) Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error) {
	return c.Conn.Exec(ctx, sql, described(arguments)...)
}

// Query is pgx's.
func (c TxConn) Query(ctx context.Context, sql string, arguments ...any) (pgx.Rows, error) {
	return c.Conn.Query(ctx, sql, described(arguments)...)
}

// QueryRow is pgx's.
func (c TxConn) QueryRow(ctx context.Context, sql string, arguments ...any) pgx.Row {
	return c.Conn.QueryRow(ctx, sql, described(arguments)...)
}

func described(arguments []any) []any {
	return append([]any{pgx.QueryExecModeDescribeExec}, arguments...)
}

// send runs a statement for the context's organization, if it has one, and calls read
// with the rows. The setting and the statement are one message and so one transaction.
// A statement in a transaction works for the transaction's organization.
func send(ctx context.Context, conn *pgx.Conn, read func(pgx.Rows) error, sql string, arguments []any) error {
	if inTransaction(conn) {
		return query(ctx, conn, read, sql, described(arguments))
	}
	run := query
	if organizationOf(ctx) != uuid.Nil {
		run = queryFor
	}
	return again(func() error { return run(ctx, conn, read, sql, arguments) })
}

func query(ctx context.Context, conn *pgx.Conn, read func(pgx.Rows) error, sql string, arguments []any) error {
	rows, err := conn.Query(ctx, sql, arguments...)
	if err != nil {
		return err
	}
	return read(rows)
}

func queryFor(ctx context.Context, conn *pgx.Conn, read func(pgx.Rows) error, sql string, arguments []any) error {
	batch := &pgx.Batch{}
	batch.Queue(setOrganization, organizationOf(ctx).String())
	batch.Queue(sql, arguments...).Query(read)
	return conn.SendBatch(ctx, batch).Close()
}

// Query runs SQL of our own for the context's organization, if it has one, and
// returns its rows. Columns go to the fields of T by their names, each to one.
// The errors are pgx's and ErrBusy.
func Query[T any](ctx context.Context, db *DB, sql string, arguments ...any) (items []T, err error) {
	conn, err := db.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	err = send(ctx, conn.Conn(), func(rows pgx.Rows) (err error) {
		items, err = collect[T](rows)
		return err
	}, sql, arguments)
	return items, err
}
