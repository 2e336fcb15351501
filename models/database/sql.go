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

func (t sqlTx) Commit() error   { return t.tx.Commit(t.ctx) }
func (t sqlTx) Rollback() error { return t.tx.Rollback(t.ctx) }

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
