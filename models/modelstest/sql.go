package modelstest

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Conn connects to the database as the address's user, until the test ends. For the
// superuser no policy holds.
func Conn(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// Execute runs a statement.
func Execute(t testing.TB, conn *pgx.Conn, statement string, args ...any) {
	t.Helper()
	_, err := conn.Exec(context.Background(), statement, args...)
	require.NoError(t, err, statement)
}

// Value returns the value that a query of one row and one column returns.
func Value[T any](t testing.TB, conn *pgx.Conn, query string, args ...any) (value T) {
	t.Helper()
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

// ExecuteUnannounced executes a statement without triggers, and so without a
// notification on the change feed: only a reader of the database sees the change.
func ExecuteUnannounced(t testing.TB, w *World, statement string, args ...any) {
	t.Helper()
	withConn(t, w.URL, func(conn *pgx.Conn) {
		Execute(t, conn, `SET session_replication_role = replica`)
		Execute(t, conn, statement, args...)
	})
}

func withConn(t testing.TB, url string, f func(*pgx.Conn)) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	f(conn)
}

// Dump returns the text of every row of every table.
func Dump(t testing.TB, conn *pgx.Conn) string {
	t.Helper()
	var text strings.Builder
	for _, table := range Column[string](t, conn, `SELECT oid::regclass::text FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`) {
		text.WriteString(Value[string](t, conn, `SELECT coalesce(string_agg(x::text, E'\n' ORDER BY x::text), '') FROM `+table+` x`))
	}
	return text.String()
}

// RowsRead returns how many rows of each table f reads. It calls f several times and
// returns the least, because reads in the background may fall into one of them. It waits
// for the connections that f opens, because they report when they end: f must close them.
func RowsRead(t testing.TB, url string, f func()) map[string]int64 {
	t.Helper()
	const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND NOT pid = ANY($1)`
	conn := Conn(t, url)
	least := map[string]int64{}
	for attempt := range 3 {
		before := Column[int32](t, conn, `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`)
		counted := rowsRead(t, url)
		f()
		Eventually(t, func() bool { return Value[int](t, conn, others, before) == 0 })
		for table, rows := range rowsRead(t, url) {
			if rows -= counted[table]; attempt == 0 || rows < least[table] {
				least[table] = rows
			}
		}
	}
	return least
}

func rowsRead(t testing.TB, url string) map[string]int64 {
	return ValueAt[map[string]int64](t, url, `SELECT jsonb_object_agg(relname, seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables`)
}
