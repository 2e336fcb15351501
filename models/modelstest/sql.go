package modelstest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Execute runs a statement.
func Execute(t testing.TB, conn *pgx.Conn, statement string, args ...any) {
	t.Helper()
	_, err := conn.Exec(context.Background(), statement, args...)
	require.NoError(t, err, statement)
}

// Value returns the value that a query of one row and one column returns.
func Value[T any](t testing.TB, conn *pgx.Conn, query string, args ...any) T {
	t.Helper()
	var value T
	require.NoError(t, conn.QueryRow(context.Background(), query, args...).Scan(&value), query)
	return value
}

// Column returns the values that a query of one column returns.
func Column[T any](t testing.TB, conn *pgx.Conn, query string, args ...any) []T {
	t.Helper()
	rows, err := conn.Query(context.Background(), query, args...)
	require.NoError(t, err, query)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err, query)
	return values
}

// ExecuteAt is Execute on a new connection to the database at url, which it closes.
func ExecuteAt(t testing.TB, url, statement string, args ...any) {
	t.Helper()
	withConn(t, url, func(conn *pgx.Conn) { Execute(t, conn, statement, args...) })
}

// ValueAt is Value on a new connection to the database at url, which it closes.
func ValueAt[T any](t testing.TB, url, query string, args ...any) (value T) {
	t.Helper()
	withConn(t, url, func(conn *pgx.Conn) { value = Value[T](t, conn, query, args...) })
	return value
}

func withConn(t testing.TB, url string, f func(*pgx.Conn)) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	f(conn)
}
