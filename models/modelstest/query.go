package modelstest

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// ExecuteUnannounced executes a statement without triggers, and so without a
// notification on the change feed: only a reader of the database sees the change.
func ExecuteUnannounced(t testing.TB, w *World, statement string, args ...any) {
	t.Helper()
	conn := Conn(t, w.URL)
	Execute(t, conn, `SET session_replication_role = replica`)
	Execute(t, conn, statement, args...)
	require.NoError(t, conn.Close(context.Background()))
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
