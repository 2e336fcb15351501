package doctor

import (
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// What takes hours or billions of transactions until it is found, is found: with limits that are as
// low, a database at work has all of it.
func TestServerFindsWhatTakesLong(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	idle := modelstest.Conn(t, w.URL)
	_, err := idle.Exec(t.Context(), `SET application_name = 'forgotten'; BEGIN`)
	require.NoError(t, err)
	modelstest.Execute(t, idle, `SELECT 1`)
	text, err := queries.ReadFile("server.sql")
	require.NoError(t, err)
	low := strings.NewReplacer("interval '1 hour'", "interval '0'", "age > 1000000000", "age > 0", "age > 1900000000", "age > 1",
		"pg_database_collation_actual_version(oid)", "'2.41'", "datcollversion", "'2.36'").
		Replace(string(text))
	found, err := modelstest.Conn(t, w.URL).Query(t.Context(), low)
	require.NoError(t, err)
	rows, err := pgx.CollectRows(found, pgx.RowToStructByNameLax[Finding])
	require.NoError(t, err)
	var messages []string
	for _, f := range rows {
		messages = append(messages, string(f.Level)+" "+f.Message+" "+f.Do)
	}
	all := strings.Join(messages, "\n")
	require.Regexp(t, `(?m)^failure Transaction ids run out: the oldest of the database template1 is \d+ transactions old`,
		all)
	require.Regexp(t,
		`(?m)^warning A transaction of \w+ has been idle for .*See what opened it \(forgotten\), .*terminate_backend\(\d+\)$`,
		all)
	require.Regexp(t,
		`(?m)^warning The database sorts text by version 2.36 of its library, which is now 2.41: .*REINDEX DATABASE test_`,
		all)
}
