package database

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

type (
	organizationKey struct{}
	operatorKey     struct{}
	composingKey    struct{} // of a Statement, for no organization yet
)

// WithOrganization returns a context whose queries work for that organization
// alone: by GORM's scope, and by row-level security.
func WithOrganization(ctx context.Context, id uuid.UUID) context.Context {
	return context.WithValue(ctx, organizationKey{}, id)
}

// WithOperator returns a context whose queries cross organizations on purpose.
// Row-level security still shows nothing to connections that work as Service.
func WithOperator(ctx context.Context) context.Context {
	return context.WithValue(ctx, operatorKey{}, true)
}

// organizationOf returns the organization that ctx works for, uuid.Nil for none.
func organizationOf(ctx context.Context) uuid.UUID {
	id, _ := ctx.Value(organizationKey{}).(uuid.UUID)
	return id
}

func isOperator(ctx context.Context) bool { return ctx.Value(operatorKey{}) != nil }

func isComposing(ctx context.Context) bool { return ctx.Value(composingKey{}) != nil }

// The row-level security policies compare a row's organization with this setting.
// Without it no row is visible. It is only ever set for one transaction, so no
// connection keeps an organization.
const setOrganization = `SELECT set_config('dispo.organization_id', $1, true)`

// setOrganizationAndLimit also bounds the statements that follow, in milliseconds.
const setOrganizationAndLimit = setOrganization + `, set_config('statement_timeout', $2, true)`

// beginFor returns options that begin a transaction and set the context's
// organization for it, in one message.
func beginFor(ctx context.Context) pgx.TxOptions {
	id := organizationOf(ctx)
	if id == uuid.Nil {
		return pgx.TxOptions{BeginQuery: "BEGIN"}
	}
	return pgx.TxOptions{BeginQuery: "BEGIN; SET LOCAL dispo.organization_id = '" + id.String() + "'"}
}

func inTransaction(conn *pgx.Conn) bool { return conn.PgConn().TxStatus() != 'I' }

// TxConn is the connection of a transaction, for SQL of our own. Its statements are prepared
// anew: a plan that was cached before a migration changed its columns would abort the
// transaction. Statements outside of transactions are repeated instead, see send.
type TxConn struct{ *pgx.Conn }

// InTransaction returns the connection of a transaction.
func InTransaction(tx pgx.Tx) TxConn { return TxConn{tx.Conn()} }

// Exec is pgx's.
func (c TxConn) Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error) {
	return c.Conn.Exec(ctx, sql, anew(arguments)...)
}

// Query is pgx's.
func (c TxConn) Query(ctx context.Context, sql string, arguments ...any) (pgx.Rows, error) {
	return c.Conn.Query(ctx, sql, anew(arguments)...)
}

// QueryRow is pgx's.
func (c TxConn) QueryRow(ctx context.Context, sql string, arguments ...any) pgx.Row {
	return c.Conn.QueryRow(ctx, sql, anew(arguments)...)
}

func anew(arguments []any) []any { return append([]any{pgx.QueryExecModeDescribeExec}, arguments...) }

// send runs a statement for the context's organization, if it has one, and calls read
// with the rows. The setting and the statement are one message and so one transaction.
// A statement in a transaction works for the transaction's organization.
func send(ctx context.Context, conn *pgx.Conn, read func(pgx.Rows) error, sql string, arguments []any) error {
	if inTransaction(conn) {
		return query(ctx, conn, read, sql, anew(arguments))
	}
	run := query
	if organizationOf(ctx) != uuid.Nil {
		run = queryFor
	}
	return again(func() error { return run(ctx, conn, read, sql, arguments) })
}

// again runs a message, and once more if a statement in it may have been prepared before a
// migration changed the columns that it reads. pgx has then forgotten the message's
// statements, and the same connection prepares them again.
func again(run func() error) error {
	err := run()
	switch sqlState(err) {
	case "0A000", "42804": // feature not supported, datatype mismatch
		err = run()
	}
	return err
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
